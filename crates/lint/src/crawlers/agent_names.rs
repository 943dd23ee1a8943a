//! Finds agents that no known crawler is called: near names, names of companies and of products,
//! and names that Google cuts.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashSet};

use polite_robots::RobotsTxt;
use polite_robots::document::UserAgent;
use polite_robots::text::quote;
use polite_robots_audit::known::{self, KnownCrawler, Meant, Product, find, product};

use crate::code::DiagnosticCode;
use crate::crawlers::names::{beginning_with, name, names_of, readers};
use crate::diagnostic::Diagnostic;

/// Adds the findings about the `User-agent` lines of a file.
pub(super) fn agent_names(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let file = File::new(robots_txt);
    for group in robots_txt.groups() {
        let (in_group, has_wildcard) = (OnceCell::new(), OnceCell::new());
        for agent in group.user_agents() {
            let token = name(agent.value());
            // A list of all spellings does no harm: the right one is in the same group, or in
            // another one with the same rules.
            let gets_rules = |crawler: &KnownCrawler| {
                let names = in_group.get_or_init(|| names_of(group.user_agents()));
                let is_beside = |token: &str| names.contains(&token.to_ascii_lowercase());
                let (own, mut second) = (crawler.token(), crawler.falls_back_to().iter());
                if file.names(own) {
                    is_beside(own) || file.have_same_rules(token, own)
                } else {
                    second.any(|token| is_beside(token))
                        || *has_wildcard
                            .get_or_init(|| group.user_agents().any(|agent| agent.is_wildcard()))
                }
            };
            if let Some(product) = product(agent.value()) {
                findings.extend(about_product(agent, product, gets_rules));
                continue;
            }
            let crawler = find(token);
            let is_current = crawler.is_some_and(|crawler| crawler.retired().is_none());
            // The old name of a crawler can be a second name too, and is reported all the same.
            if token.is_empty()
                || is_current
                || (crawler.is_none() && known::is_second_token(token))
            {
                continue;
            }
            findings.extend(match crawler {
                Some(crawler) => {
                    let is_named = |successor: &KnownCrawler| file.names(successor.token());
                    // Only the groups of one of several old names count.
                    let other = |successor: &'static KnownCrawler| {
                        let mut old_names = successor.falls_back_to().iter().copied();
                        let obeyed = old_names.find(|token| file.names(token))?;
                        let names = in_group.get_or_init(|| names_of(group.user_agents()));
                        (!names.contains(&obeyed.to_ascii_lowercase())).then_some(obeyed)
                    };
                    about_retired(agent, crawler, is_named, other, gets_rules)
                }
                None => about(agent, token, |name| file.names(name), gets_rules),
            });
        }
    }
}

/// A file, its names, and the comparisons of rules that are left. A hostile file has thousands of
/// names and of rules.
struct File<'r> {
    robots_txt: &'r RobotsTxt,
    names: OnceCell<HashSet<String>>,
    comparisons: Cell<usize>,
}

impl<'r> File<'r> {
    fn new(robots_txt: &'r RobotsTxt) -> File<'r> {
        File {
            robots_txt,
            names: OnceCell::new(),
            comparisons: Cell::new(MOST_COMPARISONS),
        }
    }

    /// Whether a group of the file names the crawler.
    fn names(&self, crawler: &str) -> bool {
        let agents = || {
            self.robots_txt
                .groups()
                .flat_map(|group| group.user_agents())
        };
        let names = self.names.get_or_init(|| names_of(agents()));
        names.contains(&crawler.to_ascii_lowercase())
    }

    /// Whether two names have the same rules; `false` also after too many comparisons.
    fn have_same_rules(&self, one: &str, other: &str) -> bool {
        let Some(left) = self.comparisons.get().checked_sub(1) else {
            return false;
        };
        self.comparisons.set(left);
        let [Ok(one), Ok(other)] = [one, other].map(|name| self.robots_txt.robot(name)) else {
            return false;
        };
        let [one, other] = [&one, &other].map(|robot| {
            let rules = robot.rules();
            rules
                .map(|rule| (rule.access(), rule.pattern()))
                .collect::<BTreeSet<_>>()
        });
        one == other
    }
}

/// Far more wrong names than a file was seen to have beside the right ones.
const MOST_COMPARISONS: usize = 20;

/// A finding about the name of a product, unless a crawler of its operator gets the rules of the
/// group by its own name.
fn about_product(
    agent: UserAgent<'_>,
    product: &Product,
    is_named: impl Fn(&KnownCrawler) -> bool,
) -> Option<Diagnostic> {
    let (operator, tokens) = (product.operator(), product.tokens());
    let mut crawlers = tokens.iter().filter_map(|token| find(token));
    if crawlers.any(is_named) {
        return None;
    }
    let name = String::from_utf8_lossy(agent.value());
    let is_name = if product.is_called(agent.value()) {
        "is the name"
    } else {
        "is nearly the name"
    };
    // Only `ChatGPT` is read of `ChatGPT Agent`, which is in lists of crawlers.
    let but = match find(&name) {
        Some(crawler) => format!(", but lists of others have `{}`", crawler.name()),
        None => String::new(),
    };
    let (rest, fix) = match list(tokens) {
        Some(list) => (
            format!("{operator} documents no crawler of that name{but}"),
            format!("write the names that you mean: {list}"),
        ),
        None => (
            format!("{operator} documents no crawler that reads robots.txt"),
            REMOVAL.into(),
        ),
    };
    let message = format!("`{name}` {is_name} of a product, and {rest}; {fix}");
    let code = DiagnosticCode::MisspelledCrawler;
    Some(Diagnostic::new(code, agent.line(), agent.span(), message))
}

/// The advice about a name that nobody is known to have. Without the line of a name its rules would
/// be those of the group above.
const REMOVAL: &str =
    "remove the name, and its rules if they are for no other, unless you know who reads it";

/// The names as a part of a sentence; `None` if there are none.
fn list(names: &[&str]) -> Option<String> {
    let (first, others) = names.split_first()?;
    let more = match others {
        [] => String::new(),
        [second] => format!(" and `{second}`"),
        [second, third] => format!(", `{second}` and `{third}`"),
        [second, ..] => format!(", `{second}` and {} more", others.len().saturating_sub(1)),
    };
    Some(format!("`{first}`{more}"))
}

/// A finding about a name that its crawler no longer uses, unless the file has the new name too.
fn about_retired(
    agent: UserAgent<'_>,
    crawler: &KnownCrawler,
    is_named: impl Fn(&KnownCrawler) -> bool,
    other_group: impl Fn(&'static KnownCrawler) -> Option<&'static str>,
    gets_rules: impl Fn(&KnownCrawler) -> bool,
) -> Option<Diagnostic> {
    let successor = crawler.retired()?.successor();
    let token = crawler.token();
    let message = match successor.map(|name| (name, find(name))) {
        Some((_, Some(successor))) if is_named(successor) => return None,
        Some((name, Some(successor))) if successor.falls_back_to().contains(&token) => {
            if let Some(obeyed) = other_group(successor) {
                let message = format!(
                    "{name} obeys the group for `{obeyed}` and not this one: `{token}` is a name that is no longer used too; write `{name}` too if you mean it"
                );
                let code = DiagnosticCode::RetiredCrawler;
                return Some(Diagnostic::new(code, agent.line(), agent.span(), message));
            }
            let operator = successor.operator().unwrap_or("its operator");
            format!(
                "`{token}` is a name that is no longer used, but {operator} says that {name} still obeys this group where no group names {name}; write `{name}` too"
            )
        }
        // Another old name in the group is one that its operator says it obeys.
        Some((_, Some(successor))) if gets_rules(successor) => return None,
        // No page says that the successor passes over the group, so the message claims no more than
        // is known.
        Some((name, _)) => format!(
            "{name} is not known to read this group: `{token}` is a name that is no longer used; write `{name}` too if you mean it"
        ),
        None => format!(
            "no crawler is known to read this group: `{token}` is a name that is no longer used; {REMOVAL}"
        ),
    };
    let code = DiagnosticCode::RetiredCrawler;
    Some(Diagnostic::new(code, agent.line(), agent.span(), message))
}

/// A finding about a name that no known crawler has. `is_in_file` asks whether the file has a name,
/// and `is_named` whether a crawler gets the rules of the group by its own name.
fn about(
    agent: UserAgent<'_>,
    whole: &str,
    is_in_file: impl Fn(&str) -> bool,
    is_named: impl Fn(&KnownCrawler) -> bool,
) -> Option<Diagnostic> {
    let finding = |code: DiagnosticCode, message: String| {
        Some(Diagnostic::new(code, agent.line(), agent.span(), message))
    };
    let read_by_google = agent.product_token();
    let cut = (read_by_google != whole).then(|| find(read_by_google));
    if let Some(crawler) = cut.flatten().filter(|crawler| !crawler.is_word()) {
        let token = crawler.token();
        return finding(
            DiagnosticCode::DigitInProductToken,
            format!(
                "this group is for {token} too, because many crawlers read only `{read_by_google}` of `{whole}`: by RFC 9309 a name has neither digits nor dots; write `{token}` if you mean it"
            ),
        );
    }
    let value = String::from_utf8_lossy(agent.value());
    if EVERYONE.iter().any(|word| value.eq_ignore_ascii_case(word)) {
        return finding(
            DiagnosticCode::MisspelledCrawler,
            format!(
                "no known crawler reads this group, because `{value}` is not the name of one; write `*` if you mean every crawler"
            ),
        );
    }
    let meant = known::clearly_meant(&value);
    if let Some(Meant::Product(product)) = meant {
        return about_product(agent, product, is_named);
    }
    if let Some(Meant::Crawler(crawler)) = meant {
        let token = crawler.token();
        return (!is_named(crawler)).then_some(()).and_then(|()| {
            finding(
                DiagnosticCode::MisspelledCrawler,
                format!(
                    "{token} does not read this group, because `{value}` is not its name; write `{token}` if you mean it{}",
                    readers(crawler, is_in_file)
                ),
            )
        });
    }
    if let Some(start) = value.strip_suffix('*').filter(|start| *start == whole) {
        let crawlers = beginning_with(start);
        if crawlers.iter().any(|crawler| is_named(crawler)) {
            return None;
        }
        let names: Vec<&str> = crawlers.iter().map(|crawler| crawler.token()).collect();
        let names = list(&names)?;
        return finding(
            DiagnosticCode::MisspelledCrawler,
            format!(
                "no known crawler reads this group, because {} is not the name of one, and names have no wildcards; write the names that you mean: {names}",
                quote(agent.value())
            ),
        );
    }
    let of_operator = meant.filter(|meant| matches!(meant, Meant::Operator(_)))?;
    let names = of_operator.tokens();
    if names.iter().filter_map(|token| find(token)).any(is_named) {
        return None;
    }
    let names = list(&names)?;
    finding(
        DiagnosticCode::MisspelledCrawler,
        format!(
            "no known crawler is called `{value}`, which is the name of a company; write the names of its crawlers that you mean: {names}"
        ),
    )
}

/// Words for every crawler in place of `*`.
const EVERYONE: [&str; 8] = [
    "all",
    "all bots",
    "all crawlers",
    "all robots",
    "any",
    "anyone",
    "everybody",
    "everyone",
];

//! Finds agents that no known crawler is called: near names, names of companies, and names that
//! Google cuts.

use std::collections::HashSet;

use polite_robots::RobotsTxt;
use polite_robots::document::UserAgent;
use polite_robots_audit::known::KnownCrawler;

use crate::code::DiagnosticCode;
use crate::crawlers::names::{is_second_name, is_word, known, name, of_operator, probably_meant};
use crate::diagnostic::Diagnostic;

/// Adds the findings about the `User-agent` lines of a file.
pub(super) fn agent_names(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let mut named = None;
    for agent in robots_txt.groups().flat_map(|group| group.user_agents()) {
        let token = name(agent.value());
        let crawler = known(token);
        let is_current = crawler.is_some_and(|crawler| crawler.retired().is_none());
        // The old name of a crawler can be a second name too, and is reported all the same.
        if token.is_empty() || is_current || (crawler.is_none() && is_second_name(token)) {
            continue;
        }
        let is_named = |crawler: &KnownCrawler| {
            let named = named.get_or_insert_with(|| names_of(robots_txt));
            named.contains(&crawler.token().to_ascii_lowercase())
        };
        findings.extend(match crawler {
            Some(crawler) => about_retired(agent, crawler, is_named),
            None => about(agent, token, is_named),
        });
    }
}

/// The names in the file, in lower case.
fn names_of(robots_txt: &RobotsTxt) -> HashSet<String> {
    let agents = robots_txt.groups().flat_map(|group| group.user_agents());
    agents
        .map(|agent| name(agent.value()).to_ascii_lowercase())
        .collect()
}

/// A finding about a name that its crawler no longer uses, unless the file has the new name too.
fn about_retired(
    agent: UserAgent<'_>,
    crawler: &KnownCrawler,
    mut is_named: impl FnMut(&KnownCrawler) -> bool,
) -> Option<Diagnostic> {
    let successor = crawler.retired()?.successor();
    let token = crawler.token();
    let message = match successor.map(|name| (name, known(name))) {
        Some((_, Some(successor))) if is_named(successor) => return None,
        Some((name, Some(successor))) if successor.falls_back_to().contains(&token) => {
            let operator = successor.operator().unwrap_or("its operator");
            format!(
                "`{token}` is a name that is no longer used, but {operator} says that {name} still obeys this group where no group names {name}; write `{name}` too"
            )
        }
        // No page says that the successor passes over the group, so the message claims no more than
        // is known.
        Some((name, _)) => format!(
            "{name} is not known to read this group: `{token}` is a name that is no longer used; write `{name}` too if you mean it"
        ),
        None => format!(
            "no crawler is known to read this group: `{token}` is a name that is no longer used"
        ),
    };
    let code = DiagnosticCode::RetiredCrawler;
    Some(Diagnostic::new(code, agent.line(), agent.span(), message))
}

/// A finding about a name that no known crawler has. `is_named` asks whether the file names a
/// crawler somewhere.
fn about(
    agent: UserAgent<'_>,
    whole: &str,
    mut is_named: impl FnMut(&KnownCrawler) -> bool,
) -> Option<Diagnostic> {
    let finding = |code: DiagnosticCode, message: String| {
        Some(Diagnostic::new(code, agent.line(), agent.span(), message))
    };
    let read_by_google = agent.product_token();
    if let Some(crawler) =
        known(read_by_google).filter(|_| read_by_google != whole && !is_word(read_by_google))
    {
        let token = crawler.token();
        return finding(
            DiagnosticCode::DigitInProductToken,
            format!(
                "this group is for {token} too, because many crawlers read only `{read_by_google}` of `{whole}`: by RFC 9309 a name has neither digits nor dots; write `{token}` if you mean it"
            ),
        );
    }
    let value = String::from_utf8_lossy(agent.value());
    if let Some(crawler) = probably_meant(agent.value()) {
        let crawler = match crawler.retired() {
            Some(retired) => known(retired.successor()?)?,
            None => crawler,
        };
        let token = crawler.token();
        // A list of all spellings that somebody has seen does no harm.
        return (!is_named(crawler)).then_some(()).and_then(|()| {
            finding(
                DiagnosticCode::MisspelledCrawler,
                format!("{token} does not read this group, because `{value}` is not its name; write `{token}` if you mean it"),
            )
        });
    }
    let of_operator = of_operator(&value);
    let (first, others) = of_operator.split_first()?;
    if of_operator.iter().any(|crawler| is_named(crawler)) {
        return None;
    }
    let more = match others {
        [] => String::new(),
        [second] => format!(" and `{}`", second.token()),
        [second, ..] => format!(
            ", `{}` and {} more",
            second.token(),
            others.len().saturating_sub(1)
        ),
    };
    finding(
        DiagnosticCode::MisspelledCrawler,
        format!(
            "no known crawler reads this group, because `{value}` is the name of a company; write the names of its crawlers that you mean: `{}`{more}",
            first.token()
        ),
    )
}

//! A file in one sentence: who may fetch how much.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::sentence::sentence;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /");
//! assert_eq!(
//!     sentence(&robots_txt),
//!     "search engines may fetch everything but /cart; GPTBot and CCBot are kept out"
//! );
//! ```

use std::collections::{HashMap, HashSet};

use polite_robots::document::MergedGroup;
use polite_robots::record::PolicyToken;
use polite_robots::{Access, Options, Robot, RobotsTxt};

use crate::budget::Budget;
use crate::classes::{AgentClasses, Class, EVERYONE};
use crate::coverage::{CoverageSearch, Extent};
use crate::known::{self, Purpose};
use crate::policy::use_of;
use crate::printable::printable;

/// The sentence about a file, without a capital and a full stop.
///
/// It mentions a named agent only if that agent may fetch more or less than all others.
#[must_use]
pub fn sentence(robots_txt: &RobotsTxt) -> String {
    sentence_within(robots_txt, Budget::new(0))
}

fn sentence_within(robots_txt: &RobotsTxt, budget: Budget) -> String {
    let mut extents = Extents::new(robots_txt, budget);
    let (uses, groups): (Vec<MergedGroup<'_>>, Vec<MergedGroup<'_>>) = robots_txt
        .merged_groups()
        .partition(|group| PolicyToken::find(group.product_token()).is_some());
    let mut parts = of_crawlers(&groups, &mut extents);
    for group in &uses {
        let token = PolicyToken::find(group.product_token());
        if let (Some(token), Some(extent)) = (token, extents.of(group)) {
            parts.extend(wish(token, group, extent));
        }
    }
    parts.join("; ")
}

/// The access of everyone, and of the named agents that may fetch more or less.
fn of_crawlers(groups: &[MergedGroup<'_>], extents: &mut Extents) -> Vec<String> {
    let mut for_everyone = groups
        .iter()
        .filter(|group| group.product_token() == EVERYONE);
    let for_everyone = for_everyone.next();
    let extent = match for_everyone {
        Some(group) => extents.of(group).unwrap_or(Extent::Part),
        None => Extent::Everything,
    };
    let mut kept_out = Vec::new();
    let mut free = Vec::new();
    let mut others = Vec::new();
    let mut left_out = 0_usize;
    let mut names_search_engine = false;
    for group in groups {
        let token = group.product_token();
        if token == EVERYONE || token.is_empty() {
            continue;
        }
        names_search_engine |= is_search_engine(token);
        match (extents.of(group), extent) {
            (None, _) => left_out = left_out.saturating_add(1),
            (Some(Extent::Nothing), Extent::Nothing)
            | (Some(Extent::Everything), Extent::Everything) => {}
            (Some(Extent::Nothing), _) => kept_out.push(token),
            (Some(Extent::Everything), _) => free.push(token),
            (Some(Extent::Part), _) => others.push(token),
        }
    }
    let subject = match (groups.is_empty(), names_search_engine) {
        (true, _) => "every crawler",
        (false, true) => "crawlers that are not named",
        (false, false) => "search engines",
    };
    let mut parts = vec![format!(
        "{subject} may fetch {}",
        part_for_everyone(for_everyone, extent)
    )];
    let clauses = [
        (kept_out, "is kept out", "are kept out"),
        (free, "may fetch everything", "may fetch everything"),
        (others, "has rules of its own", "have rules of their own"),
    ];
    for (names, singular, plural) in clauses {
        if !names.is_empty() {
            let verb = if names.len() == 1 { singular } else { plural };
            parts.push(format!("{} {verb}", several(names)));
        }
    }
    if left_out > 0 {
        parts.push(format!("{left_out} more are too many to be looked at"));
    }
    parts
}

/// The clause that says where a use is not wanted; `None` if no rule of the group is about it.
fn wish(token: PolicyToken, group: &MergedGroup<'_>, extent: Extent) -> Option<String> {
    let name = use_of(token);
    let mut rules = group.rules().filter(|rule| !rule.value().is_empty());
    match extent {
        Extent::Nothing => Some(format!("{name} is not wanted")),
        Extent::Everything => {
            let is_whole_site = |value: &[u8]| matches!(value, b"/" | b"*" | b"/*");
            let allows =
                rules.any(|rule| rule.access() == Access::Allow && is_whole_site(rule.value()));
            allows.then(|| format!("{name} is allowed"))
        }
        Extent::Part => {
            let [allows, disallows] =
                [Access::Allow, Access::Disallow].map(|access| values(group, access));
            let few = |values: &[&[u8]]| (1..=MOST_PATTERNS).contains(&values.len());
            Some(if closes_everything(&disallows) && few(&allows) {
                format!("{name} is not wanted but for {}", patterns(&allows))
            } else if allows.is_empty() && few(&disallows) {
                format!("{name} is not wanted for {}", patterns(&disallows))
            } else {
                format!("{name} is not wanted for a part")
            })
        }
    }
}

/// Whether a search engine obeys a group for this token: that of its crawler, or one that the
/// crawler falls back to, such as `Yandex`.
fn is_search_engine(token: &str) -> bool {
    let crawlers = known::all().iter();
    let mut engines = crawlers.filter(|crawler| crawler.purpose() == Purpose::Search);
    engines.any(|crawler| {
        let mut tokens =
            std::iter::once(crawler.token()).chain(crawler.falls_back_to().iter().copied());
        tokens.any(|name| name.eq_ignore_ascii_case(token))
    })
}

/// The extents for the agents of a file, within a budget. Most agents share their rules.
struct Extents {
    options: Options,
    classes: AgentClasses,
    by_class: HashMap<Class, Option<Extent>>,
    search: CoverageSearch,
    budget: Budget,
}

impl Extents {
    fn new(robots_txt: &RobotsTxt, budget: Budget) -> Extents {
        Extents {
            options: Options::new(robots_txt.dialect()),
            classes: AgentClasses::of_file(robots_txt),
            by_class: HashMap::new(),
            search: CoverageSearch::new(robots_txt),
            budget,
        }
    }

    /// The extent of a group; `None` once the budget is spent.
    fn of(&mut self, group: &MergedGroup<'_>) -> Option<Extent> {
        let class = self.classes.of(group.product_token());
        if let Some(extent) = self.by_class.get(&class) {
            return *extent;
        }
        let extent = self.find(group);
        self.by_class.insert(class, extent);
        extent
    }

    fn find(&mut self, group: &MergedGroup<'_>) -> Option<Extent> {
        let mut file = b"User-agent: *\n".to_vec();
        let mut lines: Vec<(Access, &[u8])> = Vec::new();
        for rule in group.rules() {
            if !self.budget.spend(WORK_OF_A_RULE) {
                return None;
            }
            lines.push((rule.access(), rule.value()));
        }
        // Lists of crawlers that are kept out have hundreds of such groups.
        if lines == [(Access::Disallow, &b"/"[..])] {
            return Some(Extent::Nothing);
        }
        if lines.iter().all(|(_, value)| value.is_empty()) {
            return Some(Extent::Everything);
        }
        // Parses these rules alone: thousands of groups that each go through the whole file would
        // take seconds.
        for (access, value) in lines {
            file.extend_from_slice(format!("{access}: ").as_bytes());
            file.extend_from_slice(value);
            file.push(b'\n');
        }
        if !self.budget.spend(file.len().saturating_mul(4)) {
            return None;
        }
        let robot = Robot::with_options(EVERYONE, &file, &self.options);
        Some(robot.map_or(Extent::Everything, |robot| {
            self.search.uncached(&robot).extent()
        }))
    }
}

/// The part of the site, by its rules where they are few.
fn part_for_everyone(group: Option<&MergedGroup<'_>>, extent: Extent) -> String {
    let group = match (extent, group) {
        (Extent::Nothing, _) => return "nothing".to_owned(),
        (Extent::Everything, _) | (_, None) => return "everything".to_owned(),
        (Extent::Part, Some(group)) => group,
    };
    let [allows, disallows] = [Access::Allow, Access::Disallow].map(|access| values(group, access));
    let is_closed = closes_everything(&disallows);
    match (allows.len(), disallows.len()) {
        (few, _) if is_closed && few <= MOST_PATTERNS => format!("only {}", patterns(&allows)),
        (many, _) if is_closed => format!("only what {many} rules allow"),
        (0, few) if few <= MOST_PATTERNS => format!("everything but {}", patterns(&disallows)),
        (0, many) => format!("everything but what {many} rules disallow"),
        (allows, disallows) => {
            let rules = |count: usize| if count == 1 { "rule" } else { "rules" };
            format!(
                "everything but what {disallows} {} disallow{} and {allows} {} allow{} again",
                rules(disallows),
                if disallows == 1 { "s" } else { "" },
                rules(allows),
                if allows == 1 { "s" } else { "" },
            )
        }
    }
}

/// The different values of a group's rules, without those that match nothing.
fn values<'r>(group: &MergedGroup<'r>, access: Access) -> Vec<&'r [u8]> {
    let rules = group.rules().filter(|rule| rule.access() == access);
    let values = rules.map(|rule| rule.value());
    let mut seen = HashSet::new();
    let values = values.filter(|value| value.starts_with(b"/") || value.starts_with(b"*"));
    values.filter(|value| seen.insert(*value)).collect()
}

fn closes_everything(disallows: &[&[u8]]) -> bool {
    let mut disallows = disallows.iter();
    disallows.any(|value| matches!(*value, b"/" | b"*" | b"/*"))
}

fn patterns(values: &[&[u8]]) -> String {
    let patterns = values.iter().map(|value| brief(&readable(value)));
    patterns.collect::<Vec<String>>().join(" and ")
}

/// `A`, `A and B`, `A and 3 others`. Search engines come first, and up to three of them are named,
/// because to let one in or keep it out matters most to an owner.
fn several(mut names: Vec<&str>) -> String {
    names.sort_by_key(|name| !is_search_engine(name));
    let engines = names.iter().take_while(|name| is_search_engine(name));
    let shown = match names.len() {
        few @ ..=2 => few,
        _ => engines.take(MOST_ENGINES).count().max(1),
    };
    let (shown, others) = names.split_at_checked(shown).unwrap_or_default();
    let mut shown: Vec<String> = shown.iter().map(|name| brief(name)).collect();
    match others.len() {
        0 => {}
        1 => shown.push("1 other".to_owned()),
        more => shown.push(format!("{more} others")),
    }
    let last = shown.pop().unwrap_or_default();
    match shown.is_empty() {
        true => last,
        false => format!("{} and {last}", shown.join(", ")),
    }
}

/// The bytes as text, with an escape for each one outside of ASCII where they are not UTF-8:
/// `/caf\xE9`.
fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.escape_ascii().to_string(),
    }
}

/// The text on one line, and short: a pattern may have a megabyte.
fn brief(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => printable(text.get(..end).unwrap_or_default()) + "…",
        None => printable(text),
    }
}

const LONGEST: usize = 40;

/// More search engines would be a list and no sentence.
const MOST_ENGINES: usize = 3;

/// The work of reading a rule again and of comparing it with those of other groups.
const WORK_OF_A_RULE: usize = 100;

/// More patterns would be a list and no sentence.
const MOST_PATTERNS: usize = 2;

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;

    use crate::budget::Budget;

    #[test]
    fn each_form_of_a_file_has_its_sentence() {
        for (file, expected) in [
            ("", "every crawler may fetch everything"),
            (
                "User-agent: *\nDisallow:",
                "search engines may fetch everything",
            ),
            (
                "User-agent: *\nDisallow: /",
                "search engines may fetch nothing",
            ),
            (
                "User-agent: *\nDisallow: /\nAllow: /open",
                "search engines may fetch only /open",
            ),
            (
                "User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /c",
                "search engines may fetch everything but what 3 rules disallow",
            ),
            (
                "User-agent: *\nDisallow: /a\nAllow: /a/b",
                "search engines may fetch everything but what 1 rule disallows and 1 rule allows again",
            ),
            (
                "User-agent: Googlebot\nDisallow: /x\n\nUser-agent: *\nDisallow: /",
                "crawlers that are not named may fetch nothing; Googlebot has rules of its own",
            ),
            (
                "User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: ClaudeBot\nDisallow: /",
                "search engines may fetch everything; GPTBot and 2 others are kept out",
            ),
            (
                "User-agent: Twitterbot\nDisallow:\n\nUser-agent: *\nDisallow: /",
                "search engines may fetch nothing; Twitterbot may fetch everything",
            ),
            // YandexBot falls back to this token.
            (
                "User-agent: Yandex\nAllow: /\n\nUser-agent: *\nDisallow: /",
                "crawlers that are not named may fetch nothing; Yandex may fetch everything",
            ),
            (
                "User-agent: Twitterbot\nUser-agent: AhrefsBot\nUser-agent: Yeti\nDisallow:\n\nUser-agent: *\nDisallow: /",
                "crawlers that are not named may fetch nothing; Yeti and 2 others may fetch everything",
            ),
            (
                "User-agent: a\nUser-agent: Yeti\nUser-agent: bingbot\nDisallow:\n\nUser-agent: *\nDisallow: /",
                "crawlers that are not named may fetch nothing; Yeti, bingbot and 1 other may fetch everything",
            ),
            // A use is no crawler, whatever the others may fetch.
            (
                "User-agent: __usage_ai-training\nDisallow: /",
                "every crawler may fetch everything; AI training is not wanted",
            ),
            (
                "User-agent: *\nDisallow: /\n\nUser-agent: __Usage_AI-Training\nDisallow: /\nAllow: /a",
                "search engines may fetch nothing; AI training is not wanted but for /a",
            ),
            (
                "User-agent: GPTBot\nUser-agent: __usage_ai-training\nDisallow: /a",
                "search engines may fetch everything; GPTBot has rules of its own; AI training is not wanted for /a",
            ),
            (
                "User-agent: __usage_ai-training\nDisallow: /a\nAllow: /a/b",
                "every crawler may fetch everything; AI training is not wanted for a part",
            ),
            (
                "User-agent: __usage_ai-training\nAllow: /",
                "every crawler may fetch everything; AI training is allowed",
            ),
            (
                "User-agent: __usage_ai-training\nAllow: /blog",
                "every crawler may fetch everything",
            ),
            (
                "User-agent: __usage_ai-training\nDisallow:",
                "every crawler may fetch everything",
            ),
        ] {
            assert_eq!(
                super::sentence(&RobotsTxt::parse(file.as_bytes())),
                expected,
                "{file}"
            );
        }
    }

    #[test]
    fn agents_that_are_too_many_are_counted() {
        let own = |n: u32| format!("User-agent: {n}x\nDisallow: /{n}\n");
        let file: String = (0..100).map(own).collect();
        let file = RobotsTxt::parse(file.as_bytes());
        let sentence = |work| super::sentence_within(&file, Budget::with(work, 0));
        assert_eq!(
            sentence(1_000_000),
            "search engines may fetch everything; 0x and 99 others have rules of their own"
        );
        assert_eq!(
            sentence(2_500),
            "search engines may fetch everything; 0x and 10 others have rules of their own; 89 more are too many to be looked at"
        );
    }
}

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
use polite_robots::{Access, RobotsTxt};

use crate::coverage::{CoverageSearch, Extent};
use crate::known::{self, Purpose};
use crate::printable::printable;

/// The sentence about a file, without a capital and a full stop.
///
/// It speaks of named agents only where they fare in another way than all others.
#[must_use]
pub fn sentence(robots_txt: &RobotsTxt) -> String {
    let mut extents = Extents::new(robots_txt);
    let groups: Vec<MergedGroup<'_>> = robots_txt.merged_groups().collect();
    let mut for_everyone = groups
        .iter()
        .filter(|group| group.product_token() == EVERYONE);
    let for_everyone = for_everyone.next();
    let extent = for_everyone.map_or(Extent::Everything, |group| extents.of(group));
    let mut kept_out = Vec::new();
    let mut free = Vec::new();
    let mut others = Vec::new();
    let mut names_search_engine = false;
    for group in &groups {
        let token = group.product_token();
        if token == EVERYONE || token.is_empty() {
            continue;
        }
        let crawler = known::find(token);
        names_search_engine |= crawler.is_some_and(|crawler| crawler.purpose() == Purpose::Search);
        match (extents.of(group), extent) {
            (Extent::Nothing, Extent::Nothing) | (Extent::Everything, Extent::Everything) => {}
            (Extent::Nothing, _) => kept_out.push(token),
            (Extent::Everything, _) => free.push(token),
            (Extent::Part, _) => others.push(token),
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
            parts.push(format!("{} {verb}", several(&names)));
        }
    }
    parts.join("; ")
}

/// The extents for the agents of a file. Most of them share groups, or have groups with the same
/// rules.
struct Extents<'a> {
    robots_txt: &'a RobotsTxt,
    search: CoverageSearch,
    by_groups: HashMap<Vec<u32>, Extent>,
    by_rules: HashMap<Vec<(Access, &'a [u8])>, Extent>,
}

impl<'a> Extents<'a> {
    fn new(robots_txt: &'a RobotsTxt) -> Extents<'a> {
        Extents {
            robots_txt,
            search: CoverageSearch::new(robots_txt),
            by_groups: HashMap::new(),
            by_rules: HashMap::new(),
        }
    }

    fn of(&mut self, group: &MergedGroup<'a>) -> Extent {
        let lines: Vec<u32> = group.groups().map(|group| group.line()).collect();
        if let Some(extent) = self.by_groups.get(&lines) {
            return *extent;
        }
        let rules = group.rules().map(|rule| (rule.access(), rule.value()));
        let rules: Vec<(Access, &[u8])> = rules.collect();
        let extent = match self.by_rules.get(&rules) {
            Some(extent) => *extent,
            None if rules.iter().all(|(_, value)| value.is_empty()) => Extent::Everything,
            // Lists of crawlers that are kept out have hundreds of such groups.
            None if rules == [(Access::Disallow, &b"/"[..])] => Extent::Nothing,
            None => {
                let robot = self.robots_txt.robot(group.product_token());
                let extent = robot.map_or(Extent::Everything, |robot| {
                    self.search.coverage(&robot).extent()
                });
                self.by_rules.insert(rules, extent);
                extent
            }
        };
        self.by_groups.insert(lines, extent);
        extent
    }
}

/// The part of the site, by its rules where they are few.
fn part_for_everyone(group: Option<&MergedGroup<'_>>, extent: Extent) -> String {
    let group = match (extent, group) {
        (Extent::Nothing, _) => return "nothing".to_owned(),
        (Extent::Everything, _) | (_, None) => return "everything".to_owned(),
        (Extent::Part, Some(group)) => group,
    };
    let of = |access: Access| {
        let rules = group.rules().filter(|rule| rule.access() == access);
        let values = rules.map(|rule| rule.value());
        let mut seen = HashSet::new();
        // A rule with another beginning matches nothing.
        let values = values.filter(|value| value.starts_with(b"/") || value.starts_with(b"*"));
        let values = values.filter(|value| seen.insert(*value));
        values.collect::<Vec<&[u8]>>()
    };
    let (allows, disallows) = (of(Access::Allow), of(Access::Disallow));
    let is_closed = disallows
        .iter()
        .any(|value| matches!(*value, b"/" | b"*" | b"/*"));
    let patterns = |values: &[&[u8]]| {
        let patterns = values.iter().map(|value| brief(&readable(value)));
        patterns.collect::<Vec<String>>().join(" and ")
    };
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

/// `A`, `A and B`, `A and 3 others`.
fn several(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => brief(one),
        [one, other] => format!("{} and {}", brief(one), brief(other)),
        [first, others @ ..] => format!("{} and {} others", brief(first), others.len()),
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

const EVERYONE: &str = "*";

const LONGEST: usize = 40;

/// More patterns would be a list and no sentence.
const MOST_PATTERNS: usize = 2;

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;

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
        ] {
            assert_eq!(
                super::sentence(&RobotsTxt::parse(file.as_bytes())),
                expected,
                "{file}"
            );
        }
    }
}

//! How much plain rules let an agent fetch, found without a walk: nearly all files of a survey are settled here.
//!
//! ```
//! use polite_robots::Access;
//! use polite_robots_audit::coverage::Extent;
//! use polite_robots_audit::plain_rules::PlainRules;
//!
//! let mut rules = PlainRules::default();
//! assert_eq!(rules.extent(), Some(Extent::Everything));
//! rules.add(Access::Disallow, b"/tmp/");
//! assert_eq!(rules.extent(), Some(Extent::Part));
//! rules.add(Access::Allow, b"/tmp/*.css");
//! // The answer needs the walk of `CoverageSearch`.
//! assert_eq!(rules.extent(), None);
//! ```

use polite_robots::Access;

use crate::coverage::Extent;
use crate::witness::ROBOTS_TXT;

/// The rules of an agent, as far as the extent of RFC 9309 follows from their kinds and lengths. Its size is fixed, and
/// the rules of several groups can be joined.
///
/// A plain pattern is a slash and unreserved characters, such as `/tmp/`. It matches itself, and longer plain patterns do
/// not match it. All other patterns are taken to match anything that they might.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PlainRules {
    allow: Kind,
    disallow: Kind,
    /// Whether some pattern may match `/` or not.
    is_root_open_to_doubt: bool,
}

/// The rules of one kind.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Kind {
    /// Whether a rule might match something.
    can_match: bool,
    /// Whether a rule surely matches everything.
    matches_everything: bool,
    /// The lengths of the plain patterns: bit `n` for `n` bytes, the last bit for all longer ones.
    plain_lengths: u64,
    /// An upper bound of the length of the patterns that are not plain.
    longest_other: usize,
    /// The length of the longest pattern that surely matches `/`.
    root_length: usize,
    /// An upper bound of the length of all patterns.
    longest: usize,
    /// A lower bound of the length of the longest pattern that is not plain and surely matches some URL that is not
    /// that of robots.txt.
    longest_sure: usize,
}

impl PlainRules {
    /// Adds a rule with its value as the file has it.
    pub fn add(&mut self, access: Access, value: &[u8]) {
        let kind = match access {
            Access::Allow => &mut self.allow,
            Access::Disallow => &mut self.disallow,
        };
        let [first @ (b'/' | b'*'), rest @ ..] = value else {
            // An empty value and one without a slash match nothing.
            return;
        };
        kind.can_match = true;
        let is_all_plain = rest.iter().all(|byte| is_plain(*byte));
        if is_all_plain && *first == b'/' && value.len() > 1 && !rest.starts_with(b"/") {
            kind.longest = kind.longest.max(value.len());
            if value != ROBOTS_TXT.as_bytes() {
                kind.plain_lengths |= length_bit(value.len());
            }
            return;
        }
        // An escaped byte may take three where the file has one.
        let length = match is_all_plain
            || rest
                .iter()
                .all(|byte| is_plain(*byte) || b"*$".contains(byte))
        {
            true => value.len(),
            false => value.len().saturating_mul(3),
        };
        kind.longest_other = kind.longest_other.max(length);
        kind.longest = kind.longest.max(length);
        let is_sure = value
            .iter()
            .all(|byte| byte.is_ascii_graphic() && !b"%$".contains(byte));
        if is_sure && !value.starts_with(b"//") {
            // Without `$` a pattern matches URLs of any length. Its stars may not count.
            let length = value.iter().filter(|byte| **byte != b'*').count();
            kind.longest_sure = kind.longest_sure.max(length);
        }
        if matches!(value, b"/" | b"*" | b"/*") {
            kind.matches_everything = true;
            kind.root_length = kind.root_length.max(value.len());
        } else if !rest.iter().any(|byte| is_never_in_root(*byte)) || value.contains(&b'%') {
            // Without a byte that `/` does not have, the pattern may match it.
            self.is_root_open_to_doubt = true;
        }
    }

    /// Adds the rules of another group of the same agent.
    pub fn join(&mut self, other: PlainRules) {
        self.allow.join(other.allow);
        self.disallow.join(other.disallow);
        self.is_root_open_to_doubt |= other.is_root_open_to_doubt;
    }

    /// The extent, if it is certain without a walk. A test holds it against [`CoverageSearch`](crate::coverage::CoverageSearch).
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        let PlainRules {
            allow, disallow, ..
        } = self;
        if !disallow.can_match {
            return Some(Extent::Everything);
        }
        if disallow.matches_everything && !allow.can_match {
            return Some(Extent::Nothing);
        }
        let is_root_known = !self.is_root_open_to_doubt;
        // `Allow` wins a tie (RFC 9309 §2.2.2).
        let is_root_allowed = allow.root_length >= disallow.root_length;
        // The longest rule of all decides about the URLs that it matches.
        let has_allowed = (is_root_known && is_root_allowed)
            || allow.longest_sure >= disallow.longest
            || lengths_from(disallow.longest_other) & allow.plain_lengths != 0;
        let has_disallowed = (is_root_known && !is_root_allowed)
            || disallow.longest_sure > allow.longest
            || lengths_from(allow.longest_other.saturating_add(1))
                & disallow.plain_lengths
                & !allow.plain_lengths
                != 0;
        (has_allowed && has_disallowed).then_some(Extent::Part)
    }
}

impl Kind {
    fn join(&mut self, other: Kind) {
        self.can_match |= other.can_match;
        self.matches_everything |= other.matches_everything;
        self.plain_lengths |= other.plain_lengths;
        self.longest_other = self.longest_other.max(other.longest_other);
        self.root_length = self.root_length.max(other.root_length);
        self.longest = self.longest.max(other.longest);
        self.longest_sure = self.longest_sure.max(other.longest_sure);
    }
}

/// Bytes that stand for themselves in every pattern and URL. A dot is among them, as RFC 9309 does not remove segments.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.')
}

/// Visible bytes that a pattern matches only where a URL has them, escaped or not.
fn is_never_in_root(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"/*$%".contains(&byte)
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(LAST_BIT)
}

/// The bits of this length and all greater ones. The last bit stands for lengths that may be smaller than a length beyond it.
fn lengths_from(length: usize) -> u64 {
    match length {
        0..=LAST_BIT => u64::MAX << length,
        _ => 0,
    }
}

const LAST_BIT: usize = 63;

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;
    use proptest::prelude::*;

    use super::*;
    use crate::coverage::CoverageSearch;

    fn plain_rules(robots_txt: &RobotsTxt) -> PlainRules {
        let mut all = PlainRules::default();
        for group in robots_txt.groups() {
            let mut rules = PlainRules::default();
            for rule in group.rules() {
                rules.add(rule.access(), rule.value());
            }
            all.join(rules);
        }
        all
    }

    fn of(rules: &str) -> Option<Extent> {
        plain_rules(&RobotsTxt::parse(
            format!("User-agent: *\n{rules}").as_bytes(),
        ))
        .extent()
    }

    #[test]
    fn the_rules_of_most_files_need_no_walk() {
        for (rules, extent) in [
            ("", Extent::Everything),
            ("Disallow:", Extent::Everything),
            ("Allow: /", Extent::Everything),
            ("Disallow: /", Extent::Nothing),
            (
                "Disallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php",
                Extent::Part,
            ),
            ("Disallow: /\nAllow: /open", Extent::Part),
            ("Disallow: /*.pdf$\nDisallow: /a", Extent::Part),
            ("Disallow: /a\nAllow: /", Extent::Part),
        ] {
            assert_eq!(of(rules), Some(extent), "{rules}");
        }
        for rules in [
            "Disallow: /robots.txt",
            "Disallow: /a\nAllow: /a",
            "Disallow: /\nAllow: /",
            "Disallow: /\nAllow: /a\nDisallow: /a*",
        ] {
            assert_eq!(of(rules), None, "{rules}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn an_extent_without_a_walk_is_that_of_the_walk(
            rules in prop::collection::vec("(Allow|Disallow): (/|/robots.txt|/[ab]{1,3}|[/*$a]{1,4}|/[ab/*$.%2é?#]{0,4}|/a{62,65}|)", 0..5),
            at in 0..5_usize,
        ) {
            let (one, other) = rules.split_at(at.min(rules.len()));
            let text = format!("User-agent: *\n{}\nUser-agent: *\n{}", one.join("\n"), other.join("\n"));
            let robots_txt = RobotsTxt::parse(text.as_bytes());
            if let Some(extent) = plain_rules(&robots_txt).extent() {
                let mut search = CoverageSearch::new(&robots_txt);
                let coverage = search.coverage(&robots_txt.robot("*").unwrap());
                prop_assert!(coverage.is_certain());
                prop_assert_eq!(coverage.extent(), extent, "{}", text);
            }
        }
    }
}

//! The form of a path pattern, and whether it can match anything or everything.

use crate::summary::plain_rules::RuleValue;
use polite_robots::{Access, RobotsTxt, Tier};
use serde::{Deserialize, Serialize};

/// The pattern of an `Allow` or `Disallow` record in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) access: Access,
    pub(crate) form: Form,
    pub(crate) bytes: u64,
    /// The number of runs of `*`.
    pub(crate) wildcards: u64,
    pub(crate) tier: Tier,
    pub(crate) can_match: bool,
}

/// The form of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    /// The pattern is empty: `Disallow:`.
    Empty,
    /// The pattern begins with neither `/` nor `*`, so it matches nothing.
    Unmatchable,
    /// The pattern is a prefix of paths: `/private/`.
    Plain,
    /// The pattern is one whole path: `/page$`.
    Anchored,
    /// The pattern has a `*`.
    Wildcard,
    /// The pattern has a `*` and ends with `$`.
    WildcardAnchored,
}

impl Pattern {
    pub(crate) fn new(access: Access, value: RuleValue<'_>) -> Pattern {
        let wildcards = match value.has_star() {
            true => count_wildcard_runs(value.as_bytes()),
            false => 0,
        };
        let value = value.as_bytes();
        let is_anchored = value.last() == Some(&b'$');
        let can_match = matches!(value.first(), Some(b'/' | b'*'));
        let form = match (value.is_empty(), can_match, wildcards, is_anchored) {
            (true, ..) => Form::Empty,
            (_, false, ..) => Form::Unmatchable,
            (_, _, 0, false) => Form::Plain,
            (_, _, 0, true) => Form::Anchored,
            (_, _, _, false) => Form::Wildcard,
            (_, _, _, true) => Form::WildcardAnchored,
        };
        Pattern {
            access,
            form,
            bytes: value.len() as u64,
            wildcards,
            tier: tier(value, wildcards),
            can_match,
        }
    }
}

/// Counts the runs of `*`.
fn count_wildcard_runs(value: &[u8]) -> u64 {
    let before = [0].iter().chain(value);
    let pairs = before.zip(value);
    let starts = pairs.filter(|(before, byte)| **before != b'*' && **byte == b'*');
    starts.count() as u64
}

/// Finds the tier from the number of wildcards. For more than 32 the library is asked, because two
/// tiers are possible.
fn tier(value: &[u8], wildcards: u64) -> Tier {
    match wildcards {
        0 => Tier::Prefix,
        1..=32 => Tier::Span,
        _ => {
            let robots_txt = [b"User-agent: *\nDisallow: ", value].concat();
            let robot = RobotsTxt::parse(&robots_txt).robot("*");
            let tier = robot
                .ok()
                .and_then(|robot| Some(robot.rules().next()?.tier()));
            tier.unwrap_or(Tier::Span)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(value: &str) -> Pattern {
        Pattern::new(Access::Disallow, RuleValue::new(value.as_bytes()))
    }

    fn form(value: &str) -> Form {
        pattern(value).form
    }

    #[test]
    fn forms_are_recognised() {
        assert_eq!(form(""), Form::Empty);
        assert_eq!(form("private"), Form::Unmatchable);
        assert_eq!(form("/a$b"), Form::Plain);
        assert_eq!(form("/a$"), Form::Anchored);
        assert_eq!(form("*a"), Form::Wildcard);
        assert_eq!(form("/*.php$"), Form::WildcardAnchored);
    }

    #[test]
    fn patterns_that_match_everything_agree_with_the_library() {
        for value in [
            "/", "*", "/*", "*/", "**", "/**", "/*$", "*$", "*/*", "/$", "//", "/*/", "/a", "$",
            "", "/*a",
        ] {
            let robots_txt = format!("User-agent: *\nDisallow: {value}");
            let robot = RobotsTxt::parse(robots_txt.as_bytes()).robot("*").unwrap();
            let everything = ["/", "/b", "/a/b?c"].iter().all(|url| !robot.allowed(*url));
            let found = RuleValue::new(value.as_bytes()).matches_everything();
            assert_eq!(found, everything, "{value}");
        }
    }

    #[test]
    fn tiers_agree_with_the_library() {
        for runs in [0, 1, 32, 33, 50] {
            let value = "/a*".repeat(runs) + "/a";
            let robots_txt = format!("User-agent: *\nDisallow: {value}");
            let robot = RobotsTxt::parse(robots_txt.as_bytes()).robot("*").unwrap();
            let pattern = pattern(&value);
            assert_eq!(pattern.tier, robot.rules().next().unwrap().tier(), "{runs}");
            assert_eq!(pattern.wildcards, runs as u64);
        }
    }
}

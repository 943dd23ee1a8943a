//! The form of a path pattern.

use polite_robots::{Access, RobotsTxt, Tier};
use serde::{Deserialize, Serialize};

/// An `Allow` or `Disallow` record in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) access: Access,
    pub(crate) form: Form,
    pub(crate) octets: u64,
    /// Runs of `*`.
    pub(crate) wildcards: u64,
    pub(crate) tier: Tier,
    pub(crate) can_match: bool,
    pub(crate) matches_everything: bool,
}

/// The kinds of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    /// Nothing: `Disallow:`.
    Empty,
    /// Begins with neither `/` nor `*`, so that it matches nothing.
    Unmatchable,
    /// A prefix of paths: `/private/`.
    Plain,
    /// One whole path: `/page$`.
    Anchored,
    /// With `*`.
    Wildcard,
    /// With `*` and a `$` at the end.
    WildcardAnchored,
}

impl Pattern {
    pub(crate) fn new(access: Access, value: &[u8]) -> Pattern {
        let wildcards = runs(value);
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
            octets: value.len() as u64,
            wildcards,
            tier: tier(value, wildcards),
            can_match,
            matches_everything: can_match && matches_everything(value),
        }
    }
}

fn runs(value: &[u8]) -> u64 {
    let mut before = 0;
    let mut runs = 0;
    for octet in value {
        runs += u64::from(*octet == b'*' && before != b'*');
        before = *octet;
    }
    runs
}

/// `/`, `*` and what adds up to them: `/*`, `*/`, `/*$`.
fn matches_everything(value: &[u8]) -> bool {
    let body = match value {
        [body @ .., b'*', b'$'] => body,
        body => body,
    };
    let mut slashes = 0;
    let is_filler = |octet: &u8| {
        slashes += u8::from(*octet == b'/');
        matches!(octet, b'*' | b'/') && slashes <= 1
    };
    body.iter().all(is_filler)
}

/// By what the tiers promise, and for the rare pattern that could be either of two, by asking for it.
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

    fn form(value: &str) -> Form {
        Pattern::new(Access::Disallow, value.as_bytes()).form
    }

    #[test]
    fn each_form_has_its_marks() {
        assert_eq!(form(""), Form::Empty);
        assert_eq!(form("private"), Form::Unmatchable);
        assert_eq!(form("/a$b"), Form::Plain);
        assert_eq!(form("/a$"), Form::Anchored);
        assert_eq!(form("*a"), Form::Wildcard);
        assert_eq!(form("/*.php$"), Form::WildcardAnchored);
    }

    #[test]
    fn what_matches_everything_agrees_with_the_library() {
        for value in [
            "/", "*", "/*", "*/", "**", "/**", "/*$", "*$", "*/*", "/$", "//", "/*/", "/a", "$",
            "", "/*a",
        ] {
            let robots_txt = format!("User-agent: *\nDisallow: {value}");
            let robot = RobotsTxt::parse(robots_txt.as_bytes()).robot("*").unwrap();
            let everything = ["/", "/b", "/a/b?c"].iter().all(|url| !robot.allowed(*url));
            let pattern = Pattern::new(Access::Disallow, value.as_bytes());
            assert_eq!(pattern.matches_everything, everything, "{value}");
        }
    }

    #[test]
    fn tiers_agree_with_the_library() {
        for runs in [0, 1, 32, 33, 50] {
            let value = "/a*".repeat(runs) + "/a";
            let robots_txt = format!("User-agent: *\nDisallow: {value}");
            let robot = RobotsTxt::parse(robots_txt.as_bytes()).robot("*").unwrap();
            let pattern = Pattern::new(Access::Disallow, value.as_bytes());
            assert_eq!(pattern.tier, robot.rules().next().unwrap().tier(), "{runs}");
            assert_eq!(pattern.wildcards, runs as u64);
        }
    }
}

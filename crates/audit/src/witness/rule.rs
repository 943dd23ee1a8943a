//! Rules without their lines, and URLs made from their patterns.

use std::collections::BTreeSet;

use polite_robots::{Access, Robot, Rule};

/// A list of rules without their lines.
pub(crate) type Rules<'a> = BTreeSet<RuleText<'a>>;

/// A rule without its line. Their order has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RuleText<'a> {
    pub(crate) pattern: &'a str,
    pub(crate) is_allow: bool,
}

impl<'a> RuleText<'a> {
    pub(crate) const EVERYTHING_DISALLOWED: RuleText<'static> = RuleText {
        pattern: "/",
        is_allow: false,
    };

    pub(crate) fn new(rule: Rule<'a>) -> RuleText<'a> {
        RuleText {
            pattern: rule.pattern(),
            is_allow: rule.access() == Access::Allow,
        }
    }

    /// `Allow` wins a tie (RFC 9309 §2.2.2).
    pub(super) fn precedence(&self) -> (usize, bool) {
        (self.pattern.len(), self.is_allow)
    }
}

/// The rules of a robot that can match a URL.
pub(crate) fn rules(robot: &Robot) -> Rules<'_> {
    let rules = robot.rules().map(RuleText::new);
    // The Google dialect keeps empty values for their lines.
    rules.filter(|rule| !rule.pattern.is_empty()).collect()
}

/// The rules one below the other. No pattern holds the end of a line.
pub(super) fn text(rules: &Rules<'_>) -> String {
    let mut text = String::new();
    for rule in rules {
        text.push(if rule.is_allow { '+' } else { '-' });
        text.push_str(rule.pattern);
        text.push('\n');
    }
    text
}

/// A URL that the pattern matches, if there is one: each `*` stands for nothing.
pub(crate) fn filled(pattern: &str) -> String {
    let body = pattern.strip_suffix('$').unwrap_or(pattern);
    let url = body.replace('*', "");
    without_authority(if url.starts_with('/') {
        url
    } else {
        format!("/{url}")
    })
}

/// The directories of index pages: Google's matcher allows one whose index page is allowed, though
/// no rule names it.
pub(crate) fn directories(rules: &Rules<'_>) -> impl Iterator<Item = String> {
    rules.iter().filter_map(|rule| {
        let (directory, page) = rule.pattern.rsplit_once('/')?;
        page.starts_with("index.htm")
            .then(|| filled(&format!("{directory}/")))
    })
}

/// Two slashes at the start would be read as an authority.
pub(super) fn without_authority(path: String) -> String {
    if path.starts_with("//") {
        format!("https://example.com{path}")
    } else {
        path
    }
}

/// The one URL that is always allowed.
pub(crate) const ROBOTS_TXT: &str = "/robots.txt";

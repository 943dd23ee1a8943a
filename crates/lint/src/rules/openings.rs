//! Whether an `Allow` opens anything that other rules of its agents close.

use polite_robots::document::{Group, leading_name, leading_token};
use polite_robots::{Access, Dialect, Options, Robot, RobotsTxt, Rule};

use crate::text::token::name_in;

/// The same file as the other dialect reads it: `Allow` wins against other rules there.
pub(crate) fn in_other_dialect(robots_txt: &RobotsTxt) -> RobotsTxt {
    let dialect = match robots_txt.dialect() {
        Dialect::Rfc9309 => Dialect::Google,
        Dialect::Google => Dialect::Rfc9309,
    };
    RobotsTxt::parse_with(robots_txt.as_bytes(), &Options::new(dialect))
}

/// All rules of the agents of a group, from other groups too, in each reading. Empty for more
/// agents than are looked at.
pub(super) fn robots_of_group(group: Group<'_>, readings: [&RobotsTxt; 2]) -> Vec<Robot> {
    let mut named = Vec::new();
    let mut has_wildcard = false;
    for agent in group.user_agents() {
        match leading_token(agent.value()) {
            _ if agent.is_wildcard() => has_wildcard = true,
            [] if name_in(agent, Dialect::Rfc9309).is_none() => {}
            [] => named.push(leading_name(agent.value())),
            token => named.push(token),
        }
    }
    if named.len() > MOST_AGENTS {
        return Vec::new();
    }
    let named: Vec<&str> = named.into_iter().flat_map(core::str::from_utf8).collect();
    let mut robots = Vec::new();
    for robots_txt in readings {
        robots.extend(has_wildcard.then(|| robots_txt.robot_merged(&[])));
        robots.extend((!named.is_empty()).then(|| robots_txt.robot_merged(&named)));
    }
    // If the rules of one agent are missing, the answer is unknown.
    robots
        .into_iter()
        .collect::<Result<_, _>>()
        .unwrap_or_default()
}

/// Whether the `Allow` of a line may win against a `Disallow` about some URL; `true` where that
/// takes more than a look at the literal text of both.
pub(super) fn may_open(robot: &Robot, line: u32) -> bool {
    let mut allows = robot.rules().filter(|rule| rule.line() == line).peekable();
    // Another line has the same rule, or this dialect does not read the line.
    if allows.peek().is_none() {
        return true;
    }
    let mut closing = robot
        .rules()
        .filter(|rule| rule.access() == Access::Disallow && rule.length() > 0);
    let allows: Vec<&str> = allows.map(|rule| rule.pattern()).collect();
    closing.any(|closing| {
        let wins = |allow: &&str| {
            closing.length() <= allow.len()
                && may_meet(allow.as_bytes(), closing.pattern().as_bytes())
        };
        allows.iter().any(wins) || allows.iter().any(|allow| opens_directory(allow, closing))
    })
}

/// Whether Google may read the `Allow` of an index page as one of its directory, and wins against a
/// `Disallow` so.
fn opens_directory(allow: &str, closing: Rule<'_>) -> bool {
    let Some((directory, page)) = allow.rsplit_once('/') else {
        return false;
    };
    let directory = format!("{directory}/$");
    page.starts_with("index.htm")
        && closing.length() <= directory.len()
        && may_meet(directory.as_bytes(), closing.pattern().as_bytes())
}

/// Whether a path may match both patterns: neither their text before the first `*` nor that before
/// a final `$` excludes it.
fn may_meet(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (Literals::new(one), Literals::new(other));
    let mut heads = one.head.iter().zip(other.head);
    let mut tails = one.tail.iter().rev().zip(other.tail.iter().rev());
    let fits = |one: &Literals<'_>, other: &Literals<'_>| {
        !one.is_whole_path || other.head.len() <= one.head.len()
    };
    heads.all(|(one, other)| one == other)
        && tails.all(|(one, other)| one == other)
        && fits(&one, &other)
        && fits(&other, &one)
}

/// The text that each path of a pattern begins and ends with.
struct Literals<'p> {
    head: &'p [u8],
    /// Empty without a final `$`.
    tail: &'p [u8],
    /// Whether `head` is the only path that matches.
    is_whole_path: bool,
}

impl<'p> Literals<'p> {
    fn new(pattern: &'p [u8]) -> Literals<'p> {
        let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
        let head = body.split(|byte| *byte == b'*').next().unwrap_or_default();
        let tail = body.rsplit(|byte| *byte == b'*').next().unwrap_or_default();
        let is_anchored = body.len() < pattern.len();
        Literals {
            head,
            tail: if is_anchored { tail } else { &[] },
            is_whole_path: is_anchored && head.len() == body.len(),
        }
    }
}

/// A page that hardly any file has a rule about.
pub(super) const PAGE: &str = "/polite-robots";

/// Agents of a group whose rules are looked at together.
const MOST_AGENTS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_no_path_matches_together() {
        for (one, other, is_expected) in [
            ("/a/b", "/a", true),
            ("/a/b", "/a/c", false),
            ("/a*c", "/a/c", true),
            ("/a$", "/a", true),
            ("/a$", "/a/b", false),
            ("/a$", "/a/b*", false),
            ("/a*.pdf$", "/*.gif$", false),
            ("/a/index$", "/*.pdf$", false),
            ("/a/x.pdf$", "/*.pdf$", true),
            ("*", "/a$", true),
        ] {
            let meets = |one: &str, other: &str| may_meet(one.as_bytes(), other.as_bytes());
            assert_eq!(meets(one, other), is_expected, "{one} {other}");
            assert_eq!(meets(other, one), is_expected, "{other} {one}");
        }
    }
}

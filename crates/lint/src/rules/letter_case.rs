//! Finds exceptions that open nothing, because they are written in other letters than what they are
//! an exception from: `Allow: /Admin/help` beside `Disallow: /admin/`.

use polite_robots::document::{Group, RuleRecord};
use polite_robots::{Access, Dialect, Options, Robot, RobotsTxt, Rule};
use polite_robots_audit::printable::quote;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::text::token::{leading_name, leading_token};

/// Reports each `Allow` of a path that its group closes in other letters only, if it opens nothing
/// at all: beside `Disallow: /MAPS/` and `Disallow: /maps/print/`, `Allow: /maps/*?lang=kk` opens
/// `/maps/print/?lang=kk`.
///
/// A group that closes a path in several spellings does so on purpose, for servers that hold them
/// equal.
pub(super) fn letter_case(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let (mut left, mut pairs) = (MOST_LOOKED_AT, MOST_PAIRS);
    let mut closing = Vec::new();
    let mut allows = Vec::new();
    let mut closed_paths = Vec::new();
    let mut other_dialect = None;
    for group in robots_txt.groups() {
        closing.clear();
        allows.clear();
        // Walking the rules takes longer than comparing them, so both kinds are gathered in one
        // walk.
        for rule in group.rules() {
            match rule.access() {
                Access::Allow => allows.push(rule),
                Access::Disallow => closing.push(rule),
            }
        }
        if closing.is_empty() || allows.is_empty() {
            continue;
        }
        closed_paths.clear();
        closed_paths.extend(closing.iter().filter_map(ClosedPath::new));
        let mut robots: Option<Vec<Robot>> = None;
        for rule in &allows {
            let (value, line) = (rule.value(), rule.line());
            let path = literal(value);
            let Some(closed) = closed_in_other_case(&closed_paths, path, &mut pairs) else {
                continue;
            };
            let (closed, closing_line) = (closed.path, closed.line);
            if left == 0 {
                return;
            }
            left -= 1;
            let robots = robots.get_or_insert_with(|| {
                let other = other_dialect.get_or_insert_with(|| in_other_dialect(robots_txt));
                robots_of_group(group, [robots_txt, other])
            });
            if robots.is_empty() || robots.iter().any(|robot| may_open(robot, line)) {
                continue;
            }
            // Without its wildcards the path would open more than is meant.
            let after = value.get(closed.len()..).unwrap_or_default();
            let meant = String::from_utf8_lossy(closed) + String::from_utf8_lossy(after);
            let message = format!(
                "this `Allow` opens nothing, because {} on line {} has other capital letters and closes another path; write {} if you mean that one",
                quote(closed),
                closing_line,
                quote(meant.as_bytes())
            );
            let code = DiagnosticCode::AllowInOtherCase;
            findings.push(Diagnostic::new(code, line, rule.span(), message));
        }
    }
}

/// The same file as the other dialect reads it: `Allow` wins against other rules there.
fn in_other_dialect(robots_txt: &RobotsTxt) -> RobotsTxt {
    let dialect = match robots_txt.dialect() {
        Dialect::Rfc9309 => Dialect::Google,
        Dialect::Google => Dialect::Rfc9309,
    };
    RobotsTxt::parse_with(robots_txt.as_bytes(), &Options::new(dialect))
}

/// All rules of the agents of a group, from other groups too, in each reading. Empty for more
/// agents than are looked at.
fn robots_of_group(group: Group<'_>, readings: [&RobotsTxt; 2]) -> Vec<Robot> {
    let mut named = Vec::new();
    let mut has_wildcard = false;
    for agent in group.user_agents() {
        match leading_token(agent.value()) {
            _ if agent.is_wildcard() => has_wildcard = true,
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
fn may_open(robot: &Robot, line: u32) -> bool {
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
    /// Whether the head is the only path that matches.
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

/// A path that a group closes with everything below it.
#[derive(Clone, Copy)]
struct ClosedPath<'r> {
    path: &'r [u8],
    /// The byte after the `/` in lower case, by which most paths differ.
    second: u8,
    line: u32,
}

impl<'r> ClosedPath<'r> {
    fn new(rule: &RuleRecord<'r>) -> Option<ClosedPath<'r>> {
        let (path, line) = (rule.value(), rule.line());
        let path = path.strip_suffix(b"*").unwrap_or(path);
        let second = path.get(1)?.to_ascii_lowercase();
        Some(ClosedPath { path, second, line })
    }
}

/// The first closed path that a path begins with in other letters; `None` if it begins with one in
/// the same letters too.
fn closed_in_other_case<'r>(
    closed_paths: &[ClosedPath<'r>],
    path: &[u8],
    pairs: &mut usize,
) -> Option<ClosedPath<'r>> {
    let second = path.get(1)?.to_ascii_lowercase();
    *pairs = pairs.checked_sub(closed_paths.len())?;
    let mut found = None;
    for closed in closed_paths.iter().filter(|closed| closed.second == second) {
        let start = path.get(..closed.path.len());
        if start == Some(closed.path) {
            return None;
        }
        if start.is_some_and(|start| start.eq_ignore_ascii_case(closed.path)) {
            found = found.or(Some(*closed));
        }
    }
    found
}

/// The text of a pattern before everything that is no plain text.
fn literal(pattern: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'*' | b'$' | b'%') || !byte.is_ascii_graphic();
    let end = pattern.iter().position(is_end);
    pattern
        .get(..end.unwrap_or(pattern.len()))
        .unwrap_or_default()
}

/// Pairs of an `Allow` and another rule that are compared in one file; few have a hundredth of
/// them.
const MOST_PAIRS: usize = 1 << 20;

/// Agents of a group whose rules are looked at together.
const MOST_AGENTS: usize = 64;

/// Rules of a file that are looked at closely. No file was seen to have one.
const MOST_LOOKED_AT: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_keeps_the_wildcards_of_the_path() {
        let file = b"User-agent: *\nDisallow: /MAPS/\nAllow: /maps/*?lang=kk # Kazakh";
        let mut findings = Vec::new();
        letter_case(&RobotsTxt::parse(file), &mut findings);
        let message = findings
            .first()
            .map(|finding| finding.message().to_string());
        assert!(message.is_some_and(|message| message.contains("write `/MAPS/*?lang=kk` if")));
    }

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

//! Finds exceptions that open nothing, because they are written in other letters than what they are an exception from:
//! `Allow: /Admin/help` beside `Disallow: /admin/`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Access;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::example_path::example_path;
use crate::parse::line::Value;
use crate::parse::part::Part;
use crate::parse::trim::trim;
use crate::robots::robot::Robot;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

/// Reports each `Allow` of a path that its group closes in other letters only.
///
/// A group that closes a path in several spellings does so on purpose, for servers that hold them equal.
pub(super) fn letter_case(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let (mut left, mut pairs) = (MOST_LOOKED_AT, MOST_PAIRS);
    let mut closing = Vec::new();
    let mut allows = Vec::new();
    let mut closed_paths = Vec::new();
    for group in robots_txt.groups() {
        closing.clear();
        allows.clear();
        // To go through the rules takes longer than to compare them.
        for (access, value, line) in group.rule_values() {
            match access {
                Access::Allow => allows.push((value, line)),
                Access::Disallow => closing.push((value, line)),
            }
        }
        if closing.is_empty() || allows.is_empty() {
            continue;
        }
        closed_paths.clear();
        closed_paths.extend(
            closing
                .iter()
                .filter_map(|(value, line)| ClosedPath::new(*value, *line)),
        );
        let mut robot = None;
        for (value, line) in allows.iter().copied() {
            let path = literal(trim(value.with_comment()));
            let Some(closed) = closed_in_other_case(&closed_paths, path, &mut pairs) else {
                continue;
            };
            let (closed, closing_line) = (closed.path, closed.line);
            let value = value.part();
            if left == 0 {
                return;
            }
            left -= 1;
            let agent = group.user_agents().next();
            let token = agent.map_or("*", |agent| match agent.product_token() {
                "" => "*",
                token => token,
            });
            if robot.is_none() {
                robot = robots_txt.robot(token).ok();
            }
            if robot.as_ref().is_none_or(|robot| is_closed(robot, value)) {
                continue;
            }
            let after = path.get(closed.len()..).unwrap_or_default();
            let meant = String::from_utf8_lossy(closed) + String::from_utf8_lossy(after);
            let message = format!(
                "this `Allow` opens nothing, because {} on line {} has other capital letters and closes another path; write {} if you mean that one",
                quote(closed),
                closing_line,
                quote(meant.as_bytes())
            );
            let code = DiagnosticCode::AllowInOtherCase;
            findings.push(Diagnostic::new(code, line, value.span(), message));
        }
    }
}

/// Whether a rule closes the path, so that the `Allow` opens something.
fn is_closed(robot: &Robot, allow: Part<'_>) -> bool {
    let Ok(pattern) = core::str::from_utf8(allow.bytes) else {
        return true;
    };
    let path = example_path(pattern, "x");
    let mut rules = robot.rules();
    rules.any(|rule| rule.access() == Access::Disallow && rule.length() > 0 && rule.matches(&*path))
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
    fn new(value: Value<'r>, line: u32) -> Option<ClosedPath<'r>> {
        let path = trim(value.with_comment());
        let path = path.strip_suffix(b"*").unwrap_or(path);
        let second = path.get(1)?.to_ascii_lowercase();
        Some(ClosedPath { path, second, line })
    }
}

/// The first closed path that a path begins with in other letters; `None` if it begins with one in the same letters too.
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

/// Pairs of an `Allow` and another rule that are compared in one file; few have a hundredth of them.
const MOST_PAIRS: usize = 1 << 20;

/// Rules of a file that are looked at closely. No file was seen to have one.
const MOST_LOOKED_AT: usize = 16;

//! Finds exceptions that open nothing, because they are written in other letters than what they are an exception from:
//! `Allow: /Admin/help` beside `Disallow: /admin/`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Access;
use crate::document::groups::Group;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::example_path::example_path;
use crate::parse::part::Part;
use crate::parse::trim::trim;
use crate::robots::robot::Robot;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

/// Reports each `Allow` of a path that its group closes in other letters only.
///
/// A group that closes a path in several spellings does so on purpose, for servers that hold them equal.
pub(super) fn letter_case(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let mut left = MOST_LOOKED_AT;
    for group in robots_txt.groups().filter(has_allow_and_capitals) {
        let closed = ClosedPaths::of(group);
        let mut robot = None;
        for (access, value, line) in group.rule_values() {
            if access == Access::Disallow || left == 0 {
                continue;
            }
            let value = value.part();
            let path = literal(value.bytes);
            let Some(closed) = closed.in_other_case(path) else {
                continue;
            };
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
            let after = path.get(closed.path.len()..).unwrap_or_default();
            let meant = String::from_utf8_lossy(closed.path) + String::from_utf8_lossy(after);
            let message = format!(
                "this `Allow` opens nothing, because {} on line {} has other capital letters and closes another path; write {} if you mean that one",
                quote(closed.path),
                closed.line,
                quote(meant.as_bytes())
            );
            let code = DiagnosticCode::AllowInOtherCase;
            findings.push(Diagnostic::new(code, line, value.span(), message));
        }
    }
}

/// Fast: whether there may be a finding at all.
fn has_allow_and_capitals(group: &Group<'_>) -> bool {
    let has_path = |value: &[u8]| value.len() > 1;
    let is_allow = |access: Access, value: &[u8]| access == Access::Allow && has_path(value);
    let mut rules = group.rule_values();
    if !rules.any(|(access, value, _)| is_allow(access, value.with_comment())) {
        return false;
    }
    let has_capital = |value: &[u8]| value.iter().any(u8::is_ascii_uppercase);
    let mut rules = group.rule_values();
    rules.any(|(_, value, _)| has_capital(value.with_comment()))
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

/// The paths that a group closes, in the order of their lower-case spellings.
struct ClosedPaths<'r> {
    sorted: Vec<ClosedPath<'r>>,
}

struct ClosedPath<'r> {
    lower: Vec<u8>,
    path: &'r [u8],
    line: u32,
}

impl<'r> ClosedPath<'r> {
    fn key(&self) -> (&[u8], &'r [u8]) {
        (&self.lower, self.path)
    }
}

impl<'r> ClosedPaths<'r> {
    fn of(group: Group<'r>) -> ClosedPaths<'r> {
        let rules = group.rule_values();
        let closed = rules.filter(|(access, ..)| *access == Access::Disallow);
        let mut sorted: Vec<ClosedPath<'r>> = closed
            .filter_map(|(_, value, line)| {
                let value = value.part().bytes;
                let path = literal(value);
                let is_whole = matches!(value.get(path.len()..), Some([] | [b'*']));
                (is_whole && path.len() > 1).then(|| ClosedPath {
                    lower: path.to_ascii_lowercase(),
                    path,
                    line,
                })
            })
            .collect();
        sorted.sort_by(|one, other| one.key().cmp(&other.key()));
        ClosedPaths { sorted }
    }

    /// The longest closed path that a path begins with in other letters, unless it begins with one in the same letters.
    fn in_other_case(&self, path: &[u8]) -> Option<&ClosedPath<'r>> {
        let mut lower = path.to_ascii_lowercase();
        for _ in 0..MOST_STARTS {
            let after = self.sorted.partition_point(|closed| closed.lower <= lower);
            let last = self.sorted.get(after.checked_sub(1)?)?;
            let pairs = last.lower.iter().zip(&lower);
            let common = pairs.take_while(|(one, other)| one == other).count();
            if common == last.lower.len() {
                let same = (&*last.lower, path.get(..common)?);
                let found = self
                    .sorted
                    .binary_search_by(|closed| closed.key().cmp(&same));
                return found.is_err().then_some(last);
            }
            // Every shorter path that is a start of this one is a start of what both have in common.
            lower.truncate(common);
        }
        None
    }
}

/// The text of a pattern before everything that is no plain text.
fn literal(pattern: &[u8]) -> &[u8] {
    let pattern = trim(pattern);
    let is_end = |byte: &u8| matches!(byte, b'*' | b'$' | b'%') || !byte.is_ascii_graphic();
    let end = pattern.iter().position(is_end);
    pattern
        .get(..end.unwrap_or(pattern.len()))
        .unwrap_or_default()
}

/// Starts of a path that are looked up; a list of closed paths seldom has two.
const MOST_STARTS: usize = 32;

/// Rules of a file that are looked at closely. No file was seen to have one.
const MOST_LOOKED_AT: usize = 16;

//! Finds exceptions that open nothing, because they are written in other letters than what they are
//! an exception from: `Allow: /Admin/help` beside `Disallow: /admin/`.

use polite_robots::document::RuleRecord;
use polite_robots::text::quote;
use polite_robots::{Access, Robot};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::rules::openings::{in_other_dialect, may_open, robots_of_group};

/// Reports each `Allow` of a path that its group closes in other letters only, if it opens nothing
/// at all: beside `Disallow: /MAPS/` and `Disallow: /maps/print/`, `Allow: /maps/*?lang=kk` opens
/// `/maps/print/?lang=kk`.
///
/// A group that closes a path in several spellings does so on purpose, for servers that hold them
/// equal.
pub(super) fn letter_case(file: &FileRules<'_>, findings: &mut Vec<Diagnostic>) {
    let robots_txt = file.robots_txt;
    let (mut left, mut pairs) = (MOST_LOOKED_AT, MOST_PAIRS);
    let mut closed_paths = Vec::new();
    let mut other_dialect = None;
    for (group, rules) in file.groups() {
        let of = |access| rules.iter().filter(move |rule| rule.access() == access);
        if of(Access::Allow).next().is_none() {
            continue;
        }
        closed_paths.clear();
        closed_paths.extend(of(Access::Disallow).filter_map(ClosedPath::new));
        let mut robots: Option<Vec<Robot>> = None;
        for rule in of(Access::Allow) {
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
            let meant = [closed, after].concat();
            let message = format!(
                "this `Allow` opens nothing, because {} on line {} has other capital letters and closes another path; write {} if you mean that one",
                quote(closed),
                closing_line,
                quote(&meant)
            );
            let start = rule.span().start;
            let advice = Advice::new(message);
            let advice = match String::from_utf8(meant) {
                Ok(meant) => advice.write(rule.span(), meant),
                // The letters that differ are ASCII.
                Err(_) => advice.write(
                    start..start.saturating_add(closed.len()),
                    String::from_utf8_lossy(closed),
                ),
            };
            findings.push(Diagnostic::on(
                rule,
                DiagnosticCode::AllowInOtherCase,
                advice,
            ));
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

/// The plain text at the start of a pattern.
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

/// Rules of a file that are looked at closely. No file was seen to have one.
const MOST_LOOKED_AT: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_keeps_the_wildcards_of_the_path() {
        let file = b"User-agent: *\nDisallow: /MAPS/\nAllow: /maps/*?lang=kk # Kazakh";
        let mut findings = Vec::new();
        let robots_txt = polite_robots::RobotsTxt::parse(file);
        letter_case(&FileRules::of(&robots_txt), &mut findings);
        let message = findings
            .first()
            .map(|finding| finding.message().to_string());
        assert!(message.is_some_and(|message| message.contains("write `/MAPS/*?lang=kk` if")));
    }
}

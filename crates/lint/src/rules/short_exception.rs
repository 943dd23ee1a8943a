//! Finds exceptions that open nothing, because they are shorter than what they are an exception
//! from: `Allow: /files/free/` beside `Disallow: /files/*/download.pdf$`.

use polite_robots::document::RuleRecord;
use polite_robots::text::quote;
use polite_robots::{Access, Robot};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::rules::openings::{in_other_dialect, may_open, robots_of_group};
use crate::text::token::use_in;

/// Reports each `Allow` of a path in the folder of a longer `Disallow` with a `*`, if it opens
/// nothing at all.
///
/// Beside `Disallow: /*.pdf$`, which is about no folder, an `Allow: /docs/` is seldom meant as an
/// exception.
pub(super) fn short_exception(file: &FileRules<'_>, findings: &mut Vec<Diagnostic>) {
    let robots_txt = file.robots_txt;
    let (mut left, mut pairs) = (MOST_LOOKED_AT, MOST_PAIRS);
    let mut other_dialect = None;
    for (group, rules) in file.groups() {
        let closing: Vec<_> = rules.iter().filter_map(ClosedPart::new).collect();
        // An `Allow` says of a use that it is wanted.
        let mut agents = group.user_agents();
        if closing.is_empty() || agents.any(|agent| use_in(agent.value()).is_some()) {
            continue;
        }
        let allows = rules
            .iter()
            .filter(|rule| rule.access() == Access::Allow && is_plain(rule.value()));
        let mut robots: Option<Vec<Robot>> = None;
        for allow in allows {
            let Some(remaining) = pairs.checked_sub(closing.len()) else {
                return;
            };
            pairs = remaining;
            let Some(closed) = closing.iter().find(|closed| closed.outdoes(allow.value())) else {
                continue;
            };
            if left == 0 {
                return;
            }
            left -= 1;
            let robots = robots.get_or_insert_with(|| {
                let other = other_dialect.get_or_insert_with(|| in_other_dialect(robots_txt));
                robots_of_group(group, [robots_txt, other])
            });
            if robots.is_empty() || robots.iter().any(|robot| may_open(robot, allow.line())) {
                continue;
            }
            let meant = [allow.value(), b"*", closed.after].concat();
            let message = format!(
                "this `Allow` opens nothing, because {} on line {} is longer, and the longer rule wins where both match; write {} if you mean an exception from it",
                quote(closed.pattern),
                closed.line,
                quote(&meant)
            );
            let meant = String::from_utf8(meant).unwrap_or_else(|error| escaped(error.as_bytes()));
            let advice = Advice::new(message).write(allow.span(), meant);
            findings.push(Diagnostic::on(
                allow,
                DiagnosticCode::ShortException,
                advice,
            ));
        }
    }
}

/// The pattern with the bytes outside of ASCII as escapes, which match the same.
fn escaped(pattern: &[u8]) -> String {
    let escaped = pattern.iter().map(|byte| match byte.is_ascii() {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    escaped.collect()
}

/// Whether a path is compared as it is written, and is no pattern.
fn is_plain(path: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && !b"*$%".contains(byte);
    path.iter().all(is_plain)
}

/// A `Disallow` of a part of a folder: `/files/*.pdf$`.
struct ClosedPart<'r> {
    pattern: &'r [u8],
    /// The text before the first `*`.
    folder: &'r [u8],
    /// The text after it.
    after: &'r [u8],
    line: u32,
}

impl<'r> ClosedPart<'r> {
    /// `None` for an `Allow`, a rule without a `*`, and one that is about no folder.
    fn new(rule: &RuleRecord<'r>) -> Option<ClosedPart<'r>> {
        let (pattern, line) = (rule.value(), rule.line());
        let star = memchr::memchr(b'*', pattern)?;
        let (folder, after) = pattern.split_at_checked(star)?;
        let after = after.get(1..)?;
        let is_closing = rule.access() == Access::Disallow;
        (is_closing && folder.len() > 1 && is_plain(folder)).then_some(ClosedPart {
            pattern,
            folder,
            after,
            line,
        })
    }

    /// Whether the rule wins over an `Allow` of a path in its folder.
    fn outdoes(&self, path: &[u8]) -> bool {
        path.len() < self.pattern.len()
            && path.len() > self.folder.len()
            && path.starts_with(self.folder)
    }
}

/// Pairs of rules of a file that are compared.
const MOST_PAIRS: usize = 1_000_000;

/// Rules of a file that are looked at closely.
const MOST_LOOKED_AT: usize = 16;

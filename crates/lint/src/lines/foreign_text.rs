//! Diagnostics about text that no person wrote into the file: conflict markers and the output of
//! programs.

use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::text::part::Part;

/// Foreign text that was reported once, so that its other lines are passed over.
#[derive(Debug, Default)]
pub(super) struct ForeignText {
    conflict: bool,
    output: bool,
}

impl ForeignText {
    /// Reports a line that is no record, if it is foreign text. Returns whether it is.
    pub(super) fn line(&mut self, findings: &mut Findings<'_, '_>, text: Part<'_>) -> bool {
        if starts_conflict(text.bytes) {
            self.conflict = true;
            let message = || "this marks a merge conflict that was not resolved, so rules of both versions apply; keep one version, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`";
            findings.report(DiagnosticCode::MergeConflict, text, message);
            return true;
        }
        if self.conflict && is_in_conflict(text.bytes) {
            return true;
        }
        let is_output = is_markup(text.bytes) || is_message(text.bytes);
        if is_output && !self.output {
            self.output = true;
            let message = || {
                format!(
                    "a program seems to have written {} into the file, and crawlers pass over it; serve the file as plain text, without what a page or an error message adds",
                    quote(text.bytes)
                )
            };
            findings.report(DiagnosticCode::ProgramOutput, text, message);
        }
        is_output
    }
}

fn starts_conflict(line: &[u8]) -> bool {
    matches!(line.strip_prefix(b"<<<<<<<"), Some([] | [b' ', ..]))
}

fn is_in_conflict(line: &[u8]) -> bool {
    let rest = [&b"======="[..], b">>>>>>>", b"|||||||"]
        .iter()
        .find_map(|marker| line.strip_prefix(*marker));
    matches!(rest, Some([] | [b' ', ..]))
}

/// Whether the line begins with a tag or a comment of HTML: `<br />`, `<!-- cached -->`.
fn is_markup(line: &[u8]) -> bool {
    match line {
        [b'<', b'!' | b'/' | b'?', ..] => true,
        [b'<', letter, rest @ ..] => {
            // `<name>: value` has the form of a record.
            let after_tag = memchr::memchr(b'>', rest).and_then(|end| rest.get(end..));
            let is_tag = after_tag.is_some_and(|after| after.get(1) != Some(&b':'));
            letter.is_ascii_alphabetic() && is_tag
        }
        _ => false,
    }
}

/// Whether the line begins as an error message of PHP, Python or Java does.
fn is_message(line: &[u8]) -> bool {
    let begins = |start: &&[u8]| {
        let head = line.get(..start.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    MESSAGES.iter().any(begins)
}

const MESSAGES: &[&[u8]] = &[
    b"Warning:",
    b"Notice:",
    b"Deprecated:",
    b"Fatal error:",
    b"Parse error:",
    b"Strict standards:",
    b"PHP Warning:",
    b"PHP Notice:",
    b"PHP Deprecated:",
    b"PHP Fatal error:",
    b"Traceback (most recent call last)",
    b"Exception in thread",
];

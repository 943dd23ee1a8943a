//! Diagnostics about text that no person wrote into the file: conflict markers and the output of
//! programs.

use std::collections::BTreeSet;
use std::ops::Range;

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::proposal::{Effect, Proposal, with_line_end};
use crate::text::part::Part;
use crate::text::words::words;

/// The kinds of foreign text that were reported once, so that further lines of them are skipped.
#[derive(Debug, Default)]
pub(super) struct ForeignText {
    conflict: bool,
    output: bool,
}

impl ForeignText {
    /// Reports a line that is not a record, if it is foreign text. Returns whether it is.
    pub(super) fn line(&mut self, findings: &mut Findings<'_, '_>, text: Part<'_>) -> bool {
        let (file, line) = (findings.file, findings.line.part);
        if starts_conflict(text.bytes) {
            self.conflict = true;
            findings.report(DiagnosticCode::MergeConflict, text, || conflict(file, line));
            return true;
        }
        if self.conflict && is_in_conflict(text.bytes) {
            return true;
        }
        let is_output = is_output(text.bytes);
        if is_output && !self.output {
            self.output = true;
            findings.report(DiagnosticCode::ProgramOutput, text, || {
                let sentence = format!(
                    "a program seems to have written {} into the file, and crawlers pass over it; remove each line that a page or an error message adds",
                    quote(text.bytes)
                );
                Advice::new(sentence).propose_all(without_output(file))
            });
        }
        is_output
    }
}

/// The advice about a merge conflict, with one proposal for each version of its lines. Without the
/// marks of an end nobody knows where the versions are.
fn conflict<'f>(file: Part<'f>, start: Part<'f>) -> Advice {
    const SENTENCE: &str =
        "this marks a merge conflict that was not resolved, so rules of both versions apply";
    let mut marks = vec![start];
    let mut lines = lines_of(file.tail(start.end())).skip(1);
    let last = lines.find_map(|line| {
        let is_last = line.bytes.starts_with(b">>>>>>>");
        if is_last || is_in_conflict(line.bytes) {
            marks.push(line);
        }
        (is_last || starts_conflict(line.bytes)).then_some(is_last)
    });
    let place_of = |sign: &[u8]| marks.iter().position(|mark| mark.bytes.starts_with(sign));
    let (base, middle) = (place_of(b"|||||||"), place_of(b"======="));
    let (Some(true), Some(middle), Some(end)) = (last, middle, marks.last()) else {
        return Advice::new(format!("{SENTENCE}; its end is not marked"));
    };
    let after = |line: Part<'_>| with_line_end(file.bytes, line.span()).end;
    let at = |place: usize| marks.get(place).copied().unwrap_or(start);
    let first = at(base.unwrap_or(middle)).start;
    let versions = [after(start)..first, after(at(middle))..end.start];
    let [one, other] = versions.clone().map(|version| lines_in(file, version));
    let changes = [!other.is_subset(&one), !one.is_subset(&other)];
    let proposals = versions
        .into_iter()
        .zip(changes)
        .map(|(version, is_change)| {
            let effect = Effect::if_answers(is_change);
            Proposal::replace(start.start..version.start, "", effect)
                .and(version.end..after(*end), "")
        });
    let sentence = format!(
        "{SENTENCE}; keep one version, and remove the other with the lines of `<<<<<<<`, `=======` and `>>>>>>>`"
    );
    Advice::new(sentence).propose_all(proposals)
}

/// The different lines of a range.
fn lines_in(file: Part<'_>, range: Range<usize>) -> BTreeSet<&[u8]> {
    let text = file.tail(range.start).head(range.len());
    lines_of(text).map(|line| line.trim().bytes).collect()
}

/// The lines of a text without their ends.
fn lines_of(text: Part<'_>) -> impl Iterator<Item = Part<'_>> {
    let lines = text.bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.scan(text.start, |start, line| {
        let part = Part::new(*start, line);
        *start = part.end().saturating_add(1);
        Some(part)
    })
}

/// The file without all lines that a program wrote.
fn without_output(file: Part<'_>) -> Option<Proposal> {
    let output = lines_of(file).filter(|line| is_output(line.trim().bytes));
    let whole = |line: Part<'_>| with_line_end(file.bytes, line.span());
    Proposal::of(output.map(|line| (whole(line), "")), Effect::Nothing)
}

fn is_output(line: &[u8]) -> bool {
    is_markup(line) || is_message(line)
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
    let begins = |start: &[u8]| {
        let head = line.get(..start.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    words(MESSAGES).any(begins)
}

const MESSAGES: &str = include_str!("../words/messages.txt");

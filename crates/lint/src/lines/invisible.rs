//! Diagnostics about characters that nobody sees.

use polite_robots::document::{is_wildcard, leading_name};
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::Findings;
use crate::lines::second_record::about_record;
use crate::lines::second_record::second_record;
use crate::proposal::{Effect, Proposal};
use crate::text::invisible::{first_invisible, is_invisible};
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

/// Whether the text has an invisible character, which is then reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    AllVisible,
    Reported,
}

impl Findings<'_, '_> {
    /// Reports the first invisible character of a value; `effect` begins the message, and `read` is
    /// the part of a value that crawlers read. Percent-encoded the character would stay hidden.
    pub(super) fn invisible(
        &mut self,
        value: Part<'_>,
        severity: Severity,
        effect: &str,
        read: fn(&[u8]) -> &[u8],
    ) -> Visibility {
        let Some((at, character)) = first_invisible(value.bytes) else {
            return Visibility::AllVisible;
        };
        let code_point = u32::from(character);
        let (file, line) = (self.file.bytes, self.line.part);
        let message = || {
            let place = place(value, at, character);
            let after = value.tail(at.saturating_add(character.len_utf8()));
            let (fix, proposal) = match second_record(after) {
                Some(record) => on_its_own(file, line, value.head(at), value, record),
                None => without_invisible(value, read),
            };
            let message =
                format!("{effect} the invisible character U+{code_point:04X} {place}; {fix}");
            Advice::new(message).propose_if(proposal)
        };
        let part = value.tail(at).head(character.len_utf8());
        let code = DiagnosticCode::InvisibleCharacter;
        self.grade(code, severity, part, message);
        Visibility::Reported
    }
}

/// The advice to remove each invisible character of a value.
fn without_invisible(value: Part<'_>, read: fn(&[u8]) -> &[u8]) -> (String, Option<Proposal>) {
    let text = core::str::from_utf8(value.bytes).unwrap_or_default();
    let mut places = text
        .char_indices()
        .filter(|(_, character)| is_invisible(*character))
        .map(|(at, character)| value.tail(at).head(character.len_utf8()).span());
    let visible: String = text
        .chars()
        .filter(|letter| !is_invisible(*letter))
        .collect();
    let visible = visible.trim_ascii().as_bytes();
    let is_same = visible.is_empty() || read(visible) == read(value.bytes);
    let effect = if is_same {
        Effect::Nothing
    } else {
        Effect::Answers
    };
    let first = places
        .next()
        .map(|span| Proposal::replace(span, "", effect));
    let count = places.clone().count().saturating_add(1);
    let proposal = first.map(|first| places.fold(first, |all, span| all.and(span, "")));
    let all = match count {
        1 => "remove the character".into(),
        count => format!("remove the {count} invisible characters of the value"),
    };
    let fix = if visible.is_empty() {
        format!("{all}, which leaves an empty value and changes no answer")
    } else if is_whole_site(visible) {
        format!(
            "{all} if the whole site is meant, which {} is",
            quote(visible)
        )
    } else {
        all
    };
    (fix, proposal)
}

/// The advice to write the record that follows a value on a line of its own.
fn on_its_own(
    file: &[u8],
    line: Part<'_>,
    before: Part<'_>,
    value: Part<'_>,
    record: Part<'_>,
) -> (String, Option<Proposal>) {
    let before = before.trim();
    let texts = core::str::from_utf8(before.bytes).ok();
    let texts = texts.zip(lines_of(record));
    let fix = format!(
        "write {} here, and {} on a line of its own{}",
        quote(before.bytes),
        quote(record.bytes),
        about_record(before.bytes, record.bytes)
    );
    let proposal = texts.map(|(before, record)| {
        let below = Proposal::line_below(file, line.span(), &record, Effect::Answers);
        below.and(value.span(), before)
    });
    (fix, proposal)
}

/// The records of a text, each on its line, where invisible characters are between them.
fn lines_of(mut record: Part<'_>) -> Option<String> {
    let mut lines = Vec::new();
    while lines.len() < MOST_RECORDS {
        let split = first_invisible(record.bytes).and_then(|(at, character)| {
            let after = record.tail(at.saturating_add(character.len_utf8()));
            Some((record.head(at), second_record(after)?))
        });
        let Some((before, after)) = split else {
            break;
        };
        lines.push(core::str::from_utf8(before.trim().bytes).ok()?);
        record = after;
    }
    lines.push(core::str::from_utf8(record.bytes).ok()?);
    Some(lines.join("\n"))
}

/// The name that crawlers read of a `User-agent` value.
pub(super) fn name_read(value: &[u8]) -> &[u8] {
    match is_wildcard(value) {
        true => b"*",
        false => leading_name(value),
    }
}

fn place(value: Part<'_>, at: usize, character: char) -> String {
    let after = value.tail(at.saturating_add(character.len_utf8())).bytes;
    match value.head(at).bytes {
        [] if after.is_empty() => "alone".into(),
        [] => format!("before {}", quote(after)),
        before => format!("after {}", quote(before)),
    }
}

/// The text without the invisible characters at its start, if there are any.
pub(super) fn after_invisible(text: &[u8]) -> Option<&str> {
    let text = core::str::from_utf8(text).ok()?;
    let visible = text.trim_start_matches(is_invisible);
    (visible.len() < text.len()).then_some(visible)
}

/// Records of one line that are parted: each looks at the rest of the line.
const MOST_RECORDS: usize = 20;

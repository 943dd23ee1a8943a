//! Diagnostics about characters that nobody sees.

use polite_robots::document::{is_wildcard, leading_name};
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::lines::second_record::{about_record, second_record};
use crate::proposal::{Effect, Proposal};
use crate::text::invisible::{first_invisible, is_invisible};
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

impl Findings<'_, '_> {
    /// Reports the first invisible character of a value. `effect` begins the message, and `read`
    /// cuts a value to the part that crawlers read. The proposal does not percent-encode the
    /// character, which would stay hidden.
    pub(super) fn invisible(
        &mut self,
        value: Part<'_>,
        severity: Severity,
        effect: &str,
        read: fn(&[u8]) -> &[u8],
    ) -> Option<Reported> {
        let (at, character) = first_invisible(value.bytes)?;
        let code_point = u32::from(character);
        let (file, line) = (self.file.bytes, self.line.part);
        let part = value.tail(at).head(character.len_utf8());
        self.grade(DiagnosticCode::InvisibleCharacter, severity, part, || {
            let place = place(value, at, character);
            let after = value.tail(at.saturating_add(character.len_utf8()));
            let fix = match second_record(after) {
                Some(record) => on_its_own(file, line, value.head(at), value, record),
                None => without_invisible(value, read),
            };
            fix.after(format_args!(
                "{effect} the invisible character U+{code_point:04X} {place}"
            ))
        })
    }
}

/// The advice to remove each invisible character of a value.
fn without_invisible(value: Part<'_>, read: fn(&[u8]) -> &[u8]) -> Advice {
    let text = core::str::from_utf8(value.bytes).unwrap_or_default();
    let hidden = text.char_indices();
    let hidden = hidden.filter(|(_, character)| is_invisible(*character));
    let places = hidden.map(|(at, character)| value.tail(at).head(character.len_utf8()).span());
    let visible = text.replace(is_invisible, "");
    let visible = visible.trim_ascii().as_bytes();
    let is_change = !visible.is_empty() && read(visible) != read(value.bytes);
    let all = match places.clone().count() {
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
    Advice::new(fix).propose_all(Proposal::of(
        places.map(|place| (place, "")),
        Effect::if_answers(is_change),
    ))
}

/// The advice to write the record that follows a value on a line of its own.
fn on_its_own(
    file: &[u8],
    line: Part<'_>,
    before: Part<'_>,
    value: Part<'_>,
    record: Part<'_>,
) -> Advice {
    let before = before.trim();
    let texts = core::str::from_utf8(before.bytes).ok();
    let texts = texts.zip(lines_of(record));
    let fix = format!(
        "write {} here, and {} on a line of its own{}",
        quote(before.bytes),
        quote(record.bytes),
        about_record(before.bytes, record.bytes)
    );
    Advice::new(fix).propose_all(texts.map(|(before, record)| {
        Proposal::line_below(file, line.span(), &record).and(value.span(), before)
    }))
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

/// The most records of one line that are separated: each looks at the rest of the line.
const MOST_RECORDS: usize = 20;

//! Diagnostics about characters that nobody sees.

use polite_robots::text::quote;

use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::Findings;
use crate::lines::second_record::second_record;
use crate::text::invisible::{first_invisible, is_invisible};
use crate::text::part::Part;

/// Whether the text has an invisible character, which is then reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    AllVisible,
    Reported,
}

impl Findings<'_, '_> {
    /// Reports the first invisible character of a value; `effect` begins the message.
    /// Percent-encoded or cut off it would stay hidden, and without it the line means something
    /// else, so nothing is suggested.
    pub(super) fn invisible(
        &mut self,
        value: Part<'_>,
        severity: Severity,
        effect: &str,
    ) -> Visibility {
        let Some((at, character)) = first_invisible(value.bytes) else {
            return Visibility::AllVisible;
        };
        let code_point = u32::from(character);
        let message = || {
            let place = place(value, at, character);
            let after = value.tail(at.saturating_add(character.len_utf8()));
            let fix = match second_record(after) {
                Some(_) => "give each record a line of its own",
                None => "remove the character",
            };
            format!("{effect} the invisible character U+{code_point:04X} {place}; {fix}")
        };
        let part = value.tail(at).head(character.len_utf8());
        let code = DiagnosticCode::InvisibleCharacter;
        self.grade(code, severity, part, message);
        Visibility::Reported
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

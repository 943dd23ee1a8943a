//! Paths with a line break after them that is written as the text `\n`.

use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::lines::path::start_alone::start_alone;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports such a text before a further record or at the end; one at the end is reported once
    /// for a file. Returns whether there is one.
    pub(super) fn line_break_in_path(&mut self, value: Part<'_>) -> Option<Reported> {
        let before_record = self.line_break_text(DiagnosticCode::BlankInPath, value);
        if before_record.is_some() {
            return before_record;
        }
        let path = value.bytes.strip_suffix(LINE_BREAK)?;
        if core::mem::replace(&mut self.has_line_break_text, true) {
            return Some(Reported);
        }
        self.report(DiagnosticCode::SignAfterPath, value, || {
            let start = format!(
                "{} matches only URLs with this `\\n`, which is no line break",
                quote(value.bytes)
            );
            start_alone(value, path).after(start)
        })
    }
}

/// The two characters that stand for a line end in programs.
const LINE_BREAK: &[u8] = br"\n";

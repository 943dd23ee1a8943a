//! Paths with a line break after them that is written as the text `\n`.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::lines::path::start_alone::start_alone;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports such a text before a further record or at the end, the latter once for a file too.
    /// Returns whether there is one.
    pub(super) fn line_break_in_path(&mut self, value: Part<'_>) -> bool {
        if self.line_break_text(DiagnosticCode::BlankInPath, value) {
            return true;
        }
        let Some(path) = value.bytes.strip_suffix(LINE_BREAK) else {
            return false;
        };
        if core::mem::replace(&mut self.has_line_break_text, true) {
            return true;
        }
        let message = || {
            let (fix, proposal) = start_alone(value, path);
            let message = format!(
                "{} matches only URLs with this `\\n`, which is no line break; {fix}",
                quote(value.bytes)
            );
            Advice::new(message).propose(proposal)
        };
        self.report(DiagnosticCode::SignAfterPath, value, message);
        true
    }
}

/// The two characters that stand for a line end in programs.
const LINE_BREAK: &[u8] = br"\n";

//! The diagnostic that line breaks are written as the text `\n`.

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::text::line_break_text::{proposal, record_after_break};
use crate::text::part::Part;
use crate::text::whole_site::has_rule_about_site;

impl Findings<'_, '_> {
    /// Reports a value that has the text `\n` before a further record, once for a file: the server
    /// has written all lines in this way. Returns whether the value has one.
    pub(super) fn line_break_text(&mut self, code: DiagnosticCode, value: Part<'_>) -> bool {
        let Some(at) = record_after_break(value.bytes) else {
            return false;
        };
        if self.has_line_break_text {
            return true;
        }
        self.has_line_break_text = true;
        let file = self.file.bytes;
        let message = || {
            let proposal = proposal(file);
            let followed = proposal.as_ref().map(|proposal| proposal.apply(file));
            let about_site = match followed.is_some_and(|file| has_rule_about_site(&file)) {
                true => ", and a rule about the whole site is among these records then",
                false => "",
            };
            Advice::new(format!("{MESSAGE}{about_site}")).propose_if(proposal)
        };
        self.report(code, value.tail(at), message);
        true
    }
}

const MESSAGE: &str = "line breaks of this file are written as the text `\\n`, which ends no line, so the records after it have no effect; put line breaks in its place";

//! The diagnostic that line breaks are written as the text `\n`.

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::text::line_break_text::{proposal, record_after_break};
use crate::text::part::Part;
use crate::text::whole_site::has_rule_about_site;

impl Findings<'_, '_> {
    /// Reports a value that has the text `\n` before a further record, once for a file: the server
    /// has written all lines in this way. Returns whether the value has one.
    pub(super) fn line_break_text(
        &mut self,
        code: DiagnosticCode,
        value: Part<'_>,
    ) -> Option<Reported> {
        let at = record_after_break(value.bytes)?;
        if core::mem::replace(&mut self.has_line_break_text, true) {
            return Some(Reported);
        }
        let file = self.file.bytes;
        self.report(code, value.tail(at), || {
            let proposal = proposal(file);
            let followed = proposal.as_ref().map(|proposal| proposal.apply(file));
            let about_site = match followed.is_some_and(|file| has_rule_about_site(&file)) {
                true => ", and a rule about the whole site is among these records then",
                false => "",
            };
            Advice::new(format!("{MESSAGE}{about_site}")).propose_all(proposal)
        })
    }
}

const MESSAGE: &str = "line breaks of this file are written as the text `\\n`, which ends no line, so the records after it have no effect; put line breaks in its place";

//! Paths with a line break that is written as the text `\n`.

use polite_robots::RobotsTxt;
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::lines::path_syntax::is_whole_site;
use crate::proposal::{Effect, Proposal};
use crate::text::line_break_text::{line_breaks, record_after_break};
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports the first line break of the file that is written as text, and returns whether the
    /// path has one: all of them have one cause.
    pub(super) fn line_break_as_text(&mut self, value: Part<'_>) -> bool {
        let Some(at) = memchr::memmem::find(value.bytes, LINE_BREAK) else {
            return false;
        };
        let is_at_end = value.bytes.ends_with(LINE_BREAK);
        let code = match record_after_break(value.bytes) {
            Some(_) => DiagnosticCode::BlankInPath,
            None if is_at_end => DiagnosticCode::SignAfterPath,
            None => return false,
        };
        if core::mem::replace(&mut self.has_line_break_as_text, true) {
            return true;
        }
        let file = self.file.bytes;
        let message = || {
            let before = value.head(at).bytes;
            let before = before.strip_suffix(br"\r").unwrap_or(before);
            let proposal = real_line_breaks(file);
            let after = proposal.as_ref().map(|proposal| proposal.apply(file));
            let whole_site = match after.is_some_and(|file| closes_site(&file)) {
                true => "; a rule about the whole site is among the lines then",
                false => "",
            };
            let message = format!(
                "line breaks are written as the text `\\n` in this file, which ends no line, so the path {} has what follows it too; put a real line break in the place of each{whole_site}",
                quote(before)
            );
            Advice::new(message).propose_if(proposal)
        };
        self.report(code, value, message);
        true
    }
}

/// The edits that end each line of the file.
fn real_line_breaks(file: &[u8]) -> Option<Proposal> {
    let mut edits = line_breaks(file).into_iter();
    let (span, text) = edits.next()?;
    let first = Proposal::replace(span, text, Effect::Answers);
    Some(edits.fold(first, |proposal, (span, text)| proposal.and(span, text)))
}

/// Whether a rule of the file is about the whole site.
fn closes_site(file: &[u8]) -> bool {
    let robots_txt = RobotsTxt::parse(file);
    let mut rules = robots_txt.groups().flat_map(|group| group.rules());
    rules.any(|rule| is_whole_site(rule.value()))
}

/// The two characters that stand for a line end in programs.
const LINE_BREAK: &[u8] = br"\n";

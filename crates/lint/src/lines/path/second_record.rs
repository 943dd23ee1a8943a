//! Paths with a second record after them: one line holds one record.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::field::is_known;
use crate::lines::findings::{Findings, Reported};
use crate::lines::second_record::about_record;
use crate::proposal::Proposal;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a record after the path, and returns whether there is one.
    pub(super) fn second_record(&mut self, value: Part<'_>) -> Option<Reported> {
        let has_blank = value.bytes.iter().any(u8::is_ascii_whitespace);
        let found = Some(value.bytes).filter(|_| has_blank);
        let (path, record) = found.and_then(second_record)?;
        let (file, line) = (self.file.bytes, self.line.part.span());
        self.report(DiagnosticCode::BlankInPath, value, || {
            let message = format!(
                "{} is read as one path, because a line holds one record; write {} here, and {} on a line of its own{}",
                quote(value.bytes),
                quote(path),
                quote(record),
                about_record(path, record)
            );
            let texts = core::str::from_utf8(path)
                .ok()
                .zip(core::str::from_utf8(record).ok());
            let proposal = texts.map(|(path, record)| {
                let below = Proposal::line_below(file, line, record);
                below.and(value.span(), path)
            });
            Advice::new(message).propose_all(proposal)
        })
    }
}

/// The path and the second record after it, as in `/ User-agent: *` and `/a/User-agent: PlumBot`.
fn second_record(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let ends = memchr::memchr_iter(b':', value);
    ends.filter_map(|end| {
        let window = end.saturating_sub(LONGEST_FIELD);
        let before = value.get(window..end)?;
        let is_before_name = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
        let start = before.iter().rposition(is_before_name)?.saturating_add(1);
        let (path, record) = value.split_at_checked(window.saturating_add(start))?;
        // `http://allow:8080/` is no rule.
        let is_field = before.get(start..).is_some_and(is_known) && !path.ends_with(b"//");
        is_field.then_some((path.trim_ascii_end(), record))
    })
    .next()
}

/// The search for a field name stops after this many bytes, so that a hostile path takes no longer
/// than others.
const LONGEST_FIELD: usize = 32;

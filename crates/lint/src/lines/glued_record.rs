//! Diagnostics about a comment that has swallowed a record.

use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a record that is glued to the text of a comment: `# end of listUser-agent: *`.
    pub(super) fn glued_record(&mut self, comment: Part<'_>) {
        let Some(at) = place_of_record(comment.bytes) else {
            return;
        };
        let record = comment.tail(at).trim();
        let message = || {
            format!(
                "{} has no effect, because it is part of a comment; the line break before it is missing",
                quote(record.bytes)
            )
        };
        self.report(DiagnosticCode::RecordInComment, record, message);
    }
}

/// The place of a record that follows a letter, a digit or a full stop without a blank between. A
/// record after a blank or a `#` is commented out.
fn place_of_record(comment: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b':', comment).find_map(|colon| {
        let (before, value) = comment.split_at_checked(colon)?;
        // The last letters of the fields: most text before a colon ends otherwise.
        if !matches!(before.trim_ascii_end(), [.., b'T' | b't' | b'W' | b'w']) {
            return None;
        }
        let value = value.get(1..)?.trim_ascii_start();
        let (at, is_value) = FIELDS.iter().find_map(|field| {
            let at = before.trim_ascii_end().len().checked_sub(field.len())?;
            let is_field = before
                .get(at..)?
                .trim_ascii_end()
                .eq_ignore_ascii_case(field);
            let is_rule = *field != USER_AGENT;
            let is_value = if is_rule {
                matches!(value, [b'/' | b'*', ..])
            } else {
                !value.is_empty()
            };
            is_field.then_some((at, is_value))
        })?;
        let glue = at.checked_sub(1).and_then(|at| comment.get(at))?;
        let is_glued = glue.is_ascii_alphanumeric() || b".)".contains(glue);
        (is_value && is_glued).then_some(at)
    })
}

const USER_AGENT: &[u8] = b"user-agent";

/// `disallow` stands before `allow`, which ends it.
const FIELDS: [&[u8]; 3] = [USER_AGENT, b"disallow", b"allow"];

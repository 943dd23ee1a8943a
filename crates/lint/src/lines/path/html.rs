//! Paths with HTML: its tags, and its entities for characters.

use memchr::memchr2;
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::lines::path::start_alone::start_alone;
use crate::text::entity::{decoded, first_entity};
use crate::text::html_tag::before_tag;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports tags in a path or after it, and returns whether there are any.
    pub(super) fn html(&mut self, value: Part<'_>) -> Option<Reported> {
        if let Some(path) = before_tag(value.bytes) {
            return self.report(DiagnosticCode::HtmlInPath, value, || {
                let start = format!("{} matches only URLs with this HTML tag, which was probably copied from a page", quote(value.bytes));
 start_alone(value, path).after(start)
            });
        }
        let blank = value.bytes.iter().position(u8::is_ascii_whitespace);
        let blank = blank.filter(|_| memchr2(b'<', b'>', value.bytes).is_some())?;
        self.report(DiagnosticCode::BlankInPath, value, || {
            let head = value.head(blank).bytes;
            let path = memchr2(b'<', b'>', head).and_then(|at| head.get(..at));
            let start = format!("{} is read as one path with its blanks and its HTML, so it matches nothing for Google", quote(value.bytes));
 start_alone(value, path.unwrap_or(head)).after(start)
        })
    }

    /// Reports the entity for a character that URLs have, and returns whether there is one.
    pub(super) fn entity(&mut self, value: Part<'_>) -> Option<Reported> {
        let (entity, character) = first_entity(value.bytes)?;
        self.report(DiagnosticCode::HtmlInPath, value, || {
            let decoded = core::str::from_utf8(value.bytes).map(decoded).ok();
            let fix = match &decoded {
                Some(path) => format!("; write {}", quote(path.as_bytes())),
                None => String::new(),
            };
            let message = format!(
                "{} matches only URLs with this {}, which stands for `{character}` in HTML alone{fix}",
                quote(value.bytes),
                quote(entity)
            );
            Advice::new(message).write_if(value.span(), decoded)
        })
    }
}

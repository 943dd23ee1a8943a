//! Paths with a placeholder of a template that nobody filled in.

use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a placeholder with blanks in it, and returns whether there is one.
    pub(super) fn template(&mut self, value: Part<'_>) -> Option<Reported> {
        let placeholder = placeholder(value.bytes)?;
        self.report(DiagnosticCode::BlankInPath, value, || {
            format!(
                "{} is the placeholder of a template that was not filled in, and {} holds a blank, so it matches nothing for Google",
                quote(placeholder),
                quote(value.bytes)
            )
        })
    }
}

/// A placeholder with blanks in it, as templates have them: `{{ path }}`. Files close URLs with
/// `{{path}}` on purpose, because browsers requested pages whose placeholder was not filled in.
fn placeholder(value: &[u8]) -> Option<&[u8]> {
    PLACEHOLDERS.iter().find_map(|(open, close)| {
        let start = memchr::memmem::find(value, open)?;
        let from = value.get(start..)?;
        let len = memchr::memmem::find(from, close)?;
        let placeholder = from.get(..len.saturating_add(close.len()))?;
        placeholder.contains(&b' ').then_some(placeholder)
    })
}

/// The marks around a placeholder in the templates of Jinja, Twig, ERB and shells.
const PLACEHOLDERS: [(&[u8], &[u8]); 4] = [
    (b"{{", b"}}"),
    (b"{%", b"%}"),
    (b"<%", b"%>"),
    (b"${", b"}"),
];

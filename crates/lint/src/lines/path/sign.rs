//! Paths followed by a sign that ends an item of a list or a line of a program.

use polite_robots::text::quote;

use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::lines::path::start_alone::start_alone;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a sign after the path, and returns whether there is one.
    pub(super) fn sign_after_path(&mut self, value: Part<'_>) -> Option<Reported> {
        let (path, sign) = before_sign(value.bytes)?;
        // The URLs of some servers have parameters after a `;`.
        let severity = match sign {
            b";" => Severity::Note,
            _ => Severity::Warning,
        };
        self.grade(DiagnosticCode::SignAfterPath, severity, value, || {
            let start = format!(
                "{} matches only URLs with this {}, because a rule holds one path and no list",
                quote(value.bytes),
                quote(sign)
            );
            start_alone(value, path).after(start)
        })
    }
}

/// The path before a sign that ends the item of a list.
fn before_sign(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let (path, sign) = value.split_at_checked(value.len().checked_sub(1)?)?;
    // `/*,` and `/*;` are about the sign, and `&eacute;` ends with it.
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'/';
    let is_listed = matches!(sign, b"," | b";") && path.last().is_some_and(is_plain);
    (is_listed && !path.contains(&b'&')).then_some((path, sign))
}

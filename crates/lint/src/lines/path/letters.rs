//! Paths with letters outside of ASCII, as they are meant or saved in a wrong encoding.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::lines::path_without_slash::LONGEST_ADVICE;
use crate::lines::plain_path::escaped;
use crate::text::invisible::first_invisible;
use crate::text::mojibake;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a path that a program has saved in a wrong encoding, and returns whether it has.
    pub(super) fn mojibake(&mut self, value: Part<'_>) -> Option<Reported> {
        let meant = mojibake::meant(value.bytes);
        let meant = meant.filter(|meant| first_invisible(meant.as_bytes()).is_none())?;
        self.report(DiagnosticCode::MojibakeInPath, value, || {
            let percent_encoded = escaped(meant.as_bytes()).unwrap_or_default();
            let message = format!(
                "{} is probably {} that a program has saved in a wrong encoding, so it matches no URL with that name; write {}",
                quote(value.bytes),
                quote(meant.as_bytes()),
                quote(percent_encoded.as_bytes())
            );
            Advice::new(message).write(value.span(), percent_encoded)
        })
    }

    /// Reports letters outside of ASCII, and returns whether there are any.
    pub(super) fn non_ascii(&mut self, value: Part<'_>) -> Option<Reported> {
        if value.bytes.is_ascii() {
            return None;
        }
        self.report(DiagnosticCode::NonAsciiInPath, value, || {
            let fixed = escaped(value.bytes);
            let is_shown = |fixed: &&String| fixed.len() <= LONGEST_ADVICE;
            let fix = match fixed.as_ref().filter(is_shown) {
                Some(fixed) => format!("write `{fixed}`, percent-encoded as Google recommends"),
                None => "Google recommends the percent-encoded path".into(),
            };
            let message = format!(
                "{} matches only in crawlers that percent-encode it, as RFC 9309 §2.2.2 asks; {fix}",
                quote(value.bytes)
            );
            let advice = Advice::new(message);
            match fixed {
                Some(fixed) => advice.suggest(value.span(), fixed),
                None => advice,
            }
        })
    }
}

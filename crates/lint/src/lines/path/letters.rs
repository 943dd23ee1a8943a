//! Paths with letters outside of ASCII, as they are meant or saved in a wrong encoding.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::lines::path_without_slash::LONGEST_ADVICE;
use crate::lines::plain_path::escaped;
use crate::proposal::{Effect, Proposal};
use crate::text::invisible::first_invisible;
use crate::text::mojibake;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a path that a program has saved in a wrong encoding, and returns whether it has.
    pub(super) fn mojibake(&mut self, value: Part<'_>) -> bool {
        let meant = mojibake::meant(value.bytes);
        let Some(meant) = meant.filter(|meant| first_invisible(meant.as_bytes()).is_none()) else {
            return false;
        };
        let message = || {
            let percent_encoded = escaped(meant.as_bytes()).unwrap_or_default();
            let message = format!(
                "{} is probably {} that a program has saved in a wrong encoding, so it matches no URL with that name; write {}",
                quote(value.bytes),
                quote(meant.as_bytes()),
                quote(percent_encoded.as_bytes())
            );
            let proposal = Proposal::replace(value.span(), percent_encoded, Effect::Answers);
            Advice::new(message).propose(proposal)
        };
        self.report(DiagnosticCode::MojibakeInPath, value, message);
        true
    }

    /// Reports letters outside of ASCII, and returns whether there are any.
    pub(super) fn non_ascii(&mut self, value: Part<'_>) -> bool {
        if value.bytes.is_ascii() {
            return false;
        }
        let message = || {
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
            let proposal =
                fixed.map(|fixed| Proposal::replace(value.span(), fixed, Effect::Google));
            Advice::new(message).propose_if(proposal)
        };
        self.report(DiagnosticCode::NonAsciiInPath, value, message);
        true
    }
}

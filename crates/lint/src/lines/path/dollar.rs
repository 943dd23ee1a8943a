//! Paths with a `$` before their end, where it is an ordinary character.

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

impl Findings<'_, '_> {
    /// Reports the first `$` that is not the last byte.
    pub(super) fn dollar_before_end(&mut self, value: Part<'_>) -> Option<Reported> {
        let at = memchr::memchr(b'$', value.bytes)?;
        let next = value.bytes.get(at.saturating_add(1))?;
        // `/*$history` is about the character, `/*.pdf$/` about the end.
        let is_of_text = next.is_ascii_alphanumeric() || b"_{(%".contains(next);
        let severity = match is_of_text {
            true => Severity::Note,
            false => Severity::Warning,
        };
        let dollar = value.tail(at).head(1);
        self.grade(DiagnosticCode::DollarNotAtEnd, severity, dollar, || {
            let moved = Some(value.bytes).filter(|_| !is_of_text).and_then(at_end);
            let fix = match &moved {
                Some(moved) => format!("write `{moved}` if it stands for the end; "),
                None => String::new(),
            };
            let message = format!(
                "a `$` before the end of a path is an ordinary character; {fix}with `%24` in its place Google matches only URLs that contain `%24`"
            );
            Advice::new(message).write_if(value.span(), moved)
        })
    }
}

/// The path with one `$`, at its end. `None` if that is a rule about the whole site, or if it
/// cannot be shown.
fn at_end(value: &[u8]) -> Option<String> {
    let text = core::str::from_utf8(value).ok()?.replace('$', "");
    let is_shown = text.bytes().all(|byte| byte.is_ascii_graphic()) && !is_whole_site(value);
    (is_shown && !is_whole_site(text.as_bytes())).then(|| format!("{text}$"))
}

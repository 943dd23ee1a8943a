//! What is odd about the path pattern of a rule.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Sink;
use crate::options::Dialect;
use crate::parse::field::directive;
use crate::parse::line::{PhysicalLine, Value, trim};
use crate::parse::report::findings::Findings;
use crate::text::bytes::are_all;
use crate::text::percent::encode;
use crate::text::quote::quote;
use crate::text::scheme::WebScheme;

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    #[inline]
    pub(super) fn path(&mut self, line: &PhysicalLine<'a>, value: Value<'a>) {
        // One pass says of nearly all patterns that nothing is odd, and that there is no comment to look for.
        let written = trim(value.with_comment());
        let starts_well = |value: &[u8]| matches!(value, [] | [b'/' | b'*', ..]);
        if starts_well(written) && is_common(written.strip_suffix(b"$").unwrap_or(written)) {
            return;
        }
        let value = value.bytes();
        self.odd_path(line, value, starts_well(value));
    }

    fn odd_path(&mut self, line: &PhysicalLine<'a>, value: &'a [u8], starts_well: bool) {
        if !starts_well {
            return self.path_without_slash(line, value);
        }
        if let Some(at) = dollar_before_end(value) {
            let part = value.get(at..=at).unwrap_or_default();
            let message = "a `$` before the end of the pattern stands for itself and ends nothing; end the pattern with it, or write `%24`";
            self.report(DiagnosticCode::DollarNotAtEnd, line, part, message);
        }
        let has_blank = value.iter().any(|byte| byte.is_ascii_whitespace());
        let has_other = value.iter().any(|byte| !byte.is_ascii());
        if let Some(field) = second_record(value).filter(|_| has_blank) {
            let message = format!(
                "{} is read as one path, as a line has one record; write {} on a line of its own",
                quote(value),
                quote(field)
            );
            self.report(DiagnosticCode::BlankInPath, line, value, message);
        } else if has_blank {
            let message = format!(
                "{} holds a blank, which no URL does, so to Google it matches nothing; write `%20`, or one path a line",
                quote(value)
            );
            // Of two paths on one line `%20` would make one for good.
            if is_mendable(value) && !value.windows(2).any(|pair| pair == b" /") {
                self.suggest(
                    DiagnosticCode::BlankInPath,
                    line,
                    value,
                    message,
                    escaped(value),
                );
            } else {
                self.report(DiagnosticCode::BlankInPath, line, value, message);
            }
        } else if has_other {
            let message = format!(
                "{} is compared percent-encoded, as RFC 9309 §2.2.2 asks, but not by every crawler; write it so",
                quote(value)
            );
            if is_mendable(value) {
                self.suggest(
                    DiagnosticCode::NonAsciiInPath,
                    line,
                    value,
                    message,
                    escaped(value),
                );
            } else {
                self.report(DiagnosticCode::NonAsciiInPath, line, value, message);
            }
        }
    }

    fn path_without_slash(&mut self, line: &PhysicalLine<'a>, value: &'a [u8]) {
        let (code, message) = match path_of_url(value) {
            Some(path) => (
                DiagnosticCode::AbsoluteUrlAsPath,
                format!(
                    "{} is a whole URL and matches nothing; a rule has the path alone: {}",
                    quote(value),
                    quote(path)
                ),
            ),
            None => (
                DiagnosticCode::PathWithoutSlash,
                format!(
                    "the path {} starts with neither `/` nor `*`, so it matches nothing; begin it with one of them",
                    quote(value)
                ),
            ),
        };
        self.report(code, line, value, message);
    }
}

/// Whether there are only visible bytes of ASCII, and no `#` and `$`.
fn is_common(bytes: &[u8]) -> bool {
    are_all(bytes, |byte| {
        byte.is_ascii_graphic() & !matches!(byte, b'#' | b'$')
    })
}

/// Percent-encoding bytes of another encoding than UTF-8 would make the mistake last.
fn is_mendable(value: &[u8]) -> bool {
    core::str::from_utf8(value).is_ok()
}

fn dollar_before_end(value: &[u8]) -> Option<usize> {
    let at = memchr::memchr(b'$', value)?;
    (at.saturating_add(1) < value.len()).then_some(at)
}

/// The field of a record that begins in the midst of the value, as in `/ User-agent: *`.
fn second_record(value: &[u8]) -> Option<&[u8]> {
    let words = value.split(u8::is_ascii_whitespace).skip(1);
    words
        .filter_map(|word| word.get(..memchr::memchr(b':', word)?))
        .find(|field| directive(field, Dialect::Rfc9309).is_some())
}

/// The path of `http://host/path`, `/` if it has none.
fn path_of_url(value: &[u8]) -> Option<&[u8]> {
    let scheme_len = memchr::memchr(b':', value)?;
    let (scheme, rest) = value.split_at_checked(scheme_len)?;
    WebScheme::new(scheme)?;
    let authority = rest.strip_prefix(b"://")?;
    let path = memchr::memchr(b'/', authority).and_then(|at| authority.get(at..));
    Some(path.unwrap_or(b"/"))
}

/// Blanks, controls and bytes outside of ASCII percent-encoded: the same pattern to RFC 9309.
fn escaped(value: &[u8]) -> String {
    let mut escaped = Vec::with_capacity(value.len().saturating_mul(3));
    for byte in value {
        if byte.is_ascii_graphic() {
            escaped.push(*byte);
        } else {
            escaped.extend_from_slice(&encode(*byte));
        }
    }
    String::from_utf8(escaped).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_look_passes_every_byte_of_which_there_is_nothing_to_say() {
        for byte in 0..=u8::MAX {
            let is_expected = matches!(byte, b'!' | b'"' | b'%'..=b'~');
            assert_eq!(is_common(&[b'/', byte]), is_expected, "{byte}");
        }
    }
}

//! Diagnostics about paths in a syntax that robots.txt does not have: regular expressions, hosts, and escapes that are none.

use alloc::format;

use crate::lint::code::DiagnosticCode;
use crate::parse::part::Part;
use crate::parse::report::findings::Findings;
use crate::text::bytes::are_all;
use crate::text::quote::quote;
use crate::text::scheme::{WebScheme, before_authority};

impl Findings<'_, '_> {
    /// Reports on a path that begins as a path does.
    pub(super) fn path_syntax(&mut self, value: Part<'_>) {
        if let Some(sign) = regex_sign(value.bytes) {
            let message = format!(
                "{} matches only paths with these very characters, because robots.txt has no regular expressions such as {}; `*` stands for any text, and `$` for the end",
                quote(value.bytes),
                quote(sign)
            );
            self.report(DiagnosticCode::RegexInPath, value, message);
        }
        if let Some(host) = host(value.bytes) {
            let message = format!(
                "{} matches only URLs with this text after their own host, because a rule has a path alone; if you mean the pages of {host}, write the path into the robots.txt of that host",
                quote(value.bytes),
                host = quote(host)
            );
            self.report(DiagnosticCode::HostInPath, value, message);
        }
        if let Some(at) = bad_escape(value.bytes) {
            let escape = value.tail(at);
            let escape = escape.head(escape.bytes.len().min(3));
            let message = format!(
                "{} is no escape, which is `%` and two hexadecimal digits, so crawlers read the path {} in different ways; write `%25` for the character `%`",
                quote(escape.bytes),
                quote(value.bytes)
            );
            self.report(DiagnosticCode::InvalidEscape, escape, message);
        }
    }
}

/// Whether the value has a byte or a start that everything which this file reports has.
#[inline]
pub(super) fn is_suspicious(value: &[u8]) -> bool {
    let is_plain = are_all(value, |byte| {
        !matches!(byte, b'%' | b'\\' | b'[' | b']' | b'(' | b')')
    });
    !is_plain
        || matches!(
            value,
            [b'/', b'/', ..] | [b'/', b'h' | b'H', b't' | b'T', b't' | b'T', b'p' | b'P', ..]
        )
        || memchr::memchr_iter(b'*', value)
            .any(|star| star.checked_sub(1).and_then(|at| value.get(at)) == Some(&b'.'))
}

/// The host of a value such as `//www.example.com/a` or `/https://example.com/a`.
fn host(value: &[u8]) -> Option<&[u8]> {
    let slashes = value.iter().take_while(|byte| **byte == b'/').count();
    let after = value.get(slashes..)?;
    let scheme = before_authority(after).filter(|scheme| WebScheme::new(scheme).is_some());
    let after = after.get(scheme.map_or(0, |scheme| scheme.len().saturating_add("://".len()))..)?;
    let len = after
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b':' | b'*' | b'$'));
    let host = after.get(..len.unwrap_or(after.len()))?;
    let mut labels = host.split(|byte| *byte == b'.');
    let is_label = |label: &[u8]| {
        let is_of_label = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        !label.is_empty() && label.iter().all(is_of_label)
    };
    let is_name = labels.clone().count() > 1 && labels.clone().all(is_label);
    let last = labels.next_back()?;
    let is_domain = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic);
    // `//index.php` is a file behind two slashes.
    let is_telling = scheme.is_some() || slashes > 1 && labels.count() > 1;
    (is_name && is_domain && is_telling).then_some(host)
}

/// The first part of the value that only a regular expression has.
fn regex_sign(value: &[u8]) -> Option<&[u8]> {
    let path_len = memchr::memchr(b'?', value).unwrap_or(value.len());
    (0..value.len()).find_map(|at| {
        let rest = value.get(at..)?;
        let len = match rest {
            [
                b'\\',
                b'.' | b'/' | b'?' | b'*' | b'+' | b'd' | b'w' | b's' | b'D' | b'W' | b'S',
                ..,
            ] => 2,
            // `/.*` at the root may mean hidden files.
            [b'/', b'.', b'*', ..] if at > 0 && at < path_len => 3,
            [b')' | b']', b'.', b'*' | b'+', ..] => 3,
            [b'[', from, b'-', to, b']', ..] if is_range(*from, *to) => 5,
            [b'(', inside @ ..] => {
                let end = memchr::memchr(b')', inside)?;
                memchr::memchr(b'|', inside.get(..end)?)?;
                end.saturating_add(2)
            }
            _ => return None,
        };
        rest.get(..len)
    })
}

fn is_range(from: u8, to: u8) -> bool {
    let is_both = |is: fn(&u8) -> bool| is(&from) && is(&to) && from < to;
    is_both(u8::is_ascii_digit)
        || is_both(u8::is_ascii_lowercase)
        || is_both(u8::is_ascii_uppercase)
}

/// The place of a `%` without two hexadecimal digits.
fn bad_escape(value: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'%', value).find(|at| {
        let digits = value.get(at.saturating_add(1)..at.saturating_add(3));
        !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

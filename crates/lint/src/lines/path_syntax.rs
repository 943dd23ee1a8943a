//! Diagnostics about paths in a syntax that robots.txt does not have: regular expressions, hosts,
//! and a `%` that begins no escape.

use memchr::memchr;
use polite_robots::text::{WebScheme, quote};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::proposal::{Effect, Proposal};
use crate::text::part::{Part, before_authority};
use crate::text::whole_site::is_whole_site;

impl Findings<'_, '_> {
    /// Reports on a path that begins as a path does.
    pub(super) fn path_syntax(&mut self, value: Part<'_>) {
        let sign = Some(value.bytes).filter(|value| may_be_regex(value));
        if let Some(sign) = sign.and_then(regex_sign) {
            self.regex(value, sign);
        }
        if may_begin_with_host(value.bytes) {
            match host(value.bytes) {
                Some(host) => self.host_in_path(value, host),
                None => self.double_slash(value),
            };
        }
        if let Some(at) = bad_escape(value.bytes) {
            self.invalid_escape(value, value.tail(at));
        }
        self.dot_segment(value);
    }

    fn regex(&mut self, value: Part<'_>, sign: &[u8]) {
        self.report(DiagnosticCode::RegexInPath, value, || {
            let pattern = pattern(value.bytes).and_then(|pattern| String::from_utf8(pattern).ok());
            let fix = match &pattern {
                Some(pattern) => format!("write {} if that is meant", quote(pattern.as_bytes())),
                None => "`*` stands for any text, and `$` for the end".into(),
            };
            let message = format!(
                "{} matches only paths with these very characters, because robots.txt has no regular expressions such as {}; {fix}",
                quote(value.bytes),
                quote(sign)
            );
            Advice::new(message).write_if(value.span(), pattern)
        });
    }

    fn host_in_path(&mut self, value: Part<'_>, host: &[u8]) -> Option<Reported> {
        self.report(DiagnosticCode::HostInPath, value, || {
            let path = path_after(value.bytes, host);
            let fix = match &path {
                Some(path) => format!("; write {} if it is this host", quote(path.as_bytes())),
                None => String::new(),
            };
            let message = format!(
                "{} matches only URLs with this text after their own host, because a rule has a path alone; one about the pages of {host} belongs in the robots.txt of that host{fix}",
                quote(value.bytes),
                host = quote(host)
            );
            Advice::new(message).write_if(value.span(), path)
        })
    }

    /// Reports a `%` that begins no escape; `from` is the rest of the path.
    fn invalid_escape(&mut self, value: Part<'_>, from: Part<'_>) {
        let escape = from.head(from.bytes.len().min(3));
        self.report(DiagnosticCode::InvalidEscape, escape, || {
            let message = format!(
                "{} is no escape, which is `%` and two hexadecimal digits, so crawlers read the path {} in different ways; write `%25` for the character `%`, but then Google matches only URLs that contain `%25`",
                quote(escape.bytes),
                quote(value.bytes)
            );
            Advice::new(message).propose_all(escaped_percents(value))
        });
    }
}

/// `%25` in place of each `%` of a path that begins no escape.
fn escaped_percents(value: Part<'_>) -> Option<Proposal> {
    let mut from = 0;
    let places = core::iter::from_fn(|| {
        let at = from + bad_escape(value.bytes.get(from..)?)?;
        from = at + 1;
        Some(value.tail(at).head(1).span())
    });
    Proposal::of(places.map(|place| (place, "%25")), Effect::Google)
}

/// The path after the host of a value, if that is not the whole site.
fn path_after(value: &[u8], host: &[u8]) -> Option<String> {
    let at = memchr::memmem::find(value, host)?;
    let after = value.get(at.saturating_add(host.len())..)?;
    let path = after.get(memchr(b'/', after)?..)?;
    let path = core::str::from_utf8(path).ok()?;
    (!is_whole_site(path.as_bytes())).then(|| path.to_owned())
}

/// Fast: whether the value may begin with a host.
#[inline]
pub(super) fn may_begin_with_host(value: &[u8]) -> bool {
    matches!(
        value,
        [b'/', b'/', ..] | [b'/', b'h' | b'H', b't' | b'T', b't' | b'T', b'p' | b'P', ..]
    )
}

/// Whether the value has the `.*` of a regular expression.
pub(super) fn has_dot_star(value: &[u8]) -> bool {
    memchr::memmem::find(value, b".*").is_some()
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
    // `//index.php` is a file after two slashes.
    let is_telling = scheme.is_some() || slashes > 1 && labels.count() > 1;
    (is_name && is_domain && is_telling).then_some(host)
}

/// Whether the value has a byte or the two that every sign of a regular expression has.
fn may_be_regex(value: &[u8]) -> bool {
    let is_bracket = |byte: &u8| matches!(byte, b'\\' | b'[' | b']' | b'(' | b')');
    value.iter().any(is_bracket) || has_dot_star(value)
}

/// The first part of the value that only a regular expression has.
fn regex_sign(value: &[u8]) -> Option<&[u8]> {
    let path_len = memchr(b'?', value).unwrap_or(value.len());
    let (mut closing, mut bars) = (Ahead::new(b')'), Ahead::new(b'|'));
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
            [b'(', ..] => {
                let end = closing.from(value, at);
                (end < value.len() && bars.from(value, at) < end).then_some(end - at + 1)?
            }
            _ => return None,
        };
        rest.get(..len)
    })
}

/// The pattern of robots.txt that matches what a regular expression matches from its start on.
/// `None` if there is none, or if it is the whole site, as a hint must not close or open that.
fn pattern(expression: &[u8]) -> Option<Vec<u8>> {
    let mut pattern = Vec::with_capacity(expression.len());
    let mut rest = expression;
    while let [first, after @ ..] = rest {
        rest = match (first, after) {
            (b'\\', [sign @ (b'.' | b'/' | b'?' | b'-' | b'_'), after @ ..]) => {
                pattern.push(*sign);
                after
            }
            (b'.', [b'*' | b'+', after @ ..]) => {
                pattern.push(b'*');
                after
            }
            (b'\\' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'|' | b'^' | b'+', _) => {
                return None;
            }
            (byte, after) => {
                pattern.push(*byte);
                after
            }
        };
    }
    (!is_whole_site(&pattern)).then_some(pattern)
}

/// Finds the next place of a byte, for starts that only grow: 500,000 times `(` search for one `)`
/// together, instead of each to the end.
struct Ahead {
    byte: u8,
    at: Option<usize>,
}

impl Ahead {
    fn new(byte: u8) -> Ahead {
        Ahead { byte, at: None }
    }

    /// The first place from `start` on, or the length of the value.
    fn from(&mut self, value: &[u8], start: usize) -> usize {
        match self.at {
            Some(at) if at >= start => at,
            _ => {
                let rest = value.get(start..).unwrap_or_default();
                let at = start + memchr(self.byte, rest).unwrap_or(rest.len());
                self.at = Some(at);
                at
            }
        }
    }
}

fn is_range(from: u8, to: u8) -> bool {
    let is_both = |is: fn(&u8) -> bool| is(&from) && is(&to) && from < to;
    is_both(u8::is_ascii_digit)
        || is_both(u8::is_ascii_lowercase)
        || is_both(u8::is_ascii_uppercase)
}

/// The place of a `%` without two hexadecimal digits.
pub(super) fn bad_escape(value: &[u8]) -> Option<usize> {
    let mut rest = value.get(memchr(b'%', value)?..).unwrap_or_default();
    loop {
        // One escape often follows another, byte by byte of a character.
        rest = match rest {
            [b'%', one, other, after @ ..]
                if one.is_ascii_hexdigit() && other.is_ascii_hexdigit() =>
            {
                after
            }
            [b'%', ..] => return Some(value.len() - rest.len()),
            _ => rest.get(memchr(b'%', rest)?..).unwrap_or_default(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choice between texts in brackets. This version reads to the end for each bracket.
    fn choice(value: &[u8]) -> Option<&[u8]> {
        (0..value.len()).find_map(|at| {
            let rest = value[at..].strip_prefix(b"(")?;
            let end = rest.iter().position(|byte| *byte == b')')?;
            rest[..end]
                .contains(&b'|')
                .then(|| &value[at..at + end + 2])
        })
    }

    #[test]
    fn a_choice_in_brackets_is_found_by_one_pass() {
        for number in 0..4_u32.pow(7) {
            let letter = |place: u32| b"(|)a"[(number >> (2 * place) & 3) as usize];
            let value: [u8; 7] = core::array::from_fn(|place| letter(place as u32));
            assert_eq!(regex_sign(&value), choice(&value), "{value:?}");
        }
    }
}

//! Diagnostics about paths in a syntax that robots.txt does not have: regular expressions, hosts,
//! and escapes that are none.

use memchr::memchr;
use polite_robots::text::WebScheme;
use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::text::part::Part;
use crate::text::part::before_authority;

impl Findings<'_, '_> {
    /// Reports on a path that begins as a path does.
    pub(super) fn path_syntax(&mut self, value: Part<'_>) {
        let sign = Some(value.bytes).filter(|value| may_be_regex(value));
        if let Some(sign) = sign.and_then(regex_sign) {
            let message = || {
                let fix = match pattern(value.bytes) {
                    Some(pattern) => format!("write {} if that is meant", quote(&pattern)),
                    None => "`*` stands for any text, and `$` for the end".into(),
                };
                format!(
                    "{} matches only paths with these very characters, because robots.txt has no regular expressions such as {}; {fix}",
                    quote(value.bytes),
                    quote(sign)
                )
            };
            self.report(DiagnosticCode::RegexInPath, value, message);
        }
        let host = Some(value.bytes)
            .filter(|value| may_begin_with_host(value))
            .and_then(host);
        if let Some(host) = host {
            let message = || {
                format!(
                    "{} matches only URLs with this text after their own host, because a rule has a path alone; if you mean the pages of {host}, write the path into the robots.txt of that host",
                    quote(value.bytes),
                    host = quote(host)
                )
            };
            self.report(DiagnosticCode::HostInPath, value, message);
        }
        if let Some(at) = bad_escape(value.bytes) {
            let escape = value.tail(at);
            let escape = escape.head(escape.bytes.len().min(3));
            let message = || {
                format!(
                    "{} is no escape, which is `%` and two hexadecimal digits, so crawlers read the path {} in different ways; write `%25` for the character `%`, but then Google matches only URLs that contain `%25`",
                    quote(escape.bytes),
                    quote(value.bytes)
                )
            };
            self.report(DiagnosticCode::InvalidEscape, escape, message);
        }
        self.dot_segment(value);
    }
}

/// Whether the value begins as every value does that begins with a host.
#[inline]
pub(super) fn may_begin_with_host(value: &[u8]) -> bool {
    matches!(
        value,
        [b'/', b'/', ..] | [b'/', b'h' | b'H', b't' | b'T', b't' | b'T', b'p' | b'P', ..]
    )
}

/// Whether the value has the `.*` of a regular expression.
pub(super) fn has_dot_star(value: &[u8]) -> bool {
    let mut rest = value;
    while let Some((before, after)) = memchr(b'*', rest).and_then(|at| rest.split_at_checked(at)) {
        if before.ends_with(b".") {
            return true;
        }
        rest = after.get(1..).unwrap_or_default();
    }
    false
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
/// `None` if there is none, or if it is the whole site, as a hint is never to close or open that.
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

/// Whether a path is about the whole site. A hint leads to such a rule only where it says so.
pub(super) fn is_whole_site(path: &[u8]) -> bool {
    !path.is_empty() && path.iter().all(|byte| b"/*$".contains(byte))
}

/// The next one of a byte, for places that only grow: 500,000 times `(` look for one `)` together,
/// not each to the end.
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

    /// The choice between texts in brackets, read to the end for each bracket.
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

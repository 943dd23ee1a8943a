//! The escapes of web servers in logs: `\"`, `\\`, `\x22`, `\t`, and `%22`.

use std::borrow::Cow;

use memchr::memchr;

/// The text as the client sent it. A broken escape stays as it is.
pub(super) fn resolved(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr(b'\\', text) else {
        return Cow::Borrowed(text);
    };
    let (plain, mut rest) = text.split_at_checked(first).unwrap_or((text, &[]));
    let mut resolved = plain.to_vec();
    loop {
        rest = match rest {
            [] => return Cow::Owned(resolved),
            [b'\\', b'x', high, low, rest @ ..] if is_hex(*high) && is_hex(*low) => {
                resolved.push(nibble(*high) << 4 | nibble(*low));
                rest
            }
            [b'\\', b't', rest @ ..] => {
                resolved.push(b'\t');
                rest
            }
            [b'\\', b'n', rest @ ..] => {
                resolved.push(b'\n');
                rest
            }
            [b'\\', b'r', rest @ ..] => {
                resolved.push(b'\r');
                rest
            }
            [b'\\', byte @ (b'"' | b'\\'), rest @ ..] | [byte, rest @ ..] => {
                resolved.push(*byte);
                rest
            }
        };
    }
}

/// The text without percent-encoding. A `%` that begins no escape stays as it is.
pub(super) fn percent_decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'%', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return Cow::Owned(decoded),
            [b'%', high, low, rest @ ..] if is_hex(*high) && is_hex(*low) => {
                decoded.push(nibble(*high) << 4 | nibble(*low));
                rest
            }
            [byte, rest @ ..] => {
                decoded.push(*byte);
                rest
            }
        };
    }
}

pub(super) fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

/// The value of a hexadecimal digit.
fn nibble(digit: u8) -> u8 {
    let value = char::from(digit).to_digit(16).unwrap_or_default();
    u8::try_from(value).unwrap_or_default()
}

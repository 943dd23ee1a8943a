//! Percent-encoding (RFC 3986 §2.1): the only encoder and the only decoder of this crate.

/// Encodes a byte as `%XX`, with the digits in upper case as RFC 3986 §2.1 recommends.
#[inline]
pub(crate) const fn encode(byte: u8) -> [u8; 3] {
    [b'%', hex_digit(byte >> 4), hex_digit(byte & 0xF)]
}

/// Decodes the escape at the start of `text`: the byte it stands for, and the text after it. `None`
/// if `text` does not begin with `%` and two hex digits.
#[inline]
pub(crate) const fn decode_first(text: &[u8]) -> Option<(u8, &[u8])> {
    let [b'%', high, low, rest @ ..] = text else {
        return None;
    };
    match (hex_value(*high), hex_value(*low)) {
        (Some(high), Some(low)) => Some((high << 4 | low, rest)),
        _ => None,
    }
}

/// The bytes of a text after its escapes are decoded.
pub(crate) fn decoded(text: &[u8]) -> impl Iterator<Item = u8> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let (first, after_first) = rest.split_first()?;
        let (byte, after) = decode_first(rest).unwrap_or((*first, after_first));
        rest = after;
        Some(byte)
    })
}

const fn hex_digit(value: u8) -> u8 {
    if value < 10 {
        b'0' + value
    } else {
        b'A' + (value - 10)
    }
}

const fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_from_its_escape() {
        for byte in 0..=u8::MAX {
            let escape = encode(byte);
            assert_eq!(escape.as_slice(), alloc::format!("%{byte:02X}").as_bytes());
            assert_eq!(decode_first(&escape), Some((byte, &b""[..])));
            let lower = escape.map(|byte| byte.to_ascii_lowercase());
            assert_eq!(decode_first(&lower), Some((byte, &b""[..])));
        }
    }

    #[test]
    fn rfc3986_an_escape_has_two_hex_digits() {
        assert_eq!(decode_first(b"%41bc"), Some((b'A', &b"bc"[..])));
        for text in [
            &b""[..],
            b"%",
            b"%4",
            b"%4g",
            b"%G4",
            b"41",
            b"a%41",
            b"% 41",
        ] {
            assert_eq!(decode_first(text), None, "{}", text.escape_ascii());
        }
    }
}

//! The hash that identifies and samples names, bodies and URLs, and its form in JSON: sixteen hexadecimal digits, because
//! many programs would round such large numbers.

use twox_hash::XxHash3_64;

/// Hashes with XXH3 and its default secret: the same on every machine and in every release, so that
/// surveys can be merged.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// Adds the sixteen digits of a hash. Parts have tens of thousands of them, and formatting takes several times as long.
pub(crate) fn push_hex(text: &mut String, hash: u64) {
    let mut digits = [0; HEX_DIGITS];
    let mut rest = hash;
    for digit in digits.iter_mut().rev() {
        let low = (rest & 0xf) as u8;
        *digit = low + if low < 10 { b'0' } else { b'a' - 10 };
        rest >>= 4;
    }
    text.push_str(std::str::from_utf8(&digits).unwrap_or_default());
}

/// Reads a hash from its sixteen digits; `None` for other texts.
pub(crate) fn from_hex(digits: &[u8]) -> Option<u64> {
    let digits: &[u8; HEX_DIGITS] = digits.try_into().ok()?;
    digits.iter().try_fold(0, |hash: u64, digit| {
        let low = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => return None,
        };
        Some(hash << 4 | u64::from(low))
    })
}

/// The digits of a hash.
pub(crate) const HEX_DIGITS: usize = 16;

#[cfg(test)]
mod tests {
    use super::{from_hex, push_hex};

    #[test]
    fn the_digits_of_a_hash_are_read_back_and_others_are_refused() {
        for hash in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX - 1, u64::MAX] {
            let mut text = String::from("x");
            push_hex(&mut text, hash);
            assert_eq!(text, format!("x{hash:016x}"));
            assert_eq!(from_hex(&text.as_bytes()[1..]), Some(hash));
            let upper = text[1..].to_ascii_uppercase();
            assert_eq!(from_hex(upper.as_bytes()), Some(hash));
            assert_eq!(from_hex(&text.as_bytes()[2..]), None);
            assert_eq!(from_hex(text.as_bytes()), None);
        }
        for other in ["+123456789abcdef", "0123456789abcdeg", "               1"] {
            assert_eq!(from_hex(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn the_empty_input_has_the_hash_of_the_specification() {
        assert_eq!(super::hash(b""), 0x2D06_8005_38D3_94C2);
    }
}

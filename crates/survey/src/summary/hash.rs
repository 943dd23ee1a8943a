//! The hash that identifies and samples names, bodies and URLs, and its form in JSON: sixteen
//! hexadecimal digits, because many programs would round such large numbers.

use twox_hash::XxHash3_64;

/// Hashes with XXH3 and its default secret: the same on every machine and in every release, so that
/// surveys can be merged.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// Splits a text after the sixteen digits of a hash and a blank; `None` for other texts.
pub(crate) fn split_hex(text: &str) -> Option<(u64, &str)> {
    let (digits, rest) = text.split_at_checked(HEX_DIGITS)?;
    Some((from_hex(digits)?, rest.strip_prefix(' ')?))
}

/// Reads a hash from its sixteen digits; `None` for other texts.
pub(crate) fn from_hex(digits: &str) -> Option<u64> {
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_whole = digits.len() == HEX_DIGITS && are_digits;
    u64::from_str_radix(digits, 16).ok().filter(|_| is_whole)
}

/// The digits of a hash.
pub(crate) const HEX_DIGITS: usize = 16;

#[cfg(test)]
mod tests {
    use super::{from_hex, split_hex};

    #[test]
    fn the_digits_of_a_hash_are_read_back_and_others_are_refused() {
        for hash in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX - 1, u64::MAX] {
            let digits = format!("{hash:016x}");
            assert_eq!(from_hex(&digits), Some(hash));
            assert_eq!(from_hex(&digits.to_ascii_uppercase()), Some(hash));
            assert_eq!(from_hex(digits.split_at(1).1), None);
            assert_eq!(from_hex(&format!("x{digits}")), None);
            let split = format!("{digits} a b");
            assert_eq!(split_hex(&split), Some((hash, "a b")));
            assert_eq!(split_hex(&digits), None);
            assert_eq!(split_hex(&split.replacen(' ', "é", 1)), None);
        }
        for other in ["+123456789abcdef", "0123456789abcdeg", "               1"] {
            assert_eq!(from_hex(other), None, "{other}");
        }
    }

    #[test]
    fn the_empty_input_has_the_hash_of_the_specification() {
        assert_eq!(super::hash(b""), 0x2D06_8005_38D3_94C2);
    }
}

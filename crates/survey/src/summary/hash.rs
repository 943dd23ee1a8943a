//! The hash that identifies and samples names, bodies and URLs, and its form in JSON: sixteen
//! hexadecimal digits, because many programs would round such large numbers.

use twox_hash::XxHash3_64;

/// Hashes with XXH3 and its default secret: the same on every machine and in every release, so that
/// surveys can be merged.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// Adds the sixteen digits of a hash. Parts have tens of thousands of them, and formatting takes
/// several times as long.
pub(crate) fn push_hex(text: &mut String, hash: u64) {
    for half in [hash >> 32, hash & 0xffff_ffff] {
        let digits = eight_digits(half).to_be_bytes();
        text.push_str(std::str::from_utf8(&digits).unwrap_or_default());
    }
}

/// The eight digits of 32 bits, the first one in the highest byte.
fn eight_digits(bits: u64) -> u64 {
    // Each step halves the pieces and moves them apart, until each byte has four bits.
    let pieces = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
    let pieces = (pieces | pieces << 8) & 0x00ff_00ff_00ff_00ff;
    let pieces = (pieces | pieces << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let are_letters = ((pieces + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    pieces + 0x3030_3030_3030_3030 + are_letters * u64::from(b'a' - 10 - b'0')
}

/// Splits a text after the sixteen digits of a hash and a blank; `None` for other texts.
pub(crate) fn split_hex(text: &str) -> Option<(u64, &str)> {
    let (digits, rest) = text.split_at_checked(HEX_DIGITS)?;
    Some((from_hex(digits.as_bytes())?, rest.strip_prefix(' ')?))
}

/// Reads a hash from its sixteen digits; `None` for other texts.
pub(crate) fn from_hex(digits: &[u8]) -> Option<u64> {
    let digits: &[u8; HEX_DIGITS] = digits.try_into().ok()?;
    let (mut hash, mut all) = (0, 0);
    for digit in digits {
        let number = digit.wrapping_sub(b'0');
        let letter = (digit | 0x20).wrapping_sub(b'a');
        // Both are computed, as no processor foresees which of them a digit is.
        let value = match (number < 10, letter < 6) {
            (true, _) => number,
            (_, true) => letter + 10,
            _ => NO_DIGIT,
        };
        all |= value;
        hash = hash << 4 | u64::from(value & 0xf);
    }
    (all != NO_DIGIT).then_some(hash)
}

/// The value of a byte that is no digit.
const NO_DIGIT: u8 = 0xff;

/// The digits of a hash.
pub(crate) const HEX_DIGITS: usize = 16;

#[cfg(test)]
mod tests {
    use super::{from_hex, push_hex, split_hex};

    #[test]
    fn the_digits_of_a_hash_are_read_back_and_others_are_refused() {
        for hash in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX - 1, u64::MAX] {
            let mut text = String::from("x");
            push_hex(&mut text, hash);
            assert_eq!(text, format!("x{hash:016x}"));
            let digits = text.strip_prefix('x').unwrap();
            assert_eq!(from_hex(digits.as_bytes()), Some(hash));
            let upper = digits.to_ascii_uppercase();
            assert_eq!(from_hex(upper.as_bytes()), Some(hash));
            assert_eq!(from_hex(&digits.as_bytes()[1..]), None);
            assert_eq!(from_hex(text.as_bytes()), None);
            let split = format!("{digits} a b");
            assert_eq!(split_hex(&split), Some((hash, "a b")));
            assert_eq!(split_hex(digits), None);
            assert_eq!(split_hex(&split.replacen(' ', "é", 1)), None);
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

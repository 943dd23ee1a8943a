//! Decimal numbers in the values of records, without floats and without overflow.

use crate::text::bytes::split_run;

/// Splits a number off the start of `text`, and saturates it at `u64::MAX`; `None` without a digit.
pub(crate) fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = split_digits(text);
    (!digits.is_empty()).then(|| (saturating_number(digits), rest))
}

/// The value of ASCII digits, or `u64::MAX` if it is larger.
pub(crate) fn saturating_number(digits: &[u8]) -> u64 {
    digits.iter().fold(0_u64, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    })
}

/// Splits the run of ASCII digits off the start of `text`; it may be empty.
pub(crate) fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    split_run(text, |byte| byte.is_ascii_digit())
}

/// Removes the blanks of robots.txt, spaces and tabs, from the start of `text`.
pub(crate) fn trim_start_blanks(text: &[u8]) -> &[u8] {
    split_run(text, |byte| matches!(byte, b' ' | b'\t')).1
}

//! Numbers and blanks in the values of records.

/// Splits a number off the start of `text`, and saturates it at `u64::MAX`; `None` without a digit.
pub(crate) fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    let (digits, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let digits = core::str::from_utf8(digits).ok()?;
    // A run of digits fails to parse only if its number is too large.
    (!digits.is_empty()).then(|| (digits.parse().unwrap_or(u64::MAX), rest))
}

/// Removes the blanks of robots.txt, spaces and tabs, from the start of `text`.
pub(crate) fn trim_start_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_blank(*byte));
    start
        .and_then(|start| text.get(start..))
        .unwrap_or_default()
}

/// Splits `text` before its first blank.
pub(crate) fn split_at_blank(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| is_blank(*byte));
    text.split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or_default()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

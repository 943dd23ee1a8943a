//! White space and comments, cut from text as Google's matcher cuts them.

use memchr::memchr2;

use crate::text::bytes::{each, zero_bytes};

/// `comment = "#" *any`. A NUL ends the line too: Google's lines are C strings.
pub(crate) fn without_comment(text: &[u8]) -> &[u8] {
    // Nearly all texts have no end, and a search takes longer to begin than a short one takes.
    if text.len() <= SHORT && !has_end(text) {
        return text;
    }
    let end = memchr2(b'#', 0, text).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

/// The value of a record, which is given as it is written: without the comment and the white space
/// around it. Most values are never read, because they are for other agents.
pub(crate) fn value_of(written: &[u8]) -> &[u8] {
    trim(without_comment(written))
}

/// Whether a text has a `#` or a NUL, by eight bytes at a time.
#[inline]
fn has_end(text: &[u8]) -> bool {
    let ends = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        zero_bytes(word) | zero_bytes(word ^ each(b'#'))
    };
    // The last word overlaps the one before it.
    let Some(last) = text.last_chunk() else {
        return text.iter().any(|byte| matches!(byte, b'#' | 0));
    };
    let mut found = ends(last);
    let mut rest = text;
    while let Some((word, after)) = rest.split_first_chunk() {
        found |= ends(word);
        rest = after;
    }
    found != 0
}

/// A text without the white space that readers strip around lines, fields and values: `WS = HTAB /
/// VT / FF / CR / SP`, as Google does.
///
/// ```
/// use polite_robots::document::trim;
///
/// assert_eq!(trim(b"\t /a b \x0B"), b"/a b");
/// ```
#[inline]
pub fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

/// A text without the white space before it, as [`trim`].
///
/// ```
/// use polite_robots::document::trim_start;
///
/// assert_eq!(trim_start(b"\t /a "), b"/a ");
/// ```
#[inline]
pub fn trim_start(text: &[u8]) -> &[u8] {
    // One blank stands before nearly every value.
    let mut text = text.strip_prefix(b" ").unwrap_or(text);
    while let [b'\t' | 0x0B | 0x0C | b'\r' | b' ', rest @ ..] = text {
        text = rest;
    }
    text
}

#[inline]
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [rest @ .., b'\t' | 0x0B | 0x0C | b'\r' | b' '] = text {
        text = rest;
    }
    text
}

#[inline]
pub(crate) fn is_white_space(byte: u8) -> bool {
    matches!(byte, b'\t' | 0x0B | 0x0C | b'\r' | b' ')
}

/// The longest text that is tested word by word before a search.
const SHORT: usize = 64;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_text_ends_before_the_first_hash_sign_or_nul(text in "[a\"$]{0,70}[a#\\x00\\x01]{0,4}") {
            let end = text.find(['#', '\0']).unwrap_or(text.len());
            prop_assert_eq!(without_comment(text.as_bytes()), &text.as_bytes()[..end]);
        }
    }
}

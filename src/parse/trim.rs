//! White space and comments, cut from text as Google's matcher cuts them.

use memchr::memchr2;

/// `comment = "#" *any`. A NUL ends the line too: Google's lines are C strings.
pub(crate) fn without_comment(text: &[u8]) -> &[u8] {
    let end = memchr2(b'#', 0, text).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

/// `WS = HTAB / VT / FF / CR / SP`: the bytes that Google strips around lines, fields and values.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

#[inline]
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    let mut text = text;
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

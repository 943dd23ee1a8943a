//! Bodies that are text, and bodies that only seem to be: in UTF-16, or in a coding that is not
//! announced.

use alloc::string::String;
use alloc::vec::Vec;

/// The text of a body with a byte order mark of UTF-16, in UTF-8 and as far as the limit needs it.
pub(super) fn utf8(body: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    let (mark, units) = utf16(body)?;
    let units = units.chunks_exact(2).map(|unit| match (mark, unit) {
        (LITTLE_ENDIAN, [low, high]) => u16::from_le_bytes([*low, *high]),
        (_, [high, low]) => u16::from_be_bytes([*high, *low]),
        _ => 0,
    });
    let mut text = String::new();
    for unit in char::decode_utf16(units) {
        if text.len() > max_bytes {
            break;
        }
        text.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Some(text.into_bytes())
}

/// The mark of UTF-16 and the text after it. UTF-32 begins with the same two bytes and a NUL.
pub(super) fn utf16(body: &[u8]) -> Option<([u8; 2], &[u8])> {
    let (mark, text) = body.split_first_chunk()?;
    let is_mark = [LITTLE_ENDIAN, BIG_ENDIAN].contains(mark);
    (is_mark && !text.starts_with(&[0, 0])).then_some((*mark, text))
}

const LITTLE_ENDIAN: [u8; 2] = [0xFF, 0xFE];
const BIG_ENDIAN: [u8; 2] = [0xFE, 0xFF];

/// Whether a body begins as no text does: as an archive or a coding, or in UTF-16 or UTF-32 without
/// a mark that is read.
pub(super) fn is_no_text(body: &[u8]) -> bool {
    let is_start = |start: &&[u8]| body.starts_with(start);
    utf16(body).is_none() && (STARTS.iter().any(is_start) || is_utf16(body))
}

/// Whether a body whose coding is not one of ours, or is undone already, can be text. `has_start`
/// says that data in that coding would begin with a signature; without one the body may be text in
/// Latin-1.
pub(super) fn can_be_text(body: &[u8], has_start: bool) -> bool {
    !has_controls(body) && (has_start || is_start_of_utf8(body))
}

/// Whether a body without a byte order mark is UTF-16: nearly every pair of bytes has one NUL, as
/// text in ASCII has there. `Doubt::Utf16`, of the crate for audits, asks the same.
fn is_utf16(body: &[u8]) -> bool {
    let sample = body.get(..256).unwrap_or(body);
    let is_letter = |pair: &&[u8]| matches!(pair, [0, other] | [other, 0] if *other != 0);
    let letters = sample.chunks_exact(2).filter(is_letter).count();
    letters > 0 && letters.saturating_mul(5) >= sample.len().saturating_mul(2)
}

/// Bytes that compressed data has and a text has not. Some editors end a text with 1A.
fn has_controls(body: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x19 | 0x1B..=0x1F | 0x7F);
    body.iter().any(is_control)
}

/// Whether a body is UTF-8, but for half of a character where it was cut.
fn is_start_of_utf8(body: &[u8]) -> bool {
    match core::str::from_utf8(body) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// The first bytes of data that no text begins with. RFC 9309 §2.2: a robots.txt is text in UTF-8.
const STARTS: &[&[u8]] = &[
    // gzip (RFC 1952 §2.3.1), compress, Zstandard (RFC 8878 §3.1.1), zip.
    b"\x1F\x8B",
    b"\x1F\x9D",
    b"\x28\xB5\x2F\xFD",
    b"PK\x03\x04",
    // The byte order mark of UTF-32, whose first half is that of UTF-16.
    b"\xFF\xFE\0\0",
];

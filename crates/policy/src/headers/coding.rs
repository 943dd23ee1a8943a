//! Bodies that are no text yet: in a content coding that nobody has undone, or in UTF-16.

use alloc::borrow::Cow;
use alloc::string::String;

/// The text of a body with a byte order mark of UTF-16, in UTF-8 and as far as the limit needs it;
/// any other body as it is.
pub(crate) fn utf8(body: &[u8], max_bytes: usize) -> Cow<'_, [u8]> {
    let Some((mark, units)) = utf16(body) else {
        return Cow::Borrowed(body);
    };
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
    Cow::Owned(text.into_bytes())
}

/// The mark of UTF-16 and the text after it. UTF-32 begins with the same two bytes and a NUL.
fn utf16(body: &[u8]) -> Option<([u8; 2], &[u8])> {
    let (mark, text) = body.split_first_chunk()?;
    let is_mark = [LITTLE_ENDIAN, BIG_ENDIAN].contains(mark);
    (is_mark && !text.starts_with(&[0, 0])).then_some((*mark, text))
}

const LITTLE_ENDIAN: [u8; 2] = [0xFF, 0xFE];
const BIG_ENDIAN: [u8; 2] = [0xFE, 0xFF];

/// Whether a body is something else than the text of a robots.txt. `announced` are the values of
/// `Content-Encoding`.
///
/// Some clients undo a coding and leave its field, so the field alone proves nothing. And some
/// servers compress without a word, so its absence proves nothing either.
pub(crate) fn is_encoded(body: &[u8], announced: Option<&str>) -> bool {
    if utf16(body).is_some() {
        return false;
    }
    if STARTS.iter().any(|start| body.starts_with(start)) || is_utf16(body) {
        return true;
    }
    match announced.and_then(outermost) {
        None => false,
        // Without its start the coding is undone, and then the file may be in Latin-1.
        Some(coding) if is_any_of(coding, WITH_START) => has_controls(body),
        Some(_) => has_controls(body) || !is_start_of_utf8(body),
    }
}

/// Whether a value of `Content-Encoding` names a coding that changes the bytes. Servers write
/// `identity`, `none` or `utf-8` there for plain files.
pub(crate) fn names_coding(value: &str) -> bool {
    outermost(value).is_some()
}

/// The coding that was applied last, which is the last in the list (RFC 9110 §8.4).
fn outermost(value: &str) -> Option<&str> {
    let names = value.split(',').map(str::trim);
    names.rev().find(|name| is_any_of(name, REGISTERED))
}

fn is_any_of(name: &str, codings: &[&str]) -> bool {
    codings
        .iter()
        .any(|coding| coding.eq_ignore_ascii_case(name))
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

/// The end of a body that was cut may be a half of a character.
fn is_start_of_utf8(body: &[u8]) -> bool {
    match core::str::from_utf8(body) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// The content codings that are registered with IANA, but for `identity`.
const REGISTERED: &[&str] = &[
    "aes128gcm",
    "br",
    "compress",
    "dcb",
    "dcz",
    "deflate",
    "exi",
    "gzip",
    "pack200-gzip",
    "x-compress",
    "x-gzip",
    "zstd",
];

/// The codings whose data begin with one of [`STARTS`].
const WITH_START: &[&str] = &["compress", "gzip", "x-compress", "x-gzip", "zstd"];

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

//! Bodies that are no text yet: in a content coding that nobody has undone, or in UTF-16.

/// Whether a body is something else than the text of a robots.txt. `announced` are the values of
/// `Content-Encoding`.
///
/// Some clients undo a coding and leave its field, so the field alone proves nothing. And some
/// servers compress without a word, so its absence proves nothing either.
pub(crate) fn is_encoded(body: &[u8], announced: Option<&str>) -> bool {
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
    // The byte order marks of UTF-16, and with the first that of UTF-32.
    b"\xFF\xFE",
    b"\xFE\xFF",
];

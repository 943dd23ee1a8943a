//! Undoes content codings, as far as a limit needs it.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::io::{ErrorKind, Read};

#[cfg(feature = "std")]
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};

use crate::access::response::body_end::BodyEnd;
#[cfg(feature = "std")]
use crate::access::response::text::{can_be_text, utf16};
use crate::headers::coding::is_any_of;

/// The result of undoing a coding.
#[cfg_attr(not(feature = "std"), expect(dead_code))]
pub(super) enum Unpacked {
    /// The bytes, and whether they are all.
    Bytes(Vec<u8>, BodyEnd),
    /// The body is not in that coding: its label is false, or somebody has undone it before.
    OtherBytes,
    /// It began in that coding and does not go on so.
    Broken,
}

/// Undoes a coding, up to `most` bytes.
#[cfg(feature = "std")]
pub(super) fn unpack(coding: &str, body: &[u8], most: usize) -> Unpacked {
    if is_gzip(coding) {
        gzip(body, most)
    } else if is_any_of(coding, &["deflate"]) {
        deflate(body, most)
    } else {
        Unpacked::OtherBytes
    }
}

/// The decoders need `std`, so data that begin as the coding does stay unread.
#[cfg(not(feature = "std"))]
pub(super) fn unpack(coding: &str, body: &[u8], _most: usize) -> Unpacked {
    let is_deflate = is_any_of(coding, &["deflate"]);
    match is_gzip(coding) && begins_member(body) || is_deflate && begins_zlib(body) {
        true => Unpacked::Broken,
        false => Unpacked::OtherBytes,
    }
}

/// Both names mean the same (RFC 9110 §8.4.1.3).
pub(super) fn is_gzip(coding: &str) -> bool {
    is_any_of(coding, &["gzip", "x-gzip"])
}

/// Undoes gzip (RFC 1952). Several members are one file (§2.2). Bytes after the last one that begin
/// no member are left out, as the program gzip does.
#[cfg(feature = "std")]
fn gzip(body: &[u8], most: usize) -> Unpacked {
    if !begins_member(body) {
        return Unpacked::OtherBytes;
    }
    let (mut bytes, mut rest, mut members) = (Vec::new(), body, 0);
    while begins_member(rest) {
        members += 1;
        if members > MOST_MEMBERS {
            return Unpacked::Broken;
        }
        let left = most.saturating_sub(bytes.len());
        let mut member = GzDecoder::new(rest).take(left as u64);
        match member.read_to_end(&mut bytes) {
            Ok(_) if bytes.len() >= most => return Unpacked::Bytes(bytes, BodyEnd::LimitReached),
            Ok(_) => rest = member.into_inner().into_inner(),
            Err(error) => return broken_off(bytes, error.kind()),
        }
    }
    Unpacked::Bytes(bytes, BodyEnd::Complete)
}

/// Undoes deflate: in the frame of zlib, as RFC 9110 §8.4.1.2 has it, or bare, as some servers send
/// it and all browsers read it.
#[cfg(feature = "std")]
fn deflate(body: &[u8], most: usize) -> Unpacked {
    let in_frame = begins_zlib(body);
    let is_text = can_be_text(body, false) || utf16(body).is_some();
    if !in_frame && is_text {
        return Unpacked::OtherBytes;
    }
    let mut bytes = Vec::new();
    let read = match in_frame {
        true => ZlibDecoder::new(body)
            .take(most as u64)
            .read_to_end(&mut bytes),
        false => DeflateDecoder::new(body)
            .take(most as u64)
            .read_to_end(&mut bytes),
    };
    match read {
        // Bare deflate has no mark and no checksum: a text in Latin-1 may pass for it.
        Ok(_) if !in_frame && !can_be_text(&bytes, true) => Unpacked::Broken,
        Ok(_) if bytes.len() >= most => Unpacked::Bytes(bytes, BodyEnd::LimitReached),
        Ok(_) => Unpacked::Bytes(bytes, BodyEnd::Complete),
        // A text may begin as the frame does: `x^`.
        Err(error) if is_text && error.kind() != ErrorKind::UnexpectedEof => Unpacked::OtherBytes,
        Err(error) => broken_off(bytes, error.kind()),
    }
}

#[cfg(feature = "std")]
fn broken_off(bytes: Vec<u8>, kind: ErrorKind) -> Unpacked {
    match kind {
        ErrorKind::UnexpectedEof => Unpacked::Bytes(bytes, BodyEnd::CutShort),
        _ => Unpacked::Broken,
    }
}

/// Whether bytes begin a member of gzip; a first byte alone does, as the rest may be cut.
fn begins_member(bytes: &[u8]) -> bool {
    !bytes.is_empty() && (bytes.starts_with(&MEMBER) || MEMBER.starts_with(bytes))
}

/// The members of a file. Each costs a decoder, which clears 43 KB of memory, and may be 20 bytes
/// without a byte of text; programs that pack in parallel make one for each 64 KiB or more.
#[cfg(feature = "std")]
const MOST_MEMBERS: usize = 1024;

/// The first bytes of a member: the mark of gzip, and deflate, which is the only method.
const MEMBER: [u8; 3] = [0x1F, 0x8B, 8];

/// Whether bytes begin as the frame of zlib does (RFC 1950 §2.2), or are its usual first byte
/// alone.
fn begins_zlib(bytes: &[u8]) -> bool {
    match bytes {
        [method, flags, ..] => {
            method & 0x0F == 8 && u16::from_be_bytes([*method, *flags]) % 31 == 0
        }
        _ => bytes == b"x",
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_file_has_so_many_members_and_no_more() {
        let members = packed(b"Allow: /\n").repeat(MOST_MEMBERS);
        let Unpacked::Bytes(bytes, BodyEnd::Complete) = gzip(&members, 512_000) else {
            panic!()
        };
        assert_eq!(bytes.len(), 9 * MOST_MEMBERS);
        let empty = packed(b"").repeat(MOST_MEMBERS + 1);
        assert!(matches!(gzip(&empty, 512_000), Unpacked::Broken));
    }
}

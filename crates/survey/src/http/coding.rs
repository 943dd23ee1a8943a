//! The transfer and content codings of a body, undone where the body has them.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use crate::content::BodyEnd;

/// A body whose codings are being undone.
pub(super) struct Body<'a> {
    bytes: Cow<'a, [u8]>,
    pub(super) end: BodyEnd,
}

impl<'a> Body<'a> {
    pub(super) fn new(sent: &'a [u8], end: BodyEnd) -> Body<'a> {
        Body {
            bytes: Cow::Borrowed(sent),
            end,
        }
    }

    /// Joins the chunks (RFC 9112 §7.1), if there are any.
    pub(super) fn undo_chunked(&mut self) {
        let mut joined = Vec::with_capacity(self.bytes.len());
        let mut rest: &[u8] = &self.bytes;
        loop {
            match httparse::parse_chunk_size(rest) {
                Ok(httparse::Status::Complete((_, 0))) => break,
                Ok(httparse::Status::Complete((head, size))) => {
                    let data = rest.get(head..).unwrap_or_default();
                    let size = usize::try_from(size).unwrap_or(usize::MAX);
                    let Some(chunk) = data.get(..size) else {
                        joined.extend_from_slice(data);
                        self.end = self.end.max(BodyEnd::CutShort);
                        break;
                    };
                    joined.extend_from_slice(chunk);
                    rest = data.get(size..).unwrap_or_default();
                    rest = rest.strip_prefix(b"\r").unwrap_or(rest);
                    rest = rest.strip_prefix(b"\n").unwrap_or(rest);
                }
                // No chunk at all: the archive has joined the chunks and kept the header field.
                Ok(httparse::Status::Partial) | Err(_) if joined.is_empty() => return,
                Ok(httparse::Status::Partial) | Err(_) => {
                    self.end = self.end.max(BodyEnd::CutShort);
                    break;
                }
            }
        }
        self.bytes = Cow::Owned(joined);
    }

    /// Undoes one content coding. It decodes at most `max_bytes` + 1 bytes: the extra byte shows
    /// that the body is longer than the limit.
    pub(super) fn undo(&mut self, name: &str, max_bytes: usize) {
        let bytes: &[u8] = &self.bytes;
        let decoded = match name.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" if bytes.starts_with(b"\x1f\x8b") => {
                decode(MultiGzDecoder::new(bytes), max_bytes)
            }
            // "deflate" means zlib (RFC 9110 §8.4.1.2); some servers send the bare stream.
            "deflate" => decode_whole(ZlibDecoder::new(bytes), max_bytes)
                .or_else(|| decode_whole(DeflateDecoder::new(bytes), max_bytes)),
            "br" => decode_whole(
                brotli_decompressor::Decompressor::new(bytes, BUFFER),
                max_bytes,
            ),
            "zstd" if bytes.starts_with(b"\x28\xb5\x2f\xfd") => {
                zstd::stream::read::Decoder::with_buffer(bytes)
                    .ok()
                    .and_then(|decoder| decode(decoder, max_bytes))
            }
            _ => None,
        };
        if let Some((decoded, result)) = decoded {
            if result.is_err() {
                self.end = self.end.max(BodyEnd::CutShort);
            }
            self.bytes = Cow::Owned(decoded);
        }
    }

    pub(super) fn into_limited(self, max_bytes: usize) -> (Vec<u8>, BodyEnd) {
        match self.bytes.get(..max_bytes) {
            Some(first) if first.len() < self.bytes.len() => {
                (first.to_vec(), BodyEnd::LimitReached)
            }
            _ => (self.bytes.into_owned(), self.end),
        }
    }
}

/// Decodes a coding without a magic number. A body that does not decode completely is taken as
/// decoded already.
fn decode_whole(decoder: impl Read, max_bytes: usize) -> Option<Decoding> {
    decode(decoder, max_bytes).filter(|(_, result)| result.is_ok())
}

/// Decodes up to `max_bytes` + 1 bytes; `None` if the decoder fails before the first byte.
fn decode(decoder: impl Read, max_bytes: usize) -> Option<Decoding> {
    let mut decoded = Vec::new();
    let limit = u64::try_from(max_bytes)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let result = decoder.take(limit).read_to_end(&mut decoded);
    if decoded.is_empty() && result.is_err() {
        return None;
    }
    Some((decoded, result))
}

/// The decoded bytes, and the error if the coded body did not end properly.
type Decoding = (Vec<u8>, io::Result<usize>);

/// The size of the buffer of the brotli decoder.
const BUFFER: usize = 4096;

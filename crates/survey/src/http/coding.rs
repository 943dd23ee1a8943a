//! Transfer and content codings of a body, undone where the body has them.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use crate::content::BodyEnd;

/// A body on its way through its codings.
pub(super) struct Body<'a> {
    octets: Cow<'a, [u8]>,
    pub(super) end: BodyEnd,
}

impl<'a> Body<'a> {
    pub(super) fn new(sent: &'a [u8], end: BodyEnd) -> Body<'a> {
        Body {
            octets: Cow::Borrowed(sent),
            end,
        }
    }

    /// Joins the chunks (RFC 9112 §7.1), if there are any.
    pub(super) fn undo_chunked(&mut self) {
        let mut joined = Vec::with_capacity(self.octets.len());
        let mut rest: &[u8] = &self.octets;
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
                // Not one chunk: the archive has joined them, and only the field is left.
                Ok(httparse::Status::Partial) | Err(_) if joined.is_empty() => return,
                Ok(httparse::Status::Partial) | Err(_) => {
                    self.end = self.end.max(BodyEnd::CutShort);
                    break;
                }
            }
        }
        self.octets = Cow::Owned(joined);
    }

    /// Undoes one content coding, up to `max_bytes` and one more.
    pub(super) fn undo(&mut self, name: &str, max_bytes: usize) {
        let octets: &[u8] = &self.octets;
        let decoded = match name.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" if octets.starts_with(b"\x1f\x8b") => {
                decode(MultiGzDecoder::new(octets), max_bytes)
            }
            // "deflate" means zlib (RFC 9110 §8.4.1.2); some servers send the bare stream.
            "deflate" => whole(ZlibDecoder::new(octets), max_bytes)
                .or_else(|| whole(DeflateDecoder::new(octets), max_bytes)),
            "br" => whole(
                brotli_decompressor::Decompressor::new(octets, BUFFER),
                max_bytes,
            ),
            "zstd" if octets.starts_with(b"\x28\xb5\x2f\xfd") => {
                zstd::stream::read::Decoder::with_buffer(octets)
                    .ok()
                    .and_then(|decoder| decode(decoder, max_bytes))
            }
            _ => None,
        };
        if let Some((decoded, result)) = decoded {
            if result.is_err() {
                self.end = self.end.max(BodyEnd::CutShort);
            }
            self.octets = Cow::Owned(decoded);
        }
    }

    pub(super) fn into_limited(self, max_bytes: usize) -> (Vec<u8>, BodyEnd) {
        match self.octets.get(..max_bytes) {
            Some(first) if first.len() < self.octets.len() => {
                (first.to_vec(), BodyEnd::LimitReached)
            }
            _ => (self.octets.into_owned(), self.end),
        }
    }
}

/// These codings have no mark of their own: a body that they do not decode wholly was decoded before.
fn whole(decoder: impl Read, max_bytes: usize) -> Option<Decoding> {
    decode(decoder, max_bytes).filter(|(_, result)| result.is_ok())
}

/// The decoded bytes, and whether the body ended as it should; `None` if nothing can be decoded.
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

type Decoding = (Vec<u8>, io::Result<usize>);

const BUFFER: usize = 4096;

//! A body as it comes: its gzip coding undone, up to a limit.

use std::io::{self, Write as _};

use flate2::write::MultiGzDecoder;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

/// The part of a body that has come so far.
pub(super) enum Body {
    Plain(Vec<u8>),
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
}

impl Body {
    /// A coding that was not asked for is not undone: to crawlers such a body is no file either.
    pub(super) fn new(headers: &HeaderMap) -> Body {
        let coding = headers.get(CONTENT_ENCODING).map(|value| value.as_bytes());
        let is_gzip = coding.is_some_and(|coding| {
            let coding = coding.trim_ascii();
            coding.eq_ignore_ascii_case(b"gzip") || coding.eq_ignore_ascii_case(b"x-gzip")
        });
        match is_gzip {
            true => Body::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
            false => Body::Plain(Vec::new()),
        }
    }

    pub(super) fn is_gzip(&self) -> bool {
        matches!(self, Body::Gzip(_))
    }

    /// Takes a chunk until the body is longer than `limit`. Stops soon after that, however much a
    /// small chunk unpacks to.
    pub(super) fn take(&mut self, chunk: &[u8], limit: usize) -> io::Result<()> {
        for piece in chunk.chunks(PIECE) {
            if self.len() > limit {
                break;
            }
            match self {
                Body::Plain(bytes) => bytes.extend_from_slice(piece),
                Body::Gzip(decoder) => decoder.write_all(piece)?,
            }
        }
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Body::Plain(bytes) => bytes.len(),
            Body::Gzip(decoder) => decoder.get_ref().len(),
        }
    }

    /// The bytes, and the error of a coding that is not at its end.
    pub(super) fn finish(self) -> (Vec<u8>, io::Result<()>) {
        match self {
            Body::Plain(bytes) => (bytes, Ok(())),
            Body::Gzip(mut decoder) => {
                let ended = decoder.try_finish();
                (std::mem::take(decoder.get_mut()), ended)
            }
        }
    }
}

/// A piece of gzip unpacks to a thousand times its size at most, so this many bytes to a megabyte.
const PIECE: usize = 1024;

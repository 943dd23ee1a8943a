//! The decoders of content codings, for bodies that arrive piece by piece.

use std::fmt;
use std::io::{self, Write};

use bytes::{Buf as _, Bytes};
use flate2::write::{MultiGzDecoder, ZlibDecoder};

use crate::net::brotli::Brotli;

/// A body in a coding that arrives piece by piece.
pub(crate) trait Decoder: fmt::Debug + Send + Sync {
    /// Takes the next piece that arrived.
    fn push(&mut self, input: Bytes);

    /// The next piece of the body, or `None` if more has to arrive.
    fn read(&mut self) -> Result<Option<Bytes>, Undecodable>;

    /// Checks that the body may end here. An empty one may, as that of a HEAD request.
    fn end(&mut self) -> Result<(), Undecodable>;
}

/// The body is not in its coding, ends before its end, or needs more memory than it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Undecodable;

/// The decoder of a coding that is known. That of brotli may have `most_bytes` of memory, the others
/// need less than 64 KiB, and zstd 8 MiB.
pub(crate) fn decoder_of(coding: &[u8], most_bytes: usize) -> Option<Box<dyn Decoder>> {
    let is = |name: &[u8]| coding.eq_ignore_ascii_case(name);
    if is(b"gzip") || is(b"x-gzip") {
        Some(Box::new(Flate::over(MultiGzDecoder::new(Vec::new()))))
    } else if is(b"deflate") {
        Some(Box::new(Flate::over(ZlibDecoder::new(Vec::new()))))
    } else if is(b"br") {
        Some(Box::new(Brotli::new(most_bytes)))
    } else {
        #[cfg(feature = "zstd")]
        if is(b"zstd") {
            return Some(Box::new(crate::net::zstd::Zstd::new()?));
        }
        None
    }
}

/// gzip, or deflate in the frame of zlib.
struct Flate<D> {
    decoder: D,
    input: Bytes,
    is_begun: bool,
}

/// The two decoders of flate2, which share no trait.
trait Inflate: Write {
    fn output(&mut self) -> &mut Vec<u8>;
    fn finish(&mut self) -> io::Result<()>;
}

impl Inflate for MultiGzDecoder<Vec<u8>> {
    fn output(&mut self) -> &mut Vec<u8> {
        self.get_mut()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.try_finish()
    }
}

impl Inflate for ZlibDecoder<Vec<u8>> {
    fn output(&mut self) -> &mut Vec<u8> {
        self.get_mut()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.try_finish()
    }
}

impl<D: Inflate> Flate<D> {
    fn over(decoder: D) -> Flate<D> {
        Flate {
            decoder,
            input: Bytes::new(),
            is_begun: false,
        }
    }
}

impl<D: Inflate + Send + Sync> Decoder for Flate<D> {
    fn push(&mut self, input: Bytes) {
        self.is_begun |= !input.is_empty();
        self.input = appended(&self.input, input);
    }

    fn read(&mut self) -> Result<Option<Bytes>, Undecodable> {
        while !self.input.is_empty() {
            let piece = self.input.split_to(self.input.len().min(PIECE));
            self.decoder.write_all(&piece)?;
            self.decoder.flush()?;
            let output = std::mem::take(self.decoder.output());
            if !output.is_empty() {
                return Ok(Some(output.into()));
            }
        }
        Ok(None)
    }

    fn end(&mut self) -> Result<(), Undecodable> {
        match self.is_begun {
            true => Ok(self.decoder.finish()?),
            false => Ok(()),
        }
    }
}

impl<D> fmt::Debug for Flate<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flate").finish_non_exhaustive()
    }
}

impl From<io::Error> for Undecodable {
    fn from(_: io::Error) -> Undecodable {
        Undecodable
    }
}

/// The bytes that are left, and those that came.
pub(crate) fn appended(left: &Bytes, input: Bytes) -> Bytes {
    match left.has_remaining() {
        true => [&**left, &*input].concat().into(),
        false => input,
    }
}

/// The bytes that are decoded at a time: a thousand times as many may come of them.
const PIECE: usize = 1024;

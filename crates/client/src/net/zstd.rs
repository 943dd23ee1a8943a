//! The decoder of zstd.

use std::fmt;

use bytes::{Buf as _, Bytes};
use zstd::stream::raw::{DParameter, Decoder as RawDecoder, Operation as _};

use crate::net::decoder::{Decoder, Undecodable, appended};

/// A body in zstd that arrives piece by piece.
pub(crate) struct Zstd {
    decoder: RawDecoder<'static>,
    input: Bytes,
    /// Whether a frame has begun and not ended.
    is_open: bool,
}

impl Zstd {
    /// `None` if there is no memory.
    pub(crate) fn new() -> Option<Zstd> {
        let mut decoder = RawDecoder::new().ok()?;
        decoder
            .set_parameter(DParameter::WindowLogMax(WINDOW_LOG))
            .ok()?;
        Some(Zstd {
            decoder,
            input: Bytes::new(),
            is_open: false,
        })
    }
}

impl Decoder for Zstd {
    fn push(&mut self, input: Bytes) {
        self.is_open |= !input.is_empty();
        self.input = appended(&self.input, input);
    }

    fn read(&mut self) -> Result<Option<Bytes>, Undecodable> {
        let mut output = vec![0; PIECE];
        // The decoder gives what it still holds without further input.
        while self.is_open {
            let done = self.decoder.run_on_buffers(&self.input, &mut output)?;
            self.input.advance(done.bytes_read);
            // A frame that has ended may be followed by another one.
            self.is_open = done.remaining > 0 || !self.input.is_empty();
            if done.bytes_written > 0 {
                output.truncate(done.bytes_written);
                return Ok(Some(output.into()));
            }
            if self.input.is_empty() {
                break;
            }
        }
        Ok(None)
    }

    fn end(&mut self) -> Result<(), Undecodable> {
        match self.is_open {
            true => Err(Undecodable),
            false => Ok(()),
        }
    }
}

impl fmt::Debug for Zstd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zstd")
            .field("is_open", &self.is_open)
            .finish_non_exhaustive()
    }
}

const PIECE: usize = 16 << 10;

/// The greatest window, 8 MiB: all that a decoder must support (RFC 8878 §3.1.1.1.2).
const WINDOW_LOG: u32 = 23;

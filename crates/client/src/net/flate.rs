//! The decoders of gzip and deflate.

use std::fmt;
use std::io::{self, Write};

use bytes::Bytes;
use flate2::write::{MultiGzDecoder, ZlibDecoder};

use crate::net::decoder::{Decoder, Undecodable, appended};

/// gzip, or deflate in the frame of zlib.
pub(crate) struct Flate<D> {
    decoder: D,
    input: Bytes,
    is_begun: bool,
}

/// The two decoders of flate2, which share no trait.
pub(crate) trait Inflate: Write {
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

impl Flate<MultiGzDecoder<Vec<u8>>> {
    pub(crate) fn gzip() -> Self {
        Flate::over(MultiGzDecoder::new(Vec::new()))
    }
}

impl Flate<ZlibDecoder<Vec<u8>>> {
    pub(crate) fn deflate() -> Self {
        Flate::over(ZlibDecoder::new(Vec::new()))
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

/// The bytes that are decoded at a time: a thousand times as many may come of them.
const PIECE: usize = 1024;

//! The decoder of brotli, in bounded memory.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use brotli_decompressor::{
    Allocator, BrotliDecompressStream, BrotliResult, BrotliState, SliceWrapper, SliceWrapperMut,
};
use bytes::{Buf as _, Bytes};

use crate::net::decoder::{Decoder, Undecodable, appended};

/// A body in brotli that arrives piece by piece.
///
/// The decoder holds a whole block before it gives the first byte of it, and a block has up to
/// 16 MiB: 8 kB of brotli may ask for that. So its memory has a limit, and a body that needs more
/// is not decoded.
pub(crate) struct Brotli {
    state: Box<BrotliState<Memory, Memory, Memory>>,
    /// The bytes that arrived and are not read yet.
    input: Bytes,
    is_begun: bool,
    is_done: bool,
}

impl Brotli {
    /// A decoder that takes `most_bytes` of memory at most.
    pub(crate) fn new(most_bytes: usize) -> Brotli {
        let memory = Memory(Arc::new(AtomicUsize::new(most_bytes)));
        let state = BrotliState::new(memory.clone(), memory.clone(), memory);
        Brotli {
            state: Box::new(state),
            input: Bytes::new(),
            is_begun: false,
            is_done: false,
        }
    }
}

impl Decoder for Brotli {
    fn push(&mut self, input: Bytes) {
        self.is_begun |= !input.is_empty();
        self.input = appended(&self.input, input);
    }

    /// Bytes after the end are left.
    fn read(&mut self) -> Result<Option<Bytes>, Undecodable> {
        if self.is_done {
            return Ok(None);
        }
        let mut output = vec![0; PIECE];
        let (mut input_left, mut input_read) = (self.input.len(), 0);
        let (mut output_left, mut written) = (output.len(), 0);
        let result = BrotliDecompressStream(
            &mut input_left,
            &mut input_read,
            &self.input,
            &mut output_left,
            &mut written,
            &mut output,
            &mut 0,
            &mut self.state,
        );
        self.input.advance(input_read);
        match result {
            BrotliResult::ResultFailure => return Err(Undecodable),
            BrotliResult::ResultSuccess => self.is_done = true,
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => {}
        }
        output.truncate(written);
        Ok((written > 0).then(|| output.into()))
    }

    fn end(&mut self) -> Result<(), Undecodable> {
        match self.is_done || !self.is_begun {
            true => Ok(()),
            false => Err(Undecodable),
        }
    }
}

impl fmt::Debug for Brotli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Brotli")
            .field("is_done", &self.is_done)
            .finish_non_exhaustive()
    }
}

/// The bytes that a decoder may still take. A decoder that asks for more gets an empty cell, by
/// which it fails.
#[derive(Clone)]
struct Memory(Arc<AtomicUsize>);

impl<T: Clone + Default> Allocator<T> for Memory {
    type AllocatedMemory = Cell<T>;

    fn alloc_cell(&mut self, len: usize) -> Cell<T> {
        let bytes = len.saturating_mul(size_of::<T>());
        let take = |left: usize| left.checked_sub(bytes);
        match self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
        {
            Ok(_) => Cell(vec![T::default(); len]),
            Err(_) => Cell::default(),
        }
    }

    fn free_cell(&mut self, cell: Cell<T>) {
        let bytes = cell.0.len() * size_of::<T>();
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A piece of the decoder's memory.
struct Cell<T>(Vec<T>);

impl<T> Default for Cell<T> {
    fn default() -> Cell<T> {
        Cell(Vec::new())
    }
}

impl<T> SliceWrapper<T> for Cell<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> SliceWrapperMut<T> for Cell<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// The bytes of a decoded piece.
const PIECE: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    /// `User-agent: *`, `Disallow: /private` and a comment of 16 MiB, in one block.
    const ONE_BLOCK: &[u8] = b"\
        \xCF\xFF\xFF\x7F\x00\x44\x4F\xD6\x5F\x92\x4D\xB3\x99\x2E\x0B\xD5\xBA\x20\xA8\xE8\
        \x4E\x56\x99\xE5\x35\xC9\x21\xAB\x79\xBD\x2A\x5B\x27\x41\xCC\x61\xE1\x64\xEB\x60\
        \x5F\xDE\xFF\x7F\x83\xAB\x08\x01\x00\x20\x01\x10\x45\x04\x40";

    /// Two rules in 37 bytes.
    const SMALL: &[u8] = b"\x0B\x10\x80User-agent: *\nDisallow: /private\n\x03";

    fn decode(body: &[u8], piece: usize, most_bytes: usize) -> Result<Vec<u8>, Undecodable> {
        let mut decoder = Brotli::new(most_bytes);
        let mut decoded = Vec::new();
        for piece in body.chunks(piece) {
            decoder.push(Bytes::copy_from_slice(piece));
            while let Some(read) = decoder.read()? {
                decoded.extend_from_slice(&read);
            }
        }
        decoder.end()?;
        Ok(decoded)
    }

    #[test]
    fn a_body_is_decoded_however_it_arrives() {
        let file = b"User-agent: *\nDisallow: /private\n";
        for piece in 1..=SMALL.len() {
            assert_eq!(decode(SMALL, piece, 1 << 20).as_deref(), Ok(&file[..]));
            let with_rest = [SMALL, b"rest"].concat();
            assert_eq!(decode(&with_rest, piece, 1 << 20).as_deref(), Ok(&file[..]));
        }
        assert_eq!(decode(b"", 1, 1 << 20), Ok(Vec::new()));
        for length in 1..SMALL.len() {
            assert_eq!(decode(&SMALL[..length], 1, 1 << 20), Err(Undecodable));
        }
    }

    #[test]
    fn the_memory_of_a_decoder_has_a_limit() {
        let decoded = decode(ONE_BLOCK, 7, 28 << 20).unwrap();
        assert_eq!(decoded.len(), 34 + (16 << 20));
        assert_eq!(decode(ONE_BLOCK, 7, 2 << 20), Err(Undecodable));
    }
}

//! A stream that counts lines, and that ends in an error at a limit.

use std::io::{self, BufRead, Read};

use crate::gzip::Plain;

/// A stream of a sitemap's bytes.
pub(super) struct Metered<'s> {
    source: Plain<'s>,
    left: u64,
    line: u64,
}

impl<'s> Metered<'s> {
    pub(super) fn new(source: Plain<'s>, most: u64) -> Metered<'s> {
        Metered {
            source,
            left: most,
            line: 1,
        }
    }

    /// The line after what was consumed, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Whether the limit was reached.
    pub(super) fn is_at_limit(&self) -> bool {
        self.left == 0
    }
}

impl BufRead for Metered<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let buffer = self.source.fill_buf()?;
        if self.left == 0 && !buffer.is_empty() {
            return Err(io::Error::other("the limit is reached"));
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        Ok(buffer.get(..most).unwrap_or(buffer))
    }

    fn consume(&mut self, amount: usize) {
        // The buffer was filled before, so no error is lost.
        let consumed = self.source.fill_buf().ok();
        let consumed = consumed.and_then(|buffer| buffer.get(..amount));
        let ends = memchr::memchr_iter(b'\n', consumed.unwrap_or_default()).count();
        self.line = self.line.saturating_add(ends as u64);
        self.left = self.left.saturating_sub(amount as u64);
        self.source.consume(amount);
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let buffer = self.fill_buf()?;
        let amount = buffer.len().min(out.len());
        if let (Some(to), Some(from)) = (out.get_mut(..amount), buffer.get(..amount)) {
            to.copy_from_slice(from);
        }
        self.consume(amount);
        Ok(amount)
    }
}

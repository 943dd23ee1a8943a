//! [`Part`]: bytes of a file together with their offset in it.

use core::ops::Range;

use crate::parse::trim::{trim_end, trim_start, without_comment};

/// Bytes of a file and the offset at which they start.
///
/// The offset is kept from the first step on, so that a span or a packed record never has to search
/// for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Part<'a> {
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Part<'a> {
    #[inline]
    pub(crate) fn new(start: usize, bytes: &'a [u8]) -> Part<'a> {
        Part { start, bytes }
    }

    /// The offset after the last byte.
    #[inline]
    pub(crate) fn end(self) -> usize {
        self.start.saturating_add(self.bytes.len())
    }

    pub(crate) fn span(self) -> Range<usize> {
        self.start..self.end()
    }

    /// The first `len` bytes, or all if there are fewer.
    #[inline]
    pub(crate) fn head(self, len: usize) -> Part<'a> {
        let bytes = self.bytes.get(..len).unwrap_or(self.bytes);
        Part { bytes, ..self }
    }

    /// Everything from byte `at` on; empty if there are fewer bytes.
    #[inline]
    pub(crate) fn tail(self, at: usize) -> Part<'a> {
        let (head, tail) = self.bytes.split_at_checked(at).unwrap_or((self.bytes, b""));
        Part::new(self.start.saturating_add(head.len()), tail)
    }

    /// Without the white space around it.
    #[inline]
    pub(crate) fn trim(self) -> Part<'a> {
        let from_start = trim_start(self.bytes);
        let start = self.start + (self.bytes.len() - from_start.len());
        Part::new(start, trim_end(from_start))
    }

    /// The value of a record that is given as it is written: see
    /// [`value_of`](crate::parse::trim::value_of).
    pub(crate) fn value(self) -> Part<'a> {
        self.without_comment().trim()
    }

    /// Up to the comment, or to a NUL.
    pub(crate) fn without_comment(self) -> Part<'a> {
        let bytes = without_comment(self.bytes);
        Part { bytes, ..self }
    }
}

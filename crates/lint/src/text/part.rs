//! [`Part`]: bytes of a file together with their offset in it, so that a finding never has to
//! search for its place.

use std::ops::Range;

use memchr::memchr2;
use polite_robots::document::{trim, trim_start};

/// Bytes of a file and the offset at which they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Part<'a> {
    pub(crate) fn new(start: usize, bytes: &'a [u8]) -> Part<'a> {
        Part { start, bytes }
    }

    /// The offset after the last byte.
    pub(crate) fn end(self) -> usize {
        self.start.saturating_add(self.bytes.len())
    }

    pub(crate) fn span(self) -> Range<usize> {
        self.start..self.end()
    }

    /// The first `len` bytes, or all if there are fewer.
    pub(crate) fn head(self, len: usize) -> Part<'a> {
        let bytes = self.bytes.get(..len).unwrap_or(self.bytes);
        Part { bytes, ..self }
    }

    /// Everything from byte `at` on; empty if there are fewer bytes.
    pub(crate) fn tail(self, at: usize) -> Part<'a> {
        let (head, tail) = self.bytes.split_at_checked(at).unwrap_or((self.bytes, b""));
        Part::new(self.start.saturating_add(head.len()), tail)
    }

    /// Without the white space around it.
    pub(crate) fn trim(self) -> Part<'a> {
        let blanks = self.bytes.len() - trim_start(self.bytes).len();
        Part::new(self.start.saturating_add(blanks), trim(self.bytes))
    }

    /// Up to the comment, or to a NUL, where the matcher of Google and this library stop reading.
    pub(crate) fn without_comment(self) -> Part<'a> {
        let end = memchr2(b'#', 0, self.bytes).unwrap_or(self.bytes.len());
        self.head(end)
    }
}

/// The text before `://`, unless it holds another colon: the scheme of a whole URL.
pub(crate) fn before_authority(url: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = url.split_at_checked(memchr::memchr(b':', url)?)?;
    rest.starts_with(b"://").then_some(scheme)
}

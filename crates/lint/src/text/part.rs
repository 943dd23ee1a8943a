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

/// The line of a file around a place, without its end.
pub(crate) fn line_around(file: &[u8], place: &Range<usize>) -> Range<usize> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let (before, after) = file.split_at_checked(place.end).unwrap_or((file, b""));
    let start = before.get(..place.start).unwrap_or(before);
    let start = start
        .iter()
        .rposition(is_end)
        .map_or(0, |at| at.saturating_add(1));
    let len = after.iter().position(is_end).unwrap_or(after.len());
    start..place.end.saturating_add(len)
}

/// The text before `://`, unless it holds another colon: the scheme of a whole URL.
pub(crate) fn before_authority(url: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = url.split_at_checked(memchr::memchr(b':', url)?)?;
    rest.starts_with(b"://").then_some(scheme)
}

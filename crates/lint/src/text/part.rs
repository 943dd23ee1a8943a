//! [`Part`]: bytes of a file together with their offset in it, so that a finding never has to
//! search for its place.

use std::ops::Range;

use memchr::memchr2;

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
        let from_start = trim_start(self.bytes);
        let start = self.start + (self.bytes.len() - from_start.len());
        Part::new(start, trim_end(from_start))
    }

    /// Up to the comment, or to a NUL, where the matcher of Google and this library stop reading.
    pub(crate) fn without_comment(self) -> Part<'a> {
        let end = memchr2(b'#', 0, self.bytes).unwrap_or(self.bytes.len());
        self.head(end)
    }
}

/// The text without the white space at its ends that a robots.txt allows around its parts: HTAB,
/// VT, FF, CR and SP.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_blank(*byte));
    start
        .and_then(|start| text.get(start..))
        .unwrap_or_default()
}

fn trim_end(text: &[u8]) -> &[u8] {
    let last = text.iter().rposition(|byte| !is_blank(*byte));
    last.and_then(|last| text.get(..=last)).unwrap_or_default()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t' | 0x0B | 0x0C | b'\r' | b' ')
}

//! A path that the patterns of one question are searched in.

use alloc::boxed::Box;
use core::cell::{Cell, OnceCell};
use core::ops::Range;

use memchr::{memchr, memmem};

use crate::rules::suffixes::Suffixes;

/// A path in the form of a dialect. It counts the patterns that are searched in it: a few are
/// searched for byte by byte; for thousands, which only a hostile file has, the path gets an index.
#[derive(Debug)]
pub(crate) struct SearchedPath<'p> {
    path: &'p [u8],
    searches: Cell<usize>,
    /// `None` inside for a path that is too long.
    suffixes: OnceCell<Option<Box<Suffixes<'p>>>>,
}

impl<'p> SearchedPath<'p> {
    #[inline]
    pub(crate) fn new(path: &'p [u8]) -> SearchedPath<'p> {
        SearchedPath {
            path,
            searches: Cell::new(0),
            suffixes: OnceCell::new(),
        }
    }

    /// A path that has its index from the first pattern on.
    #[cfg(test)]
    pub(crate) fn indexed(path: &'p [u8]) -> SearchedPath<'p> {
        SearchedPath {
            searches: Cell::new(FEW_BYTES),
            ..SearchedPath::new(path)
        }
    }
}

/// A path as text, or one that can get an index. A set of few rules takes the text and does not pay
/// for the rest.
pub(crate) trait Searchable<'p>: Copy {
    fn bytes(self) -> &'p [u8];

    /// The index of the path, once one more pattern is searched in it.
    fn suffixes(self) -> Option<&'p Suffixes<'p>>;
}

impl<'p> Searchable<'p> for &'p [u8] {
    #[inline(always)]
    fn bytes(self) -> &'p [u8] {
        self
    }

    #[inline(always)]
    fn suffixes(self) -> Option<&'p Suffixes<'p>> {
        None
    }
}

impl<'p> Searchable<'p> for &'p SearchedPath<'_> {
    #[inline]
    fn bytes(self) -> &'p [u8] {
        self.path
    }

    fn suffixes(self) -> Option<&'p Suffixes<'p>> {
        let searches = self.searches.get() + 1;
        self.searches.set(searches);
        if searches <= FEW_WALKS || searches.saturating_mul(self.path.len()) < FEW_BYTES {
            return None;
        }
        let index = || Suffixes::new(self.path).map(Box::new);
        self.suffixes.get_or_init(index).as_deref()
    }
}

/// The way to find the pieces of one pattern.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'p> {
    pub(crate) path: &'p [u8],
    suffixes: Option<&'p Suffixes<'p>>,
}

impl<'p> Search<'p> {
    #[inline(always)]
    pub(crate) fn new(path: impl Searchable<'p>) -> Search<'p> {
        Search {
            path: path.bytes(),
            suffixes: path.suffixes(),
        }
    }

    /// The end of the first match of a piece within a range of the path.
    #[inline(always)]
    pub(crate) fn find(&self, piece: &[u8], range: Range<usize>) -> Option<usize> {
        let range_end = range.end.min(self.path.len());
        let part = self.path.get(range.start..range_end)?;
        match self.suffixes {
            None => Some(range.start + find(part, piece)? + piece.len()),
            Some(_) if piece.is_empty() => Some(range.start),
            Some(suffixes) => {
                let end = suffixes.next(piece, range.start)? + piece.len();
                (end <= range_end).then_some(end)
            }
        }
    }
}

/// The place of the first occurrence of a piece. Linear.
///
/// In most paths the first byte of a piece, such as `?` or `.`, is not found or decides, and
/// preparing [`memmem`] for one path and one piece takes five times as long as looking for a byte.
#[inline]
fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    let Some(first) = piece.first() else {
        return Some(0);
    };
    let mut rest = text;
    for _ in 0..FEW_STARTS {
        rest = rest.get(memchr(*first, rest)?..)?;
        if rest.starts_with(piece) {
            return Some(text.len() - rest.len());
        }
        rest = rest.get(1..)?;
    }
    // A long piece takes longer to prepare than most texts to search.
    let fits = piece.len() <= rest.len();
    let start = fits.then(|| memmem::find(rest, piece)).flatten()?;
    Some(text.len() - rest.len() + start)
}

/// The most places of a piece's first byte that are compared.
const FEW_STARTS: usize = 4;

/// The most rules of a set whose path gets no index. No check of the files of 7,390 sites searches for
/// more patterns.
pub(crate) const FEW_SEARCHES: usize = 256;

/// The most patterns that are searched byte by byte in a long path. An index takes as long as some
/// hundred searches, or as some ten of the slowest.
const FEW_WALKS: usize = 64;

/// The most bytes of the path, counted once for each pattern, that are searched byte by byte: in a
/// short path a search is as fast as a look-up.
const FEW_BYTES: usize = 1 << 19;

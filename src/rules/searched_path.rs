//! A path that the patterns of one question are searched in.

use alloc::boxed::Box;
use core::cell::{Cell, OnceCell};
use core::ops::Range;

use memchr::{memchr, memmem};

use crate::rules::suffixes::Suffixes;
use crate::text::bytes::{each, first_word, starts_with, zero_bytes};

/// A path in the form of a dialect. It counts the patterns that are searched in it: a few are
/// searched for byte by byte; for thousands, which only a hostile file has, the path gets an index.
#[derive(Debug)]
pub(crate) struct SearchedPath<'p> {
    path: &'p [u8],
    searches: Cell<usize>,
    /// The place that [`Searchable::query`] found.
    query: OnceCell<usize>,
    /// `None` inside for a path that is too long. The box is outside, as dropping a pointer that is
    /// not there takes one comparison.
    suffixes: OnceCell<Box<Option<Suffixes<'p>>>>,
}

impl<'p> SearchedPath<'p> {
    #[inline]
    pub(crate) fn new(path: &'p [u8]) -> SearchedPath<'p> {
        SearchedPath {
            path,
            searches: Cell::new(0),
            query: OnceCell::new(),
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

    /// The place of the `?`, or the end of the path.
    fn query(self) -> usize;

    /// The index of the path, once one more pattern is searched in it.
    fn suffixes(self) -> Option<&'p Suffixes<'p>>;
}

impl<'p> Searchable<'p> for &'p [u8] {
    #[inline(always)]
    fn bytes(self) -> &'p [u8] {
        self
    }

    fn query(self) -> usize {
        memchr(b'?', self).unwrap_or(self.len())
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

    /// A hostile file has 25,000 patterns that depend on the place, so a path is searched for it
    /// once.
    fn query(self) -> usize {
        *self.query.get_or_init(|| self.path.query())
    }

    fn suffixes(self) -> Option<&'p Suffixes<'p>> {
        let searches = self.searches.get() + 1;
        self.searches.set(searches);
        if searches <= FEW_WALKS || searches.saturating_mul(self.path.len()) < FEW_BYTES {
            return None;
        }
        let index = || Box::new(Suffixes::new(self.path));
        self.suffixes.get_or_init(index).as_ref().as_ref()
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
/// Most paths and pieces are short: in a word of the text the places of the first two bytes of the
/// piece are found, and the whole piece is compared there. Preparing [`memmem`] for one path and
/// one piece takes as long as that does for 400 bytes.
#[inline]
fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    let Some(first) = piece.first() else {
        return Some(0);
    };
    // A piece of one byte may have any second one.
    let (second, any) = piece.get(1).map_or((0, u64::MAX), |second| (*second, 0));
    let (first, second) = (each(*first), each(second));
    // The number of places where the piece may begin.
    let places = (text.len() + 1).checked_sub(piece.len())?;
    let mut at = 0;
    let mut tries = FEW_STARTS;
    while at < places.min(SHORT_TEXT) {
        let rest = text.get(at..).unwrap_or_default();
        let word = first_word(rest);
        let next = match rest.get(1..).and_then(|rest| rest.first_chunk()) {
            Some(next) => u64::from_le_bytes(*next),
            None => word >> 8,
        };
        let starts = zero_bytes(word ^ first) & (zero_bytes(next ^ second) | any);
        if starts != 0 {
            if let Some(start) = first_match(rest, piece, starts, &mut tries) {
                return Some(at + start);
            }
            if tries == 0 {
                break;
            }
        }
        at += 8;
    }
    Some(at + find_in_long(text.get(at..)?, piece)?)
}

/// The first of the given places in a word where a piece is. Not inlined into the loop of [`find`],
/// which it would rob of registers.
#[inline(never)]
fn first_match(text: &[u8], piece: &[u8], mut starts: u64, tries: &mut usize) -> Option<usize> {
    while starts != 0 && *tries > 0 {
        let start = starts.trailing_zeros() as usize / 8;
        if starts_with(text.get(start..)?, piece) {
            return Some(start);
        }
        starts &= starts - 1;
        *tries -= 1;
    }
    None
}

/// [`find`] in a long text. Not inlined, as it needs a frame on the stack.
#[inline(never)]
fn find_in_long(text: &[u8], piece: &[u8]) -> Option<usize> {
    // A long piece takes longer to prepare than most texts to search.
    let fits = piece.len() <= text.len();
    fits.then(|| memmem::find(text, piece)).flatten()
}

/// The bytes of a text that are searched word by word.
const SHORT_TEXT: usize = 256;

/// The most places where a piece is compared.
const FEW_STARTS: usize = 8;

/// The most patterns that are searched byte by byte in a long path. An index takes as long as some
/// hundred searches, or as some ten of the slowest.
const FEW_WALKS: usize = 64;

/// The most bytes of the path, counted once for each pattern, that are searched byte by byte: in a
/// short path a search is as fast as a look-up.
const FEW_BYTES: usize = 1 << 19;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        /// Some pieces are found at once, some after more places than are compared one by one, and
        /// some beyond the bytes that are searched word by word.
        #[test]
        fn the_first_place_of_a_piece_is_found(
            start in "[ab\x01/]{0,20}",
            middle in "[ab]{0,3}|a{30}|(ab){140}|b{400}",
            end in "[abc]{0,20}",
            piece in "[ab/]{0,4}|[abc]{1,12}",
        ) {
            let text = alloc::format!("{start}{middle}{end}");
            prop_assert_eq!(find(text.as_bytes(), piece.as_bytes()), text.find(&piece));
        }
    }
}

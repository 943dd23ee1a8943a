//! Index of one path: where a piece of a pattern occurs next.
//!
//! The suffixes of the path lie in alphabetical order, so those that begin with a piece are one
//! run. The first of a run after a place is found in a copy of the starts whose runs are sorted by
//! place; long pieces have too many lengths for a copy each, and are found in a [`Wavelet`].

use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::{Range, RangeInclusive};

use memchr::memchr;

use crate::rules::path_index::wavelet::{self, Wavelet};
use crate::rules::span::SearchedPath;
use crate::rules::steps;
use crate::sort;

/// The suffixes of one path.
#[derive(Debug)]
pub(crate) struct Suffixes<'p> {
    path: &'p [u8],
    /// The place of the `?`, or the end of the path.
    query: usize,
    text: Text,
    /// The starts of the suffixes in alphabetical order.
    starts: Vec<u32>,
    /// The first word of each suffix, in the same order.
    words: Vec<u128>,
    /// For each length of a short piece the starts, sorted by place where the suffixes agree in
    /// that many bytes.
    by_place: [OnceCell<Vec<u32>>; SHORT],
    places: Wavelet,
}

impl SearchedPath for Suffixes<'_> {
    fn bytes(&self) -> &[u8] {
        self.path
    }

    fn query(&self) -> usize {
        self.query
    }

    fn find(&self, piece: &[u8], range: Range<usize>) -> Option<usize> {
        let end = match piece {
            [] => range.start,
            _ => self.next(piece, range.start)? + piece.len(),
        };
        (end <= range.end.min(self.path.len())).then_some(end)
    }
}

impl Suffixes<'_> {
    /// `None` for a path of more than 16 MiB.
    pub(crate) fn new(path: &[u8]) -> Option<Suffixes<'_>> {
        let count = u32::try_from(path.len()).ok();
        let count = count.filter(|_| path.len() <= wavelet::MOST)?;
        let text = Text::new(path);
        let starts = sorted(&text, count);
        Some(Suffixes {
            path,
            // Made before the words, because it needs memory for a while.
            places: Wavelet::new(starts.clone()),
            query: memchr(b'?', path).unwrap_or(path.len()),
            words: starts
                .iter()
                .map(|start| text.word(*start as usize))
                .collect(),
            by_place: Default::default(),
            starts,
            text,
        })
    }

    /// The first place at `from` or later where the piece occurs. The piece must not be empty.
    pub(crate) fn next(&self, piece: &[u8], from: usize) -> Option<usize> {
        let from = u32::try_from(from).ok()?;
        let Some(by_place) = self.by_place.get(piece.len() - 1) else {
            let run = self.run(piece);
            let place = self.places.next(run.start as u32..run.end as u32, from)?;
            return Some(place as usize);
        };
        // The copy has the runs in the order of their words, and each run is sorted by place. So
        // one search uses both keys.
        let by_place = by_place.get_or_init(|| self.sorted_by_place(piece.len()));
        let wanted = words_of(piece);
        let (mut at, mut end) = (0, self.words.len());
        steps::add_search(end);
        steps::add_search(end);
        while at < end {
            let middle = at.midpoint(end);
            let word = self.words.get(middle)?;
            if word < wanted.start() || word <= wanted.end() && *by_place.get(middle)? < from {
                at = middle + 1;
            } else {
                end = middle;
            }
        }
        let is_found = wanted.contains(self.words.get(at)?);
        is_found.then_some(*by_place.get(at)? as usize)
    }

    /// The suffixes that begin with a piece: those that begin with its first word, of these those
    /// that go on with its second word, and so on.
    fn run(&self, piece: &[u8]) -> Range<usize> {
        steps::add(piece.len());
        let mut run = within(&self.words, |held| *held, words_of(piece));
        let mut offset = WORD;
        while let (false, Some(rest @ [_, ..])) = (run.is_empty(), piece.get(offset..)) {
            let starts = self.starts.get(run.clone()).unwrap_or_default();
            let word = |start: &u32| self.text.word(*start as usize + offset);
            let found = within(starts, word, words_of(rest));
            run = run.start + found.start..run.start + found.end;
            offset += WORD;
        }
        run
    }

    /// The starts sorted by place where the suffixes agree in `len` bytes.
    fn sorted_by_place(&self, len: usize) -> Vec<u32> {
        let head = |start: &u32| self.head(*start, len);
        let mut starts = self.starts.clone();
        for class in starts.chunk_by_mut(|one, other| head(one) == head(other)) {
            steps::add(1 + len / WORD);
            steps::add_sort(class.len());
            sort::unstable(class);
        }
        starts
    }

    /// The first bytes of a suffix.
    fn head(&self, start: u32, len: usize) -> &[u8] {
        let suffix = self.path.get(start as usize..).unwrap_or_default();
        suffix.get(..len).unwrap_or(suffix)
    }
}

/// The places of the items whose words are in a range, in a list that is sorted by word.
fn within<T>(items: &[T], word: impl Fn(&T) -> u128, wanted: RangeInclusive<u128>) -> Range<usize> {
    steps::add_search(items.len());
    let start = items.partition_point(|item| word(item) < *wanted.start());
    let from_start = items.get(start..).unwrap_or_default();
    steps::add_search(from_start.len());
    start..start + from_start.partition_point(|item| word(item) <= *wanted.end())
}

/// The bytes of a word.
const WORD: usize = size_of::<u128>();

/// The longest piece whose places are looked up in a copy of the starts, which takes a fifth of the
/// steps. A file has room for many short pieces: `*$$$` has nine bytes in compared form, as a `$`
/// is escaped. Longer pieces are fewer, and with a copy for each of their lengths the memory of a
/// check would exceed its bound.
const SHORT: usize = 12;

/// The starts of all suffixes in alphabetical order, by prefix doubling: once the first `len` bytes
/// of all suffixes are in order, so are the next `len` bytes of each, as they begin another suffix.
fn sorted(text: &Text, count: u32) -> Vec<u32> {
    let mut starts: Vec<u32> = (0..count).collect();
    steps::add_sort(starts.len());
    sort::unstable_by_key(&mut starts, |start| text.word(*start as usize));
    // The place of the first suffix that agrees with this one so far; one for each start.
    let mut ranks = ranks(&starts, |start| (text.word(start as usize), 0));
    let mut len = WORD;
    while len < starts.len() {
        let rank = |start: u32| ranks.get(start as usize).copied().unwrap_or_default();
        // A suffix that ends here comes before the others.
        let next_rank = |start: u32| Some(1 + ranks.get(start as usize + len)?);
        let classes = starts.chunk_by_mut(|one, other| rank(*one) == rank(*other));
        let mut is_sorted = true;
        for class in classes.filter(|class| class.len() > 1) {
            is_sorted = false;
            steps::add_sort(class.len());
            sort::unstable_by_key(class, |start| next_rank(*start));
        }
        if is_sorted {
            break;
        }
        ranks = self::ranks(&starts, |start| {
            (rank(start).into(), next_rank(start).unwrap_or(0))
        });
        len *= 2;
    }
    starts
}

/// For each suffix the place of the first one with the same key; `starts` is sorted by key.
fn ranks(starts: &[u32], key: impl Fn(u32) -> (u128, u32)) -> Vec<u32> {
    steps::add(starts.len());
    let mut ranks = vec![0; starts.len()];
    let mut first = 0;
    let mut before = None;
    for (place, start) in (0..).zip(starts) {
        let key = Some(key(*start));
        if key != before {
            (first, before) = (place, key);
        }
        if let Some(rank) = ranks.get_mut(*start as usize) {
            *rank = first;
        }
    }
    ranks
}

/// A path that can be read in words up to its end.
#[derive(Debug)]
struct Text(Vec<u8>);

impl Text {
    fn new(path: &[u8]) -> Text {
        let mut text = Vec::with_capacity(path.len() + WORD);
        text.extend_from_slice(path);
        text.resize(path.len() + WORD, 0);
        Text(text)
    }

    /// The sixteen bytes from a place on, in the order of the alphabet; missing ones are NUL, which
    /// no pattern holds: it would be found in `/a` where `/a` and a NUL are wanted.
    #[inline]
    fn word(&self, start: usize) -> u128 {
        let word = self
            .0
            .get(start..start + WORD)
            .and_then(<[u8]>::first_chunk);
        word.copied().map_or(0, u128::from_be_bytes)
    }
}

/// The words that begin as a piece does.
#[inline]
fn words_of(piece: &[u8]) -> RangeInclusive<u128> {
    let first = piece.get(..WORD).unwrap_or(piece);
    let word = first
        .iter()
        .fold(0, |word: u128, byte| word << 8 | u128::from(*byte));
    let others = 8 * (WORD - first.len()) as u32;
    let least = word.checked_shl(others).unwrap_or(0);
    least..=least | 1_u128.checked_shl(others).unwrap_or(0).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

        /// Paths of few letters repeat themselves, and pieces cut from them occur often.
        #[test]
        fn the_next_place_equals_a_walk(
            parts in vec(select(&["a", "a", "b", "ab", "aaaaaaaa", "abababab", "%2F"][..]), 1..120),
            cuts in vec((0_usize..600, 1_usize..40, any::<bool>(), 0_usize..600), 1..20),
        ) {
            let path = parts.concat();
            let suffixes = Suffixes::new(path.as_bytes()).unwrap();
            for (start, len, is_changed, from) in cuts {
                let start = start % path.len();
                let mut piece = String::from(path.get(start..(start + len).min(path.len())).unwrap());
                if is_changed {
                    piece.push('b');
                }
                let from = from % (path.len() + 2);
                let expected = path.get(from..).and_then(|rest| Some(from + rest.find(&piece)?));
                prop_assert_eq!(suffixes.next(piece.as_bytes(), from), expected, "{} in {} from {}", piece, path, from);
            }
        }
    }

    #[test]
    fn suffixes_are_in_alphabetical_order() {
        for path in [
            &b""[..],
            b"/",
            b"/abcabcabcabcabcabcabcabcabcabc",
            &[b'Q'; 100],
            b"/\xFF\xFFa\xFF",
        ] {
            let mut expected: Vec<u32> = (0..path.len() as u32).collect();
            expected.sort_by_key(|start| &path[*start as usize..]);
            let suffixes = Suffixes::new(path).unwrap();
            assert_eq!(suffixes.starts, expected, "{path:?}");
        }
    }
}

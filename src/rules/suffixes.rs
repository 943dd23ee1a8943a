//! Index of one path: where a piece of a pattern occurs next, in a time that hardly depends on the
//! length of the path.
//!
//! The suffixes of the path lie in alphabetical order, so those that begin with a piece are one
//! run. Which of them comes first after a place is looked up in a copy of the run that is sorted by
//! place, or for a long piece, of which there are too many lengths for a copy each, in a
//! [`Wavelet`].

use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};
use core::ops::Range;

use crate::rules::wavelet::{self, Wavelet};
use crate::sort;
use crate::text::hash::Hash;

/// The suffixes of one path. With everything that is made on first use it takes 96 KiB and at most
/// 115 bytes for each byte of the path, of a path of more than [`LONG_PATH`] bytes at most 40.
#[derive(Debug)]
pub(crate) struct Suffixes<'p> {
    path: &'p [u8],
    /// The starts of the suffixes in alphabetical order.
    starts: Vec<u32>,
    /// The first eight bytes of each suffix, in the same order.
    words: Vec<u64>,
    /// For each length of a short piece the starts again, sorted by place where the suffixes agree
    /// in so many bytes.
    by_place: Vec<OnceCell<Vec<u32>>>,
    places: OnceCell<Wavelet>,
    /// Some runs that were looked up, each at a place that its piece chooses.
    runs: Vec<Cell<Run>>,
}

/// The suffixes that begin with a piece.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    /// The first eight bytes of the piece.
    word: u64,
    len: u32,
    start: u32,
    end: u32,
}

impl Suffixes<'_> {
    /// `None` for a path of more than 16 MiB.
    pub(crate) fn new(path: &[u8]) -> Option<Suffixes<'_>> {
        let count = u32::try_from(path.len()).ok();
        let starts = sorted(path, count.filter(|_| path.len() <= wavelet::MOST)?);
        let words = starts.iter().map(|start| first_word(path, *start));
        let is_long = path.len() > LONG_PATH;
        let short = if is_long { SHORT_IN_LONG_PATH } else { SHORT };
        Some(Suffixes {
            path,
            words: words.collect(),
            starts,
            by_place: vec![OnceCell::new(); short],
            places: OnceCell::new(),
            runs: vec![Cell::default(); RUNS],
        })
    }

    /// The first place at `from` or later where the piece occurs. The piece must not be empty.
    pub(crate) fn next(&self, piece: &[u8], from: usize) -> Option<usize> {
        let run = self.run(piece);
        let starts = self.starts.get(run.clone())?;
        let from = u32::try_from(from).ok()?;
        let by_place = self.by_place.get(piece.len() - 1);
        let few = if by_place.is_some() { FEW_SHORT } else { FEW };
        let place = if starts.len() <= few {
            let later = starts.iter().filter(|start| **start >= from);
            later.min().copied()?
        } else if let Some(by_place) = by_place {
            let by_place = by_place.get_or_init(|| self.sorted_by_place(piece.len()));
            let starts = by_place.get(run)?;
            *starts.get(starts.partition_point(|start| *start < from))?
        } else {
            let places = self
                .places
                .get_or_init(|| Wavelet::new(self.starts.clone()));
            places.next(run.start as u32..run.end as u32, from)?
        };
        Some(place as usize)
    }

    /// The suffixes that begin with a piece.
    fn run(&self, piece: &[u8]) -> Range<usize> {
        let word = first_word(piece, 0);
        let of_word = |len| {
            let is_known = |run: Run| (run.word, run.len as usize) == (word, len);
            self.remembered(Hash::EMPTY.with_word(word), is_known, || {
                self.run_of_word(word, len)
            })
        };
        let run = match piece.get(WORD..) {
            None | Some([]) => of_word(piece.len()),
            Some(rest) => {
                let is_known = |run: Run| {
                    (run.word, run.len as usize) == (word, piece.len())
                        && self.begins_with(run, piece)
                };
                self.remembered(Hash::of(rest).with_word(word), is_known, || Run {
                    len: piece.len() as u32,
                    ..self.run_within(of_word(WORD), piece)
                })
            }
        };
        run.start as usize..run.end as usize
    }

    /// Returns the run of a hash from the cache if it is the known one; finds it and puts it there
    /// otherwise.
    fn remembered(
        &self,
        hash: Hash,
        is_known: impl Fn(Run) -> bool,
        find: impl Fn() -> Run,
    ) -> Run {
        let cell = self.runs.get(hash.slot(self.runs.len()));
        if let Some(known) = cell.map(Cell::get).filter(|run| is_known(*run)) {
            return known;
        }
        let run = find();
        if let Some(cell) = cell {
            cell.set(run);
        }
        run
    }

    /// Whether there is a first suffix in a run that begins with a piece.
    fn begins_with(&self, run: Run, piece: &[u8]) -> bool {
        let first = self.starts.get(run.start as usize);
        run.start < run.end && first.is_some_and(|first| self.head(*first, piece.len()) == piece)
    }

    fn run_of_word(&self, word: u64, len: usize) -> Run {
        let mask = mask(len);
        let start = self.words.partition_point(|held| held & mask < word);
        let from_start = self.words.get(start..).unwrap_or_default();
        let count = count_at_start(from_start, |held| held & mask == word);
        Run {
            word,
            len: len as u32,
            start: start as u32,
            end: (start + count) as u32,
        }
    }

    /// The suffixes of a run that begin with the whole piece and not only with its first word.
    fn run_within(&self, run: Run, piece: &[u8]) -> Run {
        // Words are compared in a third of the time of slices.
        let (word, mask) = (first_word(piece, WORD as u32), mask(piece.len() - WORD));
        let second = |start: &u32| first_word(self.path, start + WORD as u32) & mask;
        let run = self.narrowed(run, second, word);
        let Some(rest) = piece.get(2 * WORD..) else {
            return run;
        };
        let after = |start: &u32| self.head(start + 2 * WORD as u32, rest.len());
        self.narrowed(run, after, rest)
    }

    /// The suffixes of a run that have a key, by which they are sorted.
    fn narrowed<K: Ord>(&self, run: Run, held: impl Fn(&u32) -> K, key: K) -> Run {
        let starts = self.starts.get(run.start as usize..run.end as usize);
        let starts = starts.unwrap_or_default();
        let before = starts.partition_point(|start| held(start) < key);
        let from_key = starts.get(before..).unwrap_or_default();
        let count = count_at_start(from_key, |start| held(start) == key);
        let start = run.start + before as u32;
        Run {
            start,
            end: start + count as u32,
            ..run
        }
    }

    /// The starts sorted by place where the suffixes agree in so many bytes.
    fn sorted_by_place(&self, len: usize) -> Vec<u32> {
        let head = |start: &u32| self.head(*start, len);
        let mut starts = self.starts.clone();
        for class in starts.chunk_by_mut(|one, other| head(one) == head(other)) {
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

/// The number of items at the start of a list for which something holds, if it holds for no later
/// ones. Most runs are short, so this takes fewer looks than a binary search of the whole list.
fn count_at_start<T>(items: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let mut most = 1;
    while items.get(most).is_some_and(&holds) {
        most *= 2;
    }
    let least = most / 2;
    let rest = items.get(least..most.min(items.len())).unwrap_or_default();
    least + rest.partition_point(holds)
}

/// The bytes of a word.
const WORD: usize = 8;

/// The longest piece whose places are looked up in a copy of the starts. A file has room for many
/// such pieces: `*$$$` has nine bytes in compared form, as a `$` is escaped.
const SHORT: usize = 24;

/// The same in a path of more than [`LONG_PATH`] bytes, in which so many copies would take more
/// time than they save, and much memory.
const SHORT_IN_LONG_PATH: usize = 4;
const LONG_PATH: usize = 1 << 14;

/// The number of runs that are remembered. The pieces of a file are mostly different, but those
/// that occur in a path of 2,000 bytes, of which each may be escaped, are few.
const RUNS: usize = 4096;

/// The most places that are looked through one by one: a look into a sorted copy costs as much as
/// sixteen of them, one into the [`Wavelet`] as much as a hundred.
const FEW_SHORT: usize = 16;
const FEW: usize = 64;

/// The starts of all suffixes in alphabetical order, by prefix doubling: once the first `len` bytes
/// of all suffixes are in order, so are the next `len` bytes of each, as they begin another suffix.
fn sorted(path: &[u8], count: u32) -> Vec<u32> {
    let mut starts: Vec<u32> = (0..count).collect();
    sort::unstable_by_key(&mut starts, |start| first_word(path, *start));
    // The place of the first suffix that agrees with this one so far; one for each start.
    let mut ranks = ranks(&starts, |start| (first_word(path, start), 0));
    let mut len = WORD;
    while len < path.len() {
        let rank = |start: u32| ranks.get(start as usize).copied().unwrap_or_default();
        // A suffix that ends here comes before the others.
        let next_rank = |start: u32| Some(1 + ranks.get(start as usize + len)?);
        let classes = starts.chunk_by_mut(|one, other| rank(*one) == rank(*other));
        let mut is_sorted = true;
        for class in classes.filter(|class| class.len() > 1) {
            is_sorted = false;
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
fn ranks(starts: &[u32], key: impl Fn(u32) -> (u64, u32)) -> Vec<u32> {
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

/// The eight bytes from a place on, in the order of the alphabet; missing ones are NUL, which no
/// path holds.
#[inline]
fn first_word(text: &[u8], start: u32) -> u64 {
    let rest = text.get(start as usize..).unwrap_or_default();
    match rest.first_chunk::<WORD>() {
        Some(word) => u64::from_be_bytes(*word),
        None => {
            let padding = mask(WORD - rest.len()).count_ones();
            let word = rest
                .iter()
                .fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
            word.checked_shl(padding).unwrap_or(0)
        }
    }
}

/// The bits of the first bytes of a word.
#[inline]
fn mask(bytes: usize) -> u64 {
    let bits = 8 * bytes.min(WORD) as u32;
    !u64::MAX.checked_shr(bits).unwrap_or(0)
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

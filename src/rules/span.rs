//! Tier 2: the pieces between the runs of `*`, found left to right without backtracking.
//!
//! The leftmost place of each piece is exact: a later place leaves less of the path to the pieces
//! after it. Only the last piece of a pattern with `$` has a fixed place, and it is compared last,
//! as a suffix of the rest.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr;

use crate::rules::canonical::Escapes;
use crate::rules::pattern::is_prefix_match;
use crate::rules::searched_path::{Search, SearchedPath};
use crate::text::percent::{decode_first, encode};

/// Compares a pattern with a path. Linear in both; with an index of the path, linear in the pattern.
pub(crate) fn matches(pattern: &[u8], escapes: Escapes, path: &SearchedPath<'_>) -> bool {
    let (body, end) = match pattern {
        [body @ .., b'$'] => (body, End::Anchored),
        _ => (pattern, End::Open),
    };
    let Some(head_len) = memchr(b'*', body) else {
        return is_prefix_match(pattern, path);
    };
    let (head, pieces) = body.split_at_checked(head_len).unwrap_or_default();
    if !path.starts_with(head) {
        return false;
    }
    let pieces = pieces.get(1..).unwrap_or_default();
    let search = path.search();
    match escapes {
        Escapes::Settled => matches_pieces(pieces, end, head_len, |piece, from, end| {
            find(&search, piece, from..search.path.len(), end)
        }),
        Escapes::QueryDependent => {
            let query = memchr(b'?', path).unwrap_or(path.len());
            // The head has no `?`, which would have settled every escape, so it ends before the
            // query.
            let mut readings = Readings::default();
            matches_pieces(pieces, end, head_len, |piece, from, end| {
                readings.read(piece);
                readings.find(&search, from, query, end)
            })
        }
    }
}

#[derive(Clone, Copy)]
enum End {
    /// Anything may follow.
    Open,
    /// The pattern ends in `$`.
    Anchored,
}

/// Finds piece after piece, the first at `start` or later. `find` looks for one, not before a place
/// of the path, and returns its end.
#[inline]
fn matches_pieces(
    pieces: &[u8],
    end: End,
    start: usize,
    mut find: impl FnMut(&[u8], usize, End) -> Option<usize>,
) -> bool {
    let mut pieces = pieces.split(|byte| *byte == b'*');
    let last = pieces.next_back().unwrap_or_default();
    let after = pieces.try_fold(start, |from, piece| find(piece, from, End::Open));
    after.and_then(|from| find(last, from, end)).is_some()
}

/// The end of the first match of a piece within a range of the path; of an anchored piece, the end
/// of the path.
///
/// Inlined always: left to the compiler, a check against 1,000 rules `/*.a{i}$` takes 5 % longer.
#[inline(always)]
fn find(search: &Search<'_>, piece: &[u8], range: Range<usize>, end: End) -> Option<usize> {
    match end {
        End::Open => search.find(piece, range),
        End::Anchored => {
            let path = search.path;
            let part = path.get(range.start..range.end.min(path.len()))?;
            let is_suffix = path.len() <= range.end && part.ends_with(piece);
            is_suffix.then_some(path.len())
        }
    }
}

/// The text of one piece in the path and in the query. It is made anew for each piece of a pattern,
/// in the same memory.
///
/// No piece has a `?` before its last query-dependent escape, so all of these escapes lie on the
/// same side: either before the `?` of the path or after it.
#[derive(Default)]
struct Readings {
    /// The text with the escapes as they read in the path.
    in_path: Vec<u8>,
    /// The end of the last escape in `in_path`, which must not lie in the query; 0 if there is none.
    last_escape_end: usize,
    /// The text with the escapes as they read in the query.
    in_query: Vec<u8>,
    /// Whether this or an earlier piece had a `?`, after which every escape has one meaning.
    is_settled: bool,
}

impl Readings {
    /// Reads the next piece.
    fn read(&mut self, piece: &[u8]) {
        self.in_path.clear();
        self.in_query.clear();
        self.last_escape_end = 0;
        let mut rest = piece;
        while let (false, [first, after_first @ ..]) = (self.is_settled, rest) {
            rest = match decode_first(rest) {
                Some((data @ (b'&' | b'=' | b'/' | b'?'), after)) => {
                    let (decoded, escaped) = match data {
                        b'&' | b'=' => (&mut self.in_path, &mut self.in_query),
                        _ => (&mut self.in_query, &mut self.in_path),
                    };
                    decoded.push(data);
                    escaped.extend(encode(data));
                    self.last_escape_end = self.in_path.len();
                    after
                }
                _ => {
                    self.is_settled = *first == b'?';
                    self.in_path.push(*first);
                    self.in_query.push(*first);
                    after_first
                }
            };
        }
        self.in_path.extend_from_slice(rest);
        self.in_query.extend_from_slice(rest);
    }

    /// The end of the first match at `from` or later: one whose escapes end before the query, else
    /// one that starts in the query.
    fn find(&self, search: &Search<'_>, from: usize, query: usize, end: End) -> Option<usize> {
        let last_end = query + (self.in_path.len() - self.last_escape_end);
        find(search, &self.in_path, from..last_end, end).or_else(|| {
            let in_query = from.max(query + 1)..search.path.len();
            find(search, &self.in_query, in_query, end)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::options::Dialect;
    use crate::rules::canonical::push_pattern;

    const PARTS: &[&str] = &[
        "*",
        "*",
        "*",
        "a",
        "a",
        "b",
        "ab",
        "aaaaaaaab",
        "%2F",
        "%3D",
        "?",
        "=",
        "/",
        "$",
    ];

    fn texts(parts: core::ops::Range<usize>) -> impl Strategy<Value = alloc::string::String> {
        vec(select(PARTS), parts).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        /// An index of the path changes no answer, whatever the escapes mean. Some paths have more
        /// places of a piece than are looked through one by one.
        #[test]
        fn an_index_changes_no_answer(
            value in texts(1..10),
            fills in vec(texts(0..4), 1..4),
            path in texts(0..12),
            times in select(&[1_usize, 1, 2, 60][..]),
        ) {
            let mut pattern = Vec::new();
            let escapes = push_pattern(&mut pattern, alloc::format!("*{value}").as_bytes(), Dialect::Rfc9309);
            let mut fill = fills.iter().cycle();
            let pieces = value.split('*').map(|piece| alloc::format!("{}{piece}", fill.next().map_or("", |fill| fill)));
            let alike = pieces.collect::<alloc::string::String>();
            for path in [&path, &alike] {
                let path = alloc::format!("/{}", path.repeat(times).replace(['*', '$'], "c"));
                let path = path.as_bytes();
                let plain = matches(&pattern, escapes, &SearchedPath::new(path));
                let indexed = matches(&pattern, escapes, &SearchedPath::indexed(path));
                prop_assert_eq!(plain, indexed, "{} {:?}", value, path);
            }
        }
    }
}

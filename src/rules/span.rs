//! Tier 2: the pieces between the runs of `*`, found left to right without backtracking.
//!
//! The leftmost place of each piece is exact: a later place leaves less of the path to the pieces
//! after it. Only the last piece of a pattern with `$` has a fixed place, and it is compared last,
//! as a suffix of the rest.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr;

use crate::compared_form::Escapes;
use crate::rules::pattern::is_prefix_match;
use crate::rules::searched_path::{Search, Searchable};
use crate::text::bytes::{place_of, starts_with};

/// Compares a pattern with a path. Linear in both; with an index of the path, linear in the
/// pattern.
pub(crate) fn matches<'p>(pattern: &[u8], escapes: Escapes, searched: impl Searchable<'p>) -> bool {
    let path = searched.bytes();
    let (body, end) = match pattern {
        [body @ .., b'$'] => (body, End::Anchored),
        _ => (pattern, End::Open),
    };
    let Some(head_len) = place_of(b'*', body) else {
        return is_prefix_match(pattern, path);
    };
    let (head, pieces) = body.split_at_checked(head_len).unwrap_or_default();
    let is_head = match (path.first_chunk::<8>(), pattern.first_chunk::<8>()) {
        // The bytes that are not of the head are shifted out; a head of no bytes has none.
        (Some(one), Some(other)) if head_len <= 8 => {
            let differing = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
            head_len == 0 || differing << (64 - 8 * head_len) == 0
        }
        _ => starts_with(path, head),
    };
    if !is_head {
        return false;
    }
    let pieces = pieces.get(1..).unwrap_or_default();
    let search = Search::new(searched);
    match escapes {
        Escapes::Settled => matches_pieces(pieces, end, head_len, |piece, from, end| {
            find(&search, piece, from..search.path.len(), end)
        }),
        Escapes::QueryDependent => {
            // The head has no `?`, which would have settled every escape, so it ends before the
            // query.
            let mut readings = Readings::new(searched.query());
            matches_pieces(pieces, end, head_len, |piece, from, end| {
                readings.find(&search, piece, from, end)
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
    let (mut from, mut rest) = (start, pieces);
    loop {
        // Between two stars is a piece that is anywhere.
        while let [b'*', after @ ..] = rest {
            rest = after;
        }
        let Some((piece, after)) = place_of(b'*', rest).and_then(|at| rest.split_at_checked(at))
        else {
            return find(rest, from, end).is_some();
        };
        let Some(found) = find(piece, from, End::Open) else {
            return false;
        };
        (from, rest) = (found, after);
    }
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

/// The pieces of one pattern as they read in the path or in the query, one after the other in the
/// same memory.
///
/// No piece has a `?` before its last query-dependent escape, so all of these escapes lie on the
/// same side: either before the `?` of the path or after it.
struct Readings {
    /// The place of the `?` of the path, or the end of the path.
    query: usize,
    /// Whether an earlier piece had a `?`, after which every escape has one meaning.
    is_settled: bool,
    text: Vec<u8>,
}

/// The part of a URL in which a piece is searched.
#[derive(Clone, Copy)]
enum Side {
    Path,
    Query,
}

impl Readings {
    fn new(query: usize) -> Readings {
        Readings {
            query,
            is_settled: false,
            text: Vec::new(),
        }
    }

    /// The end of the first match of the next piece at `from` or later: one whose escapes end
    /// before the query, else one that starts in the query.
    fn find(&mut self, search: &Search<'_>, piece: &[u8], from: usize, end: End) -> Option<usize> {
        let all = search.path.len();
        // A hostile file has many pieces and few rules, so most pieces are searched on one side.
        let (open, settled) = self.split(piece);
        if open.is_empty() {
            return find(search, piece, from..all, end);
        }
        if from < self.query {
            self.read(open, settled, Side::Path);
            let found = find(search, &self.text, from..self.query + settled.len(), end);
            if found.is_some() {
                return found;
            }
        }
        if self.query == all {
            return None;
        }
        self.read(open, settled, Side::Query);
        find(search, &self.text, from.max(self.query + 1)..all, end)
    }

    /// Splits the next piece after its last query-dependent escape.
    fn split<'p>(&mut self, piece: &'p [u8]) -> (&'p [u8], &'p [u8]) {
        let open = if self.is_settled { &[] } else { piece };
        let query = memchr(b'?', open);
        self.is_settled |= query.is_some();
        let open = query.and_then(|at| open.get(..at)).unwrap_or(open);
        piece
            .split_at_checked(end_of_last_dependent(open))
            .unwrap_or_default()
    }

    /// Reads a piece that was split. A pattern in canonical form has whole escapes only, and a
    /// hostile file a megabyte of them, so each is taken at once.
    fn read(&mut self, open: &[u8], settled: &[u8], side: Side) {
        self.text.clear();
        self.text.reserve(open.len() + settled.len());
        let mut rest = open;
        while let [first, after_first @ ..] = rest {
            let (b'%', Some((digits, after))) = (first, after_first.split_first_chunk()) else {
                self.text.push(*first);
                rest = after_first;
                continue;
            };
            match (side, digits) {
                (Side::Path, b"26") => self.text.push(b'&'),
                (Side::Path, b"3D") => self.text.push(b'='),
                (Side::Query, b"2F") => self.text.push(b'/'),
                (Side::Query, b"3F") => self.text.push(b'?'),
                (_, [high, low]) => self.text.extend_from_slice(&[b'%', *high, *low]),
            }
            rest = after;
        }
        self.text.extend_from_slice(settled);
    }
}

/// The place after the last query-dependent escape; 0 if there is none.
fn end_of_last_dependent(text: &[u8]) -> usize {
    let mut before = text;
    while let Some(at) = before.iter().rposition(|byte| *byte == b'%') {
        let end = at + ESCAPE;
        if let Some(b"%2F" | b"%3F" | b"%26" | b"%3D") = text.get(at..end) {
            return end;
        }
        before = text.get(..at).unwrap_or_default();
    }
    0
}

/// The bytes of an escape.
const ESCAPE: usize = 3;

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::compared_form::push_pattern;
    use crate::options::Dialect;
    use crate::rules::searched_path::SearchedPath;

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

    fn texts(parts: Range<usize>) -> impl Strategy<Value = alloc::string::String> {
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
                let plain = matches(&pattern, escapes, path);
                let indexed = matches(&pattern, escapes, &SearchedPath::indexed(path));
                prop_assert_eq!(plain, indexed, "{} {:?}", value, path);
            }
        }
    }
}

//! Tier 2: the pieces between the runs of `*`, found left to right without backtracking.
//!
//! The leftmost place of each piece is exact: a later place leaves less of the path to the pieces
//! after it. Only the last piece of a pattern with `$` has a fixed place, and it is compared last,
//! as a suffix of the rest.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memmem, memrchr};

use crate::compared_form::Escapes;
use crate::rules::pattern::is_prefix_match;
use crate::rules::steps;
use crate::text::bytes::{place_of, starts_with};

/// A path in which pieces of patterns are found.
pub(crate) trait SearchedPath {
    fn bytes(&self) -> &[u8];

    /// The place of the `?`, or the end of the path.
    fn query(&self) -> usize;

    /// The end of the first match of a piece within a range of the path.
    fn find(&self, piece: &[u8], range: Range<usize>) -> Option<usize>;
}

impl SearchedPath for &[u8] {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self
    }

    fn query(&self) -> usize {
        steps::add(self.len());
        memchr(b'?', self).unwrap_or(self.len())
    }

    #[inline(always)]
    fn find(&self, piece: &[u8], range: Range<usize>) -> Option<usize> {
        let part = self.get(range.start..range.end.min(self.len()))?;
        let found = place_of_piece(piece, part);
        steps::add(found.unwrap_or(part.len()) + 2 * piece.len());
        Some(range.start + found? + piece.len())
    }
}

/// The place of the first occurrence of a piece. Linear, as few places are looked at one by one: to
/// prepare `memmem` for one path and one piece takes as long as that does.
#[inline]
fn place_of_piece(piece: &[u8], path: &[u8]) -> Option<usize> {
    let Some(first) = piece.first() else {
        return Some(0);
    };
    let mut from = 0;
    for _ in 0..FEW_PLACES {
        let rest = path.get(from..)?;
        let at = place_of(*first, rest)?;
        if starts_with(rest.get(at..)?, piece) {
            return Some(from + at);
        }
        from += at + 1;
    }
    Some(from + memmem::find(path.get(from..)?, piece)?)
}

/// The places of the first byte of a piece that are looked at one by one.
const FEW_PLACES: usize = 8;

/// Compares a pattern with a path. Linear in both.
pub(crate) fn matches(pattern: &[u8], escapes: Escapes, path: &[u8]) -> bool {
    let Some((start, last)) = split_last(pattern) else {
        return is_prefix_match(pattern, path);
    };
    let place = place_after(start, escapes, &path);
    place.is_some_and(|place| has_last(last, start, place, escapes, &path))
}

/// Splits a pattern at its last `*`: its start, which every path with its pieces in their order
/// has, and its last piece with the `$` after it.
#[inline]
pub(crate) fn split_last(pattern: &[u8]) -> Option<(&[u8], &[u8])> {
    let (start, last) = pattern.split_at_checked(memrchr(b'*', pattern)?)?;
    Some((start, last.get(1..)?))
}

/// The place in a path after the start of a pattern.
#[inline]
pub(crate) fn place_after(
    start: &[u8],
    escapes: Escapes,
    searched: &impl SearchedPath,
) -> Option<usize> {
    let head_len = place_of(b'*', start).unwrap_or(start.len());
    let (head, pieces) = start.split_at_checked(head_len)?;
    steps::add(1 + head_len);
    if !starts_with(searched.bytes(), head) {
        return None;
    }
    place_after_pieces(pieces, head, head_len, escapes, searched)
}

/// The place in a path after some pieces of a pattern. Its `start`, which is the part before them,
/// ends at `from`.
#[inline]
pub(crate) fn place_after_pieces(
    pieces: &[u8],
    start: &[u8],
    from: usize,
    escapes: Escapes,
    searched: &impl SearchedPath,
) -> Option<usize> {
    let all = searched.bytes().len();
    if pieces.is_empty() {
        return Some(from);
    }
    match escapes {
        Escapes::Settled => find_each(pieces, from, |piece, from| searched.find(piece, from..all)),
        Escapes::QueryDependent => {
            let mut readings = Readings::new(start, searched.query());
            find_each(pieces, from, |piece, from| {
                readings.find(searched, piece, from, End::Open)
            })
        }
    }
}

/// Whether the last piece of a pattern is in a path after the pattern's `start`, which ends at
/// `from`. With a `$` the path must end there too.
#[inline]
pub(crate) fn has_last(
    last: &[u8],
    start: &[u8],
    from: usize,
    escapes: Escapes,
    searched: &impl SearchedPath,
) -> bool {
    let (piece, end) = match last {
        [piece @ .., b'$'] => (piece, End::Anchored),
        _ => (last, End::Open),
    };
    let found = match escapes {
        Escapes::Settled => find(searched, piece, from..searched.bytes().len(), end),
        // The head has no `?`, which would have settled every escape, so it ends before the query.
        Escapes::QueryDependent => {
            Readings::new(start, searched.query()).find(searched, piece, from, end)
        }
    };
    found.is_some()
}

/// The place after the last of some pieces, each of them found after the one before.
#[inline]
fn find_each(
    pieces: &[u8],
    from: usize,
    mut find: impl FnMut(&[u8], usize) -> Option<usize>,
) -> Option<usize> {
    let (mut from, mut rest) = (from, pieces);
    // Between two stars is a piece that is anywhere.
    while let [first, after @ ..] = rest {
        if *first == b'*' {
            rest = after;
            continue;
        }
        let (piece, after) = rest.split_at_checked(place_of(b'*', rest).unwrap_or(rest.len()))?;
        (from, rest) = (find(piece, from)?, after);
    }
    Some(from)
}

#[derive(Clone, Copy)]
enum End {
    /// Anything may follow.
    Open,
    /// The pattern ends in `$`.
    Anchored,
}

/// The end of the first match of a piece within a range of the path; of an anchored piece, the end
/// of the path.
#[inline]
fn find(
    searched: &impl SearchedPath,
    piece: &[u8],
    range: Range<usize>,
    end: End,
) -> Option<usize> {
    match end {
        End::Open => searched.find(piece, range),
        End::Anchored => {
            let path = searched.bytes();
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
    /// Readings of the pieces after the start of a pattern.
    fn new(start: &[u8], query: usize) -> Readings {
        Readings {
            query,
            is_settled: memchr(b'?', start).is_some(),
            text: Vec::new(),
        }
    }

    /// The end of the first match of the next piece at `from` or later: one whose escapes end
    /// before the query, else one that starts in the query.
    fn find(
        &mut self,
        searched: &impl SearchedPath,
        piece: &[u8],
        from: usize,
        end: End,
    ) -> Option<usize> {
        let all = searched.bytes().len();
        // A hostile file has many pieces and few rules, so most pieces are searched on one side.
        let (open, settled) = self.split(piece);
        if open.is_empty() {
            return find(searched, piece, from..all, end);
        }
        if from < self.query {
            self.read(open, settled, Side::Path);
            let found = find(searched, &self.text, from..self.query + settled.len(), end);
            if found.is_some() {
                return found;
            }
        }
        if self.query == all {
            return None;
        }
        self.read(open, settled, Side::Query);
        find(searched, &self.text, from.max(self.query + 1)..all, end)
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

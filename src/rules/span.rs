//! Tier 2: the pieces between the runs of `*`, found left to right without backtracking.
//!
//! The leftmost place of each piece is exact: a later place leaves less of the path to the pieces
//! after it. Only the last piece of a pattern with `$` has a fixed place, and it is compared last,
//! as a suffix of the rest.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memmem};

use crate::compared_form::Escapes;
use crate::rules::pattern::{is_prefix_match, split_at_star};
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

/// The place of the first occurrence of a piece. It tries a few places one by one, which takes as
/// long as to prepare `memmem` for one path and one piece; then `memmem` keeps it linear.
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

/// The places of the first byte of a piece that are tried one by one.
const FEW_PLACES: usize = 8;

/// Compares a pattern with a path. Linear in both.
pub(crate) fn matches(pattern: &[u8], escapes: Escapes, path: &impl SearchedPath) -> bool {
    end_of_match(pattern, escapes, path).is_some()
}

/// The end of the shortest part of a path that a pattern matches.
fn end_of_match(pattern: &[u8], escapes: Escapes, path: &impl SearchedPath) -> Option<usize> {
    let (head, mut rest) = split_at_star(pattern);
    if rest.is_empty() {
        return is_prefix_match(pattern, path.bytes()).then_some(0);
    }
    steps::add(1 + head.len());
    if !starts_with(path.bytes(), head) {
        return None;
    }
    // The head of a pattern with query-dependent escapes has no `?`, which would have settled them.
    let mut readings = (escapes == Escapes::QueryDependent).then(|| Readings::new(path.query()));
    let mut find = |piece, from, end| match &mut readings {
        None => find(path, piece, from..path.bytes().len(), end),
        Some(readings) => readings.find(path, piece, from, end),
    };
    let mut place = head.len();
    loop {
        let (piece, after) = split_at_star(rest.get(1..)?);
        match (after, piece) {
            // `*` and `**` end anywhere.
            ([], [piece @ .., b'$']) => return find(piece, place, End::Anchored),
            ([], _) => return find(piece, place, End::Open),
            _ => (place, rest) = (find(piece, place, End::Open)?, after),
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
    fn new(query: usize) -> Readings {
        Readings {
            query,
            is_settled: false,
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

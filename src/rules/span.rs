//! Tier 2: the pieces between the runs of `*`, found left to right without backtracking.
//!
//! The leftmost place of each piece is exact: a later place leaves less of the path to the pieces
//! after it. Only the last piece of a pattern with `$` has a fixed place, and it is compared last,
//! as a suffix of the rest.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memmem};

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
        let found = memmem::find(part, piece);
        steps::add(found.unwrap_or(part.len()) + piece.len());
        Some(range.start + found? + piece.len())
    }
}

/// Compares a pattern with a path. Linear in both.
pub(crate) fn matches(pattern: &[u8], escapes: Escapes, path: &[u8]) -> bool {
    matches_in(pattern, escapes, &path)
}

/// Compares a pattern with a path in which its pieces are found in some other way.
pub(crate) fn matches_in(pattern: &[u8], escapes: Escapes, searched: &impl SearchedPath) -> bool {
    let path = searched.bytes();
    let (body, end) = match pattern {
        [body @ .., b'$'] => (body, End::Anchored),
        _ => (pattern, End::Open),
    };
    let Some(head_len) = place_of(b'*', body) else {
        return is_prefix_match(pattern, path);
    };
    let (head, pieces) = body.split_at_checked(head_len).unwrap_or_default();
    steps::add(1 + head_len);
    if !starts_with(path, head) {
        return false;
    }
    let pieces = pieces.get(1..).unwrap_or_default();
    match escapes {
        Escapes::Settled => matches_pieces(pieces, end, head_len, |piece, from, end| {
            find(searched, piece, from..path.len(), end)
        }),
        Escapes::QueryDependent => {
            // The head has no `?`, which would have settled every escape, so it ends before the
            // query.
            let mut readings = Readings::new(searched.query());
            matches_pieces(pieces, end, head_len, |piece, from, end| {
                readings.find(searched, piece, from, end)
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

//! Tier 2: the pieces between the runs of `*`, found left to right without backtracking.
//!
//! The leftmost place of each piece is exact: a later place leaves less of the path to the pieces
//! after it. Only the last piece of a pattern with `$` has a fixed place, and it is compared last,
//! as a suffix of the rest.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memmem};

use crate::rules::canonical::Escapes;
use crate::rules::pattern::is_prefix_match;
use crate::text::percent::{decode_first, encode};

/// Compares a pattern with a path. Linear in both.
pub(crate) fn matches(pattern: &[u8], escapes: Escapes, path: &[u8]) -> bool {
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
    match escapes {
        Escapes::Settled => matches_pieces(pieces, end, head_len, |piece, from, end| {
            find(path, piece, from..path.len(), end)
        }),
        Escapes::QueryDependent => {
            let query = memchr(b'?', path).unwrap_or(path.len());
            // The head has no `?`, which would have settled every escape, so it ends before the
            // query.
            let mut settled = false;
            matches_pieces(pieces, end, head_len, |piece, from, end| {
                Readings::of(piece, &mut settled).find(path, from, query, end)
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
fn find(path: &[u8], piece: &[u8], range: Range<usize>, end: End) -> Option<usize> {
    let part = path.get(range.start..range.end.min(path.len()))?;
    match end {
        End::Open => Some(range.start + memmem::find(part, piece)? + piece.len()),
        End::Anchored => {
            let is_suffix = path.len() <= range.end && part.ends_with(piece);
            is_suffix.then_some(path.len())
        }
    }
}

/// The text of one piece in the path and in the query.
///
/// No piece has a `?` before its last query-dependent escape, so all of these escapes lie on the
/// same side: either before the `?` of the path or after it.
struct Readings {
    /// The text with the escapes as they read in the path.
    in_path: Vec<u8>,
    /// The end of the last escape in `in_path`, which must not lie in the query; 0 if there is none.
    last_escape_end: usize,
    /// The text with the escapes as they read in the query.
    in_query: Vec<u8>,
}

impl Readings {
    /// Reads a piece. `settled` is whether this or an earlier piece had a `?`, after which every
    /// escape has one meaning.
    fn of(piece: &[u8], settled: &mut bool) -> Readings {
        let mut in_path = Vec::new();
        let mut in_query = Vec::new();
        let mut last_escape_end = 0;
        let mut rest = piece;
        while let (false, [first, after_first @ ..]) = (*settled, rest) {
            rest = match decode_first(rest) {
                Some((data @ (b'&' | b'=' | b'/' | b'?'), after)) => {
                    let (decoded, escaped) = match data {
                        b'&' | b'=' => (&mut in_path, &mut in_query),
                        _ => (&mut in_query, &mut in_path),
                    };
                    decoded.push(data);
                    escaped.extend(encode(data));
                    last_escape_end = in_path.len();
                    after
                }
                _ => {
                    *settled = *first == b'?';
                    in_path.push(*first);
                    in_query.push(*first);
                    after_first
                }
            };
        }
        in_path.extend_from_slice(rest);
        in_query.extend_from_slice(rest);
        Readings {
            in_path,
            last_escape_end,
            in_query,
        }
    }

    /// The end of the first match at `from` or later: one whose escapes end before the query, else
    /// one that starts in the query.
    fn find(&self, path: &[u8], from: usize, query: usize, end: End) -> Option<usize> {
        let last_end = query + (self.in_path.len() - self.last_escape_end);
        find(path, &self.in_path, from..last_end, end)
            .or_else(|| find(path, &self.in_query, from.max(query + 1)..path.len(), end))
    }
}

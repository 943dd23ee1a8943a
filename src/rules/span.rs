//! Tier 2: the pieces between the runs of `*`, found left to right without backtracking.
//!
//! The leftmost place of each piece is exact: a later place leaves less of the path to the pieces
//! after it. Only the last piece of a pattern with `$` has a fixed place, and it is compared last,
//! as a suffix of the rest.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::{memchr, memmem};

use crate::rules::canonical::Escapes;
use crate::rules::pattern::is_prefix_match;

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
    let Some(rest) = path.strip_prefix(head) else {
        return false;
    };
    let pieces = pieces.get(1..).unwrap_or_default();
    match escapes {
        Escapes::Settled => matches_pieces(pieces, end, rest),
        Escapes::QueryDependent => {
            let query = memchr(b'?', path).unwrap_or(path.len());
            // The head has no `?`, which would have settled every escape, so it ends before the
            // query.
            matches_readings(pieces, end, rest, query.saturating_sub(head_len))
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

/// Finds the pieces of a pattern without query-dependent escapes.
fn matches_pieces(pieces: &[u8], end: End, path: &[u8]) -> bool {
    let mut rest = path;
    let mut pieces = pieces.split(|byte| *byte == b'*');
    let last = pieces.next_back().unwrap_or_default();
    for piece in pieces {
        match find(rest, piece).and_then(|at| rest.get(at.saturating_add(piece.len())..)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    match end {
        End::Anchored => rest.ends_with(last),
        End::Open => find(rest, last).is_some(),
    }
}

/// Finds the pieces of a pattern with query-dependent escapes. Each piece has two readings: it is
/// searched first as it reads in the path, then as it reads in the query, which begins at `query`.
fn matches_readings(pieces: &[u8], end: End, path: &[u8], query: usize) -> bool {
    let mut at = 0_usize;
    let mut pieces = pieces.split(|byte| *byte == b'*');
    let last = pieces.next_back().unwrap_or_default();
    let mut settled = false;
    for piece in pieces {
        let readings = Readings::of(piece, &mut settled);
        match readings.find(path, at, query) {
            Some(after) => at = after,
            None => return false,
        }
    }
    let readings = Readings::of(last, &mut settled);
    match end {
        End::Open => readings.find(path, at, query).is_some(),
        End::Anchored => readings.is_suffix(path, at, query),
    }
}

/// The text of one piece in the path and in the query.
///
/// No piece has a `?` before its last query-dependent escape, so all of these escapes lie on the
/// same side: either before the `?` of the path or after it.
struct Readings<'p> {
    /// The text with the escapes as they read in the path.
    in_path: Cow<'p, [u8]>,
    /// The end of the last escape in `in_path`, which must not lie in the query.
    last_escape_end: usize,
    /// The text with the escapes as they read in the query. `None` without such an escape: then
    /// `in_path` holds for both sides.
    in_query: Option<Vec<u8>>,
}

impl<'p> Readings<'p> {
    /// Reads a piece. `settled` is whether this or an earlier piece had a `?`, after which every
    /// escape has one meaning.
    fn of(piece: &'p [u8], settled: &mut bool) -> Readings<'p> {
        let mut in_path = Vec::new();
        let mut in_query = Vec::new();
        let mut last_escape_end = 0;
        let mut rest = piece;
        while let (false, [byte, after @ ..]) = (*settled, rest) {
            let (escaped, reserved) = match rest {
                [b'%', b'2', b'F', ..] => (true, b'/'),
                [b'%', b'3', b'F', ..] => (true, b'?'),
                [b'%', b'2', b'6', ..] => (true, b'&'),
                [b'%', b'3', b'D', ..] => (true, b'='),
                _ => (false, *byte),
            };
            rest = if escaped {
                let (escape, after) = rest.split_at_checked(3).unwrap_or_default();
                let (data_in_path, data_in_query) = match reserved {
                    b'&' | b'=' => (&[reserved][..], escape),
                    _ => (escape, &[reserved][..]),
                };
                in_path.extend_from_slice(data_in_path);
                in_query.extend_from_slice(data_in_query);
                last_escape_end = in_path.len();
                after
            } else {
                *settled = reserved == b'?';
                in_path.push(reserved);
                in_query.push(reserved);
                after
            };
        }
        if last_escape_end == 0 {
            return Readings {
                in_path: Cow::Borrowed(piece),
                last_escape_end,
                in_query: None,
            };
        }
        in_path.extend_from_slice(rest);
        in_query.extend_from_slice(rest);
        Readings {
            in_path: Cow::Owned(in_path),
            last_escape_end,
            in_query: Some(in_query),
        }
    }

    /// The end of the first match that starts at `at` or later.
    fn find(&self, path: &[u8], at: usize, query: usize) -> Option<usize> {
        let find_between = |text: &[u8], from: usize, to: usize| {
            let start = from.saturating_add(find(path.get(from..to.min(path.len()))?, text)?);
            Some(start.saturating_add(text.len()))
        };
        let Some(in_query) = &self.in_query else {
            return find_between(&self.in_path, at, path.len());
        };
        let after_last_escape = self.in_path.len().saturating_sub(self.last_escape_end);
        find_between(&self.in_path, at, query.saturating_add(after_last_escape))
            .or_else(|| find_between(in_query, at.max(query.saturating_add(1)), path.len()))
    }

    /// Whether the path ends in the piece, no earlier than at `at`.
    fn is_suffix(&self, path: &[u8], at: usize, query: usize) -> bool {
        let suffix_start = |text: &[u8], from: usize| {
            let is_suffix = path.get(from..).is_some_and(|rest| rest.ends_with(text));
            is_suffix.then(|| path.len().saturating_sub(text.len()))
        };
        let Some(in_query) = &self.in_query else {
            return suffix_start(&self.in_path, at).is_some();
        };
        suffix_start(&self.in_path, at)
            .is_some_and(|start| start.saturating_add(self.last_escape_end) <= query)
            || suffix_start(in_query, at.max(query.saturating_add(1))).is_some()
    }
}

fn find(path: &[u8], piece: &[u8]) -> Option<usize> {
    memmem::find(path, piece)
}

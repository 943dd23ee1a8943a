//! The line of a file around a place.

use std::ops::Range;

use crate::proposal::{Effect, Proposal, with_line_end};

/// The line that holds this place, without its end.
pub(crate) fn line_at(file: &[u8], at: usize) -> Range<usize> {
    let (before, after) = file.split_at_checked(at).unwrap_or((file, b""));
    let start = memchr::memrchr2(b'\n', b'\r', before);
    let len = memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len());
    start.map_or(0, |end| end.saturating_add(1))..at.saturating_add(len).min(file.len())
}

/// The file without the lines that hold these places, of which no two are on one line; `None` if
/// there are no places.
pub(crate) fn without_lines(
    file: &[u8],
    places: impl IntoIterator<Item = usize>,
) -> Option<Proposal> {
    let whole = |at: usize| with_line_end(file, line_at(file, at));
    Proposal::of(
        places.into_iter().map(|at| (whole(at), "")),
        Effect::Answers,
    )
}

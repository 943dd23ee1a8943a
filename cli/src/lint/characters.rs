//! Any bytes as characters.

use std::ops::Range;

/// A character with its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Character<'a> {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Text(char),
    /// Bytes that are not UTF-8: as many as one U+FFFD replaces.
    Other(&'a [u8]),
}

pub(super) fn characters(bytes: &[u8]) -> impl Iterator<Item = Character<'_>> {
    let mut end = 0_usize;
    bytes
        .utf8_chunks()
        .flat_map(|chunk| {
            let other = Some(chunk.invalid()).filter(|bytes| !bytes.is_empty());
            chunk
                .valid()
                .chars()
                .map(Kind::Text)
                .chain(other.map(Kind::Other))
        })
        .map(move |kind| {
            let start = end;
            end = end.saturating_add(match kind {
                Kind::Text(character) => character.len_utf8(),
                Kind::Other(bytes) => bytes.len(),
            });
            Character {
                span: start..end,
                kind,
            }
        })
}

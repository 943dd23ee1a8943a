//! Many patterns compared with one path: where their pieces occur in it.
//!
//! A pattern with a `*` walks over the path once. A real file has few of them that come so far; a
//! hostile one has a hundred thousand, and for these the path gets an index, in which a piece is
//! found in a time that hardly depends on the length of the path. Nothing else knows about it.

pub(crate) mod suffixes;
pub(crate) mod wavelet;

use crate::rules::path_index::suffixes::Suffixes;
use crate::rules::pattern::Tier;
use crate::rules::patterns::{Pattern, Patterns};
use crate::rules::span;
use crate::rules::steps;

/// A path in the form of a dialect with which many patterns are compared.
#[derive(Debug)]
pub(crate) struct IndexedPath<'p> {
    path: &'p [u8],
    /// The bytes of the path that patterns walked over, each counted once for each pattern.
    walked: usize,
    suffixes: Option<Suffixes<'p>>,
}

impl<'p> IndexedPath<'p> {
    pub(crate) fn new(path: &'p [u8]) -> IndexedPath<'p> {
        IndexedPath {
            path,
            walked: 0,
            suffixes: None,
        }
    }

    /// Compares a pattern with the path, as [`Patterns::is_match`] does.
    pub(crate) fn is_match(&mut self, patterns: &Patterns, pattern: Pattern) -> bool {
        steps::add(1);
        if pattern.tier == Tier::Prefix {
            return patterns.is_match(pattern, self.path);
        }
        // Not for the first pattern, however long it is: one walk is linear.
        if self.walked > MOST_WALKED && self.suffixes.is_none() {
            self.suffixes = Suffixes::new(self.path);
        }
        // Each pattern is charged for its own bytes too: a file of long ones has few.
        let cost = self.path.len().saturating_add(pattern.len as usize);
        self.walked = self.walked.saturating_add(cost);
        match &self.suffixes {
            None => patterns.is_match(pattern, self.path),
            Some(suffixes) => span::matches_in(patterns.bytes(pattern), pattern.escapes, suffixes),
        }
    }
}

/// The bytes that patterns walk over before the path gets its index, which takes as long to make as
/// some ten of the slowest walks.
const MOST_WALKED: usize = 1 << 18;

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use core::ops::Range;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::compared_form::push_pattern;
    use crate::options::Dialect;
    use crate::rules::span::{matches, matches_in};

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
                let indexed = matches_in(&pattern, escapes, &Suffixes::new(path).unwrap());
                prop_assert_eq!(plain, indexed, "{} {:?}", value, path);
            }
        }
    }
}

//! Many patterns compared with one path: where their pieces occur in it.
//!
//! A comparison of a pattern with a `*` walks over the path once. In a real file few patterns get
//! that far; in a hostile one a hundred thousand do. For these the path gets an index, which finds
//! a piece in a time that hardly depends on the length of the path. No other module knows of it.

pub(crate) mod suffixes;
pub(crate) mod wavelet;

use alloc::boxed::Box;

use crate::rules::path_index::suffixes::Suffixes;
use crate::rules::patterns::{Pattern, Patterns};
use crate::rules::span;
use crate::rules::steps;

/// A path in the form of a dialect with which many patterns are compared.
#[derive(Debug)]
pub(crate) struct IndexedPath<'p> {
    path: &'p [u8],
    /// The bytes of the path that patterns walked over, each counted once for each pattern.
    walked: usize,
    suffixes: Option<Box<Suffixes<'p>>>,
}

impl<'p> IndexedPath<'p> {
    #[inline]
    pub(crate) fn new(path: &'p [u8]) -> IndexedPath<'p> {
        IndexedPath {
            path,
            walked: 0,
            suffixes: None,
        }
    }

    /// Compares a pattern with the path, as [`Patterns::is_match`] does.
    #[inline]
    pub(crate) fn is_match(&mut self, patterns: &Patterns, pattern: Pattern) -> bool {
        steps::add(1);
        if !pattern.form.has_wildcard() {
            return patterns.is_match(pattern, self.path);
        }
        // Each pattern is charged for its own bytes too: a file of long ones has few.
        let cost = self.path.len().saturating_add(pattern.len as usize);
        let walked = self.walked;
        self.walked = walked.saturating_add(cost);
        // Not for the first pattern, however long it is: one walk is linear.
        if walked > MOST_WALKED {
            return self.is_match_by_index(patterns, pattern);
        }
        patterns.is_match(pattern, self.path)
    }

    #[cold]
    #[inline(never)]
    fn is_match_by_index(&mut self, patterns: &Patterns, pattern: Pattern) -> bool {
        if self.suffixes.is_none() {
            self.suffixes = Suffixes::new(self.path).map(Box::new);
        }
        match &self.suffixes {
            Some(suffixes) => {
                span::matches(patterns.bytes(pattern), pattern.form.escapes(), &**suffixes)
            }
            None => patterns.is_match(pattern, self.path),
        }
    }
}

/// Lets a path without an index, as nearly every one, be dropped without a call.
impl Drop for IndexedPath<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.suffixes.is_some() {
            drop_suffixes(self.suffixes.take());
        }
    }
}

#[cold]
#[inline(never)]
fn drop_suffixes(suffixes: Option<Box<Suffixes<'_>>>) {
    drop(suffixes);
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
    use crate::options::Dialect;

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

    #[test]
    fn a_path_gets_its_index_after_many_walks() {
        let mut patterns = Patterns::new(Dialect::Rfc9309);
        let pattern = patterns.push(b"/*bbbbbb").unwrap();
        patterns.finish([pattern].into_iter());
        let path = [b'a'; 1024 - 8];
        let mut indexed = IndexedPath::new(&path);
        // A walk counts 1024 bytes, and the first one needs no index in any case.
        for _ in 0..=MOST_WALKED / 1024 {
            indexed.is_match(&patterns, pattern);
            assert!(indexed.suffixes.is_none(), "{}", indexed.walked);
        }
        indexed.is_match(&patterns, pattern);
        assert!(indexed.suffixes.is_some());
        assert_eq!(MOST_WALKED / 1024, 256);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        /// An index of the path changes no answer, whatever the escapes mean, and whatever pattern
        /// was compared before. Some paths have more places of a piece than are looked through one
        /// by one.
        #[test]
        fn an_index_changes_no_answer(
            value in texts(1..10),
            ends in vec(texts(0..3), 1..4),
            fills in vec(texts(0..4), 1..4),
            path in texts(0..12),
            times in select(&[1_usize, 1, 2, 60][..]),
            has_nul: bool,
        ) {
            let mut patterns = Patterns::new(Dialect::Rfc9309);
            let values = ends.iter().map(|end| alloc::format!("*{value}{end}"));
            let pushed: Vec<Pattern> = values.filter_map(|value| patterns.push(value.as_bytes())).collect();
            patterns.finish(pushed.iter().copied());
            let mut fill = fills.iter().cycle();
            let pieces = value.split('*').map(|piece| alloc::format!("{}{piece}", fill.next().map_or("", |fill| fill)));
            let alike = pieces.collect::<alloc::string::String>();
            for path in [&path, &alike] {
                let mut path = alloc::format!("/{}", path.repeat(times).replace(['*', '$'], "c"));
                if has_nul {
                    path = path.replace('b', "\0");
                }
                let mut indexed = IndexedPath::new(path.as_bytes());
                indexed.walked = usize::MAX;
                for pattern in &pushed {
                    let plain = patterns.is_match(*pattern, path.as_bytes());
                    let found = indexed.is_match(&patterns, *pattern);
                    prop_assert_eq!(plain, found, "{} {:?} {:?}", value, ends, path);
                }
            }
        }
    }
}

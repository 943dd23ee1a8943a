//! Tier 3: a regex for patterns with very many runs of `*`, and beside the span walker an independent judge in tests.

use alloc::string::String;
use alloc::vec::Vec;

use ::regex::bytes::{Regex, RegexBuilder};

use crate::rules::lazy::Lazy;

/// The regexes of a rule set, by where their patterns start. Each is built when its rule is first compared.
#[derive(Debug, Default)]
pub(crate) struct Regexes {
    built: Vec<(u32, Lazy<Option<Regex>>)>,
}

impl Regexes {
    /// `patterns` come with where they start, in that order. Those after the first few have no regex.
    pub(crate) fn new<'p>(patterns: impl Iterator<Item = (u32, &'p str)>) -> Regexes {
        Regexes {
            built: patterns
                .take(MOST_REGEXES)
                .map(|(start, pattern)| (start, Lazy::new(|| compile(pattern))))
                .collect(),
        }
    }

    /// `None` for a pattern that is too large for a regex.
    pub(crate) fn get<'p>(&self, start: u32, pattern: impl FnOnce() -> &'p str) -> Option<&Regex> {
        let at = self
            .built
            .binary_search_by_key(&start, |(start, _)| *start)
            .ok()?;
        let (_, regex) = self.built.get(at)?;
        regex.get(|| compile(pattern())).as_ref()
    }
}

/// `None` when the compiled form would exceed [`SIZE_LIMIT`]; the pattern then stays with the span walker, so that
/// no rule is ever lost.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    let (body, end) = match pattern.strip_suffix('$') {
        Some(body) => (body, r"\z"),
        None => (pattern, ""),
    };
    let mut expression = String::from(r"\A");
    let mut pieces = body.split('*');
    expression.push_str(&::regex::escape(pieces.next().unwrap_or_default()));
    let mut is_open = false;
    for piece in pieces {
        if !is_open {
            expression.push_str(".*?");
        }
        // `**` is one wildcard.
        is_open = piece.is_empty();
        expression.push_str(&::regex::escape(piece));
    }
    expression.push_str(end);
    RegexBuilder::new(&expression)
        .unicode(false)
        .dot_matches_new_line(true)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(CACHE_LIMIT)
        .build()
        .ok()
}

/// Bytes of one compiled pattern, several times what the ladder lets through. Building one takes 60 to 130 µs; then a
/// path of 2,000 bytes that repeats itself takes 0.1 to 3.5 µs where the span walker takes 1.3 to 3.
const SIZE_LIMIT: usize = 32 << 10;

/// Bytes of the states that a regex remembers while it runs: with less it forgets as fast as it learns.
const CACHE_LIMIT: usize = 512 << 10;

/// Of one rule set, so that the first check of a hostile file stays near a millisecond.
const MOST_REGEXES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern without its regex is compared by the span walker, so that no verdict shows the difference.
    #[test]
    fn the_first_few_patterns_get_a_regex() {
        let patterns = ["/a*b", "/a**b$", "/c*", "/d*", "/e*"];
        let regexes = Regexes::new((0..).step_by(10).zip(patterns));
        let get = |start, pattern| regexes.get(start, || pattern);
        assert!(get(0, "/a*b").is_some_and(|regex| regex.is_match(b"/a\nbc")));
        assert!(get(10, "/a**b$").is_some_and(|regex| !regex.is_match(b"/abc")));
        assert!(get(30, "/d*").is_some());
        assert!(get(40, "/e*").is_none());
        assert!(get(5, "/a*b").is_none());
    }

    #[test]
    fn a_pattern_that_is_too_large_gets_none() {
        assert!(compile(&"/*a".repeat(100)).is_some());
        assert!(compile(&"/*a".repeat(1_000)).is_none());
    }
}

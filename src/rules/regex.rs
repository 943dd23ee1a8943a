//! Tier 3: a regex for patterns with very many runs of `*`, and in tests an independent judge of
//! the span walker.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use ::regex::bytes::{Regex, RegexBuilder};

use crate::rules::lazy::{FromSource, Lazy};
use crate::rules::steps;

/// The regexes of some patterns, by the starts of the patterns. Each is built when its pattern is
/// first compared.
#[derive(Debug, Default)]
pub(crate) struct Regexes {
    built: Box<[(u32, Lazy<Option<Regex>>)]>,
}

impl Regexes {
    /// Takes the patterns with their starts, in ascending order. All but the first few go without a
    /// regex.
    pub(crate) fn new<'p>(patterns: impl Iterator<Item = (u32, &'p [u8])>) -> Regexes {
        Regexes {
            built: patterns
                .take(MOST_REGEXES)
                .map(|(start, pattern)| (start, Lazy::new(pattern)))
                .collect(),
        }
    }

    /// Compares the pattern that starts there with a path; `None` if the pattern has no regex, or
    /// the path is too long for one.
    pub(crate) fn is_match(&self, start: u32, pattern: &[u8], path: &[u8]) -> Option<bool> {
        let at = self.built.binary_search_by_key(&start, |(start, _)| *start);
        let (_, regex) = self.built.get(at.ok()?)?;
        let regex = regex.get(pattern).as_ref();
        steps::add(path.len().min(LONGEST_PATH) * pattern.len());
        let regex = regex.filter(|_| path.len() <= LONGEST_PATH)?;
        Some(regex.is_match(path))
    }
}

/// `None` when the compiled form would exceed [`SIZE_LIMIT`]; the pattern then stays with the span
/// walker, so no rule is ever lost.
impl FromSource<[u8]> for Option<Regex> {
    fn from_source(pattern: &[u8]) -> Option<Regex> {
        let (body, end) = match pattern.strip_suffix(b"$") {
            Some(body) => (body, r"\z"),
            None => (pattern, ""),
        };
        let mut body = body.to_vec();
        // `**` is one wildcard.
        body.dedup_by(|byte, before| (*byte, *before) == (b'*', b'*'));
        // A pattern in compared form is ASCII.
        let pieces = core::str::from_utf8(&body).ok()?.split('*');
        let pieces: Vec<String> = pieces.map(::regex::escape).collect();
        let expression = alloc::format!(r"\A{}{end}", pieces.join(".*?"));
        RegexBuilder::new(&expression)
            .unicode(false)
            .dot_matches_new_line(true)
            .size_limit(SIZE_LIMIT)
            .build()
            .ok()
    }
}

/// The most bytes of one compiled pattern, several times the size of any that the tier takes.
const SIZE_LIMIT: usize = 32 << 10;

/// The longest path that is compared with a regex. Without the lazy DFA of the crate, which adds
/// 120 kB to a program, a regex takes some 20,000 instructions for each byte: that is linear, but
/// 500 million for a path of 24 KiB.
const LONGEST_PATH: usize = 256;

/// The most regexes of one rule set, so that the first check of a hostile file stays near a
/// millisecond.
const MOST_REGEXES: usize = 4;

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::compared_form::{Escapes, push_pattern};
    use crate::options::Dialect;
    use crate::rules::span;

    const PARTS: &[&str] = &[
        "/", "a", "b", "ab", "?", "=", ".", "\\", "(", "%2F", "%41", "%",
    ];

    fn texts(parts: usize) -> impl Strategy<Value = String> {
        vec(select(PARTS), 0..parts).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

        /// Two walkers that share no code agree on patterns of every shape, also on those of the
        /// other tiers.
        #[test]
        fn the_regex_equals_the_span_walker(
            pieces in vec(texts(3), 1..6),
            is_anchored: bool,
            path in vec(prop_oneof![8 => texts(4), 1 => Just("\n".into()), 1 => Just("\u{e9}".into())], 0..6),
            google: bool,
        ) {
            let dialect = if google { Dialect::Google } else { Dialect::Rfc9309 };
            let value = alloc::format!("/{}{}", pieces.join("*"), if is_anchored { "$" } else { "" });
            let mut pattern = Vec::new();
            let escapes = push_pattern(&mut pattern, value.as_bytes(), dialect);
            // The regex has one reading of an escape.
            prop_assume!(escapes == Escapes::Settled);
            // Half of the paths are made from the pattern, so that many match.
            let random = alloc::format!("/{}", path.concat());
            let alike = alloc::format!("/{}", pieces.join(path.first().map_or("", |fill| fill)));
            let regex = Option::<Regex>::from_source(&pattern).unwrap();
            for path in [random.as_bytes(), alike.as_bytes()] {
                prop_assert_eq!(regex.is_match(path), span::matches(&pattern, escapes, &path), "{} {:?}", value, path);
            }
        }
    }

    /// A pattern without its regex is compared by the span walker, so no verdict shows the
    /// difference.
    #[test]
    fn the_first_few_patterns_get_a_regex() {
        let patterns: [&[u8]; 5] = [b"/a*b", b"/a**b$", b"/c*", b"/d*", b"/e*"];
        let regexes = Regexes::new((0..).step_by(10).zip(patterns));
        let is_match =
            |start, pattern: &str, path: &[u8]| regexes.is_match(start, pattern.as_bytes(), path);
        assert_eq!(is_match(0, "/a*b", b"/a\nbc"), Some(true));
        assert_eq!(is_match(10, "/a**b$", b"/abc"), Some(false));
        assert_eq!(is_match(30, "/d*", b"/d"), Some(true));
        assert_eq!(is_match(40, "/e*", b"/e"), None);
        assert_eq!(is_match(5, "/a*b", b"/ab"), None);
        let long = [b"/d", &[b'a'; LONGEST_PATH - 2][..]].concat();
        assert_eq!(is_match(30, "/d*", &long), Some(true));
        assert_eq!(is_match(30, "/d*", &[&long, &b"a"[..]].concat()), None);
    }

    #[test]
    fn a_pattern_that_is_too_large_gets_none() {
        let regex = |pieces: usize| Option::<Regex>::from_source("/*a".repeat(pieces).as_bytes());
        assert!(regex(100).is_some());
        assert!(regex(1_000).is_none());
    }
}

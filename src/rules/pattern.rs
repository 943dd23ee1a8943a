//! One pattern: which tier compares it, and the comparison of the lowest tier.

use crate::compared_form::Escapes;
use crate::text::byte_class::Classes;
use crate::text::bytes::{place_of, starts_with};

/// How the pattern of a rule is compared with a path. All tiers give the same answer; they differ
/// in cost.
///
/// ```
/// use polite_robots::{Robot, Tier};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /tmp/\nDisallow: /*.php$")?;
/// let tiers: Vec<Tier> = robot.rules().map(|rule| rule.tier()).collect();
/// assert_eq!(tiers, [Tier::Span, Tier::Prefix]);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// If and only if the pattern has no `*`: it is a prefix of the path, or with a final `$` the
    /// whole path. One comparison.
    Prefix,
    /// If and only if the pattern has a `*` and is not for [`Tier::Regex`]: the pieces between the
    /// wildcards are found left to right. Linear in the path.
    Span,
    /// If and only if the pattern has more than 32 runs of `*` in at most 128 bytes, the feature
    /// `regex` is on, and no escape in the pattern changes its meaning when the wildcard before it
    /// runs into the query. Linear in the path. The regex is built on first use. The first four
    /// such patterns of an agent get one, for paths of up to 256 bytes; the rest is compared as in
    /// [`Tier::Span`].
    Regex,
}

/// How a pattern is compared: its tier, its escapes, and the classes of bytes that a path has if
/// the pattern matches. In one word, as a crawler keeps the rules of a million sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form(u32);

impl Form {
    const WILDCARD: u32 = Classes::STAR.lower();
    const QUERY_DEPENDENT: u32 = Classes::OTHER.lower();
    const REGEX: u32 = Classes::UNUSED.lower();

    /// Takes a pattern in compared form, which has bytes of these classes.
    #[inline]
    pub(crate) fn new(pattern: &[u8], classes: Classes, escapes: Escapes) -> Form {
        match escapes {
            // An escape may mean one byte. It needs the place where the query begins, which a regex
            // does not know: `/*%26` matches `/a&` and not `/?&`.
            Escapes::QueryDependent => Form(Form::WILDCARD | Form::QUERY_DEPENDENT),
            Escapes::Settled => {
                let is_for_regex = classes.has(Classes::STAR) && is_for_regex(pattern);
                let regex = if is_for_regex { Form::REGEX } else { 0 };
                Form(classes.lower() & !Form::QUERY_DEPENDENT | regex)
            }
        }
    }

    #[inline(always)]
    pub(crate) fn has_wildcard(self) -> bool {
        self.has(Form::WILDCARD)
    }

    #[inline(always)]
    pub(crate) fn tier(self) -> Tier {
        match self.has_wildcard() {
            false => Tier::Prefix,
            true if self.has(Form::REGEX) => Tier::Regex,
            true => Tier::Span,
        }
    }

    #[inline(always)]
    pub(crate) fn escapes(self) -> Escapes {
        match self.has(Form::QUERY_DEPENDENT) {
            true => Escapes::QueryDependent,
            false => Escapes::Settled,
        }
    }

    /// Whether the pattern may match a path that has no byte of some classes, all of them in
    /// [`Classes::LITERAL`].
    #[inline(always)]
    pub(crate) fn may_match(self, lacking: Classes) -> bool {
        !self.has(lacking.lower())
    }

    #[inline(always)]
    fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }
}

fn is_for_regex(pattern: &[u8]) -> bool {
    cfg!(feature = "regex")
        && (SPAN_LIMIT..=REGEX_BYTES).contains(&pattern.len())
        && wildcard_runs(pattern) > SPAN_LIMIT
}

/// Compares a pattern without `*`, the work of [`Tier::Prefix`]: a prefix of the path, or with a
/// final `$` the whole path.
#[inline]
pub(crate) fn is_prefix_match(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [whole @ .., b'$'] => path == whole,
        _ => starts_with(path, pattern),
    }
}

/// The literal prefix of a pattern, which begins every path that it matches.
#[inline]
pub(crate) fn head(pattern: &[u8], form: Form) -> &[u8] {
    match form.has_wildcard() {
        true => split_at_star(pattern).0,
        false => pattern.strip_suffix(b"$").unwrap_or(pattern),
    }
}

/// Splits a text before its first `*`, or after its last byte.
#[inline]
pub(crate) fn split_at_star(text: &[u8]) -> (&[u8], &[u8]) {
    let star = place_of(b'*', text).unwrap_or(text.len());
    text.split_at_checked(star).unwrap_or_default()
}

fn wildcard_runs(pattern: &[u8]) -> usize {
    memchr::memchr_iter(b'*', pattern)
        .filter(|at| at.checked_sub(1).and_then(|before| pattern.get(before)) != Some(&b'*'))
        .count()
}

/// Above anything common in real files, whose patterns have 8 runs at most: none of the 305,331
/// rules of two corpora is for a regex.
const SPAN_LIMIT: usize = 32;

/// The longest pattern that gets a regex, whose cost for each byte of a path is that of its states.
const REGEX_BYTES: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compared_form::push_pattern;
    use crate::options::Dialect;

    /// The tiers answer alike, so no verdict shows which one was chosen.
    #[test]
    fn each_tier_takes_the_patterns_that_its_docs_name() {
        let with =
            |pattern: &[u8], escapes| Form::new(pattern, Classes::of(pattern), escapes).tier();
        let tier = |value: &str| {
            let mut pattern = alloc::vec::Vec::new();
            let escapes = push_pattern(&mut pattern, value.as_bytes(), Dialect::Rfc9309);
            with(&pattern, escapes)
        };
        let many = if cfg!(feature = "regex") {
            Tier::Regex
        } else {
            Tier::Span
        };
        let runs = |count: usize| alloc::format!("/{}", "*a".repeat(count));
        for (value, expected) in [
            ("/a", Tier::Prefix),
            ("/a$", Tier::Prefix),
            ("/a*b", Tier::Span),
            (&runs(SPAN_LIMIT), Tier::Span),
            (&runs(SPAN_LIMIT + 1), many),
            // A run of stars counts once.
            (
                &alloc::format!("/*{}", runs(SPAN_LIMIT).trim_start_matches('/')),
                Tier::Span,
            ),
            (&alloc::format!("/{}", "**a".repeat(20)), Tier::Span),
            (&alloc::format!("/{}", "**a".repeat(SPAN_LIMIT + 1)), many),
            (&runs((REGEX_BYTES - 1) / 2), many),
            (&alloc::format!("{}a", runs((REGEX_BYTES - 1) / 2)), many),
            (&runs(REGEX_BYTES / 2), Tier::Span),
        ] {
            assert_eq!(tier(value), expected, "{value}");
        }
        let runs = runs(SPAN_LIMIT + 1);
        assert_eq!(with(runs.as_bytes(), Escapes::Settled), many);
        assert_eq!(with(runs.as_bytes(), Escapes::QueryDependent), Tier::Span);
    }

    #[test]
    fn a_pattern_without_wildcards_is_a_prefix_or_the_whole_path() {
        assert!(is_prefix_match(b"/a", b"/a") && is_prefix_match(b"/a", b"/ab"));
        assert!(!is_prefix_match(b"/ab", b"/a"));
        assert!(is_prefix_match(b"/a$", b"/a") && !is_prefix_match(b"/a$", b"/ab"));
        assert!(is_prefix_match(b"", b"/") && !is_prefix_match(b"$", b"/"));
    }

    #[test]
    fn the_head_ends_at_the_first_wildcard() {
        for (pattern, expected) in [(&b"/a$"[..], &b"/a"[..]), (b"/a*b$", b"/a"), (b"*b", b"")] {
            let form = Form::new(pattern, Classes::of(pattern), Escapes::Settled);
            assert_eq!(head(pattern, form), expected);
        }
    }
}

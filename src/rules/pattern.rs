//! The ladder: which tier compares a pattern, and the comparison.

use crate::options::Dialect;
use crate::rules::canonical::{Escapes, push_pattern};
use crate::rules::prefix;
use crate::rules::span;
use crate::target::Target;

/// How a rule's pattern is compared with a path. All tiers give the same answer; they differ in cost.
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
pub enum Tier {
    /// If and only if the pattern holds no `*`: a prefix of the path, or with a last `$` the whole path. One
    /// comparison.
    Prefix,
    /// If and only if the pattern holds `*` and is not for [`Tier::Regex`]: its pieces are found left to right.
    /// Linear in the path.
    Span,
    /// If and only if the pattern holds more than 32 runs of `*` in at most 128 bytes, the feature `regex` is on, and
    /// no escape in it depends on whether the wildcard before it runs into the query. Linear in the path. The regex is
    /// built on first use; all but the first four such patterns of an agent are compared as in [`Tier::Span`].
    Regex,
}

impl Tier {
    /// The lowest rung that takes the pattern, which is in compared form.
    pub(crate) fn of(pattern: &[u8], escapes: Escapes) -> Tier {
        // Counting stars takes a few instructions, and only a pattern with very many is looked at again.
        let stars = pattern.iter().filter(|byte| **byte == b'*').count();
        let is_for_regex = || {
            escapes == Escapes::Settled
                && pattern.len() <= REGEX_BYTES
                && wildcard_runs(pattern) > SPAN_LIMIT
        };
        if stars == 0 {
            Tier::Prefix
        } else if cfg!(feature = "regex") && stars > SPAN_LIMIT && is_for_regex() {
            Tier::Regex
        } else {
            Tier::Span
        }
    }
}

/// The literal start of a pattern, which every match begins with, and the rest of it, without the end anchor.
pub(crate) fn split_head(pattern: &[u8], tier: Tier) -> (&[u8], &[u8]) {
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let end = match tier {
        Tier::Prefix => body.len(),
        Tier::Span | Tier::Regex => memchr::memchr(b'*', body).unwrap_or(body.len()),
    };
    body.split_at_checked(end).unwrap_or_default()
}

fn wildcard_runs(pattern: &[u8]) -> usize {
    memchr::memchr_iter(b'*', pattern)
        .filter(|at| at.checked_sub(1).and_then(|before| pattern.get(before)) != Some(&b'*'))
        .count()
}

/// Compares in one tier, whether or not the ladder would choose it. `None`: that tier cannot take the pattern.
/// For tests and fuzz targets, which hold the tiers against each other; not part of the public contract.
#[doc(hidden)]
#[must_use]
pub fn matches_in_tier(tier: Tier, value: &[u8], url: &str, dialect: Dialect) -> Option<bool> {
    let mut pattern = alloc::vec::Vec::new();
    let escapes = push_pattern(&mut pattern, value, dialect);
    let target = Target::from(url);
    let path = target.path(dialect);
    match tier {
        Tier::Prefix => (wildcard_runs(&pattern) == 0).then(|| prefix::matches(&pattern, &path)),
        Tier::Span => Some(span::matches(&pattern, escapes, &path)),
        #[cfg(feature = "regex")]
        Tier::Regex if escapes == Escapes::Settled => {
            let regex = crate::rules::regex::compile(core::str::from_utf8(&pattern).ok()?)?;
            Some(regex.is_match(&path))
        }
        Tier::Regex => None,
    }
}

/// Above anything common in real files, whose patterns have 8 runs at most. A regex of 33 runs takes 60 µs to build and
/// saves 1 µs for a path of 2,000 bytes, half of that for one of 60: below it would hardly ever pay.
const SPAN_LIMIT: usize = 32;

/// On 4 KiB of random `a` and `b`, a pattern of such takes the regex 10 µs and the span walker 3; at 242 bytes a first
/// path takes the regex 970 µs, at 720 bytes every path 9 ms. On paths that repeat themselves the regex is the faster.
const REGEX_BYTES: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    /// The tiers answer alike, so that no verdict shows which one was chosen.
    #[test]
    fn each_tier_takes_what_it_says() {
        let tier = |value: &str| {
            let mut pattern = alloc::vec::Vec::new();
            let escapes = push_pattern(&mut pattern, value.as_bytes(), Dialect::Rfc9309);
            Tier::of(&pattern, escapes)
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
        assert_eq!(
            Tier::of(runs(SPAN_LIMIT + 1).as_bytes(), Escapes::Settled),
            many
        );
        let by_query = Escapes::QueryDependent;
        assert_eq!(
            Tier::of(runs(SPAN_LIMIT + 1).as_bytes(), by_query),
            Tier::Span
        );
    }

    #[test]
    fn every_tier_can_be_asked_for() {
        let ask =
            |tier, value: &str, url| matches_in_tier(tier, value.as_bytes(), url, Dialect::Rfc9309);
        assert_eq!(ask(Tier::Prefix, "/a", "/ab"), Some(true));
        assert_eq!(ask(Tier::Prefix, "/a$", "/ab"), Some(false));
        assert_eq!(ask(Tier::Prefix, "/a*", "/ab"), None);
        assert_eq!(ask(Tier::Span, "/a*b", "/ab"), Some(true));
        let regex = |answer| cfg!(feature = "regex").then_some(answer);
        assert_eq!(ask(Tier::Regex, "/a**b$", "/a.b"), regex(true));
        assert_eq!(ask(Tier::Regex, "/a**b$", "/a.bc"), regex(false));
    }
}

//! Path patterns without a robots.txt around them.
//!
//! Records other than rules have paths too, and a program may have patterns of its own. They are
//! compared as the patterns of rules are, with the same promise: no pattern is compared with
//! backtracking, and many of them take no longer than the rules of a file.
//!
//! ```
//! use polite_robots::pattern::Pattern;
//!
//! let archives = Pattern::new("/downloads/*.zip$").unwrap();
//! assert!(archives.matches("https://example.com/downloads/2026/data.zip"));
//! assert!(!archives.matches("https://example.com/downloads/data.zip?mirror=2"));
//! ```

use alloc::vec::Vec;
use core::fmt;

use crate::options::Dialect;
use crate::rules::path_index::IndexedPath;
use crate::rules::patterns::{Pattern as Compiled, Patterns};
use crate::target::Target;

/// A path pattern (RFC 9309 §2.2.3): `*` stands for any bytes, and a `$` at the end for the end of
/// the path.
///
/// ```
/// use polite_robots::pattern::Pattern;
///
/// let pattern = Pattern::new("/café/*?page=").unwrap();
/// assert!(pattern.matches("https://example.com/caf%C3%A9/menu?page=2"));
/// assert_eq!(pattern.to_string(), "/caf%C3%A9/*?page=");
/// // Every path begins with `/`.
/// assert!(Pattern::new("menu").is_none());
/// ```
#[derive(Debug)]
pub struct Pattern {
    set: PatternSet,
}

impl Pattern {
    /// Reads a pattern in the default dialect, as the value of a line: without blanks around it,
    /// and up to a `#`. `None` for a text that matches nothing, since it begins with neither `/`
    /// nor `*`.
    #[must_use]
    pub fn new(text: impl AsRef<[u8]>) -> Option<Pattern> {
        Pattern::in_dialect(text, Dialect::Rfc9309)
    }

    /// Reads a pattern in a given dialect.
    ///
    /// ```
    /// use polite_robots::Dialect;
    /// use polite_robots::pattern::Pattern;
    ///
    /// // Google's matcher does not decode escapes.
    /// let pattern = Pattern::in_dialect("/%61", Dialect::Google).unwrap();
    /// assert!(!pattern.matches("/a"));
    /// ```
    #[must_use]
    pub fn in_dialect(text: impl AsRef<[u8]>, dialect: Dialect) -> Option<Pattern> {
        let set = PatternSet::new(dialect, [text]);
        set.pattern(0).is_some().then_some(Pattern { set })
    }

    /// Whether the pattern matches the path of a URL. Of a URL with a `\` in its path, either
    /// reading may match ([`Target`]).
    pub fn matches<'u>(&self, url: impl Into<Target<'u>>) -> bool {
        !self.set.matching(url).is_empty()
    }
}

/// The pattern in compared form, ASCII, as [`Rule::pattern`](crate::Rule::pattern) has it.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.set.pattern(0).unwrap_or_default())
    }
}

/// Patterns that are compared with a URL together, in less time than one by one.
///
/// ```
/// use polite_robots::Dialect;
/// use polite_robots::pattern::PatternSet;
///
/// let patterns = PatternSet::new(Dialect::Rfc9309, ["/shop/", "/*.pdf$", "cart"]);
/// assert_eq!(patterns.matching("https://example.com/shop/price.pdf"), [0, 1]);
/// assert_eq!(patterns.pattern(2), None);
/// ```
#[derive(Debug)]
pub struct PatternSet {
    patterns: Patterns,
    /// In the order given.
    places: Vec<Option<Compiled>>,
}

impl PatternSet {
    /// Reads patterns, each as [`Pattern::new`] does.
    #[must_use]
    pub fn new(dialect: Dialect, texts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> PatternSet {
        let mut patterns = Patterns::new(dialect);
        let places = texts.into_iter();
        let places = places.map(|text| push(&mut patterns, text.as_ref()));
        let places: Vec<Option<Compiled>> = places.collect();
        patterns.finish(places.iter().copied().flatten());
        PatternSet { patterns, places }
    }

    /// A pattern in compared form, by its place in the order given, counted from 0. `None` for one
    /// that matches nothing.
    pub fn pattern(&self, at: usize) -> Option<&str> {
        let compiled = (*self.places.get(at)?)?;
        Some(self.patterns.text(compiled))
    }

    /// The places of the patterns that match the path of a URL, ascending.
    pub fn matching<'u>(&self, url: impl Into<Target<'u>>) -> Vec<usize> {
        self.matching_target(&url.into())
    }

    fn matching_target(&self, target: &Target<'_>) -> Vec<usize> {
        let (first, second) = target.readings(self.patterns.dialect());
        let mut first = IndexedPath::new(&first);
        let mut second = second.as_deref().map(IndexedPath::new);
        let mut is_match = |compiled| {
            let is_match = |path: &mut IndexedPath<'_>| path.is_match(&self.patterns, compiled);
            is_match(&mut first) || second.as_mut().is_some_and(is_match)
        };
        let places = self.places.iter().enumerate();
        let matching = places.filter(|(_, compiled)| compiled.is_some_and(&mut is_match));
        matching.map(|(at, _)| at).collect()
    }
}

// Not inlined: it would be repeated here for each type of text.
#[inline(never)]
fn push(patterns: &mut Patterns, text: &[u8]) -> Option<Compiled> {
    let compiled = patterns.push(text)?;
    // Google's dialect keeps the empty value, because it may be the matching line.
    (compiled.len > 0).then_some(compiled)
}

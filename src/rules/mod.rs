//! The stage from rules to the one that decides.

pub(crate) mod canonical;
pub(crate) mod index;
pub(crate) mod lazy;
pub(crate) mod pattern;
pub(crate) mod patterns;
pub(crate) mod prefix;
#[cfg(feature = "regex")]
pub(crate) mod regex;
pub(crate) mod span;

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::{self, Write as _};
use core::hash::{Hash, Hasher};

use crate::access::Access;
use crate::options::Dialect;
use crate::rules::index::Index;
use crate::rules::lazy::Lazy;
use crate::rules::pattern::Tier;
use crate::rules::patterns::{Arena, Entry, Origin};
use crate::target::Target;
use crate::text::percent::encode;

/// The rules of one agent, and how to find those that may match a path.
#[derive(Debug)]
pub(crate) struct RuleSet {
    arena: Arena,
    index: Lazy<Index>,
}

impl RuleSet {
    pub(crate) fn new(mut arena: Arena) -> RuleSet {
        arena.finish();
        RuleSet {
            index: Lazy::new(|| Index::new(&arena)),
            arena,
        }
    }

    pub(crate) fn empty(dialect: Dialect) -> RuleSet {
        RuleSet::new(Arena::new(dialect, 0))
    }

    /// The rule that decides about `path`, which must be in the form of the set's dialect: of the rules that match,
    /// the one that takes precedence.
    #[inline]
    pub(crate) fn deciding(&self, path: &[u8]) -> Option<Rule<'_>> {
        self.deciding_among(path, |_| true)
    }

    /// The rule that would decide if there were only rules of this access.
    pub(crate) fn deciding_of(&self, access: Access, path: &[u8]) -> Option<Rule<'_>> {
        self.deciding_among(path, |entry| entry.access == access)
    }

    #[inline]
    fn deciding_among(&self, path: &[u8], is_wanted: impl Fn(&Entry) -> bool) -> Option<Rule<'_>> {
        if self.arena.entries().is_empty() {
            return None;
        }
        let index = self.index.get(|| Index::new(&self.arena));
        let entry = index.deciding(&self.arena, path, is_wanted)?;
        Some(Rule { set: self, entry })
    }

    /// Whether the rule that was pushed as number `at`, from 0, matches.
    pub(crate) fn is_match(&self, at: u32, path: &[u8]) -> bool {
        let entry = self.arena.entry(at);
        entry.is_some_and(|entry| self.arena.is_match(entry, path))
    }

    /// The rules of the file, in the order in which they decide.
    pub(crate) fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        let of_file = |entry: &&Entry| entry.origin == Origin::File;
        let entries = self.arena.entries().iter().filter(of_file);
        let mut rules: Vec<Rule<'_>> = entries.map(|entry| Rule { set: self, entry }).collect();
        rules.sort_unstable_by_key(|rule| Reverse(rule.entry.precedence()));
        rules.into_iter()
    }
}

/// An `Allow` or `Disallow` rule that applies to an agent, in the form in which it is compared.
///
/// A view of a [`Robot`](crate::Robot): the rules lie in one arena there.
///
/// ```
/// use polite_robots::{Access, Robot, Tier};
///
/// let robot = Robot::new("ExampleBot", "User-agent: *\nDisallow: /caf%c3%a9\nAllow: /*.css$".as_bytes())?;
/// let rules: Vec<String> = robot.rules().map(|rule| rule.to_string()).collect();
/// assert_eq!(rules, ["Disallow: /caf%C3%A9", "Allow: /*.css$"]);
///
/// let verdict = robot.check("/style.css");
/// let rule = verdict.rule().unwrap();
/// assert_eq!((rule.access(), rule.line(), rule.length(), rule.tier()), (Access::Allow, 3, 7, Tier::Span));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Clone, Copy)]
pub struct Rule<'r> {
    set: &'r RuleSet,
    entry: &'r Entry,
}

impl<'r> Rule<'r> {
    /// Whether it allows or disallows.
    #[must_use]
    pub fn access(&self) -> Access {
        self.entry.access
    }

    /// The path pattern in compared form, ASCII: percent-encoded as the dialect does (RFC 9309 §2.2.2, or Google's
    /// upper-casing), with `*` for any bytes and a last `$` for the end of the path.
    #[must_use]
    pub fn pattern(&self) -> &'r str {
        self.set.arena.pattern_text(self.entry)
    }

    /// The line of the file that it stands on, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.entry.line
    }

    /// The length of the pattern, by which rules take precedence: bytes of the compared form, wildcards counted.
    #[must_use]
    pub fn length(&self) -> usize {
        self.entry.len as usize
    }

    /// How it is compared.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.entry.tier
    }

    /// Whether the pattern matches, be it overruled or not.
    pub fn matches<'u>(&self, url: impl Into<Target<'u>>) -> bool {
        let target = url.into();
        let arena = &self.set.arena;
        arena.is_match(self.entry, &target.path(arena.dialect))
    }

    pub(crate) fn origin(&self) -> Origin {
        self.entry.origin
    }
}

impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.access())?;
        if self.length() > 0 {
            f.write_str(" ")?;
        }
        // The Google dialect leaves control characters in a pattern; a terminal must not obey them.
        for byte in self.pattern().bytes() {
            if byte.is_ascii_control() {
                encode(byte)
                    .iter()
                    .try_for_each(|byte| f.write_char(char::from(*byte)))?;
            } else {
                f.write_char(char::from(byte))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule")
            .field("access", &self.access())
            .field("pattern", &self.pattern())
            .field("line", &self.line())
            .field("tier", &self.tier())
            .finish()
    }
}

/// Equal when they say the same on the same line; of one robot that is the same rule.
impl PartialEq for Rule<'_> {
    fn eq(&self, other: &Rule<'_>) -> bool {
        (self.access(), self.line(), self.pattern())
            == (other.access(), other.line(), other.pattern())
    }
}

impl Eq for Rule<'_> {}

impl Hash for Rule<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.access(), self.line(), self.pattern()).hash(state);
    }
}

//! The stage from rules to the one that decides.

#[cfg(feature = "regex")]
pub(crate) mod lazy;
pub(crate) mod path;
pub(crate) mod pattern;
pub(crate) mod prefix;
#[cfg(feature = "regex")]
pub(crate) mod regex;
pub(crate) mod span;

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use crate::options::Dialect;
use crate::parse::directive::Access;
use crate::rules::path::{Escapes, Target, push_pattern};
use crate::rules::pattern::Tier;

/// The rules of one agent in the order in which they decide.
#[derive(Debug)]
pub(crate) struct RuleSet {
    dialect: Dialect,
    /// The compared forms of all patterns, one behind the other.
    patterns: Vec<u8>,
    /// Most octets first, `Allow` before `Disallow`, then in the order of the file: the first that matches decides
    /// (RFC 9309 §2.2.2), and its line is the one that Google reports.
    entries: Vec<Entry>,
    #[cfg(feature = "regex")]
    regexes: Vec<BuiltRegex>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u32,
    len: u32,
    line: u32,
    access: Access,
    tier: Tier,
    escapes: Escapes,
    origin: Origin,
}

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    File,
    /// Google reads `Allow: /d/index.html` as `Allow: /d/$` too.
    DirectoryOfIndex,
}

/// The regex of the pattern that starts at `start`.
#[cfg(feature = "regex")]
#[derive(Debug)]
struct BuiltRegex {
    start: u32,
    regex: lazy::Lazy<Option<::regex::bytes::Regex>>,
}

/// Takes the rules of one agent in the order of the file.
#[derive(Debug)]
pub(crate) struct RuleSetBuilder {
    dialect: Dialect,
    patterns: Vec<u8>,
    entries: Vec<Entry>,
}

impl RuleSetBuilder {
    pub(crate) fn new(dialect: Dialect) -> RuleSetBuilder {
        RuleSetBuilder {
            dialect,
            patterns: Vec::new(),
            entries: Vec::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.patterns.clear();
        self.entries.clear();
    }

    /// A value that can match nothing is left out: one that starts with neither `/` nor `*`, as every path starts
    /// with `/`. The empty value has no effect on access, but in the Google dialect it can be the matching line.
    pub(crate) fn push(&mut self, access: Access, value: &[u8], line: u32) {
        match (value, self.dialect) {
            ([b'/' | b'*', ..], _) | ([], Dialect::Google) => {}
            _ => return,
        }
        let start = self.patterns.len();
        let escapes = push_pattern(&mut self.patterns, value, self.dialect);
        self.push_entry(start, access, escapes, line, Origin::File);
        if self.dialect == Dialect::Google && access == Access::Allow {
            self.push_directory_of_index(start, line);
        }
    }

    /// Google: `Allow: …/index.htm…` allows the bare directory too, whose octets are then what counts.
    fn push_directory_of_index(&mut self, start: usize, line: u32) {
        let pattern = self.patterns.get(start..).unwrap_or_default();
        let Some(slash) = memchr::memrchr(b'/', pattern) else {
            return;
        };
        let is_index = pattern
            .get(slash..)
            .is_some_and(|name| name.starts_with(b"/index.htm"));
        if is_index {
            let directory = start..start.saturating_add(slash).saturating_add(1);
            let directory_start = self.patterns.len();
            self.patterns.extend_from_within(directory);
            self.patterns.push(b'$');
            self.push_entry(
                directory_start,
                Access::Allow,
                Escapes::Settled,
                line,
                Origin::DirectoryOfIndex,
            );
        }
    }

    fn push_entry(
        &mut self,
        start: usize,
        access: Access,
        escapes: Escapes,
        line: u32,
        origin: Origin,
    ) {
        let pattern = self.patterns.get(start..).unwrap_or_default();
        // The limit of the parse stage keeps both within `u32`.
        if let (Ok(start), Ok(len)) = (u32::try_from(start), u32::try_from(pattern.len())) {
            self.entries.push(Entry {
                start,
                len,
                line,
                access,
                tier: Tier::of(pattern, escapes),
                escapes,
                origin,
            });
        }
    }

    pub(crate) fn build(self) -> RuleSet {
        let RuleSetBuilder {
            dialect,
            mut patterns,
            mut entries,
        } = self;
        // The start tells the order of the file, so that an unstable sort will do.
        entries.sort_unstable_by_key(|entry| (Reverse(entry.len), entry.access, entry.start));
        patterns.shrink_to_fit();
        entries.shrink_to_fit();
        RuleSet {
            dialect,
            #[cfg(feature = "regex")]
            regexes: regexes(&patterns, &entries),
            patterns,
            entries,
        }
    }
}

#[cfg(feature = "regex")]
fn regexes(patterns: &[u8], entries: &[Entry]) -> Vec<BuiltRegex> {
    let in_tier = entries.iter().filter(|entry| entry.tier == Tier::Regex);
    let mut regexes: Vec<BuiltRegex> = in_tier
        .map(|entry| BuiltRegex {
            start: entry.start,
            regex: lazy::Lazy::new(|| regex::compile(text(patterns, entry))),
        })
        .collect();
    regexes.sort_unstable_by_key(|built| built.start);
    regexes
}

impl RuleSet {
    pub(crate) fn empty(dialect: Dialect) -> RuleSet {
        RuleSetBuilder::new(dialect).build()
    }

    /// The rule that decides about `path`, which must be in the form of the set's dialect.
    pub(crate) fn deciding(&self, path: &[u8]) -> Option<Rule<'_>> {
        self.entries
            .iter()
            .find(|entry| self.is_match(entry, path))
            .map(|entry| Rule { set: self, entry })
    }

    /// The rule that would decide if there were only rules of this access.
    pub(crate) fn deciding_of(&self, access: Access, path: &[u8]) -> Option<Rule<'_>> {
        self.entries
            .iter()
            .find(|entry| entry.access == access && self.is_match(entry, path))
            .map(|entry| Rule { set: self, entry })
    }

    /// The rules of the file, in the order in which they decide.
    pub(crate) fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        let of_file = self
            .entries
            .iter()
            .filter(|entry| entry.origin == Origin::File);
        of_file.map(|entry| Rule { set: self, entry })
    }

    fn is_match(&self, entry: &Entry, path: &[u8]) -> bool {
        let pattern = octets(&self.patterns, entry);
        match entry.tier {
            Tier::Prefix => prefix::matches(pattern, path),
            Tier::Span => span::matches(pattern, entry.escapes, path),
            Tier::Regex => self.is_regex_match(entry, pattern, path),
        }
    }

    #[cfg(feature = "regex")]
    fn is_regex_match(&self, entry: &Entry, pattern: &[u8], path: &[u8]) -> bool {
        let built = self
            .regexes
            .binary_search_by_key(&entry.start, |built| built.start);
        let regex = built
            .ok()
            .and_then(|at| self.regexes.get(at))
            .and_then(|built| {
                let regex = built
                    .regex
                    .get(|| regex::compile(text(&self.patterns, entry)));
                regex.as_ref()
            });
        match regex {
            Some(regex) => regex.is_match(path),
            None => span::matches(pattern, entry.escapes, path),
        }
    }

    #[cfg(not(feature = "regex"))]
    fn is_regex_match(&self, entry: &Entry, pattern: &[u8], path: &[u8]) -> bool {
        span::matches(pattern, entry.escapes, path)
    }
}

fn octets<'p>(patterns: &'p [u8], entry: &Entry) -> &'p [u8] {
    let start = entry.start as usize;
    patterns
        .get(start..start.saturating_add(entry.len as usize))
        .unwrap_or_default()
}

/// Every octet of a compared form is ASCII: the others are escaped in both dialects.
fn text<'p>(patterns: &'p [u8], entry: &Entry) -> &'p str {
    core::str::from_utf8(octets(patterns, entry)).unwrap_or_default()
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
/// assert_eq!((rule.access(), rule.line(), rule.octets(), rule.tier()), (Access::Allow, 3, 7, Tier::Span));
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
    /// upper-casing), with `*` for any octets and a last `$` for the end of the path.
    #[must_use]
    pub fn pattern(&self) -> &'r str {
        text(&self.set.patterns, self.entry)
    }

    /// The line of the file that it stands on, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.entry.line
    }

    /// The length of the pattern, by which rules take precedence: octets of the compared form, wildcards counted.
    #[must_use]
    pub fn octets(&self) -> usize {
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
        self.set
            .is_match(self.entry, &target.path(self.set.dialect))
    }

    pub(crate) fn origin(&self) -> Origin {
        self.entry.origin
    }
}

impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.access())?;
        if self.octets() > 0 {
            f.write_str(" ")?;
        }
        // The Google dialect leaves control characters in a pattern; a terminal must not obey them.
        for character in self.pattern().chars() {
            if character.is_ascii_control() {
                write!(f, "%{:02X}", u32::from(character))?;
            } else {
                write!(f, "{character}")?;
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

//! The rules of one agent as they are compared: their patterns one behind the other, and an entry for each.

use alloc::vec::Vec;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::line::Value;
use crate::parse::trim::trim;
use crate::rules::canonical::{Escapes, is_canonical, is_canonical_pattern, push_pattern};
use crate::rules::pattern::Tier;
use crate::rules::prefix;
#[cfg(feature = "regex")]
use crate::rules::regex::Regexes;
use crate::rules::span;

/// In the order of the file.
#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) dialect: Dialect,
    file_len: usize,
    patterns: Vec<u8>,
    entries: Vec<Entry>,
    #[cfg(feature = "regex")]
    regexes: Regexes,
}

/// A rule: where its pattern lies, and what is known of it. 16 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    start: u32,
    pub(crate) len: u32,
    pub(crate) line: u32,
    pub(crate) access: Access,
    pub(crate) tier: Tier,
    pub(crate) escapes: Escapes,
    pub(crate) origin: Origin,
}

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    File,
    /// Google reads `Allow: /d/index.html` as `Allow: /d/$` too.
    DirectoryOfIndex,
}

/// Orders rules as RFC 9309 §2.2.2 does: most bytes, then `Allow`, then, for the line that Google reports, the first
/// in the file. The greatest that matches decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Precedence(u64);

impl Entry {
    #[inline]
    pub(crate) fn precedence(&self) -> Precedence {
        let access = match self.access {
            Access::Allow => 1_u64 << 32,
            Access::Disallow => 0,
        };
        // Not the start of the pattern: two empty ones start at the same place.
        Precedence(u64::from(self.len) << 33 | access | u64::from(!self.line))
    }
}

impl Arena {
    /// For the rules of a file of so many bytes.
    pub(crate) fn new(dialect: Dialect, file_len: usize) -> Arena {
        Arena {
            dialect,
            file_len,
            patterns: Vec::new(),
            entries: Vec::new(),
            #[cfg(feature = "regex")]
            regexes: Regexes::default(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.patterns.clear();
        self.entries.clear();
    }

    /// Takes the path of a record that is no rule, to be matched as one, and tells its place among the entries.
    #[cold]
    pub(crate) fn push_path(&mut self, path: &[u8], line: u32) -> Option<u32> {
        let at = u32::try_from(self.entries.len()).ok()?;
        // The access means nothing here, but an `Allow` of the Google dialect could become two rules.
        self.push(Access::Disallow, Value::new(path), line);
        Some(at)
    }

    /// Takes the rules in the order of the file.
    ///
    /// A value that can match nothing is left out: one that starts with neither `/` nor `*`, as every path starts
    /// with `/`. The empty value has no effect on access, but in the Google dialect it can be the matching line.
    #[inline]
    pub(crate) fn push(&mut self, access: Access, value: Value<'_>, line: u32) {
        if self.entries.is_empty() {
            // As much as nearly all files of this size need, if they are for one agent; a large one grows from here.
            self.patterns
                .reserve((self.file_len / 2).min(MOST_RESERVED));
            self.entries
                .reserve((self.file_len / 40).min(MOST_RESERVED / size_of::<Entry>()));
        }
        let start = self.patterns.len();
        // Nearly all values are in compared form as they stand, without a comment: those are looked through and copied.
        let written = trim(value.with_comment());
        let is_path = matches!(written, [b'/' | b'*', ..]);
        let (tier, escapes) = if is_path && is_canonical(written) {
            self.patterns.extend_from_slice(written);
            (Tier::Prefix, Escapes::Settled)
        } else if is_path && is_canonical_pattern(written) {
            self.patterns.extend_from_slice(written);
            (Tier::of(written, Escapes::Settled), Escapes::Settled)
        } else {
            let value = value.bytes();
            match (value, self.dialect) {
                ([b'/' | b'*', ..], _) | ([], Dialect::Google) => {}
                _ => return,
            }
            let escapes = push_pattern(&mut self.patterns, value, self.dialect);
            let pattern = self.patterns.get(start..).unwrap_or_default();
            (Tier::of(pattern, escapes), escapes)
        };
        self.push_entry(start, access, tier, escapes, line, Origin::File);
        if self.dialect == Dialect::Google && access == Access::Allow {
            self.push_directory_of_index(start, line);
        }
    }

    /// Google: `Allow: …/index.htm…` allows the bare directory too, whose bytes are then what counts.
    fn push_directory_of_index(&mut self, start: usize, line: u32) {
        let pattern = self.patterns.get(start..).unwrap_or_default();
        let Some(slash) = memchr::memrchr(b'/', pattern) else {
            return;
        };
        if pattern
            .get(slash..)
            .is_some_and(|name| name.starts_with(b"/index.htm"))
        {
            let directory = start..start.saturating_add(slash).saturating_add(1);
            let directory_start = self.patterns.len();
            self.patterns.extend_from_within(directory);
            self.patterns.push(b'$');
            let pattern = self.patterns.get(directory_start..).unwrap_or_default();
            let (tier, escapes) = (Tier::of(pattern, Escapes::Settled), Escapes::Settled);
            self.push_entry(
                directory_start,
                Access::Allow,
                tier,
                escapes,
                line,
                Origin::DirectoryOfIndex,
            );
        }
    }

    fn push_entry(
        &mut self,
        start: usize,
        access: Access,
        tier: Tier,
        escapes: Escapes,
        line: u32,
        origin: Origin,
    ) {
        let len = self.patterns.len().saturating_sub(start);
        // The limit of the parse stage keeps both within `u32`.
        if let (Ok(start), Ok(len)) = (u32::try_from(start), u32::try_from(len)) {
            self.entries.push(Entry {
                start,
                len,
                line,
                access,
                tier,
                escapes,
                origin,
            });
        }
    }

    /// Call when all rules are in.
    pub(crate) fn finish(&mut self) {
        if self.patterns.capacity() - self.patterns.len() > IDLE {
            self.patterns.shrink_to_fit();
        }
        if (self.entries.capacity() - self.entries.len()) * size_of::<Entry>() > IDLE {
            self.entries.shrink_to_fit();
        }
        #[cfg(feature = "regex")]
        {
            let in_tier = self
                .entries
                .iter()
                .filter(|entry| entry.tier == Tier::Regex);
            self.regexes =
                Regexes::new(in_tier.map(|entry| (entry.start, text(&self.patterns, entry))));
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    #[inline]
    pub(crate) fn entry(&self, at: u32) -> Option<&Entry> {
        self.entries.get(at as usize)
    }

    #[inline]
    pub(crate) fn pattern(&self, entry: &Entry) -> &[u8] {
        bytes(&self.patterns, entry)
    }

    /// The pattern as text: every byte of a compared form is ASCII, the others are escaped in both dialects.
    pub(crate) fn pattern_text(&self, entry: &Entry) -> &str {
        text(&self.patterns, entry)
    }

    /// `path` must be in the form of the arena's dialect.
    #[inline]
    pub(crate) fn is_match(&self, entry: &Entry, path: &[u8]) -> bool {
        let pattern = self.pattern(entry);
        match entry.tier {
            Tier::Prefix => prefix::matches(pattern, path),
            Tier::Span => span::matches(pattern, entry.escapes, path),
            #[cfg(feature = "regex")]
            Tier::Regex => match self.regexes.get(entry.start, || self.pattern_text(entry)) {
                Some(regex) => regex.is_match(path),
                None => span::matches(pattern, entry.escapes, path),
            },
            #[cfg(not(feature = "regex"))]
            Tier::Regex => span::matches(pattern, entry.escapes, path),
        }
    }
}

/// Bytes.
const MOST_RESERVED: usize = 16384;

/// Bytes that may lie idle in a finished arena: less is not worth a call to the allocator.
const IDLE: usize = 256;

#[inline]
fn bytes<'p>(patterns: &'p [u8], entry: &Entry) -> &'p [u8] {
    let start = entry.start as usize;
    patterns
        .get(start..start.saturating_add(entry.len as usize))
        .unwrap_or_default()
}

fn text<'p>(patterns: &'p [u8], entry: &Entry) -> &'p str {
    core::str::from_utf8(bytes(patterns, entry)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a large file might have needed is given back when its rules turn out to be few.
    #[test]
    fn a_finished_arena_holds_no_more_than_it_needs() {
        for rules in [1, 2, 20, 300] {
            let mut arena = Arena::new(Dialect::Rfc9309, 1 << 20);
            for line in 1..=rules {
                arena.push(Access::Disallow, Value::new(b"/a/b"), line);
            }
            arena.finish();
            let idle_bytes = arena.patterns.capacity() - arena.patterns.len();
            let idle_entries = arena.entries.capacity() - arena.entries.len();
            assert!(idle_bytes <= IDLE, "{rules}: {idle_bytes}");
            assert!(
                idle_entries * size_of::<Entry>() <= IDLE,
                "{rules}: {idle_entries}"
            );
            assert_eq!(arena.entries().len(), rules as usize);
        }
        // A file of one agent's rules fits without growing.
        let mut arena = Arena::new(Dialect::Rfc9309, 4_000);
        arena.push(Access::Disallow, Value::new(b"/a"), 1);
        assert!((100..200).contains(&arena.entries.capacity()));
        assert!((2_000..4_000).contains(&arena.patterns.capacity()));
    }
}

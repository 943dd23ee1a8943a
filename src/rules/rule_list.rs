//! The compiled rules of one agent, in the order of the file: [`Patterns`] with an access and a
//! line for each.

use alloc::vec::Vec;

use crate::access::Access;
use crate::options::Dialect;
use crate::rules::path_index::IndexedPath;
use crate::rules::patterns::{Pattern, Patterns, give_back_idle};

/// The rules that a collector takes from a file. A
/// [`RuleSet`](crate::rules::rule_set::RuleSet) is a list with an index.
#[derive(Debug)]
pub(crate) struct RuleList {
    patterns: Patterns,
    entries: Vec<RuleEntry>,
}

/// A compiled rule: 16 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleEntry {
    pub(crate) pattern: Pattern,
    /// The order among patterns of one length: from the highest bit, whether the rule allows, the
    /// line with each bit turned over, and the [`Origin`].
    order: u32,
}

/// The source of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Google reads `Allow: /d/index.html` as `Allow: /d/$` too.
    DirectoryOfIndex,
    /// The line of the file, as it is written.
    File,
}

/// The order of RFC 9309 §2.2.2: most bytes, then `Allow`; then, for the line that Google reports,
/// the first in the file. The matching rule with the greatest precedence decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Precedence(u64);

impl RuleEntry {
    #[inline(always)]
    fn new(pattern: Pattern, access: Access, line: u32, origin: Origin) -> RuleEntry {
        let allows = u32::from(access == Access::Allow);
        let of_file = u32::from(origin == Origin::File);
        RuleEntry {
            pattern,
            order: allows << 31 | (MAX_LINE - line.min(MAX_LINE)) << 1 | of_file,
        }
    }

    #[inline(always)]
    pub(crate) fn access(&self) -> Access {
        match self.order >> 31 {
            0 => Access::Disallow,
            _ => Access::Allow,
        }
    }

    /// Counted from 1.
    pub(crate) fn line(&self) -> u32 {
        MAX_LINE - (self.order >> 1 & MAX_LINE)
    }

    pub(crate) fn origin(&self) -> Origin {
        match self.order & 1 {
            0 => Origin::DirectoryOfIndex,
            _ => Origin::File,
        }
    }

    /// The access that the rule gives. An empty `Disallow:`, which the Google dialect keeps for its
    /// line, disallows nothing.
    #[inline]
    pub(crate) fn effect(&self) -> Access {
        if self.pattern.len == 0 {
            Access::Allow
        } else {
            self.access()
        }
    }

    // By the line and not by the start of the pattern: two empty patterns start at the same place.
    #[inline(always)]
    pub(crate) fn precedence(&self) -> Precedence {
        Precedence(u64::from(self.pattern.len) << 32 | u64::from(self.order))
    }
}

/// The last line number: no file of [`MAX_BYTES`](crate::parse::line::MAX_BYTES) has a higher one,
/// and a stored form with one is refused.
const MAX_LINE: u32 = (1 << 30) - 1;

impl RuleList {
    pub(crate) fn new(dialect: Dialect) -> RuleList {
        RuleList {
            patterns: Patterns::new(dialect),
            entries: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn dialect(&self) -> Dialect {
        self.patterns.dialect()
    }

    pub(crate) fn clear(&mut self) {
        self.patterns.clear();
        self.entries.clear();
    }

    /// Makes room in an empty list for the rules of a file: enough for nearly every file of this
    /// size whose rules are all for one agent. The list of a large file grows further.
    pub(crate) fn reserve(&mut self, file_len: usize) {
        if self.entries.capacity() == 0 {
            self.patterns.reserve((file_len / 2).min(MOST_RESERVED));
            self.entries
                .reserve((file_len / 40).min(MOST_RESERVED / size_of::<RuleEntry>()));
        }
    }

    /// Takes the next rule of the file. A rule whose value can match nothing is left out; see
    /// [`Patterns::push`].
    #[inline]
    pub(crate) fn push(&mut self, access: Access, written: &[u8], line: u32) {
        let Some(pattern) = self.patterns.push(written) else {
            return;
        };
        self.entries
            .push(RuleEntry::new(pattern, access, line, Origin::File));
        if self.dialect() == Dialect::Google && access == Access::Allow {
            if let Some(directory) = self.patterns.push_directory_of_index(pattern) {
                let origin = Origin::DirectoryOfIndex;
                self.entries
                    .push(RuleEntry::new(directory, access, line, origin));
            }
        }
    }

    /// Frees unused memory and sets up regexes. Call it after the last rule.
    pub(crate) fn finish(&mut self) {
        give_back_idle(&mut self.entries);
        self.patterns
            .finish(self.entries.iter().map(|entry| entry.pattern));
    }

    pub(crate) fn entries(&self) -> &[RuleEntry] {
        &self.entries
    }

    #[inline]
    pub(crate) fn entry(&self, at: u32) -> Option<&RuleEntry> {
        self.entries.get(at as usize)
    }

    #[inline]
    pub(crate) fn pattern(&self, entry: &RuleEntry) -> &[u8] {
        self.patterns.bytes(entry.pattern)
    }

    pub(crate) fn pattern_text(&self, entry: &RuleEntry) -> &str {
        self.patterns.text(entry.pattern)
    }

    /// Compares a rule with a path, which may get an index by it.
    pub(crate) fn is_match_in(&self, entry: &RuleEntry, path: &mut IndexedPath<'_>) -> bool {
        path.is_match(&self.patterns, entry.pattern)
    }

    /// Compares a rule with a path in the form of the list's dialect.
    #[inline(always)]
    pub(crate) fn is_match(&self, entry: &RuleEntry, path: &[u8]) -> bool {
        self.patterns.is_match(entry.pattern, path)
    }
}

/// The most bytes that are reserved before they are needed, for patterns and for entries each.
const MOST_RESERVED: usize = 16384;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::patterns::IDLE;

    #[test]
    fn an_entry_has_sixteen_bytes() {
        assert_eq!(size_of::<RuleEntry>(), 16);
    }

    /// Memory reserved for a large file is freed when its rules turn out to be few.
    #[test]
    fn a_finished_list_holds_no_more_than_it_needs() {
        for rules in [1, 2, 20, 300] {
            let mut list = RuleList::new(Dialect::Rfc9309);
            list.reserve(1 << 20);
            for line in 1..=rules {
                list.push(Access::Disallow, b"/a/b", line);
            }
            list.finish();
            let idle_entries = list.entries.capacity() - list.entries.len();
            let text = &list.patterns.text;
            assert!(text.capacity() - text.len() <= IDLE, "{rules}");
            assert!(
                idle_entries * size_of::<RuleEntry>() <= IDLE,
                "{rules}: {idle_entries}"
            );
            assert_eq!(list.entries().len(), rules as usize);
        }
        // A file of one agent's rules fits without growing.
        let mut list = RuleList::new(Dialect::Rfc9309);
        list.reserve(4_000);
        list.push(Access::Disallow, b"/a", 1);
        assert!((100..200).contains(&list.entries.capacity()));
        assert!((2_000..4_000).contains(&list.patterns.text.capacity()));
    }

    #[test]
    fn a_cleared_list_begins_anew() {
        let mut list = RuleList::new(Dialect::Rfc9309);
        for line in 1..=3 {
            list.clear();
            list.push(Access::Disallow, b"/a", line);
        }
        assert_eq!(list.entries().len(), 1);
        assert_eq!(list.patterns.text.len(), 2);
    }

    #[test]
    fn the_longest_pattern_comes_first_then_allow_then_the_first_line() {
        let mut list = RuleList::new(Dialect::Google);
        for (access, value, line) in [
            (Access::Disallow, &b"/ab"[..], 1),
            (Access::Disallow, b"/a", 2),
            (Access::Allow, b"/a", 3),
            (Access::Allow, b"/a", 4),
            (Access::Allow, b"/d/index.html", 5),
        ] {
            list.push(access, value, line);
        }
        let mut entries: Vec<&RuleEntry> = list.entries().iter().collect();
        entries.sort_by_key(|entry| core::cmp::Reverse(entry.precedence()));
        let order: Vec<(u32, &[u8])> = entries
            .iter()
            .map(|entry| (entry.line(), list.pattern(entry)))
            .collect();
        let expected: [(u32, &[u8]); 6] = [
            (5, b"/d/index.html"),
            (5, b"/d/$"),
            (1, b"/ab"),
            (3, b"/a"),
            (4, b"/a"),
            (2, b"/a"),
        ];
        assert_eq!(order, expected);
    }
}

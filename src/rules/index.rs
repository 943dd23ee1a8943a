//! Many rules → the few that may match a path.
//!
//! The *head* of a rule is its literal prefix: every path that `/a*b` matches begins with `/a`. The
//! rules are sorted by head, and each links to the next one whose head is a prefix of its own. So
//! the rules whose heads are prefixes of a path form one chain. The chain starts at the last rule
//! that is sorted before the path, or further along its links: everything sorted between a head and
//! a path that begins with it begins with that head too. One binary search finds it, whatever the
//! number of rules.
//!
//! Every path begins with the head `/`, so the rules with that head are a list of their own. The
//! byte classes that each of them needs rule out nearly every comparison that would fail.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use crate::compared_form::{ComparedPath, Escapes};
use crate::rules::lazy::FromSource;
use crate::rules::pattern;
use crate::rules::rule_list::{RuleEntry, RuleList};
use crate::rules::steps;
use crate::sort;
use crate::text::byte_class::Classes;
use crate::text::bytes::{first_word, starts_with};

/// The index of one [`RuleList`]. A [`RuleSet`](crate::rules::rule_set::RuleSet) owns both and asks
/// it about that list.
#[derive(Debug)]
pub(crate) struct Index {
    /// The rules with longer heads than `/`, in the order of their heads.
    rules: Box<[IndexedRule]>,
    /// The classes of the bytes that their heads have after the slash.
    after_slash: Classes,
    roots: Box<[RootRule]>,
}

/// A rule whose head is `/`.
#[derive(Debug, Clone, Copy)]
struct RootRule {
    /// The byte classes that a path must have for the rule to match.
    needs: Classes,
    /// The place of the rule in the list.
    at: u32,
}

/// 16 bytes: a crawler keeps the indexes of a million sites.
#[derive(Debug, Clone, Copy)]
struct IndexedRule {
    /// The seven bytes of the head after its slash, the first in the highest bits, NUL for missing
    /// ones; in the lowest bits the length of the head.
    start: u64,
    /// The place of the next rule of the chain, or [`END`].
    next: u32,
    /// The place of the rule in the list.
    at: u32,
}

impl FromSource<RuleList> for Index {
    fn from_source(list: &RuleList) -> Index {
        steps::add_rules(list.entries().len());
        let mut roots = Vec::new();
        // Sixteen bytes separate nearly all heads.
        let mut starts: Vec<(u128, u32)> = Vec::new();
        for (at, entry) in (0..).zip(list.entries()) {
            match head_of(list, entry) {
                b"/" => roots.push(RootRule::new(list, at, entry)),
                head => starts.push((sixteen_after_slash(head), at)),
            }
        }
        // In precedence order: after the first match the others need no comparison.
        steps::add_sort(roots.len());
        sort::unstable_by_key(&mut roots, |root: &RootRule| {
            Reverse(list.entry(root.at).map(RuleEntry::precedence))
        });
        steps::add_sort(starts.len());
        sort::unstable_by(&mut starts, |(start, one), (other_start, other)| {
            start
                .cmp(other_start)
                .then_with(|| order(list, *one, *other))
        });
        let sorted = starts.into_iter().map(|(_, at)| at);
        let mut rules: Vec<IndexedRule> = sorted.map(|at| IndexedRule::new(list, at)).collect();
        for place in 0..rules.len() {
            link(list, &mut rules, place);
        }
        let after_slash = rules.iter().filter_map(|rule| rule.head(list).get(1));
        Index {
            after_slash: after_slash
                .fold(Classes::NONE, |all, byte| all.or(Classes::of_byte(*byte))),
            rules: rules.into(),
            roots: roots.into(),
        }
    }
}

impl Index {
    /// Visits the rules of the list that may match, each once, those of the longest head first.
    #[inline(always)]
    pub(crate) fn for_each_candidate<'l>(
        &self,
        list: &'l RuleList,
        path: ComparedPath<'_>,
        mut candidate: impl FnMut(&'l RuleEntry, Known),
    ) {
        let lacking = path.lacking();
        let (mut place, common) = self.last_before(list, path.bytes);
        while let Some(rule) = self.rules.get(place) {
            steps::add(1);
            // The first heads may be longer than what they have in common with the path.
            if rule.head_len() <= common {
                let entry = list.entry(rule.at);
                if let Some(entry) = entry.filter(|entry| entry.pattern.form.may_match(lacking)) {
                    candidate(entry, rule.known(entry));
                }
            }
            place = rule.next as usize;
        }
        for root in &*self.roots {
            steps::add(1);
            if !lacking.has(root.needs) {
                if let Some(entry) = list.entry(root.at) {
                    candidate(entry, Known::Nothing);
                }
            }
        }
    }

    /// The last rule whose head is not sorted after a path, and the length of the prefix that both
    /// have in common.
    #[inline(always)]
    fn last_before(&self, list: &RuleList, path: &[u8]) -> (usize, usize) {
        // The first bytes of most paths are those of no head.
        let begins_as_head = path
            .get(1)
            .is_some_and(|byte| self.after_slash.has_all(Classes::of_byte(*byte)));
        if !begins_as_head {
            return (END as usize, 0);
        }
        let word = word_after_slash(path);
        steps::add_search(self.rules.len());
        let after = self.rules.partition_point(|rule| rule.start <= word | LEN);
        let last = after.wrapping_sub(1);
        let Some(rule) = self.rules.get(last) else {
            return (last, 0);
        };
        let differing = rule.start ^ word;
        if differing <= LEN {
            return self.last_before_in_full(list, last, path);
        }
        (last, 1 + differing.leading_zeros() as usize / 8)
    }

    /// [`Index::last_before`] of the rules up to a place, for a path that begins as that rule does.
    #[inline(never)]
    fn last_before_in_full(&self, list: &RuleList, last: usize, path: &[u8]) -> (usize, usize) {
        let head = |rule: &IndexedRule| rule.head(list);
        let head_of_last = self.rules.get(last).map_or(&[][..], head);
        // Few heads have so long a prefix in common, so the last of them is nearly always the one.
        if starts_with(path, head_of_last) {
            return (last, head_of_last.len());
        }
        steps::add_search(last);
        let rules = self.rules.get(..=last).unwrap_or_default();
        let last = rules
            .partition_point(|rule| head(rule) <= path)
            .wrapping_sub(1);
        let head = rules.get(last).map_or(&[][..], head);
        let pairs = head.iter().zip(path);
        (last, pairs.take_while(|(one, other)| one == other).count())
    }
}

/// The answer about a candidate before any comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// It matches.
    Match,
    Nothing,
}

impl RootRule {
    fn new(list: &RuleList, at: u32, entry: &RuleEntry) -> RootRule {
        let pattern = list.pattern(entry);
        steps::add(pattern.len() / 8);
        let needs = match entry.pattern.form.escapes() {
            Escapes::Settled => Classes::of(pattern),
            // The escape may stand for one byte, of another class.
            Escapes::QueryDependent => Classes::NONE,
        };
        RootRule { needs, at }
    }
}

impl IndexedRule {
    fn new(list: &RuleList, at: u32) -> IndexedRule {
        let head = list.entry(at).map_or(&[][..], |entry| head_of(list, entry));
        IndexedRule {
            start: word_after_slash(head) & !LEN | head.len() as u64,
            next: END,
            at,
        }
    }

    #[inline]
    fn head_len(&self) -> usize {
        (self.start & LEN) as usize
    }

    fn head<'l>(&self, list: &'l RuleList) -> &'l [u8] {
        let entry = list.entry(self.at);
        entry.map(|entry| head_of(list, entry)).unwrap_or_default()
    }

    /// Takes the entry of the rule, whose head a path begins with.
    #[inline]
    fn known(&self, entry: &RuleEntry) -> Known {
        if !entry.pattern.form.has_wildcard() && entry.pattern.len as usize == self.head_len() {
            Known::Match
        } else {
            Known::Nothing
        }
    }
}

/// Links a rule to the next one of its chain. The rules before it are linked already, so each is
/// passed over once for all later rules.
fn link(list: &RuleList, rules: &mut [IndexedRule], place: usize) {
    let head = rules.get(place).map_or(&[][..], |rule| rule.head(list));
    let mut next = u32::try_from(place).map_or(END, |place| place.wrapping_sub(1));
    while let Some(before) = rules
        .get(next as usize)
        .filter(|rule| !head.starts_with(rule.head(list)))
    {
        steps::add(1);
        next = before.next;
    }
    if let Some(rule) = rules.get_mut(place) {
        rule.next = next;
    }
}

/// The bits of a start that are a length.
const LEN: u64 = 0xFF;

/// The most bytes of a literal that are a head, so that a chain has at most as many heads.
const LONGEST_HEAD: usize = LEN as usize;

/// The `next` of the last rule of a chain.
const END: u32 = u32::MAX;

/// The head of a rule. Every path begins with `/`, so a pattern that begins with `*` has that head
/// too.
fn head_of<'l>(list: &'l RuleList, entry: &RuleEntry) -> &'l [u8] {
    match pattern::head(list.pattern(entry), entry.pattern.form) {
        [] => b"/",
        head => head.get(..LONGEST_HEAD).unwrap_or(head),
    }
}

/// The order of two rules whose heads have sixteen bytes in common.
#[inline(never)]
fn order(list: &RuleList, one: u32, other: u32) -> Ordering {
    let key = |at| (list.entry(at).map(|entry| head_of(list, entry)), at);
    steps::add(
        LONGEST_HEAD.min(
            list.entry(one)
                .map_or(0, |entry| entry.pattern.len as usize),
        ) / 16,
    );
    key(one).cmp(&key(other))
}

/// The eight bytes after the slash, the first in the highest bits; NUL for missing ones.
#[inline]
fn word_after_slash(text: &[u8]) -> u64 {
    first_word(text.get(1..).unwrap_or_default()).swap_bytes()
}

fn sixteen_after_slash(head: &[u8]) -> u128 {
    let second = first_word(head.get(9..).unwrap_or_default()).swap_bytes();
    u128::from(word_after_slash(head)) << 64 | u128::from(second)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::access::Access;
    use crate::options::Dialect;

    const PARTS: &[&str] = &[
        "/",
        "/",
        "a",
        "b",
        "ab",
        "abcd",
        "bcdeabcd",
        "*",
        "*",
        "?",
        "=",
        "%2F",
        "%26",
        "$",
        "%41",
        "%00",
        "\0",
        "é",
        "index.html",
    ];

    fn texts(count: core::ops::Range<usize>) -> impl Strategy<Value = String> {
        vec(select(PARTS), count).prop_map(|parts| parts.concat())
    }

    fn list(dialect: Dialect, values: &[String]) -> RuleList {
        let mut list = RuleList::new(dialect);
        for (line, value) in (1..).zip(values) {
            list.push(Access::Allow, value.as_bytes(), line);
        }
        list.finish();
        list
    }

    /// The lines of the rules that an index finds. A match that it knows must be one.
    fn found(list: &RuleList, path: &[u8]) -> Vec<u32> {
        let mut lines = Vec::new();
        let index = Index::from_source(list);
        index.for_each_candidate(list, ComparedPath::new(path), |entry, known| {
            let is_match = list.is_match(entry, path);
            assert!(known == Known::Nothing || is_match, "{path:?}: {entry:?}");
            lines.extend(is_match.then_some(entry.line()));
        });
        lines.sort_unstable();
        lines
    }

    fn matching(list: &RuleList, path: &[u8]) -> Vec<u32> {
        let entries = list.entries().iter();
        let matching = entries.filter(|entry| list.is_match(entry, path));
        matching.map(|entry| entry.line()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

        /// The index finds each rule that matches, once.
        #[test]
        fn an_index_finds_what_a_walk_finds(
            starts in vec(select(&["/", "/", "*", "/*", "/ab*", "/abcdefg", "/abcdefgabcdefghij", ""][..]), 0..60),
            rests in vec(texts(0..5), 60),
            paths in vec(texts(0..12), 1..6),
            long in select(&[0_usize, 0, 0, 240, 260]),
            google: bool,
        ) {
            let dialect = if google { Dialect::Google } else { Dialect::Rfc9309 };
            let long = "x".repeat(long);
            let values = starts.iter().zip(&rests);
            let values: Vec<String> = values.map(|(start, rest)| alloc::format!("{start}{long}{rest}")).collect();
            let list = list(dialect, &values);
            let near = values.iter().filter(|value| value.starts_with('/'));
            let near = near.map(|value| value.replace(['*', '$'], "c"));
            let others = paths.iter().map(|path| alloc::format!("/{}", path.replace(['*', '$'], "c")));
            for path in near.chain(others) {
                let path = path.as_bytes();
                prop_assert_eq!(found(&list, path), matching(&list, path), "{:?}", path);
            }
        }
    }

    /// A rule with many heads on its chain, and rules that lie between a path and its heads.
    #[test]
    fn a_chain_has_every_shorter_head() {
        let values = (1..300).map(|len| alloc::format!("/{}", "a".repeat(len)));
        let between = ["/aab", "/aaaaaaab", "/aaaaaaaaaaab"].map(String::from);
        let values: Vec<String> = values.chain(between).collect();
        let list = list(Dialect::Rfc9309, &values);
        for len in [1, 7, 8, 9, 254, 255, 256, 299, 400] {
            for end in ["", "b", "c"] {
                let path = alloc::format!("/{}{end}", "a".repeat(len));
                assert_eq!(
                    found(&list, path.as_bytes()),
                    matching(&list, path.as_bytes())
                );
            }
        }
    }

    /// The byte classes rule out comparisons, but alone they never make a match.
    #[test]
    fn few_rules_of_a_chain_are_compared() {
        let values: Vec<String> = (b'a'..=b'z')
            .map(|letter| alloc::format!("/*{}", char::from(letter)))
            .collect();
        let list = list(Dialect::Rfc9309, &values);
        let index = Index::from_source(&list);
        let mut compared = 0;
        index.for_each_candidate(&list, ComparedPath::new(b"/aqua"), |_, _| compared += 1);
        assert_eq!(compared, 3);
    }

    #[test]
    fn an_indexed_rule_takes_16_bytes() {
        assert_eq!(size_of::<IndexedRule>(), 16);
    }
}

//! The rules of one agent with their index: path → the rule that decides.

use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::access::Access;
use crate::options::Dialect;
use crate::rules::index::Index;
use crate::rules::lazy::Lazy;
use crate::rules::path_index::IndexedPath;
use crate::rules::rule::Rule;
use crate::rules::rule_list::{Decision, Origin, RuleEntry, RuleList};
use crate::sort;

/// The finished rules of one agent. The only owner of an [`Index`], so that none is asked about
/// another list.
#[derive(Debug)]
pub(crate) struct RuleSet {
    list: RuleList,
    index: Lazy<Index>,
}

impl RuleSet {
    pub(crate) fn new(mut list: RuleList) -> RuleSet {
        list.finish();
        RuleSet {
            index: Lazy::new(&list),
            list,
        }
    }

    pub(crate) fn empty(dialect: Dialect) -> RuleSet {
        RuleSet::new(RuleList::new(dialect, 0))
    }

    /// The effect of the rule that decides about `path`, which must be in the form of the set's
    /// dialect: the one with the greatest precedence among those that match.
    #[inline]
    pub(crate) fn effect(&self, path: &[u8]) -> Option<Access> {
        let rules = self.indexed()?;
        if rules.index.has_many_wildcards() {
            let [deciding, _] = rules.deciding_and_overruled_of_many(path);
            return Some(deciding?.effect());
        }
        Some(rules.decision(path, |_| true)?.effect)
    }

    /// The rule that decides about `path`, and the one that would decide if there were only rules
    /// of the opposite access.
    #[inline]
    pub(crate) fn deciding_and_overruled(
        &self,
        path: &[u8],
    ) -> (Option<Rule<'_>>, Option<Rule<'_>>) {
        let Some(rules) = self.indexed() else {
            return (None, None);
        };
        if rules.index.has_many_wildcards() {
            let both = rules.deciding_and_overruled_of_many(path);
            let [deciding, overruled] = both.map(|entry| Some(Rule::new(rules.list, entry?)));
            return (deciding, overruled);
        }
        let deciding = rules.deciding(path, |_| true);
        let overruled = deciding.and_then(|rule| rules.deciding(path, is_overruled_by(rule)));
        (deciding, overruled)
    }

    /// The rules with their index, if there is any.
    #[inline]
    fn indexed(&self) -> Option<IndexedRules<'_>> {
        let list = &self.list;
        let is_needed = !list.entries().is_empty();
        is_needed.then(|| IndexedRules {
            list,
            index: self.index.get(list),
        })
    }

    /// The rules of the file in precedence order, the first that matches decides.
    pub(crate) fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        let of_file = |entry: &&RuleEntry| entry.origin == Origin::File;
        let mut entries: Vec<&RuleEntry> = self.list.entries().iter().filter(of_file).collect();
        sort::unstable_by_key(&mut entries, |entry| Reverse(entry.precedence()));
        entries
            .into_iter()
            .map(|entry| Rule::new(&self.list, entry))
    }
}

/// Rules, at least one, and their index.
#[derive(Clone, Copy)]
struct IndexedRules<'a> {
    list: &'a RuleList,
    index: &'a Index,
}

impl<'a> IndexedRules<'a> {
    #[inline]
    fn deciding(self, path: &[u8], is_wanted: impl Fn(&RuleEntry) -> bool) -> Option<Rule<'a>> {
        let is_wanted_at = |at| self.list.entry(at).is_some_and(&is_wanted);
        let decision = self.decision(path, is_wanted_at)?;
        let entry = self.list.entry(decision.at)?;
        Some(Rule::new(self.list, entry))
    }

    #[inline]
    fn decision(self, path: &[u8], is_wanted: impl Fn(u32) -> bool) -> Option<Decision> {
        self.index.deciding(self.list, path, is_wanted)
    }

    /// The rule that decides and the one that is overruled. Each candidate is compared at most
    /// once.
    #[inline(never)]
    fn deciding_and_overruled_of_many(self, path: &[u8]) -> [Option<&'a RuleEntry>; 2] {
        let candidates = self.index.candidates(path);
        let mut path = IndexedPath::new(path);
        let (mut allow, mut disallow) = (None, None);
        // From the last to the first, as the rule for a directory follows the one for its page.
        let candidates = candidates.into_iter().rev();
        for entry in candidates.filter_map(|at| self.list.entry(at)) {
            let best = match entry.access {
                Access::Allow => &mut allow,
                Access::Disallow => &mut disallow,
            };
            let is_better =
                best.is_none_or(|best: &RuleEntry| entry.precedence() > best.precedence());
            if is_better && self.list.is_match_in(entry, &mut path) {
                *best = Some(entry);
            }
        }
        let mut both = [allow, disallow];
        both.sort_by_key(|best| Reverse(best.map(RuleEntry::precedence)));
        both
    }
}

/// Whether a rule may be the overruled one. The other rule decides about the path, so no rule
/// before it matches, and none of them is compared again.
fn is_overruled_by(deciding: Rule<'_>) -> impl Fn(&RuleEntry) -> bool {
    move |entry| {
        entry.access != deciding.access() && entry.precedence() < deciding.entry.precedence()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::value::Value;

    /// A set of many wildcards, whose candidates are collected first, gives the same answers.
    #[test]
    fn many_wildcards_change_no_answer() {
        let path = alloc::format!("/0123456789{}b", "a".repeat(50));
        for (failing, is_hostile) in [(20, false), (4_000, true)] {
            for matching in [
                [None, None],
                [Some(1), None],
                [None, Some(1)],
                [Some(1), Some(2)],
            ] {
                for accesses in [
                    [Access::Allow, Access::Disallow],
                    [Access::Disallow, Access::Allow],
                ] {
                    let mut list = RuleList::new(Dialect::Rfc9309, 0);
                    let mut push = |access, pattern: &str, line| {
                        list.push(access, Value::new(pattern.as_bytes()), line);
                    };
                    // Short pieces, all of them in the path, so that no rule is left out.
                    for line in 1..=failing {
                        let digits = alloc::format!("{line:05}").replace("", "*");
                        let access = accesses[line as usize % 2];
                        push(access, &alloc::format!("/*a{digits}bb"), line);
                    }
                    for (access, times) in accesses.into_iter().zip(matching) {
                        let pattern = "*a".repeat(times.unwrap_or_default());
                        if !pattern.is_empty() {
                            push(access, &alloc::format!("/{pattern}*b"), failing + 1);
                        }
                    }
                    let set = RuleSet::new(list);
                    let has_many = set.indexed().unwrap().index.has_many_wildcards();
                    assert_eq!(has_many, is_hostile);
                    let found = set.deciding_and_overruled(path.as_bytes());
                    let found: [Option<Rule<'_>>; 2] = found.into();
                    let found = found.map(|rule| Some((rule?.access(), rule?.length())));
                    let mut expected = [0, 1].map(|at| Some((accesses[at], 2 * matching[at]? + 3)));
                    expected.sort_by_key(|rule| Reverse(rule.map(|(_, length)| length)));
                    assert_eq!(found, expected, "{failing} {accesses:?} {matching:?}");
                }
            }
        }
    }
}

//! The rules of one agent with their index: path → the rule that decides.

use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::options::Dialect;
use crate::rules::index::Index;
use crate::rules::lazy::Lazy;
use crate::rules::rule::Rule;
use crate::rules::rule_list::{Origin, RuleEntry, RuleList};
use crate::rules::searched_path::{FEW_SEARCHES, SearchedPath};
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

    /// The rule that decides about `path`, which must be in the form of the set's dialect: the one
    /// with the greatest precedence among those that match.
    #[inline]
    pub(crate) fn deciding(&self, path: &[u8]) -> Option<Rule<'_>> {
        self.deciding_among(path, |_| true)
    }

    /// The rule that would decide if there were only rules of the opposite access. `rule` decides
    /// about the path, so no rule before it matches, and none of them is compared again.
    pub(crate) fn deciding_against(&self, rule: Rule<'_>, path: &[u8]) -> Option<Rule<'_>> {
        self.deciding_among(path, |entry| {
            entry.access != rule.access() && entry.precedence() < rule.entry.precedence()
        })
    }

    #[inline]
    fn deciding_among(
        &self,
        path: &[u8],
        is_wanted: impl Fn(&RuleEntry) -> bool,
    ) -> Option<Rule<'_>> {
        if self.list.entries().is_empty() {
            return None;
        }
        let index = self.index.get(&self.list);
        let entry = if self.list.entries().len() <= FEW_SEARCHES {
            index.deciding(&self.list, path, is_wanted)?
        } else {
            index.deciding(&self.list, &SearchedPath::new(path), is_wanted)?
        };
        Some(Rule::new(&self.list, entry))
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

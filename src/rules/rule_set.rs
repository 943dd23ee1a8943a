//! The rules of one agent with their index: path → the rule that decides.

use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::access::Access;
use crate::compared_form::ComparedPath;
use crate::options::Dialect;
use crate::rules::index::{Index, Known};
use crate::rules::lazy::LazyForMany;
use crate::rules::path_index::IndexedPath;
use crate::rules::rule::Rule;
use crate::rules::rule_list::{Origin, RuleEntry, RuleList};
use crate::sort;

/// The finished rules of one agent. The only owner of an [`Index`], so that none is asked about
/// another list.
#[derive(Debug)]
pub(crate) struct RuleSet {
    list: RuleList,
    index: LazyForMany<Index>,
}

impl RuleSet {
    pub(crate) fn new(mut list: RuleList) -> RuleSet {
        list.finish();
        RuleSet {
            index: LazyForMany::new(&list),
            list,
        }
    }

    pub(crate) fn empty(dialect: Dialect) -> RuleSet {
        RuleSet::new(RuleList::new(dialect, 0))
    }

    /// The effect of the rule that decides about `path`, which must be in the form of the set's
    /// dialect: the one with the greatest precedence among those that match.
    #[inline]
    pub(crate) fn effect(&self, path: ComparedPath<'_>) -> Option<Access> {
        let [deciding, _] = self.best::<false>(path);
        deciding.map(RuleEntry::effect)
    }

    /// The rule that decides about `path`, and the one that would decide if there were only rules
    /// of the opposite access.
    pub(crate) fn deciding_and_overruled(
        &self,
        path: &[u8],
    ) -> (Option<Rule<'_>>, Option<Rule<'_>>) {
        let mut best = self.best::<true>(ComparedPath::new(path));
        best.sort_by_key(|entry| Reverse(entry.map(RuleEntry::precedence)));
        best.map(|entry| entry.map(|entry| Rule::new(&self.list, entry)))
            .into()
    }

    /// The best of the rules that match; with `OF_EACH` the best of each access, `Allow` first.
    #[inline]
    fn best<'l, const OF_EACH: bool>(
        &'l self,
        path: ComparedPath<'_>,
    ) -> [Option<&'l RuleEntry>; 2] {
        let list = &self.list;
        let mut indexed = IndexedPath::new(path.bytes);
        let mut best: [Option<&'l RuleEntry>; 2] = [None, None];
        let [allow, disallow] = &mut best;
        let mut meet = |entry: &'l RuleEntry, known| {
            let side = match OF_EACH && entry.access == Access::Disallow {
                true => &mut *disallow,
                false => &mut *allow,
            };
            let is_better = side.is_none_or(|best| entry.precedence() > best.precedence());
            if is_better && (known == Known::Match || list.is_match_in(entry, &mut indexed)) {
                *side = Some(entry);
            }
        };
        if let Some(index) = self.index() {
            index.for_each_candidate(list, path, meet);
        } else {
            let near = |entry: &&RuleEntry| list.may_match(entry, path.bytes);
            let entries = list.entries().iter().filter(near);
            entries.for_each(|entry| meet(entry, Known::Nothing));
        }
        best
    }

    /// The index, if the set has been asked so often that it is worth its making.
    #[inline]
    fn index(&self) -> Option<&Index> {
        self.index.get(&self.list, WALKS)
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

/// The questions that a walk over all rules answers before the index is made, which takes as long
/// as some ten walks.
pub(crate) const WALKS: u8 = 16;

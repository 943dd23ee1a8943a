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
use crate::rules::steps;
use crate::sort;
use crate::text::byte_class::Classes;

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
        RuleSet::new(RuleList::new(dialect))
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

    /// The best of the rules that match; with `OF_EACH` that of each access, `Allow` first.
    #[inline(always)]
    fn best<'l, const OF_EACH: bool>(
        &'l self,
        path: ComparedPath<'_>,
    ) -> [Option<&'l RuleEntry>; 2] {
        let mut contest: Contest<'l, '_, OF_EACH> = Contest {
            list: &self.list,
            path: IndexedPath::new(path.bytes),
            best: [None, None],
        };
        match self.index() {
            Some(index) => {
                let meet = |entry, known| contest.meet(entry, known);
                index.for_each_candidate(&self.list, path, meet);
            }
            None => contest.walk(path.lacking()),
        }
        contest.best
    }

    /// The index, once the set has been asked often enough to repay it.
    #[inline]
    fn index(&self) -> Option<&Index> {
        self.index.get(&self.list, WALKS)
    }

    /// The rules of the file in precedence order, the first that matches decides.
    pub(crate) fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        let of_file = |entry: &&RuleEntry| entry.origin() == Origin::File;
        let mut entries: Vec<&RuleEntry> = self.list.entries().iter().filter(of_file).collect();
        sort::unstable_by_key(&mut entries, |entry| Reverse(entry.precedence()));
        entries
            .into_iter()
            .map(|entry| Rule::new(&self.list, entry))
    }
}

/// The matching rules of a path; it keeps those with the greatest precedence.
struct Contest<'l, 'p, const OF_EACH: bool> {
    list: &'l RuleList,
    path: IndexedPath<'p>,
    best: [Option<&'l RuleEntry>; 2],
}

impl<'l, const OF_EACH: bool> Contest<'l, '_, OF_EACH> {
    #[inline(always)]
    fn meet(&mut self, entry: &'l RuleEntry, known: Known) {
        let [allow, disallow] = &mut self.best;
        let best = match OF_EACH && entry.access() == Access::Disallow {
            true => disallow,
            false => allow,
        };
        let is_better = best.is_none_or(|best| entry.precedence() > best.precedence());
        if is_better && (known == Known::Match || self.list.is_match_in(entry, &mut self.path)) {
            *best = Some(entry);
        }
    }

    #[inline(never)]
    fn walk(&mut self, lacking: Classes) {
        for entry in self.list.entries() {
            steps::add(1);
            if entry.pattern.form.may_match(lacking) {
                self.meet(entry, Known::Nothing);
            }
        }
    }
}

/// The questions that a walk over all rules answers before the index is made. On real sets the
/// index repays itself after some 140 questions, and a crawler asks most robots a few.
pub(crate) const WALKS: u8 = 32;

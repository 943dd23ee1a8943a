//! Finds the patterns with `*` of a merged group that may cover another pattern.
//!
//! A covering pattern may require only bytes of the covered one; no other byte is certain to be in
//! its paths. So a few wildcards are filtered by the kinds of bytes that they require, and many by
//! one gram: four bytes of a literal.
//!
//! The index of the rules cannot take this over. It finds the rules that match a path, and its time
//! for one path is linear in the file, so asking it about each pattern is quadratic: 64,000 rules
//! `/*abc*def` then take 6.6 s instead of 53 ms, four times as long for twice the rules.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::lint::example_path::without_end;
use crate::lint::work_budget::WorkBudget;
use crate::rules::canonical::Escapes;
use crate::rules::index::scan::kinds;
use crate::rules::pattern::Tier;
use crate::rules::rule_list::{Precedence, RuleEntry, RuleList};

#[derive(Debug)]
pub(super) struct WildcardIndex<'a> {
    rules: &'a RuleList,
    work: &'a WorkBudget,
    /// The wildcards that every search looks at: all of up to [`SCAN_LIMIT`], otherwise those
    /// without a gram.
    scanned: Vec<Wildcard<'a>>,
    /// The other wildcards, by the last four bytes of their longest literal.
    by_gram: BTreeMap<[u8; 4], Vec<Wildcard<'a>>>,
    /// The greatest precedence of all wildcards.
    greatest: Option<Precedence>,
}

#[derive(Debug, Clone, Copy)]
struct Wildcard<'a> {
    entry: &'a RuleEntry,
    precedence: Precedence,
    /// The kinds of bytes that its literals hold.
    kinds: u64,
}

impl<'a> WildcardIndex<'a> {
    /// Indexes the wildcards of the rules. Patterns whose meaning depends on the query are left
    /// out: one that matches a generic path need not match every path that it stands for.
    pub(super) fn new(rules: &'a RuleList, work: &'a WorkBudget) -> WildcardIndex<'a> {
        let is_wildcard =
            |entry: &&RuleEntry| entry.tier != Tier::Prefix && entry.escapes == Escapes::Settled;
        let wildcards = rules.entries().iter().filter(is_wildcard);
        let mut scanned: Vec<Wildcard<'_>> = wildcards
            .map(|entry| Wildcard {
                entry,
                precedence: entry.precedence(),
                kinds: literals(rules.pattern(entry)).fold(0, |all, literal| all | kinds(literal)),
            })
            .collect();
        let greatest = scanned.iter().map(|wildcard| wildcard.precedence).max();
        let mut by_gram: BTreeMap<_, Vec<_>> = BTreeMap::new();
        if scanned.len() > SCAN_LIMIT {
            scanned.retain(|wildcard| {
                let pattern = rules.pattern(wildcard.entry);
                let longest = literals(pattern).max_by_key(|literal| literal.len());
                let gram = longest.and_then(<[u8]>::last_chunk);
                if let Some(gram) = gram {
                    by_gram.entry(*gram).or_default().push(*wildcard);
                }
                gram.is_none()
            });
        }
        WildcardIndex {
            rules,
            work,
            scanned,
            by_gram,
            greatest,
        }
    }

    /// The wildcard that decides about the generic path of a pattern, among those that take
    /// precedence over `least`.
    pub(super) fn deciding(
        &self,
        pattern: &[u8],
        path: &[u8],
        least: Option<Precedence>,
    ) -> Option<&'a RuleEntry> {
        let mut best: Option<&Wildcard<'a>> = None;
        for candidate in self.candidates(pattern, least) {
            if best.is_some_and(|best| best.precedence >= candidate.precedence) {
                continue;
            }
            // Each `*` begins a search, and a pattern may hold little else.
            let searches = SEARCH.saturating_mul(candidate.entry.len as usize);
            self.work.spend_on_text(searches);
            self.work.spend(path.len());
            if self.rules.is_match(candidate.entry, path) {
                best = Some(candidate);
            }
        }
        best.map(|best| best.entry)
    }

    /// Whether [`WildcardIndex::deciding`] would look at any wildcard. Cheaper than making the
    /// generic paths.
    pub(super) fn has_candidate(&self, pattern: &[u8], least: Option<Precedence>) -> bool {
        self.candidates(pattern, least).next().is_some()
    }

    /// The wildcards that may cover a pattern and take precedence over `least`; none once the work
    /// is spent.
    fn candidates(
        &self,
        pattern: &[u8],
        least: Option<Precedence>,
    ) -> impl Iterator<Item = &Wildcard<'a>> {
        let look = move || {
            self.work.spend_on_text(pattern.len());
            self.work.spend(self.scanned.len());
            let text = if self.by_gram.is_empty() {
                b""
            } else {
                pattern
            };
            let grams = text.windows(4).filter_map(<[u8]>::first_chunk);
            let with_gram = grams.filter_map(|gram| self.by_gram.get(gram));
            let looked_at = with_gram.take_while(|wildcards| {
                self.work.spend(wildcards.len());
                !self.work.is_spent()
            });
            let kinds = kinds(pattern) | kinds(b"/");
            let wildcards = self.scanned.iter().chain(looked_at.flatten());
            wildcards.filter(move |wildcard| {
                wildcard.kinds & !kinds == 0 && Some(wildcard.precedence) > least
            })
        };
        let may_be_covered = self.greatest > least && !self.work.is_spent();
        may_be_covered.then(look).into_iter().flatten()
    }
}

fn literals(pattern: &[u8]) -> impl Iterator<Item = &[u8]> {
    without_end(pattern).split(|byte| *byte == b'*')
}

/// The cost of beginning a search, in bytes compared.
const SEARCH: usize = 8;

/// Up to this number of wildcards a scan is faster than grams.
const SCAN_LIMIT: usize = 16;

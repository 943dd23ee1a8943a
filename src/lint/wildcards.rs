//! The patterns with `*` of a set, and which of them may match all that another pattern matches.
//!
//! Nothing but bytes of that pattern are in every path that it matches, so what the ones asked for need must be in it.
//! Many are told apart by four bytes, few by the kinds of their bytes.

use alloc::vec::Vec;

use crate::lint::work::Work;
use crate::rules::canonical::Escapes;
use crate::rules::index::scan::kinds;
use crate::rules::pattern::Tier;
use crate::rules::rule_list::{Precedence, RuleEntry, RuleList};

#[derive(Debug, Default)]
pub(super) struct Wildcards {
    few: Vec<Wildcard>,
    /// Ascending by the gram.
    by_gram: Vec<Wildcard>,
    /// A bit for each of some grams, of which each that is in `by_gram` has one.
    grams: Vec<u64>,
    /// Of them all.
    greatest: Option<Precedence>,
}

#[derive(Debug, Clone, Copy)]
struct Wildcard {
    precedence: Precedence,
    /// The kinds of bytes that a path must hold.
    needed: u64,
    /// Of its longest literal. Means nothing among a few.
    gram: Gram,
    entry: u32,
}

/// Four bytes of a literal.
type Gram = u32;

impl Wildcards {
    /// Takes those of the arena. Patterns whose meaning depends on the query are not among them: they may match a generic
    /// path, but not all that it stands for.
    pub(super) fn fill(&mut self, arena: &RuleList) {
        self.few.clear();
        self.by_gram.clear();
        let is_wildcard =
            |entry: &RuleEntry| entry.tier != Tier::Prefix && entry.escapes == Escapes::Settled;
        let places = (0..).zip(arena.entries());
        self.few.extend(
            places
                .filter(|(_, entry)| is_wildcard(entry))
                .map(|(at, entry)| Wildcard {
                    precedence: entry.precedence(),
                    needed: literals(arena.pattern(entry))
                        .fold(0, |needed, literal| needed | kinds(literal)),
                    gram: 0,
                    entry: at,
                }),
        );
        self.greatest = self.few.iter().map(|wildcard| wildcard.precedence).max();
        if self.few.len() > FEW {
            self.sort_by_gram(arena);
        }
    }

    fn sort_by_gram(&mut self, arena: &RuleList) {
        self.grams.clear();
        self.grams.resize(GRAM_WORDS, 0);
        let (by_gram, grams) = (&mut self.by_gram, &mut self.grams);
        self.few.retain(|wildcard| {
            let pattern = arena
                .entry(wildcard.entry)
                .map(|entry| arena.pattern(entry));
            let longest = literals(pattern.unwrap_or_default()).max_by_key(|literal| literal.len());
            let Some(gram) = longest.and_then(<[u8]>::last_chunk) else {
                return true;
            };
            let gram = Gram::from_le_bytes(*gram);
            by_gram.push(Wildcard { gram, ..*wildcard });
            let (word, bit) = place(gram);
            if let Some(word) = grams.get_mut(word) {
                *word |= bit;
            }
            false
        });
        self.by_gram.sort_unstable_by_key(|wildcard| wildcard.gram);
    }

    /// Of those that match the generic path of a pattern and take precedence over `least`, the one that takes precedence.
    pub(super) fn deciding<'a>(
        &self,
        arena: &'a RuleList,
        pattern: &[u8],
        path: &[u8],
        least: Option<Precedence>,
        work: &mut Work,
    ) -> Option<&'a RuleEntry> {
        let mut deciding: Option<&RuleEntry> = None;
        self.for_each_candidate(pattern, least, work, |candidate, work| {
            let entry = arena.entry(candidate.entry);
            let is_better = deciding.is_none_or(|best| candidate.precedence > best.precedence());
            if let Some(entry) = entry.filter(|_| is_better) {
                // Each `*` begins a search, and a pattern may hold little else.
                work.look(SEARCH.saturating_mul(entry.len as usize));
                work.glance(path.len());
                if arena.is_match(entry, path) {
                    deciding = Some(entry);
                }
            }
        });
        deciding
    }

    /// Whether there is anything to compare with the generic paths of a pattern, which take longer to make than this.
    pub(super) fn may_decide(
        &self,
        pattern: &[u8],
        least: Option<Precedence>,
        work: &mut Work,
    ) -> bool {
        let mut may = false;
        self.for_each_candidate(pattern, least, work, |_, _| may = true);
        may
    }

    #[inline]
    fn for_each_candidate(
        &self,
        pattern: &[u8],
        least: Option<Precedence>,
        work: &mut Work,
        mut found: impl FnMut(&Wildcard, &mut Work),
    ) {
        if self.greatest <= least {
            return;
        }
        work.look(pattern.len());
        let kinds = kinds(pattern) | kinds(b"/");
        let mut look = |wildcards: &[Wildcard]| {
            for wildcard in wildcards {
                work.glance(1);
                if work.is_done() {
                    return;
                }
                if wildcard.needed & !kinds == 0 && Some(wildcard.precedence) > least {
                    found(wildcard, work);
                }
            }
        };
        look(&self.few);
        if self.by_gram.is_empty() {
            return;
        }
        for gram in pattern.windows(4).filter_map(<[u8]>::first_chunk) {
            let gram = Gram::from_le_bytes(*gram);
            let (word, bit) = place(gram);
            if self.grams.get(word).is_some_and(|word| word & bit != 0) {
                look(self.of_gram(gram));
            }
        }
    }

    fn of_gram(&self, gram: Gram) -> &[Wildcard] {
        let place_of = |is_before: fn(&Gram, &Gram) -> bool| {
            self.by_gram
                .partition_point(|wildcard| is_before(&wildcard.gram, &gram))
        };
        let range = place_of(Gram::lt)..place_of(Gram::le);
        self.by_gram.get(range).unwrap_or_default()
    }
}

fn literals(pattern: &[u8]) -> impl Iterator<Item = &[u8]> {
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    body.split(|byte| *byte == b'*')
}

/// The word of a gram and its bit there.
fn place(gram: Gram) -> (usize, u64) {
    let hash = gram.wrapping_mul(0x9E37_79B9) >> 20;
    ((hash / 64) as usize, 1 << (hash % 64))
}

/// 4,096 bits.
const GRAM_WORDS: usize = 64;

/// What it costs to begin a search, in bytes looked at.
const SEARCH: usize = 8;

/// So many are looked at one by one.
const FEW: usize = 16;

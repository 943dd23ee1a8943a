//! Finds the patterns with `*` of a merged group that may cover another pattern.
//!
//! A covering pattern may require only bytes of the covered one; no other byte is certain to be in
//! its paths. So a few wildcards are filtered by the classes of bytes that they require, and many
//! by one gram: four bytes of a literal.
//!
//! The index of the rules cannot take this over. It finds the rules that match a path, and its time
//! for one path is linear in the file, so asking it about each pattern is quadratic: twice the
//! rules `/*abc*def` take four times as long.

use crate::order::in_order;
use crate::rules::compiled_rule::{CompiledRule, Precedence};
use crate::rules::glob;
use crate::work_budget::WorkBudget;

#[derive(Debug, Default)]
pub(super) struct WildcardIndex {
    /// The wildcards that every search looks at: all of up to [`SCAN_LIMIT`], otherwise those
    /// without a gram.
    scanned: Vec<Wildcard>,
    /// The other wildcards, in ascending order of their gram.
    by_gram: Vec<Wildcard>,
    /// A filter in front of `by_gram`: one bit for each hash of a gram that is there.
    gram_filter: Vec<u64>,
    /// The greatest precedence of all wildcards.
    greatest: Option<Precedence>,
}

#[derive(Debug, Clone, Copy)]
struct Wildcard {
    precedence: Precedence,
    /// The classes of the bytes that its literals hold.
    kinds: u64,
    /// The last four bytes of its longest literal; zero in `scanned`.
    gram: Gram,
    /// Its place among the rules.
    rule: usize,
}

/// Four bytes of a literal.
type Gram = u32;

impl WildcardIndex {
    /// Replaces the wildcards by those of the rules. Patterns whose meaning depends on the query
    /// are left out: one that matches a generic path need not match every path that it stands for.
    pub(super) fn fill(&mut self, rules: &[CompiledRule<'_>]) {
        self.scanned.clear();
        self.by_gram.clear();
        let is_wildcard = |rule: &CompiledRule<'_>| rule.is_wildcard() && !rule.depends_on_query;
        let wildcards = rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| is_wildcard(rule))
            .map(|(at, rule)| Wildcard {
                precedence: rule.precedence(),
                kinds: literals(rule.pattern()).fold(0, |all, literal| all | kinds(literal)),
                gram: 0,
                rule: at,
            });
        self.scanned.extend(wildcards);
        self.greatest = self
            .scanned
            .iter()
            .map(|wildcard| wildcard.precedence)
            .max();
        if self.scanned.len() > SCAN_LIMIT {
            self.sort_by_gram(rules);
        }
    }

    fn sort_by_gram(&mut self, rules: &[CompiledRule<'_>]) {
        self.gram_filter.clear();
        self.gram_filter.resize(FILTER_WORDS, 0);
        let (by_gram, gram_filter) = (&mut self.by_gram, &mut self.gram_filter);
        self.scanned.retain(|wildcard| {
            let pattern = rules.get(wildcard.rule).map(CompiledRule::pattern);
            let longest = literals(pattern.unwrap_or_default()).max_by_key(|literal| literal.len());
            let Some(gram) = longest.and_then(<[u8]>::last_chunk) else {
                return true;
            };
            let gram = Gram::from_le_bytes(*gram);
            by_gram.push(Wildcard { gram, ..*wildcard });
            let (word, bit) = filter_bit(gram);
            if let Some(word) = gram_filter.get_mut(word) {
                *word |= bit;
            }
            false
        });
        let by_gram = core::mem::take(&mut self.by_gram);
        self.by_gram = in_order(by_gram, |one, other| one.gram.cmp(&other.gram));
    }

    /// The wildcard that decides about the generic path of a pattern, among those that take
    /// precedence over `least`.
    pub(super) fn deciding<'a, 'r>(
        &self,
        rules: &'a [CompiledRule<'r>],
        pattern: &[u8],
        path: &[u8],
        least: Option<Precedence>,
        work: &WorkBudget,
    ) -> Option<&'a CompiledRule<'r>> {
        let mut deciding: Option<&CompiledRule<'r>> = None;
        self.for_each_candidate(pattern, least, work, |candidate| {
            let rule = rules.get(candidate.rule);
            let is_better = deciding.is_none_or(|best| candidate.precedence > best.precedence());
            if let Some(rule) = rule.filter(|_| is_better) {
                // Each `*` begins a search, and a pattern may hold little else.
                work.spend_on_text(SEARCH.saturating_mul(rule.pattern().len()));
                work.spend(path.len());
                if glob::matches(rule.pattern(), path) {
                    deciding = Some(rule);
                }
            }
        });
        deciding
    }

    /// Whether [`WildcardIndex::deciding`] would look at any wildcard. Cheaper than making the
    /// generic paths.
    pub(super) fn has_candidate(
        &self,
        pattern: &[u8],
        least: Option<Precedence>,
        work: &WorkBudget,
    ) -> bool {
        let mut has_candidate = false;
        self.for_each_candidate(pattern, least, work, |_| has_candidate = true);
        has_candidate
    }

    #[inline]
    fn for_each_candidate(
        &self,
        pattern: &[u8],
        least: Option<Precedence>,
        work: &WorkBudget,
        mut visit: impl FnMut(&Wildcard),
    ) {
        if self.greatest <= least {
            return;
        }
        work.spend_on_text(pattern.len());
        let kinds = kinds(pattern) | kinds(b"/");
        let mut scan = |wildcards: &[Wildcard]| {
            for wildcard in wildcards {
                work.spend(1);
                if work.is_spent() {
                    return;
                }
                if wildcard.kinds & !kinds == 0 && Some(wildcard.precedence) > least {
                    visit(wildcard);
                }
            }
        };
        scan(&self.scanned);
        if self.by_gram.is_empty() {
            return;
        }
        for gram in pattern.windows(4).filter_map(<[u8]>::first_chunk) {
            let gram = Gram::from_le_bytes(*gram);
            let (word, bit) = filter_bit(gram);
            if self
                .gram_filter
                .get(word)
                .is_some_and(|word| word & bit != 0)
            {
                scan(self.with_gram(gram));
            }
        }
    }

    fn with_gram(&self, gram: Gram) -> &[Wildcard] {
        let start = self
            .by_gram
            .partition_point(|wildcard| wildcard.gram < gram);
        let end = self
            .by_gram
            .partition_point(|wildcard| wildcard.gram <= gram);
        self.by_gram.get(start..end).unwrap_or_default()
    }
}

fn literals(pattern: &[u8]) -> impl Iterator<Item = &[u8]> {
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    body.split(|byte| *byte == b'*')
}

/// The classes of the bytes of a text, a bit for each of 64: lower-case letters have one each,
/// digits and marks share theirs with upper case.
fn kinds(text: &[u8]) -> u64 {
    let kind = |byte: &u8| 1_u64 << (byte & 0x1F | u8::from(*byte < b'`') << 5);
    text.iter().fold(0, |kinds, byte| kinds | kind(byte))
}

/// The word of the filter that stands for a gram, and the bit in it.
fn filter_bit(gram: Gram) -> (usize, u64) {
    let hash = gram.wrapping_mul(0x9E37_79B9) >> 20;
    ((hash / 64) as usize, 1 << (hash % 64))
}

/// The filter has 4,096 bits.
const FILTER_WORDS: usize = 64;

/// The cost of beginning a search, in bytes compared.
const SEARCH: usize = 8;

/// Up to this number of wildcards a scan is faster than grams.
const SCAN_LIMIT: usize = 16;

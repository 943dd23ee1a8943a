//! A hash table that finds the rule with a given pattern.
//!
//! The index of the rules finds the rules that match a path; here the whole pattern is the key.

use alloc::vec::Vec;

use crate::rules::rule_list::RuleList;
use crate::text::hash::MULTIPLIER;

/// The rules of one list, one for each pattern.
#[derive(Debug, Default)]
pub(super) struct PatternTable {
    /// Indexes into the list, or [`EMPTY`]. The number of slots is a power of two.
    slots: Vec<u32>,
}

impl PatternTable {
    /// Empties the table and makes room for a number of rules.
    pub(super) fn clear(&mut self, rules: usize) {
        let slots = rules.saturating_mul(2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(slots, EMPTY);
    }

    /// Adds a rule, unless the table has one of the same pattern: then hands that one out.
    pub(super) fn insert(&mut self, rules: &RuleList, rule: u32) -> Option<u32> {
        let pattern = rules.entry(rule).map(|entry| rules.pattern(entry))?;
        let slot = self.slot_of(rules, pattern)?;
        match self.slots.get_mut(slot) {
            Some(held) if *held == EMPTY => {
                *held = rule;
                None
            }
            held => held.copied(),
        }
    }

    /// Puts a rule in the place of the one with the same pattern.
    pub(super) fn replace(&mut self, rules: &RuleList, rule: u32) {
        let pattern = rules.entry(rule).map(|entry| rules.pattern(entry));
        let slot = pattern.and_then(|pattern| self.slot_of(rules, pattern));
        if let Some(held) = slot.and_then(|slot| self.slots.get_mut(slot)) {
            *held = rule;
        }
    }

    /// Whether a rule has this pattern.
    pub(super) fn contains(&self, rules: &RuleList, pattern: &[u8]) -> bool {
        self.slot_of(rules, pattern)
            .and_then(|slot| self.slots.get(slot))
            .is_some_and(|held| *held != EMPTY)
    }

    /// The slot of a pattern, or the empty slot where it would go; `None` after [`MAX_PROBES`]
    /// other patterns.
    #[inline]
    fn slot_of(&self, rules: &RuleList, pattern: &[u8]) -> Option<usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let pattern = equivalent(pattern);
        let slots = (hash(pattern)..).take(MAX_PROBES).map(|slot| slot & mask);
        for slot in slots {
            match rules.entry(*self.slots.get(slot)?) {
                Some(held) if equivalent(rules.pattern(held)) != pattern => {}
                _ => return Some(slot),
            }
        }
        None
    }
}

/// One pattern for both that match the same: `*` is `/`. No other two patterns of one length are
/// equivalent.
fn equivalent(pattern: &[u8]) -> &[u8] {
    if pattern == b"*" { b"/" } else { pattern }
}

fn hash(pattern: &[u8]) -> usize {
    let mut hash = pattern.len() as u64;
    let mut rest = pattern;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(MULTIPLIER);
        rest = after;
    }
    for byte in rest {
        hash = (hash.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(MULTIPLIER);
    }
    (hash >> 32) as usize
}

/// No rule has this index.
const EMPTY: u32 = u32::MAX;

/// The longest search. It keeps the time linear in files made to collide; by chance a pattern is
/// missed in one file of billions.
const MAX_PROBES: usize = 64;

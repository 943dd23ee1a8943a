//! A hash table from what a path must hold to the rules that need it.
//!
//! The key of a rule is the literal head of its pattern. Where many patterns with a `*` share a head (`/*…`), the key
//! is a *gram*: four octets of a literal behind the `*`, the ones that fewest patterns have. Looking up a path takes
//! a look for each of its prefixes that is as long as some head, and one for each four octets of it.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::rules::arena::{Arena, Entry};
use crate::rules::path::Escapes;
use crate::rules::pattern::{Tier, split_head};

#[derive(Debug)]
pub(crate) struct Table {
    /// The first rule of a key in the low bits, a tag of the key's hash in the others; or [`EMPTY`]. A taken slot sends
    /// the next key to the slot behind it.
    slots: Box<[u32]>,
    /// The next rule of the same key, or [`EMPTY`].
    next: Box<[u32]>,
    rule_mask: u32,
    heads: Lengths,
    has_grams: bool,
}

impl Table {
    /// A rule that would stand in a crowd under each of its keys goes to `left_out` instead.
    pub(crate) fn new(arena: &Arena, left_out: &mut Vec<u32>) -> Table {
        let entries = arena.entries();
        let popularity = Popularity::new(arena);
        let mut keys: Vec<(u32, Hash)> = Vec::with_capacity(entries.len());
        let mut by_gram: Vec<(u32, Hash)> = Vec::new();
        let mut heads = Lengths::default();
        for (at, entry) in (0_u32..).zip(entries) {
            match popularity.best_key(arena, entry) {
                Some(Key::Head(len, hash)) => {
                    heads.insert(len);
                    keys.push((at, hash));
                }
                Some(Key::Gram(hash)) => by_gram.push((at, hash)),
                None => left_out.push(at),
            }
        }
        let has_grams = by_gram.len() > FEW_GRAMS;
        if has_grams {
            keys.append(&mut by_gram);
        } else {
            left_out.extend(by_gram.iter().map(|(at, _)| *at));
        }
        let slots = keys
            .len()
            .saturating_add(keys.len() / 4 * 3)
            .saturating_add(1);
        let rules = u32::try_from(entries.len()).unwrap_or(u32::MAX);
        let mut table = Table {
            slots: vec![EMPTY; slots].into(),
            next: vec![EMPTY; entries.len()].into(),
            // One number more than there are rules, so that no rule under a tag of ones looks EMPTY.
            rule_mask: u32::MAX.checked_shr(rules.leading_zeros()).unwrap_or(0),
            heads,
            has_grams,
        };
        for (at, hash) in keys {
            table.insert(arena, at, hash);
        }
        table
    }

    fn insert(&mut self, arena: &Arena, at: u32, hash: Hash) {
        let tag = self.tag(hash);
        let mut slot = hash.slot(self.slots.len());
        // Ends: there are more slots than keys.
        while let Some(held) = self.slots.get_mut(slot) {
            if *held == EMPTY {
                *held = tag | at;
                return;
            }
            if *held & !self.rule_mask == tag {
                // Another key of the same tag does no harm here: a candidate is compared whole.
                let first = *held & self.rule_mask;
                return self.link(arena, first, at);
            }
            slot = self.behind(slot);
        }
    }

    /// Adds a rule to those of a key, unless a rule with the same pattern and access is there: of two such the first
    /// always decides, and a file may hold thousands.
    fn link(&mut self, arena: &Arena, first: u32, at: u32) {
        let Some(new) = arena.entry(at) else { return };
        let mut last = first;
        for _ in 0..CROWD {
            let is_same = arena.entry(last).is_some_and(|held| {
                held.access == new.access && arena.pattern(held) == arena.pattern(new)
            });
            if is_same {
                return;
            }
            match self.next.get(last as usize) {
                Some(next) if *next != EMPTY => last = *next,
                _ => break,
            }
        }
        let behind = self.next.get(last as usize).copied().unwrap_or(EMPTY);
        if let Some(next) = self.next.get_mut(at as usize) {
            *next = behind;
        }
        if let Some(next) = self.next.get_mut(last as usize) {
            *next = at;
        }
    }

    /// Hands out every rule of the table that may match, each at most once.
    #[inline]
    pub(crate) fn for_each_candidate(&self, path: &[u8], mut candidate: impl FnMut(u32)) {
        let mut hash = Hash::OF_NOTHING;
        for (len, octet) in (1..=self.heads.longest).zip(path) {
            hash = hash.with(*octet);
            if self.heads.contains(len) {
                if let Some(first) = self.find(hash) {
                    self.for_each_of_key(first, &mut candidate);
                }
            }
        }
        if self.has_grams {
            // A gram may be in the path a thousand times; its rules must not be compared as often.
            let mut found: Vec<u32> = path
                .windows(GRAM)
                .filter_map(|gram| self.find(Hash::of_gram(gram)))
                .collect();
            found.sort_unstable();
            found.dedup();
            for first in found {
                self.for_each_of_key(first, &mut candidate);
            }
        }
    }

    fn for_each_of_key(&self, first: u32, candidate: &mut impl FnMut(u32)) {
        let mut at = first;
        loop {
            candidate(at);
            match self.next.get(at as usize) {
                Some(next) if *next != EMPTY => at = *next,
                _ => return,
            }
        }
    }

    /// The first rule of a key.
    #[inline]
    fn find(&self, hash: Hash) -> Option<u32> {
        let tag = self.tag(hash);
        let mut slot = hash.slot(self.slots.len());
        loop {
            let held = *self.slots.get(slot)?;
            if held == EMPTY {
                return None;
            }
            if held & !self.rule_mask == tag {
                return Some(held & self.rule_mask);
            }
            slot = self.behind(slot);
        }
    }

    #[inline]
    fn tag(&self, hash: Hash) -> u32 {
        hash.tag() & !self.rule_mask
    }

    #[inline]
    fn behind(&self, slot: usize) -> usize {
        let next = slot.wrapping_add(1);
        if next < self.slots.len() { next } else { 0 }
    }
}

const EMPTY: u32 = u32::MAX;

/// The octets of a gram: as few as there can be and still be rare in paths.
const GRAM: usize = 4;

/// So many rules are looked at one by one in the time that it takes to look up every gram of a path of 40 octets.
const FEW_GRAMS: usize = 64;

/// More rules than this under one key are better looked at one by one, each behind a screen.
const CROWD: usize = 8;

/// Longer heads are looked up by so many octets of them.
const LONGEST_HEAD: usize = 511;

enum Key {
    Head(usize, Hash),
    Gram(Hash),
}

/// How many patterns have a key, roughly: keys may share a count.
struct Popularity {
    counts: Vec<u16>,
}

impl Popularity {
    fn new(arena: &Arena) -> Popularity {
        let wildcards = arena
            .entries()
            .iter()
            .filter(|entry| entry.tier != Tier::Prefix)
            .count();
        let mut popularity = Popularity {
            counts: vec![0; wildcards.saturating_mul(16).min(MOST_COUNTS)],
        };
        for entry in arena.entries() {
            if entry.tier != Tier::Prefix {
                let (head, tail) = head_and_tail(arena, entry);
                popularity.add(Hash::of_head(head));
                for gram in grams(tail, entry.escapes) {
                    popularity.add(Hash::of_gram(gram));
                }
            }
        }
        popularity
    }

    fn add(&mut self, hash: Hash) {
        let slot = hash.slot(self.counts.len());
        if let Some(count) = self.counts.get_mut(slot) {
            *count = count.saturating_add(1);
        }
    }

    fn of(&self, hash: Hash) -> usize {
        self.counts
            .get(hash.slot(self.counts.len()))
            .copied()
            .unwrap_or(0)
            .into()
    }

    fn best_key(&self, arena: &Arena, entry: &Entry) -> Option<Key> {
        let (head, tail) = head_and_tail(arena, entry);
        let head_hash = Hash::of_head(head);
        let head_key = (!head.is_empty()).then_some(Key::Head(head.len(), head_hash));
        if entry.tier == Tier::Prefix {
            // Rules without a wildcard make no crowd: those of one head say the same.
            return head_key;
        }
        let head_count = self.of(head_hash);
        if head_key.is_some() && head_count <= CROWD {
            return head_key;
        }
        let hashes = grams(tail, entry.escapes).map(Hash::of_gram);
        let (count, hash) = hashes
            .map(|hash| (self.of(hash), hash))
            .min_by_key(|(count, _)| *count)?;
        (count <= CROWD).then_some(Key::Gram(hash))
    }
}

/// The head as far as it is looked up.
fn head_and_tail<'a>(arena: &'a Arena, entry: &Entry) -> (&'a [u8], &'a [u8]) {
    let (head, tail) = split_head(arena.pattern(entry), entry.tier);
    (head.get(..LONGEST_HEAD).unwrap_or(head), tail)
}

const MOST_COUNTS: usize = 1 << 20;

/// What must be in a path as it stands, four octets at a time. A piece with a place-dependent escape has two readings.
fn grams(tail: &[u8], escapes: Escapes) -> impl Iterator<Item = &[u8]> {
    let tail = match escapes {
        Escapes::Settled => tail,
        Escapes::PlaceDependent => &[],
    };
    tail.split(|octet| *octet == b'*')
        .flat_map(|piece| piece.windows(GRAM))
}

/// The lengths that heads have.
#[derive(Debug, Default)]
struct Lengths {
    set: [u64; (LONGEST_HEAD + 1) / 64],
    longest: usize,
}

impl Lengths {
    fn insert(&mut self, len: usize) {
        if let Some(word) = self.set.get_mut(len / 64) {
            *word |= 1 << (len % 64);
            self.longest = self.longest.max(len);
        }
    }

    #[inline]
    fn contains(&self, len: usize) -> bool {
        self.set
            .get(len / 64)
            .is_some_and(|word| word >> (len % 64) & 1 == 1)
    }
}

/// Of the octets of a key; that of a path's prefix goes on to that of the next longer one.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const OF_NOTHING: Hash = Hash(0);

    fn of_head(head: &[u8]) -> Hash {
        head.iter()
            .fold(Hash::OF_NOTHING, |hash, octet| hash.with(*octet))
    }

    #[inline]
    fn of_gram(gram: &[u8]) -> Hash {
        let octets = gram
            .iter()
            .fold(0_u64, |octets, octet| octets << 8 | u64::from(*octet));
        Hash((octets ^ GRAM_SEED).wrapping_mul(MULTIPLIER))
    }

    #[inline]
    fn with(self, octet: u8) -> Hash {
        Hash((self.0 ^ u64::from(octet)).wrapping_mul(MULTIPLIER))
    }

    /// From the high bits, which depend on all octets.
    #[inline]
    fn slot(self, slots: usize) -> usize {
        (((self.0 >> 32) * slots as u64) >> 32) as usize
    }

    /// From bits below those.
    #[inline]
    fn tag(self) -> u32 {
        (self.0 >> 8) as u32
    }
}

/// Odd, with its ones well spread: 2^64 divided by the golden ratio.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

const GRAM_SEED: u64 = 0x5851_F42D_4C95_7F2D;

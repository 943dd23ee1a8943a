//! A hash table from what a path must hold to the rules that need it.
//!
//! The key of a rule is the literal head of its pattern. Where many patterns with a `*` share a head (`/*…`), the key
//! is a *gram*: four octets of a literal behind the `*`, the ones that fewest patterns have, or six if many have
//! those too. Looking up a path takes a look for each of its prefixes that is as long as some head, and one for each
//! gram of it.

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
    /// The lengths of the grams that are keys.
    grams: Vec<usize>,
}

impl Table {
    /// A rule that would stand in a crowd under each of its keys goes to `left_out` instead.
    pub(crate) fn new(arena: &Arena, left_out: &mut Vec<u32>) -> Table {
        let entries = arena.entries();
        let mut keys: Vec<(u32, Hash)> = Vec::with_capacity(entries.len());
        let mut heads = Lengths::default();
        let mut without_head: Vec<(u32, &[u8])> = Vec::new();
        let head_counts = Counts::of_heads(arena);
        for (at, entry) in (0_u32..).zip(entries) {
            let (head, tail) = head_and_tail(arena, entry);
            let hash = Hash::of_head(head);
            // Rules without a wildcard make no crowd: those of one head say the same.
            let is_crowded = entry.tier != Tier::Prefix && head_counts.of(hash) > FEW;
            if head.is_empty() || is_crowded {
                without_head.push((at, tail));
            } else {
                heads.insert(head.len());
                keys.push((at, hash));
            }
        }
        let mut grams = Vec::new();
        if without_head.len() <= FEW_GRAMS {
            left_out.extend(without_head.iter().map(|(at, _)| *at));
        } else {
            for (len, crowd) in GRAMS {
                let counts = Counts::of_grams(&without_head, len);
                let before = keys.len();
                without_head.retain(|(at, tail)| match counts.rarest(tail, len, crowd) {
                    Some(hash) => {
                        keys.push((*at, hash));
                        false
                    }
                    None => true,
                });
                if keys.len() > before && !grams.contains(&len) {
                    grams.push(len);
                }
            }
            left_out.extend(without_head.iter().map(|(at, _)| *at));
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
            grams,
        };
        for (at, hash) in keys {
            if !table.insert(arena, at, hash) {
                left_out.push(at);
            }
        }
        table
    }

    /// Whether there was room near the key's place. A file can be made to want one place for all of its keys; then the
    /// rules that find none are looked at one by one, as everywhere else.
    fn insert(&mut self, arena: &Arena, at: u32, hash: Hash) -> bool {
        let tag = self.tag(hash);
        let mut slot = hash.slot(self.slots.len());
        for _ in 0..MOST_LOOKS {
            let Some(held) = self.slots.get_mut(slot) else {
                return false;
            };
            if *held == EMPTY {
                *held = tag | at;
                return true;
            }
            if *held & !self.rule_mask == tag {
                // Another key of the same tag does no harm here: a candidate is compared whole.
                let first = *held & self.rule_mask;
                return self.link(arena, first, at);
            }
            slot = self.behind(slot);
        }
        false
    }

    /// Adds a rule to those of a key, unless a rule with the same pattern and access is there: of two such the first
    /// always decides, and a file may hold thousands. Says whether there was room: keys that a file was made to give one
    /// hash must not hide twins from each other, so what comes after a crowd is left out.
    fn link(&mut self, arena: &Arena, first: u32, at: u32) -> bool {
        let Some(new) = arena.entry(at) else {
            return true;
        };
        let mut last = first;
        for look in 1..=CROWD {
            let is_same = arena.entry(last).is_some_and(|held| {
                held.access == new.access && arena.pattern(held) == arena.pattern(new)
            });
            if is_same {
                return true;
            }
            match self.next.get_mut(last as usize) {
                Some(next) if *next != EMPTY => last = *next,
                Some(next) if look < CROWD => {
                    *next = at;
                    return true;
                }
                _ => return false,
            }
        }
        false
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
        // A gram may be in the path a thousand times; its rules must not be compared as often.
        let mut found: Vec<u32> = Vec::new();
        for len in &self.grams {
            found.extend(
                path.windows(*len)
                    .filter_map(|gram| self.find(Hash::of_gram(gram))),
            );
        }
        found.sort_unstable();
        found.dedup();
        for first in found {
            self.for_each_of_key(first, &mut candidate);
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
        for _ in 0..MOST_LOOKS {
            let held = *self.slots.get(slot)?;
            if held == EMPTY {
                return None;
            }
            if held & !self.rule_mask == tag {
                return Some(held & self.rule_mask);
            }
            slot = self.behind(slot);
        }
        None
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

/// A key is in one of so many slots or not in the table. Of 3,000 heads that are numbered one after the other 19 find no
/// room; what finds none is looked at one by one.
const MOST_LOOKS: usize = 32;

/// The octets of a gram, and how many patterns may have it. Four are the fewest that can be rare in paths; six tell
/// 100,000 numbered patterns apart. More rules than that are better looked at one by one, each behind a screen.
const GRAMS: [(usize, usize); 3] = [(4, FEW), (6, CROWD), (4, CROWD)];

/// So many rules are looked at one by one in the time that it takes to look up every gram of a path of 40 octets.
pub(crate) const FEW_GRAMS: usize = 64;

/// More patterns with a `*` than this under one head are better told apart by what follows.
const FEW: usize = 8;

const CROWD: usize = 32;

/// Longer heads are looked up by so many octets of them.
const LONGEST_HEAD: usize = 511;

/// How many patterns with a `*` have a key, roughly: keys may share a count.
struct Counts {
    counts: Vec<u16>,
}

impl Counts {
    fn of_heads(arena: &Arena) -> Counts {
        let wildcards = || {
            arena
                .entries()
                .iter()
                .filter(|entry| entry.tier != Tier::Prefix)
        };
        let mut counts = Counts::new(wildcards().count());
        for entry in wildcards() {
            counts.add(Hash::of_head(head_and_tail(arena, entry).0));
        }
        counts
    }

    fn of_grams(rules: &[(u32, &[u8])], len: usize) -> Counts {
        let mut counts = Counts::new(rules.iter().map(|(_, tail)| tail.len()).sum());
        for (_, tail) in rules {
            for gram in grams(tail, len) {
                counts.add(Hash::of_gram(gram));
            }
        }
        counts
    }

    fn new(keys: usize) -> Counts {
        Counts {
            counts: vec![0; keys.saturating_mul(4).min(MOST_COUNTS)],
        }
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

    /// The gram of a pattern that fewest patterns have, unless those are a crowd.
    fn rarest(&self, tail: &[u8], len: usize, crowd: usize) -> Option<Hash> {
        let hashes = grams(tail, len).map(Hash::of_gram);
        let (count, hash) = hashes
            .map(|hash| (self.of(hash), hash))
            .min_by_key(|(count, _)| *count)?;
        (count <= crowd).then_some(hash)
    }
}

const MOST_COUNTS: usize = 1 << 22;

/// The head as far as it is looked up, and what follows the whole of it. A tail with a place-dependent escape has two
/// readings, so no octets of it must be in a path as they stand.
fn head_and_tail<'a>(arena: &'a Arena, entry: &Entry) -> (&'a [u8], &'a [u8]) {
    let (head, tail) = split_head(arena.pattern(entry), entry.tier);
    let tail = match entry.escapes {
        Escapes::Settled => tail,
        Escapes::PlaceDependent => &[],
    };
    (head.get(..LONGEST_HEAD).unwrap_or(head), tail)
}

/// What must be in a path as it stands, so many octets at a time.
fn grams(tail: &[u8], len: usize) -> impl Iterator<Item = &[u8]> {
    tail.split(|octet| *octet == b'*')
        .flat_map(move |piece| piece.windows(len))
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
        let word = match *gram {
            [a, b, c, d, e, f] => u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            _ => 0,
        };
        let mixed = word.wrapping_mul(MULTIPLIER);
        Hash((mixed ^ (mixed >> 32)).wrapping_mul(MULTIPLIER))
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
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Dialect;
    use crate::parse::directive::Access;
    use crate::parse::line::Value;

    /// A file whose heads all want the same hundredth of the table: filling it took time quadratic in their number, two
    /// seconds for 2 MB.
    #[test]
    fn hostile_keys_of_one_place_are_left_out() {
        const RULES: usize = 2_000;

        let mut arena = Arena::new(Dialect::Rfc9309, 0);
        let slots = RULES + RULES / 4 * 3 + 1;
        let heads = (0..).map(|number| alloc::format!("/h{number}"));
        let crafted = heads.filter(|head| Hash::of_head(head.as_bytes()).slot(slots) < slots / 100);
        for (line, head) in (1..).zip(crafted.take(RULES)) {
            arena.push(Access::Disallow, Value::new(head.as_bytes()), line);
        }
        arena.finish();
        let mut left_out = Vec::new();
        let table = Table::new(&arena, &mut left_out);
        assert!(left_out.len() > RULES / 2, "{}", left_out.len());
        for (at, entry) in (0..).zip(arena.entries()) {
            let mut is_found = left_out.contains(&at);
            table.for_each_candidate(arena.pattern(entry), |candidate| {
                is_found |= candidate == at
            });
            assert!(is_found, "rule {at}");
        }
    }

    /// A file whose heads all have the tag and the slot of one key, and repeats one of them: 28,000 twins were candidates.
    #[test]
    fn hostile_keys_of_one_hash_hide_no_twins() {
        const HEADS: u32 = 2_000;

        let mut arena = Arena::new(Dialect::Rfc9309, 0);
        for line in 1..=HEADS {
            let head = alloc::format!("/{line}");
            arena.push(Access::Disallow, Value::new(head.as_bytes()), line);
            let twin = Value::new(b"/twin");
            arena.push(Access::Disallow, twin, line);
        }
        arena.finish();
        let mut left_out = Vec::new();
        let mut table = Table::new(&arena, &mut left_out);
        // A table in which every key is the same one.
        table.slots.fill(EMPTY);
        table.next.fill(EMPTY);
        let key = Hash::of_head(b"/twin");
        let (kept, left_out): (Vec<u32>, Vec<u32>) =
            (0..2 * HEADS).partition(|at| table.insert(&arena, *at, key));
        let mut chain = Vec::new();
        table.for_each_of_key(0, &mut |at| chain.push(at));
        assert_eq!(chain.len(), CROWD);
        assert_eq!(kept.len() + left_out.len(), 2 * HEADS as usize);
        let is_twin = |at: &&u32| arena.entry(**at).map(|entry| entry.len) == Some(5);
        assert_eq!(chain.iter().filter(is_twin).count(), 1);
        assert_eq!(left_out.iter().filter(|at| *at % 2 == 1).count(), 0);
    }

    /// The candidates of each pattern as a path, which the rule itself must be among, and those that are in no table.
    fn candidates(patterns: &[alloc::string::String]) -> (usize, usize) {
        let mut arena = Arena::new(Dialect::Rfc9309, 0);
        for (line, pattern) in (1..).zip(patterns) {
            arena.push(Access::Disallow, Value::new(pattern.as_bytes()), line);
        }
        arena.finish();
        let mut left_out = Vec::new();
        let table = Table::new(&arena, &mut left_out);
        let mut most = 0;
        for (at, entry) in (0..).zip(arena.entries()) {
            let mut found = Vec::new();
            table.for_each_candidate(arena.pattern(entry), |candidate| found.push(candidate));
            let is_same = |other: &u32| {
                arena.entry(*other).map(|other| arena.pattern(other)) == Some(arena.pattern(entry))
            };
            assert!(found.iter().chain(&left_out).any(is_same), "rule {at}");
            assert!(found.iter().all(|other| arena.entry(*other).is_some()));
            most = most.max(found.len());
        }
        (most, left_out.len())
    }

    #[test]
    fn a_path_has_few_candidates() {
        let heads: Vec<_> = (0..3_000)
            .map(|n| alloc::format!("/shop/{n:04}/"))
            .collect();
        assert_eq!(candidates(&heads), (1, 19));
        // Each has a gram of its own behind many that all have.
        let tails: Vec<_> = (0..200)
            .map(|n| alloc::format!("/*common{n:03}z"))
            .collect();
        let (most, left_out) = candidates(&tails);
        assert!(most <= 4 && left_out == 0, "{most} {left_out}");
        let short: Vec<_> = (0..200).map(|n| alloc::format!("/*{n:04}")).collect();
        let (most, left_out) = candidates(&short);
        assert!(most <= 4 && left_out == 0, "{most} {left_out}");
        // No four octets are rare among so many, but six are.
        let digit = |n: usize, place: u32| n / 4_usize.pow(place) % 4;
        let six = |n| (0..6).map(move |place| char::from(b'a' + digit(n, place) as u8));
        let many: Vec<_> = (0..4_000)
            .map(|n| {
                six(n).fold("/*".into(), |text: alloc::string::String, octet| {
                    text + octet.encode_utf8(&mut [0; 4])
                })
            })
            .collect();
        let (most, left_out) = candidates(&many);
        assert!(
            most <= 64 && left_out < many.len() / 20,
            "{most} {left_out}"
        );
        // A few share a head.
        let few: Vec<_> = (0..8).map(|n| alloc::format!("/a*{n}")).collect();
        assert_eq!(candidates(&few), (8, 0));
        // Of those that say the same only the first is a candidate.
        assert_eq!(candidates(&[&few[..4], &few[..4]].concat()), (4, 0));
    }

    #[test]
    fn heads_of_any_length_are_found() {
        let head = |n: usize| alloc::format!("/{}{n:03}", "a".repeat(n + 300));
        // The longest ones share all that is looked up of them, so some are left out; each is found.
        let (_, left_out) = candidates(&(150..250).map(head).collect::<Vec<_>>());
        assert!(left_out < CROWD, "{left_out}");
    }

    #[test]
    fn behind_the_last_place_comes_the_first() {
        // Four rules have eight places, and all want the last.
        let heads = (0..).map(|n| alloc::format!("/{n}"));
        let last: Vec<_> = heads
            .filter(|head| Hash::of_head(head.as_bytes()).slot(8) == 7)
            .take(4)
            .collect();
        assert_eq!(candidates(&last), (1, 0));
    }

    #[test]
    fn a_table_of_any_size_has_room() {
        for rules in 1..200 {
            let heads: Vec<_> = (0..rules).map(|n| alloc::format!("/{n}")).collect();
            assert_eq!(candidates(&heads).1, 0, "{rules}");
        }
    }
}

//! Hash index: from bytes that a path must hold to the rules that need them.
//!
//! The key of a rule is the literal head of its pattern. Where many patterns with a `*` share a
//! head (`/*…`), the key is a *gram*: four bytes of a literal after the `*`, the rarest among the
//! patterns, or six if many share those four too. A path is looked up once for each of its prefixes
//! that is as long as some head, and once for each of its grams.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::{iter, slice};

use crate::compared_form::Escapes;
use crate::rules::pattern::{Tier, split_head};
use crate::rules::rule_list::{RuleEntry, RuleList};
use crate::rules::steps;
use crate::sort;
use crate::text::bytes::first_word;
use crate::text::hash::{HalfHash, Hash};

/// An open-addressed table of the keys of one [`RuleList`].
#[derive(Debug)]
pub(crate) struct HashIndex {
    /// The rule of a key in the low bits, or with [`HashIndex::chain_bit`] the start of a chain; a
    /// tag of the key's hash in the others; or [`EMPTY`]. A key whose slot is taken goes to the
    /// slot after it.
    slots: Box<[u32]>,
    /// The rules of keys that have several, chain after chain; the last of each has
    /// [`LAST`].
    chains: Box<[u32]>,
    /// Ones for the low bits of a slot.
    rule_mask: u32,
    /// The keys that may be in `slots`.
    present: Presence,
    /// For each word of a path the lengths of heads that end in it, a bit for each from 1 byte on.
    heads: [u8; HEAD_WORDS],
    /// The number of words after which no head ends.
    head_words: usize,
    /// The lengths of the grams that are keys.
    grams: Vec<usize>,
}

impl HashIndex {
    /// Rules whose keys are all too common go to `left_out` and are scanned.
    pub(crate) fn new(list: &RuleList, left_out: &mut Vec<u32>) -> HashIndex {
        let entries = list.entries();
        let mut keys: Vec<(u32, Hash)> = Vec::with_capacity(entries.len());
        let mut heads = [0_u8; HEAD_WORDS];
        let mut present = Presence::new(entries.len());
        let mut without_head: Vec<(u32, &[u8])> = Vec::new();
        let wildcards = entries.iter().filter(|entry| entry.tier != Tier::Prefix);
        let hash_of_head = |entry| Hash::of(head_and_tail(list, entry).0);
        let head_counts = Counts::new(wildcards.clone().count(), wildcards.map(hash_of_head));
        for (at, entry) in (0_u32..).zip(entries) {
            let (head, tail) = head_and_tail(list, entry);
            steps::add(1 + head.len() / 8);
            let half = HalfHash::of(head);
            let hash = half.hash();
            // Rules without a wildcard never crowd: two of the same head are equal, but for a final
            // `$`.
            let is_crowded = entry.tier != Tier::Prefix && head_counts.of(hash) > FEW;
            let last = head.len().checked_sub(1);
            match last.and_then(|last| Some((last, heads.get_mut(last / 8)?))) {
                Some((last, lengths)) if !is_crowded => {
                    *lengths |= 1 << (last % 8);
                    present.add(half);
                    keys.push((at, hash));
                }
                _ => without_head.push((at, tail)),
            }
        }
        let last_word = heads.iter().rposition(|lengths| *lengths != 0);
        let mut grams = Vec::new();
        if without_head.len() > FEW_GRAMS {
            let len = BYTES_OF_TAILS / without_head.len();
            let len = len.clamp(SHORTEST_TAIL, LONGEST_TAIL);
            for (_, tail) in &mut without_head {
                *tail = start(tail, len);
            }
            for (len, crowd) in GRAMS {
                let every_gram = without_head
                    .iter()
                    .flat_map(|(_, tail)| grams_of(tail, len));
                let most = without_head.iter().map(|(_, tail)| tail.len()).sum();
                let counts = Counts::new(most, every_gram.map(HalfHash::hash));
                let before = keys.len();
                without_head.retain(|(at, tail)| {
                    let rarest = counts.rarest(grams_of(tail, len), crowd);
                    if let Some(half) = rarest {
                        present.add(half);
                        keys.push((*at, half.hash()));
                    }
                    rarest.is_none()
                });
                if keys.len() > before && !grams.contains(&len) {
                    grams.push(len);
                }
            }
        }
        left_out.extend(without_head.iter().map(|(at, _)| *at));
        let slots = keys.len() + keys.len() / 4 * 3 + 1;
        let rules = u32::try_from(entries.len()).unwrap_or(u32::MAX);
        let mut table = HashIndex {
            slots: vec![EMPTY; slots].into(),
            chains: Box::default(),
            // Room for one number more than there are rules, so that no rule under a tag of ones
            // equals EMPTY.
            rule_mask: u32::MAX.checked_shr(rules.leading_zeros()).unwrap_or(0),
            present,
            heads,
            head_words: last_word.map_or(0, |at| at + 1),
            grams,
        };
        let mut links = Links::new(entries.len());
        for (at, hash) in keys {
            if !table.insert(&mut links, list, at, hash) {
                left_out.push(at);
            }
        }
        table.lay_out_chains(&links);
        table
    }

    /// Adds a rule and returns whether there was room near its slot. A file can be crafted to give
    /// all its keys one slot; the rules that find no room are scanned.
    fn insert(&mut self, links: &mut Links, list: &RuleList, at: u32, hash: Hash) -> bool {
        let tag = self.tag(hash);
        match self.look(hash) {
            None => false,
            // Another key with the same tag does no harm: a candidate is compared whole.
            Some((_, Some(first))) => links.link(list, first, at),
            Some((slot, None)) => {
                if let Some(held) = self.slots.get_mut(slot) {
                    *held = tag | at;
                }
                true
            }
        }
    }

    /// Puts the rules of each key that has several side by side, so that a path reads them in one
    /// go, and the many keys that have one take no room.
    fn lay_out_chains(&mut self, links: &Links) {
        let (chain_bit, rule_mask) = (self.chain_bit(), self.rule_mask);
        let mut chains = Vec::new();
        for slot in self.slots.iter_mut().filter(|slot| **slot != EMPTY) {
            let first = *slot & rule_mask;
            if links.next(first).is_none() {
                continue;
            }
            *slot = *slot & !rule_mask | chain_bit | chains.len() as u32;
            chains.extend(links.chain(first));
            if let Some(last) = chains.last_mut() {
                *last |= LAST;
            }
        }
        self.chains = chains.into();
    }

    /// Visits every rule of the index that may match, each at most once.
    #[inline]
    pub(crate) fn for_each_candidate(&self, path: &[u8], mut candidate: impl FnMut(u32)) {
        let mut before = Hash::EMPTY;
        let heads = self.heads.get(..self.head_words).unwrap_or_default();
        for (lengths, chunk) in heads.iter().zip(path.chunks(8)) {
            let (word, mut lengths) = match chunk.first_chunk() {
                Some(word) => (u64::from_le_bytes(*word), *lengths),
                None => (first_word(chunk), lengths & ((1 << chunk.len()) - 1)),
            };
            while lengths != 0 {
                steps::add(1);
                let last = lengths.trailing_zeros();
                lengths &= lengths - 1;
                let head = word & (u64::MAX >> (56 - 8 * last));
                let half = before.half_with_word(head);
                if self.present.may_have(half) {
                    self.candidates_of(half.hash(), &mut candidate);
                }
            }
            before = before.with_word(word);
        }
        if self.grams.is_empty() {
            return;
        }
        // A path may repeat a gram a thousand times; its rules are still compared once.
        let mut found: Vec<u32> = Vec::new();
        for len in &self.grams {
            steps::add(path.len());
            let grams = path.windows(*len).map(half_hash_of_gram);
            let present = grams.filter(|half| self.present.may_have(*half));
            found.extend(present.filter_map(|half| self.find(half.hash())));
        }
        steps::add_sort(found.len());
        sort::unstable(&mut found);
        found.dedup();
        for held in found {
            self.rules(&held).for_each(&mut candidate);
        }
    }

    /// Visits the rules of a key, apart from the loop over the keys: most are in no slot.
    #[inline(never)]
    fn candidates_of(&self, hash: Hash, candidate: &mut impl FnMut(u32)) {
        if let Some(held) = self.find(hash) {
            for rule in self.rules(&held) {
                candidate(rule);
            }
        }
    }

    /// The rules of a key, by the low bits of its slot.
    #[inline]
    fn rules<'a>(&'a self, held: &'a u32) -> impl Iterator<Item = u32> + use<'a> {
        let is_chain = held & self.chain_bit() != 0;
        let rules = if is_chain {
            let start = (held & !self.chain_bit()) as usize;
            let chain = self.chains.get(start..).unwrap_or_default();
            let end = chain.iter().position(|at| at & LAST != 0);
            end.and_then(|end| chain.get(..=end)).unwrap_or_default()
        } else {
            slice::from_ref(held)
        };
        rules.iter().map(|at| at & !LAST)
    }

    /// The low bits of the slot of a key.
    #[inline]
    fn find(&self, hash: Hash) -> Option<u32> {
        let (_, held) = self.look(hash)?;
        held
    }

    /// The slot of a key and its low bits, or the empty slot where it belongs; `None` if there is
    /// no room near it.
    #[inline]
    fn look(&self, hash: Hash) -> Option<(usize, Option<u32>)> {
        let (tag, tag_mask, slots) = (self.tag(hash), self.tag_mask(), self.slots.len());
        let mut slot = hash.slot(slots);
        for _ in 0..MOST_LOOKS {
            steps::add(1);
            let held = *self.slots.get(slot)?;
            if held == EMPTY {
                return Some((slot, None));
            }
            if held & tag_mask == tag {
                return Some((slot, Some(held & !tag_mask)));
            }
            slot = if slot + 1 < slots { slot + 1 } else { 0 };
        }
        None
    }

    #[inline]
    fn tag(&self, hash: Hash) -> u32 {
        hash.tag() & self.tag_mask()
    }

    #[inline]
    fn tag_mask(&self) -> u32 {
        !(self.rule_mask | self.chain_bit())
    }

    /// The bit above the number of a rule: whether it is the start of a chain instead.
    #[inline]
    fn chain_bit(&self) -> u32 {
        self.rule_mask + 1
    }
}

/// The chains of a table that is being filled: for each rule the next one of the same key, or
/// [`EMPTY`].
struct Links(Vec<u32>);

impl Links {
    fn new(rules: usize) -> Links {
        Links(vec![EMPTY; rules])
    }

    /// Adds a rule to the chain of a key, unless the chain has one with the same pattern and
    /// access: the earlier one always decides, and a file may repeat a rule thousands of times.
    /// Returns whether there was room: a crafted file can give many keys one hash, and a chain
    /// without a limit would hide twins behind the others.
    fn link(&mut self, list: &RuleList, first: u32, at: u32) -> bool {
        let (mut last, mut len) = (first, 0);
        for held in self.chain(first) {
            steps::add(1 + list.entry(at).map_or(0, |entry| entry.len as usize / 16));
            let is_twin = |(held, new): (&RuleEntry, &RuleEntry)| {
                held.access == new.access && list.pattern(held) == list.pattern(new)
            };
            if list.entry(held).zip(list.entry(at)).is_some_and(is_twin) {
                return true;
            }
            (last, len) = (held, len + 1);
        }
        match self.0.get_mut(last as usize) {
            Some(next) if len < CROWD => {
                *next = at;
                true
            }
            _ => false,
        }
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = u32> {
        iter::successors(Some(first), |at| self.next(*at))
    }

    fn next(&self, at: u32) -> Option<u32> {
        let next = self.0.get(at as usize).copied();
        next.filter(|next| *next != EMPTY)
    }
}

/// A set of keys that may say yes for another one. Of a path nearly every head is no key, so this
/// saves looking into a table that is several times as large.
#[derive(Debug)]
struct Presence {
    words: Box<[u64]>,
    /// The number of bits in `words` is 2 to the power of this.
    place_bits: u32,
}

impl Presence {
    fn new(keys: usize) -> Presence {
        let bits = keys.saturating_mul(BITS_OF_KEY).max(64);
        let words = bits.div_ceil(64).next_power_of_two();
        Presence {
            words: vec![0; words].into(),
            place_bits: words.ilog2() + 6,
        }
    }

    fn add(&mut self, half: HalfHash) {
        let (word, bit) = self.place(half);
        if let Some(word) = self.words.get_mut(word) {
            *word |= bit;
        }
    }

    /// Whether the key may have been added.
    #[inline]
    fn may_have(&self, half: HalfHash) -> bool {
        let (word, bit) = self.place(half);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    #[inline]
    fn place(&self, half: HalfHash) -> (usize, u64) {
        let place = half.high_bits(self.place_bits);
        ((place / 64) as usize, 1 << (place % 64))
    }
}

/// The fewest bits for each key; the next power of two has up to twice as many. With 16 bits one in
/// 16 of the keys that were not added is looked up.
const BITS_OF_KEY: usize = 12;

const EMPTY: u32 = u32::MAX;

/// The mark of the last rule of a chain.
const LAST: u32 = 1 << 31;

/// The most slots that are tried for a key. Each of 3,000 numbered heads finds room; the rules of a
/// key that does not are scanned.
const MOST_LOOKS: usize = 32;

/// The length of a gram, and the most patterns that may share one. Four bytes are the fewest that
/// can be rare in paths; six tell 100,000 numbered patterns apart. Patterns that share their grams
/// with more are faster scanned.
const GRAMS: [(usize, usize); 3] = [(4, FEW), (6, CROWD), (4, CROWD)];

/// Break-even: scanning 64 rules costs as much as hashing every gram of a 40-byte path.
pub(crate) const FEW_GRAMS: usize = 64;

/// The most patterns with a `*` that share a key without harm. More than this under one head get
/// grams as keys.
const FEW: usize = 8;

/// The longest chain of one key.
const CROWD: usize = 32;

/// The longest head that is hashed whole; a longer one is hashed up to here.
const LONGEST_HEAD: usize = 8 * HEAD_WORDS;

const HEAD_WORDS: usize = 64;

/// The bytes of all tails together among which a rare gram is looked for, and the fewest and the
/// most of one tail: real tails have 30. Without a limit a file of raw bytes, of which each has
/// three in compared form, would have its index made in more steps than a check may take.
const BYTES_OF_TAILS: usize = 1 << 18;
const SHORTEST_TAIL: usize = 12;
const LONGEST_TAIL: usize = 48;

/// The number of patterns with a `*` for each key, an upper bound: keys may share a counter.
struct Counts {
    counts: Vec<u16>,
}

impl Counts {
    /// Counts the keys, `most` at most.
    fn new(most: usize, keys: impl Iterator<Item = Hash>) -> Counts {
        // Keys of few rules share no counter; for very many the counters stay in proportion to
        // them.
        let slots = most
            .saturating_mul(4)
            .min(most.saturating_add(SPARE_COUNTS));
        let mut counts: Vec<u16> = vec![0; slots];
        let slots = counts.len();
        for key in keys {
            steps::add(2);
            if let Some(count) = counts.get_mut(key.slot(slots)) {
                *count = count.saturating_add(1);
            }
        }
        Counts { counts }
    }

    fn of(&self, hash: Hash) -> usize {
        let count = self.counts.get(hash.slot(self.counts.len()));
        count.map_or(0, |count| usize::from(*count))
    }

    /// The rarest of some keys, unless more than `crowd` patterns share it.
    fn rarest(&self, keys: impl Iterator<Item = HalfHash>, crowd: usize) -> Option<HalfHash> {
        let counted = keys.map(|key| {
            steps::add(2);
            (self.of(key.hash()), key)
        });
        counted
            .min_by_key(|(count, _)| *count)
            .and_then(|(count, key)| (count <= crowd).then_some(key))
    }
}

/// The most counters above one for each key: 512 KiB.
const SPARE_COUNTS: usize = 1 << 18;

/// The head up to [`LONGEST_HEAD`], and the tail after the whole head. The tail is empty if it has
/// a query-dependent escape: with two readings, no bytes of it are certain to be in a path.
/// `/*%26b=` matches `/a&b=`, which has no `%26b`.
fn head_and_tail<'a>(list: &'a RuleList, entry: &RuleEntry) -> (&'a [u8], &'a [u8]) {
    let (head, tail) = split_head(list.pattern(entry), entry.tier);
    let tail = match entry.escapes {
        Escapes::Settled => tail,
        Escapes::QueryDependent => &[],
    };
    (start(head, LONGEST_HEAD), tail)
}

/// The first bytes of a text.
fn start(text: &[u8], len: usize) -> &[u8] {
    text.get(..len).unwrap_or(text)
}

/// Every run of `len` bytes that a path must hold.
fn grams_of(tail: &[u8], len: usize) -> impl Iterator<Item = HalfHash> {
    tail.split(|byte| *byte == b'*')
        .flat_map(move |piece| piece.windows(len))
        .map(half_hash_of_gram)
}

/// The hash of a gram: four bytes, or six.
#[inline]
fn half_hash_of_gram(gram: &[u8]) -> HalfHash {
    Hash::EMPTY.half_with_word(match *gram {
        [a, b, c, d, e, f] => u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Access;
    use crate::options::Dialect;
    use crate::parse::value::Value;

    /// A file whose heads all have slots in the same hundredth of the table. Filling it once took
    /// time quadratic in their number, two seconds for 2 MB.
    #[test]
    fn hostile_keys_of_one_slot_are_left_out() {
        const RULES: usize = 2_000;

        let mut list = RuleList::new(Dialect::Rfc9309, 0);
        let slots = RULES + RULES / 4 * 3 + 1;
        let heads = (0..).map(|number| alloc::format!("/h{number}"));
        let crafted = heads.filter(|head| Hash::of(head.as_bytes()).slot(slots) < slots / 100);
        for (line, head) in (1..).zip(crafted.take(RULES)) {
            list.push(Access::Disallow, Value::new(head.as_bytes()), line);
        }
        list.finish();
        let mut left_out = Vec::new();
        let table = HashIndex::new(&list, &mut left_out);
        assert!(left_out.len() > RULES / 2, "{}", left_out.len());
        for (at, entry) in (0..).zip(list.entries()) {
            let mut is_found = left_out.contains(&at);
            table.for_each_candidate(list.pattern(entry), |candidate| is_found |= candidate == at);
            assert!(is_found, "rule {at}");
        }
    }

    /// Few of the keys that were not added are looked up.
    #[test]
    fn few_other_keys_may_be_present() {
        let key = |number: u32| HalfHash::of(&number.to_le_bytes());
        let mut present = Presence::new(1_000);
        (0..1_000).for_each(|number| present.add(key(number)));
        assert!((0..1_000).all(|number| present.may_have(key(number))));
        let others = (1_000..11_000).filter(|number| present.may_have(key(*number)));
        assert!(others.count() < 1_000);
    }

    /// A file whose heads all have the tag and the slot of one key, and that repeats one head:
    /// 28,000 twins were candidates.
    #[test]
    fn hostile_keys_of_one_hash_hide_no_twins() {
        const HEADS: u32 = 2_000;

        let mut list = RuleList::new(Dialect::Rfc9309, 0);
        for line in 1..=HEADS {
            let head = alloc::format!("/{line}");
            list.push(Access::Disallow, Value::new(head.as_bytes()), line);
            let twin = Value::new(b"/twin");
            list.push(Access::Disallow, twin, line);
        }
        list.finish();
        let mut left_out = Vec::new();
        let mut table = HashIndex::new(&list, &mut left_out);
        // Every rule goes under one key.
        table.slots.fill(EMPTY);
        let mut links = Links::new(2 * HEADS as usize);
        let key = Hash::of(b"/twin");
        let (kept, left_out): (Vec<u32>, Vec<u32>) =
            (0..2 * HEADS).partition(|at| table.insert(&mut links, &list, *at, key));
        table.lay_out_chains(&links);
        let chain: Vec<u32> = table.rules(&table.find(key).unwrap()).collect();
        assert_eq!(chain.len(), CROWD);
        assert_eq!(kept.len() + left_out.len(), 2 * HEADS as usize);
        let is_twin = |at: &&u32| list.entry(**at).map(|entry| entry.len) == Some(5);
        assert_eq!(chain.iter().filter(is_twin).count(), 1);
        assert_eq!(left_out.iter().filter(|at| *at % 2 == 1).count(), 0);
    }

    /// The most candidates of a pattern asked as a path, and the number of rules left out. Each
    /// rule must be found.
    fn candidates(patterns: &[alloc::string::String]) -> (usize, usize) {
        let mut list = RuleList::new(Dialect::Rfc9309, 0);
        for (line, pattern) in (1..).zip(patterns) {
            list.push(Access::Disallow, Value::new(pattern.as_bytes()), line);
        }
        list.finish();
        let mut left_out = Vec::new();
        let table = HashIndex::new(&list, &mut left_out);
        let mut most = 0;
        for (at, entry) in (0..).zip(list.entries()) {
            let mut found = Vec::new();
            table.for_each_candidate(list.pattern(entry), |candidate| found.push(candidate));
            let is_same = |other: &u32| {
                list.entry(*other).map(|other| list.pattern(other)) == Some(list.pattern(entry))
            };
            assert!(found.iter().chain(&left_out).any(is_same), "rule {at}");
            assert!(found.iter().all(|other| list.entry(*other).is_some()));
            most = most.max(found.len());
        }
        (most, left_out.len())
    }

    #[test]
    fn a_path_has_few_candidates() {
        let heads: Vec<_> = (0..3_000)
            .map(|n| alloc::format!("/shop/{n:04}/"))
            .collect();
        assert_eq!(candidates(&heads), (1, 0));
        // Each pattern has a gram of its own after many common ones.
        let tails: Vec<_> = (0..200)
            .map(|n| alloc::format!("/*common{n:03}z"))
            .collect();
        let (most, left_out) = candidates(&tails);
        assert!(most <= 4 && left_out == 0, "{most} {left_out}");
        let short: Vec<_> = (0..200).map(|n| alloc::format!("/*{n:04}")).collect();
        let (most, left_out) = candidates(&short);
        assert!(most <= 4 && left_out == 0, "{most} {left_out}");
        // No four bytes are rare among this many, but six are.
        let digit = |n: usize, place: u32| n / 4_usize.pow(place) % 4;
        let six = |n| (0..6).map(move |place| char::from(b'a' + digit(n, place) as u8));
        let many: Vec<_> = (0..4_000)
            .map(|n| {
                six(n).fold("/*".into(), |text: alloc::string::String, byte| {
                    text + byte.encode_utf8(&mut [0; 4])
                })
            })
            .collect();
        let (most, left_out) = candidates(&many);
        assert!(
            most <= 64 && left_out < many.len() / 20,
            "{most} {left_out}"
        );
        // Eight patterns share a head.
        let few: Vec<_> = (0..8).map(|n| alloc::format!("/a*{n}")).collect();
        assert_eq!(candidates(&few), (8, 0));
        // Only the first of equal rules is a candidate.
        assert_eq!(candidates(&[&few[..4], &few[..4]].concat()), (4, 0));
    }

    #[test]
    fn heads_of_any_length_are_found() {
        let head = |n: usize| alloc::format!("/{}{n:03}", "a".repeat(n + 300));
        // The longest heads share every byte that is looked up, so some are left out; all are
        // found.
        let (_, left_out) = candidates(&(150..250).map(head).collect::<Vec<_>>());
        assert!(left_out < CROWD, "{left_out}");
    }

    #[test]
    fn after_the_last_slot_comes_the_first() {
        // Four rules have eight slots, and all hash to the last.
        let heads = (0..).map(|n| alloc::format!("/{n}"));
        let last: Vec<_> = heads
            .filter(|head| Hash::of(head.as_bytes()).slot(8) == 7)
            .take(4)
            .collect();
        assert_eq!(candidates(&last), (1, 0));
    }

    #[test]
    fn an_index_of_any_size_has_room() {
        for rules in 1..200 {
            let heads: Vec<_> = (0..rules).map(|n| alloc::format!("/{n}")).collect();
            assert_eq!(candidates(&heads).1, 0, "{rules}");
        }
    }
}

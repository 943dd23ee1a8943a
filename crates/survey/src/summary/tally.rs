//! Counts by name in bounded space, because anybody can invent names.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

use hashbrown::HashTable;
use serde::de::Error as _;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::hash::hash;
use crate::summary::merge::Merge;
use crate::summary::sketch::estimate;

/// Returns the place of a slot in the tables of this process. The place depends on a secret key.
/// Without it, 100,000 names that were made to share one place cost 90 times as much as other
/// names.
fn place(hash: u64) -> u64 {
    static KEY: LazyLock<(u64, u64)> = LazyLock::new(|| {
        let random = RandomState::new();
        (random.hash_one(0), random.hash_one(1) | 1)
    });
    let (added, factor) = *KEY;
    // After two multiplications, hashes that differ only in their high bits still lie too close
    // together.
    let mut mixed = (hash ^ added).wrapping_mul(factor);
    mixed = (mixed ^ (mixed >> 32)).wrapping_mul(factor);
    mixed = (mixed ^ (mixed >> 29)).wrapping_mul(factor);
    mixed ^ (mixed >> 32)
}

/// The most unknown names with the same hash that are kept. By chance, two of ten million names
/// share a hash in one of 300,000 surveys.
const TWINS: usize = 4;

/// The counts that a tally has for each name.
pub(crate) trait NameCounts: Merge + Default + Clone + PartialEq + fmt::Debug {
    /// The most names that are kept besides the known ones.
    const CAPACITY: usize = 1 << 16;

    /// Whether the name is always kept.
    fn is_known(_name: &str) -> bool {
        false
    }

    /// The number by which names are ordered for a reader, the largest first.
    fn weight(&self) -> u64;
}

/// Counts by name in bounded space. Known names are always kept. Of the other names, the tally
/// keeps the [`NameCounts::CAPACITY`] with the smallest hashes: all names if there are no more,
/// otherwise a fair sample of them. Each kept name has exact counts, and the number of all names is
/// estimated.
///
/// A name whose hash is among the smallest at the end was among them from the start, so its counts
/// are complete, and neither the order nor the split of the input matters.
///
/// Everybody can compute the hash, so names can be made that share one. They cost no more than
/// other names: the place of a name depends on a key of the process, and only the [`TWINS`]
/// smallest names with the same hash are kept.
#[derive(Debug, Clone)]
pub(crate) struct Tally<C> {
    slots: HashTable<Slot<C>>,
    /// The number of slots of unknown names. At twice the capacity the slots with the largest
    /// hashes are dropped.
    others: usize,
    /// The largest hash that may be kept. Names with larger hashes are dropped.
    limit: u64,
}

#[derive(Debug, Clone)]
struct Slot<C> {
    hash: u64,
    name: Box<str>,
    is_known: bool,
    counts: C,
}

impl<C: NameCounts> Tally<C> {
    /// Returns the counts of a name, which it adds if needed; `None` if the hash is too large to be
    /// kept.
    pub(crate) fn entry(&mut self, name: &Name) -> Option<&mut C> {
        let name = name.as_str();
        self.entry_of_hash(name, hash(name.as_bytes()))
    }

    /// Returns the counts of a name with this hash, as [`Tally::entry`] does.
    pub(crate) fn entry_of_hash(&mut self, name: &str, hash: u64) -> Option<&mut C> {
        let is_slot = |slot: &Slot<C>| slot.hash == hash && *slot.name == *name;
        let mut at = self.slots.find_bucket_index(place(hash), is_slot);
        if at.is_none() {
            let is_known = C::is_known(name);
            if !is_known && hash > self.limit {
                return None;
            }
            self.insert(Slot {
                hash,
                name: name.into(),
                is_known,
                counts: C::default(),
            });
            // The slot is searched, because `insert` may have dropped it.
            at = self.slots.find_bucket_index(place(hash), is_slot);
        }
        let slot = self.slots.get_bucket_mut(at?)?;
        Some(&mut slot.counts)
    }

    /// Returns the counts of a name that is kept.
    pub(crate) fn get(&self, name: &str) -> Option<&C> {
        let name = Name::lower(name.as_bytes());
        let slot = self.find(hash(name.as_str().as_bytes()), name.as_str())?;
        Some(&slot.counts)
    }

    /// Returns the kept names with their counts, the largest weight first.
    pub(crate) fn by_weight(&self) -> Vec<(&str, &C)> {
        let mut kept: Vec<&Slot<C>> = self.kept().collect();
        kept.sort_unstable_by_key(|slot| (Reverse(slot.counts.weight()), &slot.name));
        kept.into_iter()
            .map(|slot| (&*slot.name, &slot.counts))
            .collect()
    }

    /// The number of distinct names; an estimate if not all are kept.
    pub(crate) fn distinct(&self) -> u64 {
        let known = self.slots.len().saturating_sub(self.others) as u64;
        match self.settled_limit() {
            u64::MAX => known.saturating_add(self.others as u64),
            limit => known.saturating_add(estimate(C::CAPACITY, limit)),
        }
    }

    /// Whether every name is kept.
    pub(crate) fn is_complete(&self) -> bool {
        self.settled_limit() == u64::MAX
    }

    fn find(&self, hash: u64, name: &str) -> Option<&Slot<C>> {
        self.slots
            .find(place(hash), |slot| slot.hash == hash && *slot.name == *name)
    }

    fn insert(&mut self, slot: Slot<C>) {
        if !slot.is_known && !self.has_room_beside_twins(&slot) {
            return;
        }
        self.others += usize::from(!slot.is_known);
        self.slots
            .insert_unique(place(slot.hash), slot, |slot| place(slot.hash));
        if self.others >= C::CAPACITY * 2 {
            self.limit = self.settled_limit();
            self.drop_beyond_limit();
        }
    }

    fn drop_beyond_limit(&mut self) {
        let limit = self.limit;
        self.slots
            .retain(|slot| slot.is_known || slot.hash <= limit);
        self.others = self.slots.iter().filter(|slot| !slot.is_known).count();
    }

    /// Whether a new name is among the [`TWINS`] smallest names with its hash. If it is and
    /// there were as many already, the largest of them is removed.
    fn has_room_beside_twins(&mut self, new: &Slot<C>) -> bool {
        let hash = new.hash;
        let is_twin = |slot: &Slot<C>| !slot.is_known && slot.hash == hash;
        let twins = self.slots.iter_hash(place(hash));
        let names = twins.filter(|slot| is_twin(slot)).map(|slot| &slot.name);
        let (mut count, mut largest) = (0, &new.name);
        for name in names {
            count += 1;
            largest = largest.max(name);
        }
        if count < TWINS {
            return true;
        }
        if *largest == new.name {
            return false;
        }
        let largest = largest.clone();
        let is_largest = |slot: &Slot<C>| is_twin(slot) && slot.name == largest;
        if let Ok(slot) = self.slots.find_entry(place(hash), is_largest) {
            slot.remove();
            self.others = self.others.saturating_sub(1);
        }
        true
    }

    /// The largest hash that counts as kept, which may be smaller than `limit` before the next
    /// drop.
    fn settled_limit(&self) -> u64 {
        if self.others <= C::CAPACITY {
            return self.limit;
        }
        let others = self.slots.iter().filter(|slot| !slot.is_known);
        let mut hashes: Vec<u64> = others.map(|slot| slot.hash).collect();
        let (_, limit, _) = hashes.select_nth_unstable(C::CAPACITY.saturating_sub(1));
        *limit
    }

    fn kept(&self) -> impl Iterator<Item = &Slot<C>> {
        let limit = self.settled_limit();
        let is_kept = move |slot: &&Slot<C>| slot.is_known || slot.hash <= limit;
        self.slots.iter().filter(is_kept)
    }
}

impl<C> Default for Tally<C> {
    fn default() -> Tally<C> {
        Tally {
            slots: HashTable::new(),
            others: 0,
            limit: u64::MAX,
        }
    }
}

impl<C: NameCounts> PartialEq for Tally<C> {
    fn eq(&self, other: &Tally<C>) -> bool {
        let is_in_other = |slot: &Slot<C>| {
            let counts = other.find(slot.hash, &slot.name).map(|slot| &slot.counts);
            counts == Some(&slot.counts)
        };
        self.settled_limit() == other.settled_limit()
            && self.kept().count() == other.kept().count()
            && self.kept().all(is_in_other)
    }
}

impl<C: NameCounts> Merge for Tally<C> {
    fn merge(&mut self, mut other: Tally<C>) {
        // Names that the other tally has dropped cannot be exact here either.
        self.limit = self.limit.min(other.limit);
        for slot in other.slots.drain() {
            match self.slots.find_mut(place(slot.hash), |own| {
                own.hash == slot.hash && own.name == slot.name
            }) {
                Some(own) => own.counts.merge(slot.counts),
                None if slot.is_known || slot.hash <= self.limit => self.insert(slot),
                None => {}
            }
        }
        self.drop_beyond_limit();
    }
}

/// The JSON form: the number of names, and the counts of those that are kept, the largest first.
impl<C: NameCounts + Serialize> Serialize for Tally<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("distinct", &self.distinct())?;
        map.serialize_entry("complete", &self.is_complete())?;
        // Hexadecimal digits, because many programs would round such a large number.
        map.serialize_entry("limit", &format!("{:016x}", self.settled_limit()))?;
        map.serialize_entry("names", &InOrder(self.by_weight()))?;
        map.end()
    }
}

/// Names with their counts as a JSON object.
struct InOrder<'t, C>(Vec<(&'t str, &'t C)>);

impl<C: Serialize> Serialize for InOrder<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl<'de, C: NameCounts + Deserialize<'de>> Deserialize<'de> for Tally<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tally<C>, D::Error> {
        #[derive(Deserialize)]
        struct JsonForm<C> {
            limit: String,
            names: BTreeMap<String, C>,
        }

        let written = JsonForm::deserialize(deserializer)?;
        let mut tally = Tally::<C>::default();
        for (name, counts) in written.names {
            if let Some(own) = tally.entry(&Name::exact(name.as_bytes())) {
                own.merge(counts);
            }
        }
        tally.limit = u64::from_str_radix(&written.limit, 16).map_err(D::Error::custom)?;
        Ok(tally)
    }
}

/// A name as it is counted: its first 64 bytes, with U+FFFD for bytes that are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(String);

impl Name {
    /// Makes a name in lower case, for names whose case does not matter.
    pub(crate) fn lower(bytes: &[u8]) -> Name {
        let Name(mut name) = Name::exact(bytes);
        name.make_ascii_lowercase();
        Name(name)
    }

    /// Makes a name as it is written.
    pub(crate) fn exact(bytes: &[u8]) -> Name {
        let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
        let mut name = String::from_utf8_lossy(bytes).into_owned();
        // U+FFFD makes a text longer than its source.
        while name.len() > LONGEST {
            name.pop();
        }
        Name(name)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The most bytes of a name.
const LONGEST: usize = 64;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Counts of a tally with room for four unknown names.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    struct SmallCount(u64);

    impl Merge for SmallCount {
        fn merge(&mut self, other: SmallCount) {
            self.0 += other.0;
        }
    }

    impl NameCounts for SmallCount {
        const CAPACITY: usize = 4;

        fn is_known(name: &str) -> bool {
            name == "known"
        }

        fn weight(&self) -> u64 {
            self.0
        }
    }

    fn tally_of<'n>(names: impl IntoIterator<Item = &'n String>) -> Tally<SmallCount> {
        let mut tally = Tally::default();
        for name in names {
            if let Some(SmallCount(count)) = tally.entry(&Name::lower(name.as_bytes())) {
                *count += 1;
            }
        }
        tally
    }

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn names_are_counted_in_any_case_and_ordered_by_weight() {
        let tally = tally_of(&strings(&["b", "A", "a", "known"]));
        let names: Vec<(&str, u64)> = tally
            .by_weight()
            .into_iter()
            .map(|(name, count)| (name, count.0))
            .collect();
        assert_eq!(names, [("a", 2), ("b", 1), ("known", 1)]);
        assert_eq!((tally.distinct(), tally.is_complete()), (3, true));
        assert_eq!(tally.get("KNOWN"), Some(&SmallCount(1)));
    }

    #[test]
    fn names_are_cut_to_64_bytes_between_characters() {
        let long = "é".repeat(40);
        assert_eq!(Name::exact(long.as_bytes()).as_str(), "é".repeat(32));
        assert_eq!(Name::exact(&[0xFF; 100]).as_str(), "\u{FFFD}".repeat(21));
        assert_eq!(Name::lower(b"GPTBot").as_str(), "gptbot");
        let long = [b'a'; 100];
        assert_eq!(Name::lower(&long).as_str().len(), 64);
    }

    #[test]
    fn of_names_with_one_hash_the_smallest_are_kept_with_exact_counts() {
        let names: Vec<String> = (0..1_000).map(|number| format!("{number:03}")).collect();
        let tally_of_one_hash = |names: &mut dyn Iterator<Item = &String>| {
            let mut tally = Tally::default();
            for name in names {
                if let Some(SmallCount(count)) = tally.entry_of_hash(name, 7) {
                    *count += 1;
                }
            }
            tally
        };
        let twice = names.iter().chain(&names);
        let whole = tally_of_one_hash(&mut twice.clone());
        assert_eq!(whole, tally_of_one_hash(&mut twice.rev()));
        let kept: Vec<(&str, &SmallCount)> = whole.by_weight();
        assert_eq!(
            kept,
            ["000", "001", "002", "003"].map(|name| (name, &SmallCount(2)))
        );
        let (first, second) = names.split_at(500);
        let mut merged = tally_of_one_hash(&mut second.iter());
        merged.merge(tally_of_one_hash(&mut first.iter()));
        merged.merge(tally_of_one_hash(&mut names.iter()));
        assert_eq!(merged, whole);
        assert_eq!((merged.others, merged.slots.len()), (TWINS, TWINS));
    }

    #[test]
    fn hashes_that_agree_in_many_bits_lie_in_many_places() {
        // A table takes the place from the low bits, and distinguishes names by the high ones.
        // With any key there are some 2,590 places, as many as by chance.
        for shift in [0, 8, 17, 24, 32, 40, 52] {
            let places = (0..1 << 12).map(|bits: u64| place(bits << shift) % (1 << 12));
            let places: BTreeSet<u64> = places.collect();
            assert!(places.len() > 2_000, "{} places by {shift}", places.len());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn neither_order_nor_split_matters_and_space_is_bounded(
            names in prop::collection::vec("[a-z]|[a-z][a-c]|known", 0..80),
            at in 0..80_usize,
            through_json in any::<bool>(),
        ) {
            let whole = tally_of(&names);
            let reversed = tally_of(names.iter().rev());
            prop_assert_eq!(&whole, &reversed);
            let (first, second) = names.split_at(at.min(names.len()));
            let mut merged = tally_of(second);
            let mut first = tally_of(first);
            if through_json {
                let text = serde_json::to_string(&first).unwrap();
                first = serde_json::from_str(&text).unwrap();
            }
            merged.merge(first);
            prop_assert_eq!(&merged, &whole);
            prop_assert_eq!(merged.distinct(), whole.distinct());
            prop_assert!(merged.slots.len() <= 2 * SmallCount::CAPACITY + 1);
        }

        #[test]
        fn kept_names_have_the_smallest_hashes_and_exact_counts(
            names in prop::collection::vec("[a-z]|[a-z][a-c]|known", 0..80),
        ) {
            let tally = tally_of(&names);
            let mut others: Vec<&String> = names.iter().filter(|name| *name != "known").collect();
            others.sort_by_key(|name| hash(name.as_bytes()));
            others.dedup();
            let mut expected: Vec<&String> = others.iter().copied().take(SmallCount::CAPACITY).collect();
            expected.extend(names.iter().find(|name| *name == "known"));
            prop_assert_eq!(tally.by_weight().len(), expected.len());
            for name in expected {
                let count = names.iter().filter(|other| *other == name).count() as u64;
                prop_assert_eq!(tally.get(name), Some(&SmallCount(count)));
            }
            prop_assert_eq!(tally.is_complete(), others.len() <= SmallCount::CAPACITY);
        }
    }
}

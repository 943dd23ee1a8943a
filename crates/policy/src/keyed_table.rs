//! Tables that strangers fill, under a secret of the process.

#[cfg(feature = "std")]
use core::hash::BuildHasher as _;
#[cfg(feature = "std")]
use std::hash::RandomState;
#[cfg(feature = "std")]
use std::sync::OnceLock;

use hashbrown::HashTable;
use hashbrown::hash_table::{AbsentEntry, OccupiedEntry};

/// A hash table. Its keys are hashed without a secret, as some of them are saved. A secret of the
/// process is mixed into each hash, so nobody can search for names that collide. Without `std`
/// there is no randomness, and the secret is known.
///
/// It is made of parts that grow one by one. A table of megabytes that doubles finds no room
/// between the small values that a full cache has freed, and memory would grow by all of it.
#[derive(Debug, Clone)]
pub(crate) struct KeyedTable<T>([HashTable<T>; PARTS]);

impl<T> KeyedTable<T> {
    pub(crate) const fn new() -> KeyedTable<T> {
        KeyedTable([const { HashTable::new() }; PARTS])
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(HashTable::len).sum()
    }

    pub(crate) fn find(&self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&T> {
        let place = place(hash);
        self.0.get(part(place))?.find(place, is_it)
    }

    pub(crate) fn find_entry(
        &mut self,
        hash: u64,
        is_it: impl FnMut(&T) -> bool,
    ) -> Result<OccupiedEntry<'_, T>, AbsentEntry<'_, T>> {
        let place = place(hash);
        self.part_mut(place).find_entry(place, is_it)
    }

    /// Takes a value that is not there yet.
    pub(crate) fn insert_unique(&mut self, hash: u64, value: T, hash_of: impl Fn(&T) -> u64) {
        let place_of = |value: &T| place(hash_of(value));
        let place = place(hash);
        self.part_mut(place).insert_unique(place, value, place_of);
    }

    fn part_mut(&mut self, place: u64) -> &mut HashTable<T> {
        let [first, others @ ..] = &mut self.0;
        match part(place).checked_sub(1) {
            Some(other) => others.get_mut(other).unwrap_or(first),
            None => first,
        }
    }
}

/// The part for a mixed hash, chosen by bits that the hash table in the part does not use.
fn part(place: u64) -> usize {
    (place >> 40) as usize % PARTS
}

const PARTS: usize = 64;

impl<T> Default for KeyedTable<T> {
    fn default() -> KeyedTable<T> {
        KeyedTable::new()
    }
}

/// Mixes a hash with the secret, twice. After one product with a factor whose lower half is zero,
/// hashes that share their low bits would still share bits.
fn place(hash: u64) -> u64 {
    let [mask, factor] = secret();
    fold(fold(hash ^ mask, factor | 1), 0x9E37_79B9_7F4A_7C15)
}

/// Both halves of a product of 128 bits.
fn fold(number: u64, factor: u64) -> u64 {
    let product = u128::from(number) * u128::from(factor);
    (product >> 64) as u64 ^ (product & u128::from(u64::MAX)) as u64
}

#[cfg(feature = "std")]
fn secret() -> [u64; 2] {
    static SECRET: OnceLock<[u64; 2]> = OnceLock::new();
    *SECRET.get_or_init(|| {
        let random = RandomState::new();
        [random.hash_one(0), random.hash_one(1)]
    })
}

#[cfg(not(feature = "std"))]
fn secret() -> [u64; 2] {
    [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a secret, hashes with the same low bits would lie in one bucket. An attacker who
    /// searches for names finds such hashes.
    #[test]
    fn hashes_that_are_alike_lie_apart() {
        let buckets: alloc::collections::BTreeSet<u64> = (0..1_000_u64)
            .map(|number| place(number << 32) & 0xFFFF)
            .collect();
        assert!(buckets.len() > 900, "{}", buckets.len());
        let mut table = KeyedTable::new();
        (0..1_000_u64).for_each(|key| table.insert_unique(key << 32, key, |key| key << 32));
        assert_eq!(table.len(), 1_000);
        // The buckets grow one by one, so none of them may hold much more than the others.
        let longest = table.0.iter().map(HashTable::len).max();
        assert!(longest.is_some_and(|longest| longest < 64), "{longest:?}");
        assert_eq!(table.find(7 << 32, |key| *key == 7), Some(&7));
        assert!(table.find_entry(7 << 32, |key| *key == 8).is_err());
    }
}

//! The remains of origins that the cache has forgotten.

use alloc::collections::VecDeque;

use hashbrown::HashTable;

use crate::access::facts::{Facts, Remains};
use crate::origin::Origin;

/// The facts that must not be lost when an origin is forgotten: its outage, its failures, and that it had a file.
///
/// The key is a hash of 64 bits. Two origins with one key would share their remains, and these only ever close a site.
#[derive(Debug, Default)]
pub(super) struct Tombstones {
    stones: HashTable<Tombstone>,
    /// The keys in the order in which they came. Stones that were taken away are skipped.
    order: VecDeque<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Tombstone {
    key: u64,
    remains: Remains,
}

impl Tombstones {
    pub(super) fn len(&self) -> usize {
        self.stones.len()
    }

    pub(super) fn weight(&self) -> usize {
        self.stones.len().saturating_mul(STONE)
    }

    /// Keeps the remains of an origin, if there are any. All together take at most `most_bytes`.
    pub(super) fn bury(&mut self, origin: &Origin, facts: &Facts, most_bytes: usize) {
        let Some(remains) = facts.remains() else {
            return;
        };
        let key = origin.table_key();
        self.dig_up_key(key);
        self.stones
            .insert_unique(key, Tombstone { key, remains }, |stone| stone.key);
        self.order.push_back(key);
        while self.weight() > most_bytes && self.drop_oldest() {}
        if self.order.len() > self.stones.len().saturating_mul(2).saturating_add(64) {
            let stones = &self.stones;
            self.order
                .retain(|key| stones.find(*key, |stone| stone.key == *key).is_some());
        }
    }

    /// The remains of an origin that comes back.
    pub(super) fn dig_up(&mut self, origin: &Origin) -> Option<Remains> {
        self.dig_up_key(origin.table_key())
    }

    /// Forgets the failures and the outage of a forgotten origin.
    pub(super) fn forgive(&mut self, origin: &Origin) {
        let Some(remains) = self.dig_up(origin) else {
            return;
        };
        let mut facts = Facts::revived(&remains);
        facts.reset();
        self.bury(origin, &facts, usize::MAX);
    }

    fn dig_up_key(&mut self, key: u64) -> Option<Remains> {
        let entry = self.stones.find_entry(key, |stone| stone.key == key).ok()?;
        let (stone, _) = entry.remove();
        Some(stone.remains)
    }

    /// Drops an old one that says little: a lost file says less than an outage. Looks at a few only.
    fn drop_oldest(&mut self) -> bool {
        for _ in 0..SAMPLES {
            let Some(key) = self.order.pop_front() else {
                return false;
            };
            let stone = self.stones.find(key, |stone| stone.key == key);
            match stone {
                None => {}
                Some(stone) if stone.remains.has_outage() => self.order.push_back(key),
                Some(_) => {
                    self.dig_up_key(key);
                    return true;
                }
            }
        }
        match self.order.pop_front() {
            Some(key) => {
                self.dig_up_key(key);
                true
            }
            None => false,
        }
    }
}

const SAMPLES: usize = 32;

/// A stone in a table that may be half empty, and its key in the queue, which may hold twice as many.
const STONE: usize = 2 * (size_of::<Tombstone>() + 1) + 2 * 2 * size_of::<u64>();

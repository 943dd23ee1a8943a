//! The remains of origins that the cache has forgotten.

use alloc::collections::VecDeque;
#[cfg(feature = "serde")]
use alloc::vec::Vec;

use hashbrown::HashTable;

use crate::access::facts::Facts;
use crate::access::remains::Remains;
use crate::origin::Origin;

/// The facts that must not be lost when an origin is forgotten: its outage, its failures, and that
/// it had a file.
///
/// With the feature `serde` they are saved beside the entries, from
/// [`Cache::tombstones`](crate::Cache::tombstones), and go on in another cache by
/// [`Cache::insert_tombstones`](crate::Cache::insert_tombstones). Without them a restart would
/// forgive a site that was given up, and open one sooner whose file was forgotten before its
/// outage.
///
/// ```
/// use polite_robots_policy::{Cache, Lookup, Origin, Outcome, Profile, Timestamp};
///
/// // Room for one origin.
/// let new_cache = || Cache::new(Profile::ibm(), &["ExampleBot"], 800);
/// let mut cache = new_cache()?;
/// let [down, other] = [Origin::of("https://down.example")?, Origin::of("https://other.example")?];
/// let now = Timestamp::from_millis(1_767_225_600_000);
/// let Lookup::Fetch(ticket) = cache.poll(&down, now) else { panic!() };
/// let cause = polite_robots::Cause::Unreachable;
/// cache.handle(ticket, Outcome::Unreachable { cause, retry_after: None }, now);
/// cache.release(&down);
///
/// let later = now.saturating_add(core::time::Duration::from_secs(600));
/// assert!(matches!(cache.poll(&other, later), Lookup::Fetch(_)));
/// assert_eq!(cache.tombstones().len(), 1);
///
/// // Saved, and read by the next process.
/// let mut next = new_cache()?;
/// next.insert_tombstones(cache.tombstones().clone());
/// assert!(matches!(next.poll(&down, later), Lookup::Closed(_)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// The key is a hash of 64 bits. Two origins with one key would share their remains, and these only
/// ever close a site.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "Vec<Tombstone>", into = "Vec<Tombstone>")
)]
pub struct Tombstones {
    stones: HashTable<Tombstone>,
    /// The keys in the order in which they came. Stones that were taken away are skipped.
    order: VecDeque<u64>,
}

#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Tombstone {
    key: u64,
    remains: Remains,
}

impl Tombstones {
    /// The number of forgotten origins.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stones.len()
    }

    /// Whether no forgotten origin left anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        self.place(Tombstone { key, remains });
        self.limit(most_bytes);
    }

    /// Adds stones that were saved. Those of origins that are known, and of ones that have a stone
    /// here, are older news.
    pub(super) fn join(
        &mut self,
        saved: &Tombstones,
        is_known: impl Fn(u64) -> bool,
        most_bytes: usize,
    ) {
        for stone in saved.iter() {
            let is_here = self.stones.find(stone.key, |here| here.key == stone.key);
            if is_here.is_none() && !is_known(stone.key) {
                self.place(stone);
            }
        }
        self.limit(most_bytes);
    }

    /// The stones in the order in which they came.
    fn iter(&self) -> impl Iterator<Item = Tombstone> {
        let stones = self.order.iter();
        stones.filter_map(|key| self.stones.find(*key, |stone| stone.key == *key).copied())
    }

    fn place(&mut self, stone: Tombstone) {
        self.dig_up_key(stone.key);
        self.stones
            .insert_unique(stone.key, stone, |stone| stone.key);
        self.order.push_back(stone.key);
    }

    /// Drops the oldest beyond so many bytes, and the keys that have no stone if they are many.
    fn limit(&mut self, most_bytes: usize) {
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

    /// Drops an old one that says little: a lost file says less than an outage. Looks at a few
    /// only.
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

#[cfg(feature = "serde")]
impl From<Vec<Tombstone>> for Tombstones {
    fn from(stones: Vec<Tombstone>) -> Tombstones {
        let mut tombstones = Tombstones::default();
        for stone in stones {
            tombstones.place(stone);
        }
        tombstones.limit(usize::MAX);
        tombstones
    }
}

#[cfg(feature = "serde")]
impl From<Tombstones> for Vec<Tombstone> {
    fn from(tombstones: Tombstones) -> Vec<Tombstone> {
        tombstones.iter().collect()
    }
}

const SAMPLES: usize = 32;

/// A stone in a table that may be half empty, and its key in the queue, which may hold twice as
/// many.
const STONE: usize = 2 * (size_of::<Tombstone>() + 1) + 2 * 2 * size_of::<u64>();

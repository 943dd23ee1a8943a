//! The remains of origins that the cache has forgotten.

use alloc::collections::VecDeque;

use crate::access::cache::lost_files::LostFiles;
use crate::access::facts::Facts;
use crate::access::remains::Remains;
use crate::keyed_table::KeyedTable;
use crate::origin::Origin;
use crate::settings::access::AccessSettings;
use crate::time::Timestamp;

/// The facts that must not be lost when an origin is forgotten: its outage, its failures, when it
/// was asked last, and that it had a file.
///
/// A stone is a promise: the origin is not asked before its next retry, nor before its last answer
/// is [`min_ttl`](crate::settings::AccessSettings::min_ttl) old. A stone whose promise is kept may
/// go when others need its place; the others never do. A set beside the stones notes for ever which
/// origins had a file, by one bit for each of three hashes: a forgotten file is no reason to open a
/// site whose robots.txt fails. Once most bits are set, a site that had no file may count as one
/// with a file, and then stays closed in an outage.
///
/// With the feature `serde` they are saved beside the entries, from
/// [`Cache::tombstones`](crate::Cache::tombstones), and go on in another cache by
/// [`Cache::insert_tombstones`](crate::Cache::insert_tombstones). Without them a restart would
/// forgive a site that was given up, and would open a site sooner if its file was forgotten before
/// its outage.
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
    serde(from = "stored::Stored", into = "stored::Stored")
)]
pub struct Tombstones {
    stones: KeyedTable<Tombstone>,
    /// The keys in the order in which they came. Stones that were taken away are skipped.
    order: VecDeque<u64>,
    lost_files: LostFiles,
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
        let stones = self.stones.len().saturating_mul(STONE);
        stones.saturating_add(self.lost_files.bytes())
    }

    /// Whether there is a place for one more stone beside the promises that are not kept yet. All
    /// together take at most `most_bytes`. Looks at a few stones only.
    pub(super) fn make_room(
        &mut self,
        settings: &AccessSettings,
        most_bytes: usize,
        now: Timestamp,
    ) -> bool {
        let most = most_bytes.saturating_sub(STONE);
        self.limit(settings, most, now);
        self.weight() <= most
    }

    /// Keeps the remains of an origin, if there are any.
    pub(super) fn bury(
        &mut self,
        origin: &Origin,
        facts: &Facts,
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        if let Some(remains) = facts.remains(settings, now) {
            let key = origin.table_key();
            self.place(Tombstone { key, remains });
        }
    }

    /// Sets the size of the set of lost files, by the capacity of the cache.
    pub(super) fn size_lost_files(&mut self, most_bytes: usize) {
        self.lost_files.set_most_bytes(most_bytes / LOST_FILES_PART);
    }

    /// Adds stones that were saved. A saved stone is left out if its origin is known or has a stone
    /// here, which are newer.
    pub(super) fn join(&mut self, saved: &Tombstones, is_known: impl Fn(u64) -> bool) {
        self.lost_files.join(&saved.lost_files);
        for stone in saved.iter() {
            let is_here = self.stones.find(stone.key, |here| here.key == stone.key);
            if is_here.is_none() && !is_known(stone.key) {
                self.place(stone);
            }
        }
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
        if stone.remains.has_lost_file() {
            self.lost_files.insert(stone.key);
        }
    }

    /// Drops old stones whose promise is kept while all take more than `most_bytes`, and drops the
    /// keys without a stone if there are many.
    pub(super) fn limit(&mut self, settings: &AccessSettings, most_bytes: usize, now: Timestamp) {
        while self.weight() > most_bytes && self.drop_kept(settings, now) {}
        if self.order.len() > self.stones.len().saturating_mul(2).saturating_add(64) {
            let stones = &self.stones;
            self.order
                .retain(|key| stones.find(*key, |stone| stone.key == *key).is_some());
        }
    }

    /// The facts of an origin that comes back, if anything is left of it.
    pub(super) fn dig_up(&mut self, origin: &Origin, settings: &AccessSettings) -> Option<Facts> {
        let key = origin.table_key();
        match self.dig_up_key(key) {
            Some(remains) => Some(Facts::revived(&remains, settings)),
            None => self.lost_files.contains(key).then(Facts::of_lost_file),
        }
    }

    /// Forgets the failures and the outage of a forgotten origin.
    pub(super) fn forgive(&mut self, origin: &Origin, settings: &AccessSettings, now: Timestamp) {
        if let Some(remains) = self.dig_up_key(origin.table_key()) {
            let mut facts = Facts::revived(&remains, settings);
            facts.reset();
            self.bury(origin, &facts, settings, now);
        }
    }

    fn dig_up_key(&mut self, key: u64) -> Option<Remains> {
        let entry = self.stones.find_entry(key, |stone| stone.key == key).ok()?;
        let (stone, _) = entry.remove();
        Some(stone.remains)
    }

    /// Drops an old stone whose promise is kept. An outage goes last, as a date and a lost file say
    /// less. The call looks at a few stones only, and puts the others back.
    fn drop_kept(&mut self, settings: &AccessSettings, now: Timestamp) -> bool {
        let mut outage = None;
        for _ in 0..SAMPLES {
            let Some(key) = self.order.pop_front() else {
                break;
            };
            let stone = self.stones.find(key, |stone| stone.key == key);
            match stone.map(|stone| stone.remains) {
                None => {}
                Some(remains) if remains.promised_until(settings) > now => {
                    self.order.push_back(key);
                }
                Some(remains) if remains.has_outage() => {
                    outage.get_or_insert(key);
                    self.order.push_back(key);
                }
                Some(_) => {
                    self.dig_up_key(key);
                    return true;
                }
            }
        }
        outage.is_some_and(|key| self.dig_up_key(key).is_some())
    }
}

/// The stored form.
#[cfg(feature = "serde")]
mod stored {
    use alloc::vec::Vec;

    use super::{LostFiles, Tombstone, Tombstones};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct Stored {
        stones: Vec<Tombstone>,
        lost_files: LostFiles,
    }

    impl From<Stored> for Tombstones {
        fn from(stored: Stored) -> Tombstones {
            let mut tombstones = Tombstones {
                lost_files: stored.lost_files,
                ..Tombstones::default()
            };
            for stone in stored.stones {
                tombstones.place(stone);
            }
            tombstones
        }
    }

    impl From<Tombstones> for Stored {
        fn from(tombstones: Tombstones) -> Stored {
            Stored {
                stones: tombstones.iter().collect(),
                lost_files: tombstones.lost_files,
            }
        }
    }
}

const SAMPLES: usize = 32;

/// The part of the room for tombstones that the set of lost files takes: a sixteenth.
const LOST_FILES_PART: usize = 16;

/// A stone in a table that may be half empty, and its key in the queue, which may hold twice as
/// many.
const STONE: usize = 2 * (size_of::<Tombstone>() + 1) + 2 * 2 * size_of::<u64>();

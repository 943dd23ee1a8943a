//! The memory of the cache on its way to a store and back: entries, files and tombstones.

use alloc::vec::Vec;

use polite_robots::{Cause, Robot, RobotsTxt};

use crate::access::cache::slot::{Grace, Slot};
use crate::access::cache::tombstones::Tombstones;
use crate::access::cache::{Cache, Documents};
use crate::access::entry::{Content, Entry};
use crate::origin::Origin;
use crate::time::Timestamp;

/// The memory of a [`Cache`]: the entries of all origins, and what is left of the forgotten ones.
///
/// With the feature `serde` it can be stored in any format. Tickets are not in it: their robots.txt
/// is due again. Loading it opens no site and ends no outage.
///
/// ```
/// use polite_robots::Cause;
/// use polite_robots_policy::{Cache, Lookup, Origin, Outcome, Profile, Timestamp};
///
/// let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20)?;
/// let origin = Origin::of("https://down.example/page")?;
/// let now = Timestamp::from_millis(1_767_225_600_000);
/// let Lookup::Fetch(ticket) = cache.poll(&origin, now) else { panic!() };
/// let down = Outcome::Unreachable { cause: Cause::Status(503), retry_after: None };
/// cache.handle(ticket, down, now);
///
/// let mut next = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20)?;
/// next.load(cache.save(), now);
/// assert!(matches!(next.poll(&origin, now), Lookup::Closed(_)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedCache {
    entries: Vec<(Origin, Entry)>,
    tombstones: Tombstones,
}

impl Cache {
    /// The memory of this moment, to store it.
    #[must_use]
    pub fn save(&self) -> SavedCache {
        let entries = self.entries();
        SavedCache {
            entries: entries
                .map(|(origin, entry)| (origin.clone(), entry))
                .collect(),
            tombstones: self.tombstones.clone(),
        }
    }

    /// Takes memory that was saved, best before the first poll: each entry takes the place of what
    /// is known here, as by [`Cache::insert`].
    pub fn load(&mut self, saved: SavedCache, now: Timestamp) {
        self.insert_tombstones(saved.tombstones);
        for (origin, entry) in saved.entries {
            self.insert(&origin, entry, now);
        }
    }

    /// The memory of an origin, to save it. Without [`Cache::keep_documents`] it holds the rules of
    /// this cache's agents only.
    #[must_use]
    pub fn entry(&self, origin: &Origin) -> Option<Entry> {
        let slot = self.slots.get(self.slots.find(origin)?)?;
        Some(self.entry_of(slot))
    }

    /// The memory of all origins, to save it.
    pub fn entries(&self) -> impl Iterator<Item = (&Origin, Entry)> {
        let slots = self.slots.iter();
        slots.map(|slot| (&slot.origin, self.entry_of(slot)))
    }

    /// The file of an origin, expired or not; only with [`Cache::keep_documents`].
    #[must_use]
    pub fn document(&self, origin: &Origin) -> Option<&RobotsTxt> {
        let slot = self.slots.get(self.slots.find(origin)?)?;
        self.files.document(slot.file?)
    }

    /// Takes an entry that was saved, in place of what is known. A fetch that is under way loses
    /// its effect.
    ///
    /// Rules that were compiled for other agents, or in another dialect, are left out: robots.txt
    /// is then due. An entry for which there is no room leaves a tombstone, as a forgotten origin
    /// does.
    pub fn insert(&mut self, origin: &Origin, entry: Entry, now: Timestamp) {
        self.clock.advance(now);
        let (mut facts, content) = entry.into_parts();
        let Some(number) = self.find_or_admit(origin, now) else {
            facts.lose_file();
            return self.bury(origin, &facts, now);
        };
        if let Some(slot) = self.slots.get_mut(number) {
            slot.facts = facts;
            slot.lease = None;
            slot.grace = Grace::Over;
        }
        match content {
            Some(content) => self.set_content(number, content),
            None => self.drop_file(number),
        }
        self.update(number, now);
        self.make_room(0, now);
    }

    /// The remains of the origins that were forgotten, to save them beside the
    /// [entries](Cache::entries). A store that keeps the entry of each origin for ever, also of a
    /// forgotten one, needs none.
    #[must_use]
    pub fn tombstones(&self) -> &Tombstones {
        &self.tombstones
    }

    /// Takes tombstones that were saved, before or after the entries. An origin that is known needs
    /// none. Beyond a quarter of the capacity, the next poll that needs their room drops those
    /// whose promise is kept.
    pub fn insert_tombstones(&mut self, tombstones: Tombstones) {
        let slots = &self.slots;
        self.tombstones.join(&tombstones, |key| slots.has_key(key));
    }

    /// Gives the slot the file of its last answer.
    pub(super) fn set_content(&mut self, number: u32, content: Content) {
        self.drop_file(number);
        let (robot, document) = match content {
            Content::Document(robots_txt) => {
                let robot = self.compile(&robots_txt);
                let document = (self.documents == Documents::Kept).then_some(robots_txt);
                (robot, document)
            }
            Content::Compiled { robot, reader } if reader == self.reader => (robot, None),
            Content::Compiled { .. } => {
                if let Some(slot) = self.slots.get_mut(number) {
                    slot.facts.lose_file();
                }
                return;
            }
        };
        let delay = robot.crawl_delay().unwrap_or_default();
        let gap = self.pace.asked_gap(delay).as_millis().div_ceil(1_000);
        let file = self.files.insert(robot, document);
        if let Some(slot) = self.slots.get_mut(number) {
            slot.file = Some(file);
            slot.gap = u32::try_from(gap).unwrap_or(u32::MAX);
        }
    }

    pub(super) fn drop_file(&mut self, number: u32) {
        let Some(slot) = self.slots.get_mut(number) else {
            return;
        };
        slot.gap = 0;
        if let Some(file) = slot.file.take() {
            self.files.release(file);
        }
    }

    fn compile(&self, robots_txt: &RobotsTxt) -> Robot {
        let agents: Vec<&str> = self.agents.iter().map(|agent| &**agent).collect();
        // The agents were tried when the cache was made.
        robots_txt
            .robot_first(&agents)
            .unwrap_or_else(|_| Robot::disallow_all(Cause::Configured))
    }

    fn entry_of(&self, slot: &Slot) -> Entry {
        let content = slot.file.and_then(|number| {
            if let Some(document) = self.files.document(number) {
                return Some(Content::Document(document.clone()));
            }
            Some(Content::Compiled {
                robot: self.files.robot(number)?.clone(),
                reader: self.reader,
            })
        });
        let key = slot.origin.partition_key();
        let mut facts = slot.facts.clone();
        // A paused round counts as failed so far, as it does when its origin is forgotten.
        if let Some(fetch) = slot.lease.as_ref().and_then(|lease| lease.paused()) {
            let now = self.clock.outside(self.clock.now());
            facts.take(&fetch.clone().into_outcome(), key, &self.settings, now);
        }
        Entry::from_parts(key, facts, content)
    }
}

//! The capacity of the cache: which origins it lets in, keeps and forgets.

use crate::access::cache::Cache;
use crate::access::cache::slot::{Queue, Slot};
use crate::access::cache::weight::{FIRST_FETCH, weight_of_slot};
use crate::access::facts::Facts;
use crate::origin::Origin;
use crate::time::Timestamp;

impl Cache {
    /// Whether the origin is known: polled or inserted, and not forgotten since.
    #[must_use]
    pub fn contains(&self, origin: &Origin) -> bool {
        self.slots.find(origin).is_some()
    }

    /// The number of origins that are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no origin is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of forgotten origins that left a tombstone.
    #[must_use]
    pub fn forgotten(&self) -> usize {
        self.tombstones.len()
    }

    /// The number of origins in an outage: the last round for their robots.txt found the site
    /// unreachable. It looks at every known origin.
    #[must_use]
    pub fn in_outage(&self) -> usize {
        let slots = self.slots.iter();
        slots.filter(|slot| slot.facts.failures() > 0).count()
    }

    /// The bytes of memory that count against the capacity.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots
            .weight()
            .saturating_add(self.files.weight())
            .saturating_add(self.tombstones.weight())
    }

    /// Notes that pages of the origin are queued: it is not forgotten until [`Cache::release`]. A
    /// second call changes nothing.
    ///
    /// An origin that is not known is not held either: call it after a poll that did not give
    /// [`Lookup::Full`](crate::Lookup::Full).
    pub fn hold(&mut self, origin: &Origin) {
        self.set_queue(origin, Queue::Held);
    }

    /// Notes that the queue of the origin is empty, so that the origin is forgotten first. An
    /// answer that no page has asked for yet stays, because a page may come back for it in its
    /// turn.
    pub fn release(&mut self, origin: &Origin) {
        self.set_queue(origin, Queue::Released);
    }

    fn set_queue(&mut self, origin: &Origin, queue: Queue) {
        let number = self.slots.find(origin);
        if let Some(slot) = number.and_then(|number| self.slots.get_mut(number)) {
            slot.queue = queue;
        }
    }

    /// The slot of an origin, if there is room for it.
    pub(super) fn find_or_admit(&mut self, origin: &Origin, now: Timestamp) -> Option<u32> {
        if let Some(number) = self.slots.find(origin) {
            return Some(number);
        }
        let mut slot = Slot::new(origin.clone(), self.clock.now());
        let weight = weight_of_slot(&slot);
        if !self.make_room(weight.saturating_add(FIRST_FETCH), now) {
            return None;
        }
        if let Some(facts) = self.tombstones.dig_up(origin, &self.settings) {
            slot.facts = facts;
        }
        let number = self.slots.insert(slot);
        self.slots.set_weight(number, weight);
        Some(number)
    }

    /// Forgets origins until the bytes fit. Returns whether they do; the first origin always does.
    ///
    /// An origin that leaves a promise is forgotten only if there is a place for its tombstone.
    pub(super) fn make_room(&mut self, bytes: usize, now: Timestamp) -> bool {
        let (settings, clock) = (self.settings, self.clock);
        while self.bytes().saturating_add(bytes) > self.capacity {
            let most_bytes = self.most_tombstone_bytes();
            let has_place = self.tombstones.make_room(&settings, most_bytes, now);
            let files = &self.files;
            let eviction = |slot: &Slot| {
                let file = slot.file.map_or(0, |file| files.weight_of(file));
                let eviction = slot.eviction(&settings, file, clock, now)?;
                let has_promise = || {
                    let remains = slot.facts.remains(&settings, now);
                    let is_open =
                        remains.is_some_and(|remains| remains.promised_until(&settings) > now);
                    is_open
                        || slot
                            .lease
                            .as_ref()
                            .is_some_and(|lease| lease.paused().is_some())
                };
                (has_place || !has_promise()).then_some(eviction)
            };
            let Some(number) = self.slots.find_evictable(eviction) else {
                return self.slots.len() == 0;
            };
            if let Some(mut slot) = self.slots.remove(number) {
                slot.fail_paused(&settings, now);
                if let Some(file) = slot.file {
                    self.files.release(file);
                }
                self.kept.give_back(&slot.origin, slot.kept as usize);
                self.bury(&slot.origin, &slot.facts, now);
            }
        }
        true
    }

    pub(super) fn bury(&mut self, origin: &Origin, facts: &Facts, now: Timestamp) {
        self.tombstones.bury(origin, facts, &self.settings, now);
    }

    pub(super) fn most_tombstone_bytes(&self) -> usize {
        (self.capacity / TOMBSTONES_PART).max(LEAST_TOMBSTONES)
    }

    /// Gives the answer of a slot a place until its page asks for it, or takes the place back.
    pub(super) fn update_place(&mut self, number: u32) {
        let Some(slot) = self.slots.get_mut(number) else {
            return;
        };
        let file = slot.file.map_or(0, |file| self.files.weight_of(file));
        let bytes = (slot.weight as usize).saturating_add(file);
        if slot.kept > 0 && !slot.is_unused() {
            self.kept.give_back(&slot.origin, slot.kept as usize);
            slot.kept = 0;
        } else if slot.kept == 0 && slot.is_unused() && self.kept.take(&slot.origin, bytes) {
            slot.kept = u32::try_from(bytes).unwrap_or(u32::MAX);
        }
    }
}

/// The least number of tombstones, however small the cache is.
const LEAST_TOMBSTONES: usize = 4096;

/// The part of the capacity that tombstones may take: a quarter.
const TOMBSTONES_PART: usize = 4;

//! The origins of the cache: found by name, by number, and by the time at which they are due.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::access::cache::slot::{Eviction, Slot};
use crate::keyed_table::KeyedTable;
use crate::origin::Origin;
use crate::parts::Parts;
use crate::time::Timestamp;

/// The slots of all origins. Numbers stay as they are until a slot is removed.
#[derive(Debug, Default)]
pub(super) struct Slots {
    slots: Parts<Option<Slot>>,
    free: Vec<u32>,
    /// Numbers by the key of their origin.
    numbers: KeyedTable<u32>,
    /// The slots whose robots.txt comes due, in the cache's time.
    due: BTreeSet<(Timestamp, u32)>,
    weight: usize,
    /// Where the search for an idle slot goes on.
    hand: usize,
}

impl Slots {
    pub(super) fn find(&self, origin: &Origin) -> Option<u32> {
        let is_its = |number: &u32| self.get(*number).is_some_and(|slot| slot.origin == *origin);
        self.numbers.find(origin.table_key(), is_its).copied()
    }

    /// Whether an origin with this key is there.
    pub(super) fn has_key(&self, key: u64) -> bool {
        let is_its = |number: &u32| {
            let slot = self.get(*number);
            slot.is_some_and(|slot| slot.origin.table_key() == key)
        };
        self.numbers.find(key, is_its).is_some()
    }

    pub(super) fn get(&self, number: u32) -> Option<&Slot> {
        self.slots.get(number as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Slot> {
        self.slots.get_mut(number as usize)?.as_mut()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().flatten()
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        0..u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len().saturating_sub(self.free.len())
    }

    /// The sum of the weights.
    pub(super) fn weight(&self) -> usize {
        self.weight
    }

    /// Adds an origin that is not there yet, with a weight of 0.
    pub(super) fn insert(&mut self, slot: Slot) -> u32 {
        let key = slot.origin.table_key();
        let number = match self.free.pop() {
            Some(number) => number,
            None => {
                let len = self.slots.len();
                self.slots.push(None);
                u32::try_from(len).unwrap_or(u32::MAX)
            }
        };
        if let Some(place) = self.slots.get_mut(number as usize) {
            *place = Some(slot);
        }
        let slots = &self.slots;
        self.numbers.insert_unique(key, number, |number| {
            let slot = slots.get(*number as usize).and_then(Option::as_ref);
            slot.map_or(0, |slot| slot.origin.table_key())
        });
        number
    }

    pub(super) fn remove(&mut self, number: u32) -> Option<Slot> {
        let slot = self.slots.get_mut(number as usize)?.take()?;
        self.free.push(number);
        let key = slot.origin.table_key();
        if let Ok(entry) = self.numbers.find_entry(key, |found| *found == number) {
            entry.remove();
        }
        self.due.remove(&(slot.due, number));
        self.weight = self.weight.saturating_sub(slot.weight as usize);
        Some(slot)
    }

    pub(super) fn set_weight(&mut self, number: u32, weight: usize) {
        let weight = u32::try_from(weight).unwrap_or(u32::MAX);
        let Some(slot) = self.get_mut(number) else {
            return;
        };
        let earlier = core::mem::replace(&mut slot.weight, weight);
        self.weight = self.weight.saturating_sub(earlier as usize);
        self.weight = self.weight.saturating_add(weight as usize);
    }

    /// Puts the slot among those that come due; [`Timestamp::MAX`] takes it out.
    pub(super) fn set_due(&mut self, number: u32, due: Timestamp) {
        let Some(slot) = self.get_mut(number) else {
            return;
        };
        let earlier = core::mem::replace(&mut slot.due, due);
        if earlier == due {
            return;
        }
        self.due.remove(&(earlier, number));
        if due != Timestamp::MAX {
            self.due.insert((due, number));
        }
    }

    /// The slots that come due, the earliest first.
    pub(super) fn due(&self) -> impl Iterator<Item = (Timestamp, &Slot)> {
        let slots = self.due.iter();
        slots.filter_map(|(due, number)| Some((*due, self.get(*number)?)))
    }

    /// The slot to forget first among the next [`SAMPLES`]. Further slots are looked at only while
    /// none is found of the kind that is forgotten first.
    ///
    /// An exact order of use would cost each poll three writes to slots far apart in memory. Redis
    /// evicts in this way, from 5 samples.
    pub(super) fn find_evictable(
        &mut self,
        eviction: impl Fn(&Slot) -> Option<Eviction>,
    ) -> Option<u32> {
        let mut first: Option<(Eviction, u32)> = None;
        for sample in 0..MOST_SAMPLES.min(self.slots.len()) {
            let is_found = |(eviction, _): (Eviction, u32)| eviction.is_first();
            if sample >= SAMPLES && first.is_some_and(is_found) {
                break;
            }
            self.hand = (self.hand + 1) % self.slots.len();
            let slot = self.slots.get(self.hand).and_then(Option::as_ref);
            let Some(eviction) = slot.and_then(&eviction) else {
                continue;
            };
            if first.is_none_or(|(known, _)| eviction > known) {
                first = Some((eviction, u32::try_from(self.hand).unwrap_or(u32::MAX)));
            }
        }
        first.map(|(_, number)| number)
    }
}

/// The slots that are sampled for each eviction.
const SAMPLES: usize = 32;

/// The most slots that are sampled, while none is found of the kind that is forgotten first.
const MOST_SAMPLES: usize = 128;

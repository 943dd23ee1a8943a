//! The callers that wait for the rules of an origin, and the room that the origins wait for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use polite_robots_policy::Origin;
use tokio::sync::watch;

use crate::state::memory_queue::Room;

/// The callers that wait for the rules of an origin: an event wakes those of one origin.
#[derive(Debug, Default)]
pub(crate) struct Interests {
    origins: HashMap<Origin, Interest>,
    room: Room,
}

#[derive(Debug)]
struct Interest {
    callers: usize,
    /// Changes when a round for the origin has ended, and when there may be room for the origin.
    rounds: watch::Sender<u64>,
    /// The number in the line for room.
    place: Option<u64>,
}

impl Interests {
    /// Notes a caller of the origin.
    pub(crate) fn begin(&mut self, origin: &Origin) {
        let new = || Interest {
            callers: 0,
            rounds: watch::Sender::new(0),
            place: None,
        };
        let interest = self.origins.entry(origin.clone()).or_insert_with(new);
        interest.callers += 1;
    }

    /// Notes that a caller has gone away. Whether it was the last one.
    pub(crate) fn end(&mut self, origin: &Origin) -> bool {
        let Entry::Occupied(mut interest) = self.origins.entry(origin.clone()) else {
            return false;
        };
        interest.get_mut().callers = interest.get().callers.saturating_sub(1);
        if interest.get().callers > 0 {
            return false;
        }
        if let Some(place) = interest.remove().place {
            self.room.leave(place);
        }
        true
    }

    /// Resolves when a round that is under way has ended, or there may be room for the origin. Subscribed under the lock
    /// of the caller, so none is missed.
    pub(crate) fn rounds(&self, origin: &Origin) -> Option<watch::Receiver<u64>> {
        let interest = self.origins.get(origin);
        interest.map(|interest| interest.rounds.subscribe())
    }

    /// Wakes the callers of an origin.
    pub(crate) fn call(&self, origin: &Origin) {
        if let Some(interest) = self.origins.get(origin) {
            interest
                .rounds
                .send_modify(|rounds| *rounds = rounds.wrapping_add(1));
        }
    }

    /// Wakes the callers of the origin that is first in the line for room: there may be some.
    pub(crate) fn call_first(&self) {
        if let Some(first) = self.room.first() {
            self.call(first);
        }
    }

    /// Whether the origin is the first that room is for.
    pub(crate) fn is_first_for_room(&self, origin: &Origin) -> bool {
        self.room.first() == Some(origin)
    }

    /// Whether no other origin has waited for room for longer.
    pub(crate) fn may_enter(&self, origin: &Origin) -> bool {
        self.room.first().is_none_or(|first| first == origin)
    }

    /// Puts an origin in the line for room, unless it is there.
    pub(crate) fn wait_for_room(&mut self, origin: &Origin) {
        // A caller without an interest is not in line: nobody would take it out again.
        if let Some(interest) = self.origins.get_mut(origin)
            && interest.place.is_none()
        {
            interest.place = Some(self.room.join(origin));
        }
    }

    /// Takes an origin that has room out of the line. Whether it has callers.
    pub(crate) fn enter(&mut self, origin: &Origin) -> bool {
        let Some(interest) = self.origins.get_mut(origin) else {
            return false;
        };
        if let Some(place) = interest.place.take() {
            self.room.leave(place);
            // There may be room for more than one.
            self.call_first();
        }
        true
    }
}

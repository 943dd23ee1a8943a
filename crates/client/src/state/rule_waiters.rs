//! The callers that wait for the rules of an origin, and the room that the origins wait for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use polite_robots_policy::Origin;
use tokio::sync::watch;

use crate::state::memory_queue::MemoryQueue;

/// The callers that wait for the rules of an origin: an event wakes those of one origin.
#[derive(Debug, Default)]
pub(crate) struct RuleWaiters {
    origins: HashMap<Origin, OriginWaiters>,
    memory_queue: MemoryQueue,
}

#[derive(Debug)]
struct OriginWaiters {
    callers: usize,
    /// Changes when a round for the origin has ended, and when there may be room for the origin.
    rounds: watch::Sender<u64>,
    /// The number in the line for room.
    position: Option<u64>,
}

impl RuleWaiters {
    /// Notes a caller of the origin.
    pub(crate) fn add(&mut self, origin: &Origin) {
        let new = || OriginWaiters {
            callers: 0,
            rounds: watch::Sender::new(0),
            position: None,
        };
        let waiters = self.origins.entry(origin.clone()).or_insert_with(new);
        waiters.callers += 1;
    }

    /// Notes that a caller has gone away. Whether it was the last one.
    pub(crate) fn remove(&mut self, origin: &Origin) -> bool {
        let Entry::Occupied(mut waiters) = self.origins.entry(origin.clone()) else {
            return false;
        };
        waiters.get_mut().callers = waiters.get().callers.saturating_sub(1);
        if waiters.get().callers > 0 {
            return false;
        }
        if let Some(position) = waiters.remove().position {
            self.memory_queue.leave(position);
        }
        true
    }

    /// Resolves when a round that is under way has ended, or there may be room for the origin.
    /// Subscribed under the lock of the caller, so none is missed.
    pub(crate) fn subscribe(&self, origin: &Origin) -> Option<watch::Receiver<u64>> {
        let waiters = self.origins.get(origin);
        waiters.map(|waiters| waiters.rounds.subscribe())
    }

    /// Wakes the callers of an origin.
    pub(crate) fn wake(&self, origin: &Origin) {
        if let Some(waiters) = self.origins.get(origin) {
            waiters
                .rounds
                .send_modify(|rounds| *rounds = rounds.wrapping_add(1));
        }
    }

    /// Wakes the callers of the origin that is first in the line for room: there may be some.
    pub(crate) fn wake_first(&self) {
        if let Some(first) = self.memory_queue.first() {
            self.wake(first);
        }
    }

    /// Whether the origin is the first that room is for.
    pub(crate) fn is_first_for_memory(&self, origin: &Origin) -> bool {
        self.memory_queue.first() == Some(origin)
    }

    /// Whether no other origin has waited for room for longer.
    pub(crate) fn may_enter(&self, origin: &Origin) -> bool {
        self.memory_queue
            .first()
            .is_none_or(|first| first == origin)
    }

    /// Puts an origin in the line for room, unless it is there.
    pub(crate) fn wait_for_memory(&mut self, origin: &Origin) {
        // A caller without an interest is not in line: nobody would take it out again.
        if let Some(waiters) = self.origins.get_mut(origin)
            && waiters.position.is_none()
        {
            waiters.position = Some(self.memory_queue.join(origin));
        }
    }

    /// Takes an origin that has room out of the line. Whether it has callers.
    pub(crate) fn enter(&mut self, origin: &Origin) -> bool {
        let Some(waiters) = self.origins.get_mut(origin) else {
            return false;
        };
        if let Some(position) = waiters.position.take() {
            self.memory_queue.leave(position);
            // There may be room for more than one.
            self.wake_first();
        }
        true
    }
}

//! The callers that wait for the rules of an origin, and the origins that wait for memory.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use polite_robots_policy::Origin;
use tokio::sync::watch;

use crate::error::BusyReason;
use crate::state::memory_queue::MemoryQueue;

/// The callers that wait for rules, by origin: an event wakes the callers of one origin.
#[derive(Debug, Default)]
pub(crate) struct RuleWaiters {
    origins: HashMap<Origin, OriginWaiters>,
    memory_queue: MemoryQueue,
}

#[derive(Debug)]
struct OriginWaiters {
    callers: usize,
    /// A counter that changes when a round for the origin has ended, and when memory may be free.
    rounds: watch::Sender<u64>,
    /// Our own fault by which the last round failed.
    fault: Option<BusyReason>,
    /// The number in the memory queue; `None` if the origin does not wait there.
    position: Option<u64>,
}

impl RuleWaiters {
    /// Adds a caller of the origin.
    pub(crate) fn add(&mut self, origin: &Origin) {
        let new = || OriginWaiters {
            callers: 0,
            rounds: watch::Sender::new(0),
            fault: None,
            position: None,
        };
        let waiters = self.origins.entry(origin.clone()).or_insert_with(new);
        waiters.callers += 1;
    }

    /// Removes a caller of the origin. Returns whether it was the last one.
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

    /// The origins with callers, and how many.
    pub(crate) fn callers(&self) -> impl Iterator<Item = (&Origin, usize)> {
        let origins = self.origins.iter();
        origins.map(|(origin, waiters)| (origin, waiters.callers))
    }

    /// A receiver that changes when a round has ended, or when memory may be free. Subscribe under
    /// the lock under which the cache was asked, so that no change is missed.
    pub(crate) fn subscribe(&self, origin: &Origin) -> Option<watch::Receiver<u64>> {
        let waiters = self.origins.get(origin);
        waiters.map(|waiters| waiters.rounds.subscribe())
    }

    /// Notes our own fault by which a request of the origin's round failed.
    pub(crate) fn note_fault(&mut self, origin: &Origin, fault: BusyReason) {
        if let Some(waiters) = self.origins.get_mut(origin) {
            waiters.fault = Some(fault);
        }
    }

    /// Our own fault by which the last round of the origin failed, as far as its callers heard of
    /// it.
    pub(crate) fn fault(&self, origin: &Origin) -> Option<BusyReason> {
        self.origins.get(origin)?.fault
    }

    /// Wakes the callers of an origin.
    pub(crate) fn wake(&self, origin: &Origin) {
        if let Some(waiters) = self.origins.get(origin) {
            waiters
                .rounds
                .send_modify(|rounds| *rounds = rounds.wrapping_add(1));
        }
    }

    /// Wakes the callers of the origin that is first in the memory queue: memory may be free.
    pub(crate) fn wake_first(&self) {
        if let Some(first) = self.memory_queue.first() {
            self.wake(first);
        }
    }

    /// Whether the origin is first in the memory queue.
    pub(crate) fn is_first_for_memory(&self, origin: &Origin) -> bool {
        self.memory_queue.first() == Some(origin)
    }

    /// Whether the origin waits for memory.
    pub(crate) fn waits_for_memory(&self, origin: &Origin) -> bool {
        let waiters = self.origins.get(origin);
        waiters.is_some_and(|waiters| waiters.position.is_some())
    }

    /// Whether no other origin has waited for memory for longer.
    pub(crate) fn may_enter(&self, origin: &Origin) -> bool {
        self.memory_queue
            .first()
            .is_none_or(|first| first == origin)
    }

    /// Adds an origin to the memory queue, unless it is there.
    pub(crate) fn wait_for_memory(&mut self, origin: &Origin) {
        // An origin without callers is not added: nothing would remove it again.
        if let Some(waiters) = self.origins.get_mut(origin)
            && waiters.position.is_none()
        {
            waiters.position = Some(self.memory_queue.join(origin));
        }
    }

    /// Removes an origin that has memory from the queue. Returns whether it has callers.
    pub(crate) fn enter(&mut self, origin: &Origin) -> bool {
        let Some(waiters) = self.origins.get_mut(origin) else {
            return false;
        };
        if let Some(position) = waiters.position.take() {
            self.memory_queue.leave(position);
            // Memory may be free for more than one.
            self.wake_first();
        }
        true
    }
}

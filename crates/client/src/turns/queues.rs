//! The queues of callers that wait for a turn, one for each host.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use polite_robots_policy::HostId;
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use crate::turns::turn_guard::TurnGuard;

/// One queue for each host: the callers that wait for a turn, and the guards that live.
#[derive(Debug)]
pub(crate) struct HostQueues {
    queues: FxHashMap<HostId, HostQueue>,
    /// The callers in all queues, including those that went away and were not skipped yet.
    callers: usize,
    /// The most callers in one queue.
    capacity: usize,
}

#[derive(Debug, Default)]
struct HostQueue {
    waiters: VecDeque<oneshot::Sender<TurnGuard>>,
    /// The number of a turn that is granted and whose request is not sent yet. The next turn is
    /// granted after that, or it would not keep the gap to that request.
    granted: Option<u64>,
    /// The number of guards that live, including guards whose lease has expired.
    guards: usize,
}

/// The end of the queue at which a caller joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// After the other callers: a page.
    Back,
    /// Before the other callers: a robots.txt, which they wait for, and a page that was given a
    /// turn and used it too late.
    Front,
}

/// The reason why a caller cannot join the queue of a host.
#[derive(Debug)]
pub(crate) enum QueueError {
    /// The queue is as long as it may be.
    Full { waiters: usize },
    /// The host was forgotten since: make it known again.
    Forgotten,
}

impl HostQueues {
    pub(crate) fn new(capacity: usize) -> HostQueues {
        HostQueues {
            queues: FxHashMap::default(),
            callers: 0,
            capacity: capacity.max(1),
        }
    }

    /// Adds a caller to the queue. A caller that goes away drops the receiver and is skipped.
    pub(crate) fn push(
        &mut self,
        host: HostId,
        position: Position,
    ) -> Result<oneshot::Receiver<TurnGuard>, QueueError> {
        let queue = self.queues.entry(host).or_default();
        if position == Position::Back && queue.waiters.len() >= self.capacity {
            let before = queue.waiters.len();
            queue.waiters.retain(|waiter| !waiter.is_closed());
            self.callers -= before - queue.waiters.len();
            if queue.waiters.len() >= self.capacity {
                return Err(QueueError::Full {
                    waiters: self.capacity,
                });
            }
        }
        self.callers += 1;
        let (waiter, turn) = oneshot::channel();
        match position {
            Position::Front => queue.waiters.push_front(waiter),
            Position::Back => queue.waiters.push_back(waiter),
        }
        Ok(turn)
    }

    /// Removes all callers; their receivers fail.
    pub(crate) fn clear(&mut self, host: HostId) {
        if let Some(queue) = self.queues.get_mut(&host) {
            self.callers -= queue.waiters.len();
            queue.waiters.clear();
        }
    }

    /// Removes the first caller that has not gone away.
    pub(crate) fn pop_waiter(&mut self, host: HostId) -> Option<oneshot::Sender<TurnGuard>> {
        let queue = self.queues.get_mut(&host)?;
        while let Some(waiter) = queue.waiters.pop_front() {
            self.callers -= 1;
            if !waiter.is_closed() {
                return Some(waiter);
            }
        }
        None
    }

    /// Notes a turn that is granted.
    pub(crate) fn grant(&mut self, host: HostId, number: u64) {
        let queue = self.queues.entry(host).or_default();
        queue.granted = Some(number);
        queue.guards += 1;
    }

    /// Notes a turn whose request is sent at once.
    pub(crate) fn start(&mut self, host: HostId) {
        self.queues.entry(host).or_default().guards += 1;
    }

    /// The number of the granted turn whose request is not sent yet.
    pub(crate) fn granted(&self, host: HostId) -> Option<u64> {
        self.queues.get(&host)?.granted
    }

    /// Notes that a turn is no longer granted. Returns whether it was.
    pub(crate) fn ungrant(&mut self, host: HostId, number: u64) -> bool {
        let queue = self.queues.get_mut(&host);
        let queue = queue.filter(|queue| queue.granted == Some(number));
        queue.is_some_and(|queue| queue.granted.take().is_some())
    }

    /// Notes that the guard of a turn is gone.
    pub(crate) fn end(&mut self, host: HostId) {
        if let Some(queue) = self.queues.get_mut(&host) {
            queue.guards = queue.guards.saturating_sub(1);
        }
    }

    /// Whether a caller waits and may be given a turn: a granted turn must be sent first. Removes a
    /// queue that nobody needs.
    pub(crate) fn wants_turn(&mut self, host: HostId) -> bool {
        let Entry::Occupied(queue) = self.queues.entry(host) else {
            return false;
        };
        let is_waiting = !queue.get().waiters.is_empty();
        let is_granted = queue.get().granted.is_some();
        if !is_waiting && !is_granted && queue.get().guards == 0 {
            queue.remove();
        }
        is_waiting && !is_granted
    }

    /// Whether no caller waits and no turn is granted whose request is not sent. Callers that went
    /// away do not count.
    pub(crate) fn is_free(&self, host: HostId) -> bool {
        let queue = self.queues.get(&host);
        queue.is_none_or(|queue| {
            queue.granted.is_none() && queue.waiters.iter().all(oneshot::Sender::is_closed)
        })
    }

    /// Whether a caller waits, or the guard of a turn lives.
    pub(crate) fn is_needed(&self, host: HostId) -> bool {
        self.queues.contains_key(&host)
    }

    /// Removes the queue of a host that is forgotten.
    pub(crate) fn forget(&mut self, host: HostId) {
        self.clear(host);
        self.queues.remove(&host);
    }

    /// Whether no caller waits for any host.
    pub(crate) fn is_empty(&self) -> bool {
        self.callers == 0
    }

    /// The number of hosts with callers that wait.
    pub(crate) fn waiting_hosts(&self) -> usize {
        let queues = self.queues.values();
        queues.filter(|queue| !queue.waiters.is_empty()).count()
    }
}

#[cfg(test)]
mod tests {
    use polite_robots_policy::{Profile, Scheduler};

    use super::*;

    #[test]
    fn a_queue_lives_as_long_as_somebody_needs_it() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let host = scheduler.insert("example.com", None);
        let mut queues = HostQueues::new(2);
        assert!(!queues.wants_turn(host) && queues.is_free(host));
        let first = queues.push(host, Position::Back).unwrap();
        let gone = queues.push(host, Position::Back).unwrap();
        assert!(matches!(
            queues.push(host, Position::Back),
            Err(QueueError::Full { waiters: 2 })
        ));
        drop(gone);
        // A caller that went away makes room for another, and the front is never full.
        let last = queues.push(host, Position::Back).unwrap();
        let robots = queues.push(host, Position::Front).unwrap();
        assert!(queues.wants_turn(host) && !queues.is_free(host));
        assert_eq!(queues.waiting_hosts(), 1);
        assert!(!queues.is_empty());

        let waiter = queues.pop_waiter(host).unwrap();
        queues.grant(host, 7);
        assert!(!queues.wants_turn(host), "a turn is not sent yet");
        assert!(!queues.ungrant(host, 6) && queues.ungrant(host, 7) && !queues.ungrant(host, 7));
        drop((robots, waiter));
        assert!(queues.wants_turn(host));

        drop((first, last));
        assert!(queues.is_free(host) && !queues.is_empty());
        assert!(queues.pop_waiter(host).is_none());
        assert!(!queues.wants_turn(host) && queues.is_free(host));
        assert!(queues.is_empty());
        assert!(queues.is_needed(host), "a guard lives");
        queues.end(host);
        assert!(!queues.wants_turn(host));
        assert!(!queues.is_needed(host));

        // Queues that are cleared or forgotten count no callers.
        let _left = [Position::Back, Position::Front].map(|position| queues.push(host, position));
        queues.clear(host);
        assert!(queues.is_empty());
        let _left = queues.push(host, Position::Back);
        queues.forget(host);
        assert!(queues.is_empty() && !queues.is_needed(host));
    }
}

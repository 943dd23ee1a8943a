//! The callers in line for a turn, by host.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use polite_robots_policy::HostId;
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use crate::turns::turn_guard::TurnGuard;

/// The callers in line for a turn, and the turns that are not over, by host.
#[derive(Debug)]
pub(crate) struct HostQueues {
    queues: FxHashMap<HostId, HostQueue>,
    /// The callers in all lines, also those that went away and were not passed over yet.
    callers: usize,
    /// The most callers in a line.
    capacity: usize,
}

#[derive(Debug, Default)]
struct HostQueue {
    waiters: VecDeque<oneshot::Sender<TurnGuard>>,
    /// The number of a turn that is granted and whose request is not sent yet. The next is granted
    /// after it is, or it would not keep its distance from that request.
    granted: Option<u64>,
    /// Guards that live, those without a place too.
    guards: usize,
}

/// Where a request stands in the line of its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// A page: after those that wait.
    Back,
    /// A robots.txt, which pages of the host wait for.
    Front,
}

/// The reason why a caller cannot stand in the line of a host.
#[derive(Debug)]
pub(crate) enum QueueError {
    /// It is as long as it may be.
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

    /// Puts a caller in line. A caller that goes away drops the receiver and is passed over.
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

    /// Sends the callers in line away.
    pub(crate) fn clear(&mut self, host: HostId) {
        if let Some(queue) = self.queues.get_mut(&host) {
            self.callers -= queue.waiters.len();
            queue.waiters.clear();
        }
    }

    /// The first in line that has not gone away.
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

    /// The turn of the host whose request is not sent yet.
    pub(crate) fn granted(&self, host: HostId) -> Option<u64> {
        self.queues.get(&host)?.granted
    }

    /// Notes that a turn is granted no more. Whether it was.
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

    /// Whether a caller waits that may be given a turn: one that is granted is sent first. Forgets
    /// a line that nobody needs.
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

    /// Whether nobody is in line but callers that went away, and no turn is granted whose request
    /// is not sent.
    pub(crate) fn is_free(&self, host: HostId) -> bool {
        let queue = self.queues.get(&host);
        queue.is_none_or(|queue| {
            queue.granted.is_none() && queue.waiters.iter().all(oneshot::Sender::is_closed)
        })
    }

    /// Whether somebody is in line, or the guard of a turn lives.
    pub(crate) fn is_needed(&self, host: HostId) -> bool {
        self.queues.contains_key(&host)
    }

    /// Forgets the line of a host that goes away.
    pub(crate) fn forget(&mut self, host: HostId) {
        self.clear(host);
        self.queues.remove(&host);
    }

    /// Whether nobody is in line for any host.
    pub(crate) fn is_empty(&self) -> bool {
        self.callers == 0
    }

    /// The number of hosts with callers in line.
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
    fn a_line_lives_as_long_as_somebody_needs_it() {
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
        // The place of a caller that went away is free, and a robots.txt needs none.
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

        // Queues that are ended count no callers.
        let _left = [Position::Back, Position::Front].map(|position| queues.push(host, position));
        queues.clear(host);
        assert!(queues.is_empty());
        let _left = queues.push(host, Position::Back);
        queues.forget(host);
        assert!(queues.is_empty() && !queues.is_needed(host));
    }
}

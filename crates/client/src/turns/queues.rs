//! The queues of callers that wait for a turn, one for each host.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use polite_robots_policy::{HostId, Timestamp};
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
    rounds: VecDeque<Waiter>,
    pages: VecDeque<Waiter>,
    /// The kind of the last request.
    last: LastRequest,
    /// The number of a turn that is granted and whose request is not sent yet. The next turn is
    /// granted after that, or it would not keep the gap to that request.
    granted: Option<u64>,
    /// The number of guards that live, including guards whose lease has expired.
    guards: usize,
}

/// A caller that waits for a turn.
#[derive(Debug)]
pub(crate) struct Waiter {
    sender: oneshot::Sender<Grant>,
    /// The time after which the caller no longer wants a turn.
    until: Timestamp,
}

/// The answer to a waiting caller. If the sender is dropped, the queue is gone.
#[derive(Debug)]
pub(crate) enum Grant {
    Turn(TurnGuard),
    /// The next turn of the host comes later than the caller waits.
    TooLate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum LastRequest {
    #[default]
    Page,
    RobotsTxt,
}

/// The place in the queue at which a caller joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// After the other pages.
    Back,
    /// Before the other pages: a page that was given a turn and used it too late.
    Front,
    /// A robots.txt, for which pages wait. It comes before them, but not twice in a row: a host has
    /// an origin for each port, and pages with rules would wait for the files of the others.
    Round,
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
        until: Timestamp,
    ) -> Result<oneshot::Receiver<Grant>, QueueError> {
        let queue = self.queues.entry(host).or_default();
        if position == Position::Back && queue.pages.len() >= self.capacity {
            let before = queue.pages.len();
            queue.pages.retain(Waiter::is_there);
            self.callers -= before - queue.pages.len();
            if queue.pages.len() >= self.capacity {
                return Err(QueueError::Full {
                    waiters: self.capacity,
                });
            }
        }
        self.callers += 1;
        let (sender, turn) = oneshot::channel();
        let waiter = Waiter { sender, until };
        match position {
            Position::Round => queue.rounds.push_back(waiter),
            Position::Front => queue.pages.push_front(waiter),
            Position::Back => queue.pages.push_back(waiter),
        }
        Ok(turn)
    }

    /// Removes all callers; their receivers fail.
    pub(crate) fn clear(&mut self, host: HostId) {
        if let Some(queue) = self.queues.get_mut(&host) {
            self.callers -= queue.len();
            queue.rounds.clear();
            queue.pages.clear();
        }
    }

    /// Removes the callers for whom the next turn of the host is too late, and says so to them.
    pub(crate) fn release_late(&mut self, host: HostId, turn: Timestamp) {
        let Some(queue) = self.queues.get_mut(&host) else {
            return;
        };
        let before = queue.len();
        for waiters in [&mut queue.rounds, &mut queue.pages] {
            if waiters.iter().all(|waiter| waiter.until >= turn) {
                continue;
            }
            let all = std::mem::take(waiters).into_iter();
            let (late, kept): (VecDeque<Waiter>, _) = all.partition(|waiter| waiter.until < turn);
            *waiters = kept;
            // A caller that went away hears nothing.
            late.into_iter()
                .for_each(|waiter| drop(waiter.sender.send(Grant::TooLate)));
        }
        self.callers -= before - queue.len();
    }

    /// Removes the next caller that has not gone away.
    pub(crate) fn pop_waiter(&mut self, host: HostId) -> Option<Waiter> {
        let queue = self.queues.get_mut(&host)?;
        while let Some(waiter) = queue.pop() {
            self.callers -= 1;
            if waiter.is_there() {
                return Some(waiter);
            }
        }
        None
    }

    /// Notes that the request of the last turn is one for a robots.txt.
    pub(crate) fn note_robots_txt(&mut self, host: HostId) {
        if let Some(queue) = self.queues.get_mut(&host) {
            queue.last = LastRequest::RobotsTxt;
        }
    }

    /// The number of pages that wait for the host.
    pub(crate) fn pages(&self, host: HostId) -> usize {
        self.queues.get(&host).map_or(0, |queue| queue.pages.len())
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
        let is_waiting = queue.get().len() > 0;
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
            let mut waiters = queue.rounds.iter().chain(&queue.pages);
            queue.granted.is_none() && !waiters.any(Waiter::is_there)
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
        queues.filter(|queue| queue.len() > 0).count()
    }
}

impl HostQueue {
    fn len(&self) -> usize {
        self.rounds.len() + self.pages.len()
    }

    /// The next caller: after a robots.txt a page, otherwise a robots.txt first.
    fn pop(&mut self) -> Option<Waiter> {
        let [first, second] = match self.last {
            LastRequest::Page => [&mut self.rounds, &mut self.pages],
            LastRequest::RobotsTxt => [&mut self.pages, &mut self.rounds],
        };
        let waiter = first.pop_front().or_else(|| second.pop_front());
        self.last = LastRequest::Page;
        waiter
    }
}

impl Waiter {
    /// Gives the turn to the caller, or back if it went away.
    pub(crate) fn grant(self, turn: TurnGuard) -> Result<(), TurnGuard> {
        match self.sender.send(Grant::Turn(turn)) {
            Err(Grant::Turn(turn)) => Err(turn),
            _ => Ok(()),
        }
    }

    fn is_there(&self) -> bool {
        !self.sender.is_closed()
    }
}

#[cfg(test)]
mod tests {
    use polite_robots_policy::{Profile, Scheduler};

    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

    #[test]
    fn a_queue_lives_as_long_as_somebody_needs_it() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let host = scheduler.insert("example.com", None);
        let mut queues = HostQueues::new(2);
        assert!(!queues.wants_turn(host) && queues.is_free(host));
        let first = queues.push(host, Position::Back, START).unwrap();
        let gone = queues.push(host, Position::Back, START).unwrap();
        assert!(matches!(
            queues.push(host, Position::Back, START),
            Err(QueueError::Full { waiters: 2 })
        ));
        drop(gone);
        // A caller that went away makes room for another, and the front is never full.
        let last = queues.push(host, Position::Back, START).unwrap();
        let robots = queues.push(host, Position::Round, START).unwrap();
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
        let _left =
            [Position::Back, Position::Round].map(|position| queues.push(host, position, START));
        queues.clear(host);
        assert!(queues.is_empty());
        let _left = queues.push(host, Position::Back, START);
        queues.forget(host);
        assert!(queues.is_empty() && !queues.is_needed(host));
    }

    #[test]
    fn a_page_comes_between_two_files() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let host = scheduler.insert("example.com", None);
        let mut queues = HostQueues::new(8);
        let mut push = |position, seconds| {
            let until = START.saturating_add(std::time::Duration::from_secs(seconds));
            queues.push(host, position, until).unwrap()
        };
        let mut rounds = [1, 2].map(|seconds| push(Position::Round, seconds));
        let mut pages = [3, 4].map(|seconds| push(Position::Back, seconds));
        let late = push(Position::Front, 5);
        let mut order = Vec::new();
        while let Some(waiter) = queues.pop_waiter(host) {
            let seconds = waiter.until.saturating_since(START).as_secs();
            if seconds < 3 {
                queues.note_robots_txt(host);
            }
            order.push(seconds);
        }
        assert_eq!(order, [1, 5, 2, 3, 4]);
        assert!(queues.is_empty());
        for waiting in rounds.iter_mut().chain(&mut pages) {
            assert!(waiting.try_recv().is_err());
        }
        drop(late);
    }

    #[test]
    fn callers_hear_that_the_turn_moved_beyond_their_time() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let host = scheduler.insert("example.com", None);
        let mut queues = HostQueues::new(8);
        let at = |seconds| START.saturating_add(std::time::Duration::from_secs(seconds));
        let mut impatient = queues.push(host, Position::Back, at(9)).unwrap();
        let mut patient = queues.push(host, Position::Back, at(10)).unwrap();
        queues.release_late(host, at(10));
        assert!(matches!(impatient.try_recv(), Ok(Grant::TooLate)));
        assert!(patient.try_recv().is_err());
        assert!(queues.pop_waiter(host).is_some() && queues.is_empty());
    }
}

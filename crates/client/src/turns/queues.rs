//! The callers in line for a turn, by host.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use polite_robots_policy::HostId;
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use crate::turns::turn_guard::Turn;

/// The callers in line for a turn, and the turns that are not over, by host.
#[derive(Debug)]
pub(crate) struct Lines {
    lines: FxHashMap<HostId, Line>,
    /// The callers in all lines, also those that went away and were not passed over yet.
    callers: usize,
    /// The most callers in a line.
    longest: usize,
}

#[derive(Debug, Default)]
struct Line {
    waiters: VecDeque<oneshot::Sender<Turn>>,
    /// The number of a turn that is granted and whose request is not sent yet. The next is granted after it is, or it
    /// would not keep its distance from that request.
    granted: Option<u64>,
    /// Guards that live, those without a place too.
    turns: usize,
}

/// Where a request stands in the line of its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A page: after those that wait.
    Last,
    /// A robots.txt, which pages of the host wait for.
    First,
}

/// The reason why a caller cannot stand in the line of a host.
#[derive(Debug)]
pub(crate) enum NoPlace {
    /// It is as long as it may be.
    Full { waiters: usize },
    /// The host was forgotten since: make it known again.
    Forgotten,
}

impl Lines {
    pub(crate) fn new(longest: usize) -> Lines {
        Lines {
            lines: FxHashMap::default(),
            callers: 0,
            longest: longest.max(1),
        }
    }

    /// Puts a caller in line. A caller that goes away drops the receiver and is passed over.
    pub(crate) fn join(
        &mut self,
        host: HostId,
        place: Place,
    ) -> Result<oneshot::Receiver<Turn>, NoPlace> {
        let line = self.lines.entry(host).or_default();
        if place == Place::Last && line.waiters.len() >= self.longest {
            let before = line.waiters.len();
            line.waiters.retain(|waiter| !waiter.is_closed());
            self.callers -= before - line.waiters.len();
            if line.waiters.len() >= self.longest {
                return Err(NoPlace::Full {
                    waiters: self.longest,
                });
            }
        }
        self.callers += 1;
        let (waiter, turn) = oneshot::channel();
        match place {
            Place::First => line.waiters.push_front(waiter),
            Place::Last => line.waiters.push_back(waiter),
        }
        Ok(turn)
    }

    /// Sends the callers in line away.
    pub(crate) fn clear(&mut self, host: HostId) {
        if let Some(line) = self.lines.get_mut(&host) {
            self.callers -= line.waiters.len();
            line.waiters.clear();
        }
    }

    /// The first in line that has not gone away.
    pub(crate) fn next_waiter(&mut self, host: HostId) -> Option<oneshot::Sender<Turn>> {
        let line = self.lines.get_mut(&host)?;
        while let Some(waiter) = line.waiters.pop_front() {
            self.callers -= 1;
            if !waiter.is_closed() {
                return Some(waiter);
            }
        }
        None
    }

    /// Notes a turn that is granted.
    pub(crate) fn grant(&mut self, host: HostId, number: u64) {
        let line = self.lines.entry(host).or_default();
        line.granted = Some(number);
        line.turns += 1;
    }

    /// Notes a turn whose request is sent at once.
    pub(crate) fn start(&mut self, host: HostId) {
        self.lines.entry(host).or_default().turns += 1;
    }

    /// The turn of the host whose request is not sent yet.
    pub(crate) fn granted(&self, host: HostId) -> Option<u64> {
        self.lines.get(&host)?.granted
    }

    /// Notes that a turn is granted no more. Whether it was.
    pub(crate) fn ungrant(&mut self, host: HostId, number: u64) -> bool {
        let line = self.lines.get_mut(&host);
        let line = line.filter(|line| line.granted == Some(number));
        line.is_some_and(|line| line.granted.take().is_some())
    }

    /// Notes that the guard of a turn is gone.
    pub(crate) fn end(&mut self, host: HostId) {
        if let Some(line) = self.lines.get_mut(&host) {
            line.turns = line.turns.saturating_sub(1);
        }
    }

    /// Whether a caller waits that may be given a turn: one that is granted is sent first. Forgets a line that nobody
    /// needs.
    pub(crate) fn wants_turn(&mut self, host: HostId) -> bool {
        let Entry::Occupied(line) = self.lines.entry(host) else {
            return false;
        };
        let is_waiting = !line.get().waiters.is_empty();
        let is_granted = line.get().granted.is_some();
        if !is_waiting && !is_granted && line.get().turns == 0 {
            line.remove();
        }
        is_waiting && !is_granted
    }

    /// Whether nobody is in line but callers that went away, and no turn is granted whose request is not sent.
    pub(crate) fn is_free(&self, host: HostId) -> bool {
        let line = self.lines.get(&host);
        line.is_none_or(|line| {
            line.granted.is_none() && line.waiters.iter().all(oneshot::Sender::is_closed)
        })
    }

    /// Whether somebody is in line, or the guard of a turn lives.
    pub(crate) fn is_needed(&self, host: HostId) -> bool {
        self.lines.contains_key(&host)
    }

    /// Forgets the line of a host that goes away.
    pub(crate) fn forget(&mut self, host: HostId) {
        self.clear(host);
        self.lines.remove(&host);
    }

    /// Whether nobody is in line for any host.
    pub(crate) fn are_empty(&self) -> bool {
        self.callers == 0
    }

    /// The number of hosts with callers in line.
    pub(crate) fn waiting(&self) -> usize {
        let lines = self.lines.values();
        lines.filter(|line| !line.waiters.is_empty()).count()
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
        let mut lines = Lines::new(2);
        assert!(!lines.wants_turn(host) && lines.is_free(host));
        let first = lines.join(host, Place::Last).unwrap();
        let gone = lines.join(host, Place::Last).unwrap();
        assert!(matches!(
            lines.join(host, Place::Last),
            Err(NoPlace::Full { waiters: 2 })
        ));
        drop(gone);
        // The place of a caller that went away is free, and a robots.txt needs none.
        let last = lines.join(host, Place::Last).unwrap();
        let robots = lines.join(host, Place::First).unwrap();
        assert!(lines.wants_turn(host) && !lines.is_free(host));
        assert_eq!(lines.waiting(), 1);
        assert!(!lines.are_empty());

        let waiter = lines.next_waiter(host).unwrap();
        lines.grant(host, 7);
        assert!(!lines.wants_turn(host), "a turn is not sent yet");
        assert!(!lines.ungrant(host, 6) && lines.ungrant(host, 7) && !lines.ungrant(host, 7));
        drop((robots, waiter));
        assert!(lines.wants_turn(host));

        drop((first, last));
        assert!(lines.is_free(host) && !lines.are_empty());
        assert!(lines.next_waiter(host).is_none());
        assert!(!lines.wants_turn(host) && lines.is_free(host));
        assert!(lines.are_empty());
        assert!(lines.is_needed(host), "a guard lives");
        lines.end(host);
        assert!(!lines.wants_turn(host));
        assert!(!lines.is_needed(host));

        // Lines that are ended count no callers.
        let _left = [Place::Last, Place::First].map(|place| lines.join(host, place));
        lines.clear(host);
        assert!(lines.are_empty());
        let _left = lines.join(host, Place::Last);
        lines.forget(host);
        assert!(lines.are_empty() && !lines.is_needed(host));
    }
}

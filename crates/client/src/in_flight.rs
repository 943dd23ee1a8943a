//! The places of turns and requests under way: who holds one, and until when.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use polite_robots_policy::{HostId, Timestamp};

/// The places of turns and requests under way, each with a lease: a task that is never polled again, or a response that is
/// never read, loses its place when the lease is over.
#[derive(Debug)]
pub(crate) struct InFlight {
    most: usize,
    /// The lease of a request, as the scheduler has it.
    request_lease: Duration,
    held: BTreeMap<u64, Held>,
    /// The ends of the leases, with the number of the turn.
    ends: BTreeSet<(Timestamp, u64)>,
    /// The last number that was given.
    last: u64,
}

/// A place that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) host: HostId,
    pub(crate) phase: Phase,
    until: Timestamp,
}

/// How far the turn has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Its request is not sent yet.
    Granted,
    /// Its request is under way.
    Sent,
}

impl InFlight {
    pub(crate) fn new(most: usize, request_lease: Duration) -> InFlight {
        InFlight {
            most: most.max(1),
            request_lease: request_lease.min(LONGEST_LEASE),
            held: BTreeMap::new(),
            ends: BTreeSet::new(),
            last: 0,
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.held.len() >= self.most
    }

    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    /// Takes a place for a turn that is granted now, and numbers the turn.
    pub(crate) fn grant(&mut self, host: HostId, now: Timestamp) -> u64 {
        self.last = self.last.wrapping_add(1);
        let until = now.saturating_add(TURN_LEASE);
        let phase = Phase::Granted;
        self.held.insert(self.last, Held { host, phase, until });
        self.ends.insert((until, self.last));
        self.last
    }

    /// Notes that the request of a turn is sent; `Expired` if the turn has lost its place.
    pub(crate) fn start(&mut self, number: u64, now: Timestamp) -> Lease {
        let Some(held) = self.held.get_mut(&number) else {
            return Lease::Expired;
        };
        self.ends.remove(&(held.until, number));
        held.until = now.saturating_add(self.request_lease);
        held.phase = Phase::Sent;
        self.ends.insert((held.until, number));
        Lease::Live
    }

    /// Gives the place of a turn back, unless it is lost.
    pub(crate) fn end(&mut self, number: u64) -> Lease {
        match self.held.remove(&number) {
            Some(held) => {
                self.ends.remove(&(held.until, number));
                Lease::Live
            }
            None => Lease::Expired,
        }
    }

    /// Takes a place back whose lease is over.
    pub(crate) fn take_back(&mut self, now: Timestamp) -> Option<(u64, Held)> {
        let (until, number) = *self.ends.first()?;
        if until > now {
            return None;
        }
        self.ends.pop_first();
        Some((number, self.held.remove(&number)?))
    }

    /// The end of the first lease.
    pub(crate) fn next_end(&self) -> Option<Timestamp> {
        self.ends.first().map(|(until, _)| *until)
    }
}

/// Whether a turn has its place still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lease {
    Live,
    Expired,
}

/// The time within which a turn is used. A task that is polled uses it within a second, even on a busy machine or with a
/// slow store; one that is not polled keeps everybody waiting as long.
pub(crate) const TURN_LEASE: Duration = Duration::from_secs(10);

/// The scheduler's own limit.
pub(crate) const LONGEST_LEASE: Duration = Duration::from_secs(86_400);

#[cfg(test)]
mod tests {
    use polite_robots_policy::{Profile, Scheduler};

    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

    fn after(seconds: u64) -> Timestamp {
        START.saturating_add(Duration::from_secs(seconds))
    }

    #[test]
    fn a_lease_ends_and_a_number_is_given_once() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let host = scheduler.insert("example.com", None);
        let mut places = InFlight::new(2, Duration::from_secs(600));
        let first = places.grant(host, START);
        let second = places.grant(host, after(1));
        assert!(places.is_full());
        assert_eq!(places.start(second, after(2)), Lease::Live);
        assert_eq!(places.next_end(), Some(after(10)));
        assert_eq!(places.take_back(after(9)), None);
        let (number, held) = places.take_back(after(10)).unwrap();
        assert_eq!((number, held.phase), (first, Phase::Granted));
        assert_eq!(places.start(first, after(10)), Lease::Expired);
        assert_eq!(places.end(first), Lease::Expired);
        assert_eq!(places.next_end(), Some(after(602)));
        let third = places.grant(host, after(11));
        assert!(third != first && third != second);
        assert_eq!(places.end(third), Lease::Live);
        let (number, held) = places.take_back(after(602)).unwrap();
        assert_eq!((number, held.phase), (second, Phase::Sent));
        assert_eq!((places.len(), places.next_end()), (0, None));
    }
}

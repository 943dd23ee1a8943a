//! The places of turns and requests under way: who holds one, and until when.

use std::collections::VecDeque;
use std::time::Duration;

use polite_robots_policy::{HostId, Timestamp};
use rustc_hash::FxHashMap;

/// The places of turns and requests under way, each with a lease: a task that is never polled again, or a response that is
/// never read, loses its place when the lease is over.
#[derive(Debug)]
pub(crate) struct InFlight {
    most: usize,
    /// The lease of a request, as the scheduler has it.
    request_lease: Duration,
    held: FxHashMap<u64, Held>,
    /// The ends of the leases of turns whose request is not sent yet, and of the others.
    unsent: Ends,
    sent: Ends,
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
            held: FxHashMap::default(),
            unsent: Ends::default(),
            sent: Ends::default(),
            last: 0,
        }
    }

    pub(crate) fn request_lease(&self) -> Duration {
        self.request_lease
    }

    pub(crate) fn is_full(&self) -> bool {
        self.held.len() >= self.most
    }

    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether a turn of the host has a place.
    pub(crate) fn has(&self, host: HostId) -> bool {
        self.held.values().any(|held| held.host == host)
    }

    /// Takes a place for a turn that is granted now, and numbers the turn.
    pub(crate) fn grant(&mut self, host: HostId, now: Timestamp) -> u64 {
        let until = now.saturating_add(TURN_LEASE);
        let number = self.hold(host, Phase::Granted, until);
        self.unsent.push(until, number, &self.held);
        number
    }

    /// The same for a turn whose request is sent now.
    pub(crate) fn grant_sent(&mut self, host: HostId, now: Timestamp) -> u64 {
        let until = now.saturating_add(self.request_lease);
        let number = self.hold(host, Phase::Sent, until);
        self.sent.push(until, number, &self.held);
        number
    }

    fn hold(&mut self, host: HostId, phase: Phase, until: Timestamp) -> u64 {
        self.last = self.last.wrapping_add(1);
        self.held.insert(self.last, Held { host, phase, until });
        self.last
    }

    /// Notes that the request of a turn is sent; `Expired` if the turn has lost its place.
    pub(crate) fn start(&mut self, number: u64, now: Timestamp) -> Lease {
        let Some(held) = self.held.get_mut(&number) else {
            return Lease::Expired;
        };
        held.until = now.saturating_add(self.request_lease);
        held.phase = Phase::Sent;
        let until = held.until;
        self.sent.push(until, number, &self.held);
        self.unsent.drop_over(&self.held);
        Lease::Live
    }

    /// Gives the place of a turn back, unless it is lost.
    pub(crate) fn end(&mut self, number: u64) -> Lease {
        if self.held.remove(&number).is_none() {
            return Lease::Expired;
        }
        self.unsent.drop_over(&self.held);
        self.sent.drop_over(&self.held);
        Lease::Live
    }

    /// Takes a place back whose lease is over.
    pub(crate) fn take_back(&mut self, now: Timestamp) -> Option<(u64, Held)> {
        let first = [self.unsent.first(), self.sent.first()];
        let (until, number) = first.into_iter().flatten().min()?;
        let held = *self.held.get(&number).filter(|_| until <= now)?;
        self.end(number);
        Some((number, held))
    }

    /// The end of the first lease.
    pub(crate) fn next_end(&self) -> Option<Timestamp> {
        let first = [self.unsent.first(), self.sent.first()];
        first.into_iter().flatten().min().map(|(until, _)| until)
    }
}

/// The ends of leases of one length, each with the number of its turn. They come in their order, but for the milliseconds
/// by which one thread overtakes another, so a queue does, without the searches of an ordered set.
#[derive(Debug, Default)]
struct Ends(VecDeque<(Timestamp, u64)>);

impl Ends {
    /// The first one, which is of a turn in this phase.
    fn first(&self) -> Option<(Timestamp, u64)> {
        self.0.front().copied()
    }

    fn push(&mut self, until: Timestamp, number: u64, held: &FxHashMap<u64, Held>) {
        self.0.push_back((until, number));
        // One that is held for long keeps those behind it, which are over.
        if self.0.len() > 2 * held.len() + 16 {
            self.0.retain(|end| is_held(end, held));
        }
    }

    /// Drops the first ones as long as their turns are over, or in another phase.
    fn drop_over(&mut self, held: &FxHashMap<u64, Held>) {
        while self.0.front().is_some_and(|end| !is_held(end, held)) {
            self.0.pop_front();
        }
    }
}

/// Whether the lease with this end runs.
fn is_held((until, number): &(Timestamp, u64), held: &FxHashMap<u64, Held>) -> bool {
    held.get(number).is_some_and(|held| held.until == *until)
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

    #[test]
    fn leases_end_as_in_a_list_of_them() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let host = scheduler.insert("example.com", None);
        for request_lease in [3, 10, 60] {
            let mut places = InFlight::new(50, Duration::from_secs(request_lease));
            let mut model: Vec<(u64, u64, Phase)> = Vec::new();
            let mut draw = 1_u64;
            for now in 0..20_000_u64 {
                draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let random = draw >> 33;
                let now = now / 4;
                model.sort_by_key(|(until, number, _)| (*until, *number));
                let at = usize::try_from(random).unwrap() / 8 % model.len().max(1);
                let number = model.get(at).map_or(0, |(_, number, _)| *number);
                match random % 8 {
                    0 | 1 if !places.is_full() => {
                        let number = places.grant(host, after(now));
                        model.push((now + 10, number, Phase::Granted));
                    }
                    2 if !places.is_full() => {
                        let number = places.grant_sent(host, after(now));
                        model.push((now + request_lease, number, Phase::Sent));
                    }
                    3 | 4 if model.get(at).is_some_and(|turn| turn.2 == Phase::Granted) => {
                        assert_eq!(places.start(number, after(now)), Lease::Live);
                        model[at] = (now + request_lease, number, Phase::Sent);
                    }
                    5 if !model.is_empty() => {
                        assert_eq!(places.end(number), Lease::Live);
                        model.remove(at);
                    }
                    6 => {
                        // Any of several that end at one time may be the first.
                        let is_over = model.first().is_some_and(|(until, ..)| *until <= now);
                        let least = model.first().map(|(until, ..)| *until);
                        let taken = places.take_back(after(now));
                        assert_eq!(taken.is_some(), is_over);
                        if let Some((number, held)) = taken {
                            let at = model.iter().position(|turn| turn.1 == number).unwrap();
                            let (until, _, phase) = model.remove(at);
                            assert_eq!((Some(until), phase), (least, held.phase));
                        }
                    }
                    _ => assert_eq!(places.start(0, after(now)), Lease::Expired),
                }
                assert_eq!(places.len(), model.len());
                let first = model.iter().map(|(until, ..)| *until).min();
                assert_eq!(places.next_end(), first.map(after));
            }
        }
    }
}

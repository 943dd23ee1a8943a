//! The leases of turns and of requests under way.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use polite_robots_policy::{HostId, Timestamp};
use rustc_hash::FxHashMap;

use crate::turns::places::{Places, Standing};
use crate::turns::turn_guard::Way;

/// One lease for each turn and each request under way. A task that is never polled again, or a
/// response that is never read, loses its place when the lease expires.
#[derive(Debug)]
pub(crate) struct LeaseTable {
    pub(crate) places: Places,
    /// The length of the lease of a request, as the scheduler has it.
    request_lease: Duration,
    leases: FxHashMap<u64, Lease>,
    /// The expiry times of turns whose request is not sent yet.
    unsent: ExpiryQueue,
    /// The expiry times of requests under way.
    sent: ExpiryQueue,
    /// The last number that was given.
    last: u64,
}

/// The right of one turn to its place, until a time.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    pub(crate) host: HostId,
    pub(crate) phase: LeasePhase,
    until: Timestamp,
    since: Timestamp,
    /// The kind of host that the place counts for.
    standing: Standing,
    /// The sign that it has to give way; `None` if another program sends its request.
    way: Option<Arc<Way>>,
}

/// The progress of the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeasePhase {
    /// Its request is not sent yet.
    Granted,
    /// Its request is under way.
    Sent,
}

impl LeaseTable {
    pub(crate) fn new(capacity: usize, request_lease: Duration) -> LeaseTable {
        LeaseTable {
            places: Places::new(capacity),
            request_lease: request_lease.min(LONGEST_LEASE),
            leases: FxHashMap::default(),
            unsent: ExpiryQueue::default(),
            sent: ExpiryQueue::default(),
            last: 0,
        }
    }

    pub(crate) fn request_lease(&self) -> Duration {
        self.request_lease
    }

    pub(crate) fn len(&self) -> usize {
        self.leases.len()
    }

    /// Whether a turn of the host has a lease.
    pub(crate) fn has(&self, host: HostId) -> bool {
        self.leases.values().any(|lease| lease.host == host)
    }

    /// Begins the lease of a turn that is granted now. Returns the number of the turn.
    pub(crate) fn grant(&mut self, host: HostId, now: Timestamp) -> (u64, Arc<Way>) {
        let until = now.saturating_add(TURN_LEASE);
        let (number, way) = self.insert(host, LeasePhase::Granted, until, now);
        self.unsent.push(until, number, &self.leases);
        (number, way)
    }

    /// Begins the lease of a turn whose request is sent now. Returns the number of the turn.
    pub(crate) fn grant_sent(&mut self, host: HostId, now: Timestamp) -> (u64, Arc<Way>) {
        let until = now.saturating_add(self.request_lease);
        let (number, way) = self.insert(host, LeasePhase::Sent, until, now);
        self.sent.push(until, number, &self.leases);
        (number, way)
    }

    fn insert(
        &mut self,
        host: HostId,
        phase: LeasePhase,
        until: Timestamp,
        now: Timestamp,
    ) -> (u64, Arc<Way>) {
        self.last = self.last.wrapping_add(1);
        let standing = self.places.standing(host);
        self.places.take(standing);
        let lease = Lease {
            host,
            phase,
            until,
            since: now,
            standing,
            way: Some(Arc::default()),
        };
        let way = lease.way.clone().unwrap_or_default();
        self.leases.insert(self.last, lease);
        (self.last, way)
    }

    /// Begins the lease of the request of a turn, which is sent now; `Expired` if the turn has lost
    /// its place.
    pub(crate) fn start(&mut self, number: u64, now: Timestamp) -> LeaseStatus {
        let Some(lease) = self.leases.get_mut(&number) else {
            return LeaseStatus::Expired;
        };
        lease.until = now.saturating_add(self.request_lease);
        lease.since = now;
        lease.phase = LeasePhase::Sent;
        let until = lease.until;
        self.sent.push(until, number, &self.leases);
        self.unsent.drop_stale(&self.leases);
        LeaseStatus::Live
    }

    /// Ends the lease of a turn, unless it has expired before.
    pub(crate) fn end(&mut self, number: u64) -> LeaseStatus {
        match self.take(number) {
            Some(_) => LeaseStatus::Live,
            None => LeaseStatus::Expired,
        }
    }

    /// Does the same for a request that was answered, by which its host is known.
    pub(crate) fn end_answered(&mut self, number: u64, now: Timestamp) -> LeaseStatus {
        let Some(lease) = self.take(number) else {
            return LeaseStatus::Expired;
        };
        if lease.phase == LeasePhase::Sent {
            let took = now.saturating_since(lease.since);
            self.places.note_answer(lease.host, took);
        }
        LeaseStatus::Live
    }

    fn take(&mut self, number: u64) -> Option<Lease> {
        let lease = self.leases.remove(&number)?;
        self.places.give_back(lease.standing);
        self.unsent.drop_stale(&self.leases);
        self.sent.drop_stale(&self.leases);
        Some(lease)
    }

    /// Removes one lease that has expired.
    pub(crate) fn take_expired(&mut self, now: Timestamp) -> Option<(u64, Lease)> {
        let first = [self.unsent.first(), self.sent.first()];
        let (until, number) = first.into_iter().flatten().min()?;
        let is_over = until <= now && self.leases.contains_key(&number);
        let lease = is_over.then(|| self.take(number)).flatten()?;
        Some((number, lease))
    }

    /// Lets a request that another program sends keep its place.
    pub(crate) fn lend(&mut self, number: u64) {
        if let Some(lease) = self.leases.get_mut(&number) {
            lease.way = None;
        }
    }

    /// Counts the requests that take long as those of slow hosts, and takes out those that have to
    /// give way to others. Returns the turns, and when to look again if hosts wait.
    pub(crate) fn make_way(&mut self, now: Timestamp) -> (Vec<(u64, HostId)>, Option<Timestamp>) {
        if !self.places.has_line() {
            return (Vec::new(), None);
        }
        let mut slow = Vec::new();
        let mut next: Option<Timestamp> = None;
        for (number, lease) in &mut self.leases {
            if lease.phase != LeasePhase::Sent {
                continue;
            }
            if lease.standing != Standing::Slow {
                let from = lease
                    .since
                    .saturating_add(self.places.patience(lease.standing));
                if from > now {
                    next = Some(next.map_or(from, |next| next.min(from)));
                    continue;
                }
                self.places.give_back(lease.standing);
                lease.standing = Standing::Slow;
                self.places.take(Standing::Slow);
            }
            if lease.way.is_some() {
                slow.push((lease.since, *number, lease.host));
            }
        }
        slow.sort_unstable_by_key(|(since, number, _)| (*since, *number));
        let mut given = Vec::new();
        for (_, number, host) in slow {
            if !self.places.is_crowded() {
                break;
            }
            if let Some(way) = self
                .leases
                .get(&number)
                .and_then(|lease| lease.way.as_ref())
            {
                way.give();
            }
            self.end(number);
            self.places.note_slow(host);
            given.push((number, host));
        }
        (given, next)
    }

    /// The time at which the next lease expires.
    pub(crate) fn next_expiry(&self) -> Option<Timestamp> {
        let first = [self.unsent.first(), self.sent.first()];
        first.into_iter().flatten().min().map(|(until, _)| until)
    }
}

/// The expiry times of leases of one length, each with the number of its turn. They come sorted,
/// except for the milliseconds by which one thread overtakes another, so a queue replaces the
/// searches of an ordered set.
#[derive(Debug, Default)]
struct ExpiryQueue(VecDeque<(Timestamp, u64)>);

impl ExpiryQueue {
    /// The first entry, whose turn is in the phase of this queue.
    fn first(&self) -> Option<(Timestamp, u64)> {
        self.0.front().copied()
    }

    fn push(&mut self, until: Timestamp, number: u64, leases: &FxHashMap<u64, Lease>) {
        self.0.push_back((until, number));
        // One long lease at the front keeps the stale entries after it.
        if self.0.len() > 2 * leases.len() + 16 {
            self.0.retain(|end| is_current(end, leases));
        }
    }

    /// Drops the entries at the front whose turns are over or in another phase.
    fn drop_stale(&mut self, leases: &FxHashMap<u64, Lease>) {
        while self.0.front().is_some_and(|end| !is_current(end, leases)) {
            self.0.pop_front();
        }
    }
}

/// Whether the lease with this expiry time runs.
fn is_current((until, number): &(Timestamp, u64), leases: &FxHashMap<u64, Lease>) -> bool {
    leases
        .get(number)
        .is_some_and(|lease| lease.until == *until)
}

/// Whether the lease of a turn runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaseStatus {
    Live,
    Expired,
}

/// The time within which a granted turn must be used. A task that is polled uses it within a
/// second, even on a busy machine or with a slow store; a task that is not polled makes the other
/// callers wait as long.
pub(crate) const TURN_LEASE: Duration = Duration::from_secs(10);

/// The limit of the scheduler itself.
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
        let mut table = LeaseTable::new(2, Duration::from_secs(600));
        let (first, _) = table.grant(host, START);
        let (second, _) = table.grant(host, after(1));
        assert!(table.places.is_full());
        assert_eq!(table.start(second, after(2)), LeaseStatus::Live);
        assert_eq!(table.next_expiry(), Some(after(10)));
        assert!(table.take_expired(after(9)).is_none());
        let (number, lease) = table.take_expired(after(10)).unwrap();
        assert_eq!((number, lease.phase), (first, LeasePhase::Granted));
        assert_eq!(table.start(first, after(10)), LeaseStatus::Expired);
        assert_eq!(table.end(first), LeaseStatus::Expired);
        assert_eq!(table.next_expiry(), Some(after(602)));
        let (third, _) = table.grant(host, after(11));
        assert!(third != first && third != second);
        assert_eq!(table.end(third), LeaseStatus::Live);
        let (number, lease) = table.take_expired(after(602)).unwrap();
        assert_eq!((number, lease.phase), (second, LeasePhase::Sent));
        assert_eq!((table.len(), table.next_expiry()), (0, None));
    }

    #[test]
    fn leases_end_as_in_a_list_of_them() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let host = scheduler.insert("example.com", None);
        for request_lease in [3, 10, 60] {
            let mut table = LeaseTable::new(50, Duration::from_secs(request_lease));
            let mut model: Vec<(u64, u64, LeasePhase)> = Vec::new();
            let mut draw = 1_u64;
            for now in 0..20_000_u64 {
                draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let random = draw >> 33;
                let now = now / 4;
                model.sort_by_key(|(until, number, _)| (*until, *number));
                let at = usize::try_from(random).unwrap() / 8 % model.len().max(1);
                let number = model.get(at).map_or(0, |(_, number, _)| *number);
                match random % 8 {
                    0 | 1 if !table.places.is_full() => {
                        let (number, _) = table.grant(host, after(now));
                        model.push((now + 10, number, LeasePhase::Granted));
                    }
                    2 if !table.places.is_full() => {
                        let (number, _) = table.grant_sent(host, after(now));
                        model.push((now + request_lease, number, LeasePhase::Sent));
                    }
                    3 | 4
                        if model
                            .get(at)
                            .is_some_and(|turn| turn.2 == LeasePhase::Granted) =>
                    {
                        assert_eq!(table.start(number, after(now)), LeaseStatus::Live);
                        model[at] = (now + request_lease, number, LeasePhase::Sent);
                    }
                    5 if !model.is_empty() => {
                        assert_eq!(table.end(number), LeaseStatus::Live);
                        model.remove(at);
                    }
                    6 => {
                        // Any of several leases that end at one time may be the first.
                        let is_over = model.first().is_some_and(|(until, ..)| *until <= now);
                        let least = model.first().map(|(until, ..)| *until);
                        let taken = table.take_expired(after(now));
                        assert_eq!(taken.is_some(), is_over);
                        if let Some((number, lease)) = taken {
                            let at = model.iter().position(|turn| turn.1 == number).unwrap();
                            let (until, _, phase) = model.remove(at);
                            assert_eq!((Some(until), phase), (least, lease.phase));
                        }
                    }
                    _ => assert_eq!(table.start(0, after(now)), LeaseStatus::Expired),
                }
                assert_eq!(table.len(), model.len());
                let first = model.iter().map(|(until, ..)| *until).min();
                assert_eq!(table.next_expiry(), first.map(after));
            }
        }
    }
}

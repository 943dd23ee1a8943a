//! The places of a client: the requests that may be under way at a time, and the share of each kind
//! of host.

use std::collections::VecDeque;
use std::time::Duration;

use polite_robots_policy::HostId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The kind of a host, by its answers so far. Hosts compete for places with their like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It has not answered yet.
    New,
    /// Its last answer came in time.
    Quick,
    /// Its last answer took long: the host is slow, or its pages are large.
    Slow,
}

/// The shares of the places, and the hosts that wait for one.
///
/// Hosts that have not answered yet hold half of the places at most, and slow ones begin only in a
/// quarter. A request that takes long counts as one of a slow host from then on, and keeps its
/// place while others are free. When all places are taken and a host waits that is not slow, the
/// request that has taken longest gives way, until slow ones hold a quarter. So a host that drips
/// holds up only its like.
#[derive(Debug)]
pub(crate) struct Places {
    capacity: usize,
    /// The hosts that have answered.
    records: FxHashMap<HostId, Record>,
    new: Kind,
    quick: Kind,
    slow: Kind,
    in_line: FxHashSet<HostId>,
}

/// The answers of a host so far.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    /// The requests that took long.
    slow: u32,
    /// The quick answers in a row after which it is no longer slow.
    wanted: u32,
}

/// One kind of host.
#[derive(Debug, Default)]
struct Kind {
    /// The places that it holds.
    used: usize,
    /// The hosts that have a turn and no place, first come, first served.
    line: VecDeque<HostId>,
    /// The greatest length of the line since it was empty.
    longest_line: usize,
}

impl Places {
    pub(crate) fn new(capacity: usize) -> Places {
        Places {
            capacity: capacity.max(1),
            records: FxHashMap::default(),
            new: Kind::default(),
            quick: Kind::default(),
            slow: Kind::default(),
            in_line: FxHashSet::default(),
        }
    }

    fn kind(&self, standing: Standing) -> &Kind {
        match standing {
            Standing::New => &self.new,
            Standing::Quick => &self.quick,
            Standing::Slow => &self.slow,
        }
    }

    fn kind_mut(&mut self, standing: Standing) -> &mut Kind {
        match standing {
            Standing::New => &mut self.new,
            Standing::Quick => &mut self.quick,
            Standing::Slow => &mut self.slow,
        }
    }

    /// The most places that hosts of a kind take.
    fn share(&self, standing: Standing) -> usize {
        let share = match standing {
            Standing::New => self.capacity / 2,
            Standing::Quick => self.capacity,
            Standing::Slow => self.capacity / 4,
        };
        share.max(1)
    }

    pub(crate) fn standing(&self, host: HostId) -> Standing {
        match self.records.get(&host) {
            None => Standing::New,
            Some(Record { wanted: 0, .. }) => Standing::Quick,
            Some(_) => Standing::Slow,
        }
    }

    /// Notes the end of a request that was answered.
    pub(crate) fn note_answer(&mut self, host: HostId, took: Duration) {
        if took >= SLOW_AFTER {
            self.note_slow(host);
        } else if self.standing(host) != Standing::Quick {
            // Nearly all answers come from hosts that are quick.
            let record = self.records.entry(host).or_default();
            record.wanted = record.wanted.saturating_sub(1);
        }
    }

    /// Notes that a request of the host took long. Each time, the host needs twice as many quick
    /// answers before it counts as quick again: otherwise a host that drips at every second page
    /// would be quick half of the time.
    pub(crate) fn note_slow(&mut self, host: HostId) {
        let record = self.records.entry(host).or_default();
        record.slow = record.slow.saturating_add(1);
        record.wanted = 1 << record.slow.min(MOST_DOUBLINGS);
    }

    pub(crate) fn forget(&mut self, host: HostId) {
        self.records.remove(&host);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.new.used + self.quick.used + self.slow.used >= self.capacity
    }

    /// Whether a host has a place, if it waits for nobody.
    pub(crate) fn has_place(&self, standing: Standing) -> bool {
        !self.is_full() && self.kind(standing).used < self.share(standing)
    }

    pub(crate) fn take(&mut self, standing: Standing) {
        self.kind_mut(standing).used += 1;
    }

    pub(crate) fn give_back(&mut self, standing: Standing) {
        let kind = self.kind_mut(standing);
        kind.used = kind.used.saturating_sub(1);
    }

    /// Whether no host of the kind waits.
    pub(crate) fn is_first(&self, standing: Standing) -> bool {
        self.kind(standing).line.is_empty()
    }

    /// Lets a host wait for a place, unless it does.
    pub(crate) fn wait(&mut self, host: HostId) {
        if self.in_line.insert(host) {
            let kind = self.kind_mut(self.standing(host));
            kind.line.push_back(host);
            kind.longest_line = kind.longest_line.max(kind.line.len());
        }
    }

    /// The next host that has a place: new ones first for a quarter of the places, then those that
    /// are quick.
    pub(crate) fn next(&mut self) -> Option<HostId> {
        let order = match self.new.used < self.share(Standing::New).div_ceil(2) {
            true => [Standing::New, Standing::Quick, Standing::Slow],
            false => [Standing::Quick, Standing::New, Standing::Slow],
        };
        for standing in order {
            if !self.has_place(standing) {
                continue;
            }
            let kind = self.kind_mut(standing);
            let host = kind.line.pop_front();
            if kind.line.is_empty() {
                kind.longest_line = 0;
            }
            if let Some(host) = host {
                self.in_line.remove(&host);
                return Some(host);
            }
        }
        None
    }

    /// Whether hosts wait.
    pub(crate) fn has_line(&self) -> bool {
        !self.in_line.is_empty()
    }

    /// The time after which a request counts as one of a slow host. The longer the line of its kind
    /// was, the shorter the time, so that a line moves through in [`LINE_TIME`]. By the line that
    /// is left, its last host would wait four times as long. New hosts wait for the places of quick
    /// ones too: before, with 8 places, 189 hosts with quick robots.txt and dripping pages let in
    /// one new host a second.
    pub(crate) fn patience(&self, standing: Standing) -> Duration {
        let others = match standing {
            Standing::Quick => self.new.longest_line,
            Standing::New | Standing::Slow => 0,
        };
        let line = self.kind(standing).longest_line.saturating_add(others);
        let line = u32::try_from(line.max(1)).unwrap_or(u32::MAX);
        let share = u32::try_from(self.share(standing)).unwrap_or(u32::MAX);
        let patience = LINE_TIME.saturating_mul(share) / line;
        patience.clamp(LEAST_PATIENCE, SLOW_AFTER)
    }

    /// Whether the request that has taken longest has to give way: hosts wait that are not slow,
    /// and fewer places are free than they may take.
    pub(crate) fn is_crowded(&self) -> bool {
        let used = self.new.used + self.quick.used + self.slow.used;
        let new_places = self.share(Standing::New).saturating_sub(self.new.used);
        let wanted = self.quick.line.len() + self.new.line.len().min(new_places);
        self.capacity < used + wanted && self.slow.used > self.share(Standing::Slow)
    }
}

/// The time of a request from which on it is slow, however few others there are.
pub(crate) const SLOW_AFTER: Duration = Duration::from_secs(10);

/// A host that was slow wants a thousand quick answers at most.
const MOST_DOUBLINGS: u32 = 10;

/// The time in which a line of hosts should move through.
const LINE_TIME: Duration = Duration::from_secs(30);

/// The time that a request has in any case before it counts as slow.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

//! The sweep for idle hosts: each host is checked once in a while, a few at a time.

use std::collections::VecDeque;
use std::time::Duration;

use polite_robots_policy::{HostId, Timestamp};
use rustc_hash::FxHashSet;

/// The hosts that the client knows, each checked once in [`PERIOD`]. A host that had a request
/// since its last check is skipped, so a host that is crawled is never forgotten between two pages.
#[derive(Debug, Default)]
pub(crate) struct IdleSweep {
    /// The time of the next check of each host; sorted, as the period is the same for all.
    due: VecDeque<(Timestamp, HostId)>,
    /// Hosts that were added since the last sweep.
    fresh: Vec<HostId>,
    /// Hosts with a request since their last check.
    used: FxHashSet<HostId>,
}

impl IdleSweep {
    pub(crate) fn add(&mut self, host: HostId) {
        self.fresh.push(host);
    }

    /// Notes that the host has a request.
    pub(crate) fn note_use(&mut self, host: HostId) {
        self.used.insert(host);
    }

    /// Removes the hosts to check: at most [`BATCH`] that are due and had no request.
    pub(crate) fn take_due(&mut self, now: Timestamp) -> Vec<HostId> {
        for host in std::mem::take(&mut self.fresh) {
            self.defer(host, now);
        }
        let mut due = Vec::new();
        for _ in 0..BATCH {
            match self.due.front() {
                Some((at, _)) if *at <= now => {}
                _ => break,
            }
            let Some((_, host)) = self.due.pop_front() else {
                break;
            };
            if self.used.remove(&host) {
                self.defer(host, now);
            } else {
                due.push(host);
            }
        }
        due
    }

    /// Puts back a host that is still needed.
    pub(crate) fn defer(&mut self, host: HostId, now: Timestamp) {
        self.due.push_back((now.saturating_add(PERIOD), host));
    }

    /// Notes that a host is gone.
    pub(crate) fn remove(&mut self, host: HostId) {
        self.used.remove(&host);
    }

    /// The time of the next check, which may be past.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.due.front().map(|(at, _)| *at)
    }
}

/// A host is forgotten between one and two minutes after its last request: the next page of a host
/// that is crawled comes sooner in general, and a host that comes back costs little.
const PERIOD: Duration = Duration::from_secs(60);

/// The most hosts in one sweep, which bounds the work under the lock; the next sweep takes the
/// others.
const BATCH: usize = 128;

#[cfg(test)]
mod tests {
    use polite_robots_policy::{Profile, Scheduler};

    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

    #[test]
    fn a_sweep_checks_few_hosts_and_skips_those_in_use() {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        let mut sweep = IdleSweep::default();
        let hosts = 3 * BATCH;
        for number in 0..hosts {
            sweep.add(scheduler.insert(&format!("h{number}.example"), None));
        }
        let used = scheduler.find("h7.example").unwrap();
        sweep.note_use(used);
        assert!(sweep.take_due(START).is_empty());
        let later = START.saturating_add(PERIOD);
        assert_eq!(sweep.next_due(), Some(later));
        let mut seen = FxHashSet::default();
        for _ in 0..3 {
            let due = sweep.take_due(later);
            assert!(due.len() <= BATCH);
            seen.extend(due);
        }
        assert_eq!(seen.len(), hosts - 1);
        assert!(!seen.contains(&used));
        let twice = later.saturating_add(PERIOD);
        assert_eq!(sweep.take_due(twice), [used]);
        assert_eq!(sweep.next_due(), None);
    }
}

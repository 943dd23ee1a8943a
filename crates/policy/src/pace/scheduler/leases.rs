//! The leases of the requests under way, so that a request without an end does not cost its host.

use core::time::Duration;

use crate::pace::scheduler::hosts::Hosts;
use crate::pace::scheduler::timer_queue::{Timer, TimerQueue};
use crate::time::Timestamp;

/// The requests under way by their start. Their ends leave stale entries, but never as the first.
#[derive(Debug, Clone)]
pub(super) struct Leases {
    /// Timers whose time is the start, and whose stamp is the generation of the host.
    starts: TimerQueue,
    /// The length at which stale entries may be more than half.
    most: usize,
}

impl Leases {
    pub(super) const NEW: Leases = Leases {
        starts: TimerQueue::NEW,
        most: FEW,
    };

    pub(super) fn push(&mut self, number: u32, start: Timestamp, hosts: &Hosts) {
        let Some(host) = hosts.get(number) else {
            return;
        };
        self.starts.push(Timer {
            at: start,
            number,
            stamp: host.generation,
        });
        if self.starts.len() > self.most {
            self.starts.retain(|timer| is_live(timer, hosts));
            self.most = self.starts.len().saturating_mul(2).saturating_add(FEW);
        }
    }

    /// The end of the first lease.
    pub(super) fn first_end(&self, lease: Duration) -> Option<Timestamp> {
        Some(self.starts.first()?.at.saturating_add(lease))
    }

    /// Takes out a host with a request whose lease is over `now`.
    pub(super) fn take_ended(
        &mut self,
        lease: Duration,
        now: Timestamp,
        hosts: &Hosts,
    ) -> Option<u32> {
        self.drop_stale(hosts);
        let first = self.starts.first()?;
        (first.at.saturating_add(lease) <= now).then(|| {
            self.starts.drop_first();
            first.number
        })
    }

    /// Drops stale entries until a live one is first, so that they wake nobody.
    pub(super) fn drop_stale(&mut self, hosts: &Hosts) {
        while self
            .starts
            .first()
            .is_some_and(|first| !is_live(&first, hosts))
        {
            self.starts.drop_first();
        }
    }
}

fn is_live(timer: &Timer, hosts: &Hosts) -> bool {
    let host = hosts.get(timer.number);
    let host = host.filter(|host| host.generation == timer.stamp);
    host.is_some_and(|host| host.pace.starts().any(|start| start == timer.at))
}

/// The length up to which stale entries are not worth a search.
const FEW: usize = 64;

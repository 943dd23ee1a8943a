//! The leases of the requests under way, so that a request without an end does not cost its host.

use alloc::collections::BinaryHeap;
use core::cmp::Reverse;
use core::time::Duration;

use crate::pace::scheduler::hosts::Hosts;
use crate::time::Timestamp;

/// The leases of the requests under way, by their end. The end of a request leaves a stale lease,
/// but never as the first.
#[derive(Debug, Clone)]
pub(super) struct Leases {
    heap: BinaryHeap<Reverse<Lease>>,
    /// The length at which stale leases may be more than half.
    most: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Lease {
    end: Timestamp,
    start: Timestamp,
    number: u32,
    generation: u32,
}

impl Leases {
    pub(super) const NEW: Leases = Leases {
        heap: BinaryHeap::new(),
        most: FEW,
    };

    pub(super) fn push(&mut self, number: u32, start: Timestamp, end: Timestamp, hosts: &Hosts) {
        let Some(host) = hosts.get(number) else {
            return;
        };
        self.heap.push(Reverse(Lease {
            end,
            start,
            number,
            generation: host.generation,
        }));
        if self.heap.len() > self.most {
            self.heap.retain(|Reverse(lease)| lease.is_live(hosts));
            self.most = self.heap.len().saturating_mul(2).saturating_add(FEW);
        }
    }

    /// The end of the first lease.
    pub(super) fn first_end(&self) -> Option<Timestamp> {
        self.heap.peek().map(|Reverse(first)| first.end)
    }

    /// Takes out a lease that is over `now`: the host, and the start of the request.
    pub(super) fn take_ended(&mut self, now: Timestamp, hosts: &Hosts) -> Option<(u32, Timestamp)> {
        self.drop_stale(hosts);
        self.first_end().filter(|end| *end <= now)?;
        let Reverse(first) = self.heap.pop()?;
        Some((first.number, first.start))
    }

    /// Lets all leases end later.
    pub(super) fn put_off(&mut self, by: Duration) {
        let leases = core::mem::take(&mut self.heap).into_iter();
        let later = leases.map(|Reverse(lease)| {
            Reverse(Lease {
                end: lease.end.saturating_add(by),
                ..lease
            })
        });
        self.heap = later.collect();
    }

    /// Drops stale leases until a live one is first, so that they wake nobody.
    pub(super) fn drop_stale(&mut self, hosts: &Hosts) {
        let is_stale = |first: &Reverse<Lease>| !first.0.is_live(hosts);
        while self.heap.peek().is_some_and(is_stale) {
            self.heap.pop();
        }
    }
}

impl Lease {
    fn is_live(&self, hosts: &Hosts) -> bool {
        let host = hosts.get(self.number);
        let host = host.filter(|host| host.generation == self.generation);
        host.is_some_and(|host| host.pace.starts().any(|start| start == self.start))
    }
}

/// The length up to which stale leases are not worth a search.
const FEW: usize = 64;

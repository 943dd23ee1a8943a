//! The sweep over idle hosts, of which most can be forgotten.

use alloc::vec::Vec;
use core::time::Duration;

use crate::crawl::lines::Lines;
use crate::pace::scheduler::Scheduler;
use crate::pace::scheduler::host_id::HostId;
use crate::time::Timestamp;

/// The time between two sweeps.
const REST: Duration = Duration::from_secs(60);
/// The most hosts that one call looks at.
const MOST: usize = 128;

/// The hosts that one sweep has not looked at yet, and the time at which it began.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    hosts: Vec<HostId>,
    began: Timestamp,
}

impl Sweep {
    /// Forgets some hosts that would get no turn earlier if they were inserted as new ones.
    pub(super) fn forget(&mut self, scheduler: &mut Scheduler, lines: &Lines, now: Timestamp) {
        // Also after the clock was set back.
        let is_due = now < self.began || now.saturating_since(self.began) >= REST;
        if self.hosts.is_empty() && is_due {
            self.hosts = scheduler.hosts().collect();
            self.began = now;
        }
        let rest = self.hosts.len().saturating_sub(MOST);
        for host in self.hosts.drain(rest..) {
            if lines.is_empty(host) && scheduler.is_as_new(host, now) {
                scheduler.remove(host);
            }
        }
    }
}

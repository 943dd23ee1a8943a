//! Merges two paces of one host: a crawler that takes a host over may know it already.

use alloc::vec::Vec;

use crate::pace::host_pace::{LastRequest, Pace, longest_block};
use crate::settings::pace::PaceSettings;
use crate::time::{Timestamp, latest_believed, whole_millis};

impl Pace {
    /// Merges the pace that another machine had for the host: for each part, the more patient one
    /// counts. The operator's rule and the crawler's plans stay those of this machine.
    pub(crate) fn join(&mut self, other: &Pace, settings: &PaceSettings, now: Timestamp) {
        self.join_requests(other, now);
        let latest_block = latest_believed(now).saturating_add(longest_block(settings));
        let blocks = [self.blocked_until, other.blocked_until];
        self.blocked_until = later(blocks, latest_block);
        self.rare.block(other.rare.blocked_until());
        self.memory.join(&other.memory, settings);
        let delays = other.crawl_delay.by_source(other.rare.delays());
        for (source, delay) in delays {
            self.crawl_delay.raise(source, delay, &mut self.rare);
        }
        self.refusals = self.refusals.max(other.refusals);
        self.clean = self.clean.min(other.clean);
    }

    /// The gap counts from the later request, and the requests under way are those of both.
    fn join_requests(&mut self, other: &Pace, now: Timestamp) {
        if other.last_start == Timestamp::MAX {
            return;
        }
        let mut starts: Vec<Timestamp> = self.starts().chain(other.starts()).collect();
        starts.sort_unstable();
        let (last_start, last_done) = match self.last_start {
            Timestamp::MAX => (other.last_start, other.last_done()),
            own => {
                let latest = latest_believed(now);
                let last_start = later([own, other.last_start], latest);
                (
                    last_start,
                    later([self.last_done(), other.last_done()], latest),
                )
            }
        };
        let done_after = whole_millis(last_done.saturating_since(last_start));
        self.last_start = last_start;
        self.done_after = u32::try_from(done_after).unwrap_or(u32::MAX);
        self.last_request = LastRequest::Ended;
        self.rare.retain_starts(|_| false);
        for start in starts {
            if start == last_start && self.last_request == LastRequest::Ended {
                self.last_request = LastRequest::UnderWay;
            } else {
                self.rare.push_start(start);
            }
        }
    }
}

/// The later one of two moments that were noted. A moment beyond `latest` comes from a wrong clock,
/// and counts only if the other one does too or is missing.
fn later(moments: [Timestamp; 2], latest: Timestamp) -> Timestamp {
    let rank = |moment: &Timestamp| (*moment <= latest && *moment != Timestamp::EPOCH, *moment);
    let [one, other] = moments;
    if rank(&one) >= rank(&other) {
        one
    } else {
        other
    }
}

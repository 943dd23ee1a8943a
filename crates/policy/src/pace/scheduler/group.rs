//! The limit, the pace and the rest that the hosts of one address share.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use core::time::Duration;

use crate::jitter::later;
use crate::net_error::NetError;
use crate::pace::host_pace::{counts_to, is_refusal};
use crate::pace::reply::Reply;
use crate::pace::scheduler::ip_group::IpGroup;
use crate::settings::pace::{GroupPace, PaceSettings};
use crate::time::{Timestamp, whole_millis};

/// The limit, the pace and the rest of one address, in the time of the scheduler that owns it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Group {
    pub(crate) key: IpGroup,
    /// The starts within one window of the last, oldest first, in milliseconds modulo 2^32; `len`
    /// of them count. Empty before the first.
    starts: Box<[u32]>,
    /// Hosts that wait for the address, in the order in which they became ready: their numbers and
    /// stamps.
    #[expect(
        clippy::box_collection,
        reason = "8 bytes instead of 32, and nearly always none"
    )]
    queue: Option<Box<VecDeque<(u32, u32)>>>,
    /// [`Timestamp::MAX`] before the first.
    last_start: Timestamp,
    blocked_until: Timestamp,
    /// The longest `Crawl-delay` that a member has had.
    slowest: u32,
    /// Counted anew when the group is read back.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) members: u32,
    /// The stamp of its live entry in the scheduler's queue.
    pub(crate) stamp: u32,
    len: u8,
    /// Rests in a row without an answer in between.
    rests: u8,
    refusals: u8,
    pub(crate) is_queued: bool,
}

impl Group {
    pub(crate) fn new(key: IpGroup) -> Group {
        Group {
            key,
            starts: Box::default(),
            queue: None,
            last_start: Timestamp::MAX,
            blocked_until: Timestamp::EPOCH,
            slowest: 0,
            members: 0,
            stamp: 0,
            len: 0,
            rests: 0,
            refusals: 0,
            is_queued: false,
        }
    }

    /// The time from which on one of its hosts may start.
    pub(crate) fn open_at(&self, settings: &PaceSettings) -> Timestamp {
        if self.last_start == Timestamp::MAX {
            return self.blocked_until;
        }
        let len = usize::from(self.len);
        let limiting = match usize::from(settings.group_starts) {
            0 => None,
            limit => len.checked_sub(limit).and_then(|at| self.starts.get(at)),
        };
        let limited_until = limiting.map_or(Timestamp::EPOCH, |start| {
            self.last_start
                .saturating_sub(since(*start, self.last_start))
                .saturating_add(window(settings))
        });
        let slowest_until = match settings.group_pace {
            GroupPace::Own => Timestamp::EPOCH,
            GroupPace::Slowest => self
                .last_start
                .saturating_add(Duration::from_millis(u64::from(self.slowest))),
        };
        let spread_until = self.last_start.saturating_add(self.spread(settings));
        limited_until
            .max(slowest_until)
            .max(spread_until)
            .max(self.blocked_until)
    }

    /// The time from the last start to the next one that keeps the starts of a window apart.
    fn spread(&self, settings: &PaceSettings) -> Duration {
        later(
            most_spread(settings) / 2,
            100,
            self.key.0,
            low(self.last_start),
        )
    }

    pub(crate) fn start(&mut self, settings: &PaceSettings, now: Timestamp) {
        let capacity = usize::from(settings.group_starts);
        let is_recent = now.saturating_since(self.last_start) < window(settings);
        self.last_start = now;
        if self.starts.len() != capacity {
            let mut starts = alloc::vec![0; capacity];
            for (place, start) in starts.iter_mut().zip(&self.starts) {
                *place = *start;
            }
            self.starts = starts.into();
        }
        let len = if is_recent {
            usize::from(self.len).min(capacity)
        } else {
            0
        };
        let known = self.starts.get(..len).unwrap_or_default();
        let expired = known
            .iter()
            .take_while(|start| since(**start, now) >= window(settings))
            .count();
        // A start that nobody permitted pushes the oldest out; the others still count.
        let dropped = expired.max((len + 1).saturating_sub(capacity)).min(len);
        self.starts.rotate_left(dropped);
        if let Some(place) = self.starts.get_mut(len - dropped) {
            *place = low(now);
        }
        self.len = u8::try_from((len - dropped + 1).min(capacity)).unwrap_or(u8::MAX);
    }

    /// Counts refused connections: after three in a row the address rests, whichever hosts were
    /// asked; an answer ends that.
    pub(crate) fn reply(
        &mut self,
        reply: &Reply,
        started: Timestamp,
        settings: &PaceSettings,
        now: Timestamp,
    ) {
        if reply.result == Err(NetError::Local) {
            return;
        }
        if reply.result.is_ok() {
            self.rests = 0;
        }
        // Replies to requests sent before the rest repeat the same refusal.
        let rested_from = self
            .blocked_until
            .saturating_sub(rest(self.rests, settings));
        let is_news = self.rests == 0 || started >= rested_from;
        if counts_to(
            &mut self.refusals,
            is_refusal(reply) && is_news,
            settings.refusals,
        ) {
            self.rests = self.rests.saturating_add(1);
            let until = now.saturating_add(rest(self.rests, settings));
            self.blocked_until = self.blocked_until.max(until);
        }
    }

    pub(crate) fn join(&mut self, crawl_delay: Duration) {
        if self.members == 0 {
            // An empty group is queued only to be forgotten, later than it opens.
            self.is_queued = false;
        }
        self.members = self.members.saturating_add(1);
        self.slow_down(crawl_delay);
    }

    /// Notes a member's delay. A shorter delay than before changes nothing until all members are
    /// gone: the group keeps no list of its members.
    pub(crate) fn slow_down(&mut self, crawl_delay: Duration) {
        let delay = u32::try_from(whole_millis(crawl_delay)).unwrap_or(u32::MAX);
        self.slowest = self.slowest.max(delay);
    }

    /// Whether the group can be forgotten: it has no members, and none of its limits is in force.
    pub(crate) fn is_over(&self, settings: &PaceSettings, now: Timestamp) -> bool {
        self.members == 0 && self.remembered_until(settings) <= now
    }

    pub(crate) fn remembered_until(&self, settings: &PaceSettings) -> Timestamp {
        let last = match self.last_start {
            Timestamp::MAX => Timestamp::EPOCH,
            last => last.saturating_add(window(settings)),
        };
        last.max(self.open_at(settings))
    }

    /// About the number of requests that all its hosts may start within `horizon`.
    pub(crate) fn capacity(
        &self,
        settings: &PaceSettings,
        now: Timestamp,
        horizon: Duration,
    ) -> u64 {
        let wait = self.open_at(settings).saturating_since(now);
        if wait > horizon {
            return 0;
        }
        let horizon = whole_millis(horizon.saturating_sub(wait));
        let starts = match settings.group_starts {
            0 => u64::MAX,
            limit => {
                let windows = horizon / whole_millis(window(settings)).max(1);
                let limited = windows.saturating_add(1).saturating_mul(u64::from(limit));
                // The mean, as the hash takes off a quarter on average.
                let gap = whole_millis(most_spread(settings)) / 4 * 3;
                let spread = horizon.checked_div(gap).map_or(u64::MAX, |more| more + 1);
                limited.min(spread)
            }
        };
        match (settings.group_pace, self.slowest) {
            (GroupPace::Slowest, slowest @ 1..) => {
                starts.min((horizon / u64::from(slowest)).saturating_add(1))
            }
            _ => starts,
        }
    }

    pub(crate) fn push_waiting(&mut self, host: u32, stamp: u32) {
        self.queue.get_or_insert_default().push_back((host, stamp));
    }

    /// Drops the stale places in line, if they may be more than half.
    pub(crate) fn tidy_waiting(&mut self, is_valid: impl Fn(u32, u32) -> bool) {
        let most = (self.members as usize).saturating_mul(2).saturating_add(64);
        if self.queue.as_ref().is_some_and(|queue| queue.len() > most) {
            self.keep_waiting(is_valid);
        }
    }

    pub(crate) fn keep_waiting(&mut self, mut is_valid: impl FnMut(u32, u32) -> bool) {
        if let Some(queue) = &mut self.queue {
            queue.retain(|(host, stamp)| is_valid(*host, *stamp));
        }
    }

    pub(crate) fn first_waiting(&self) -> Option<(u32, u32)> {
        self.queue.as_ref()?.front().copied()
    }

    pub(crate) fn drop_first_waiting(&mut self) {
        if let Some(queue) = &mut self.queue {
            queue.pop_front();
            if queue.is_empty() {
                // An address is rarely contested twice, and an empty queue would keep its size.
                self.queue = None;
            }
        }
    }
}

/// The length of a rest, the first of which is number 1: each is eight times as long as the one
/// before.
fn rest(number: u8, settings: &PaceSettings) -> Duration {
    let times = 8_u32.saturating_pow(u32::from(number.saturating_sub(1)));
    let rest = settings.refusal_rest.saturating_mul(times);
    rest.min(settings.max_refusal_rest)
}

fn window(settings: &PaceSettings) -> Duration {
    settings.group_window.min(LONGEST_WINDOW)
}

/// The longest time between two starts that wait for nothing else.
fn most_spread(settings: &PaceSettings) -> Duration {
    let share = window(settings).checked_div(u32::from(settings.group_starts));
    share.unwrap_or_default() * u32::from(settings.group_spread_percent) / 100
}

fn low(time: Timestamp) -> u32 {
    (time.as_millis() & u64::from(u32::MAX)) as u32
}

/// The time from a kept start, which is less than 2^32 ms old, to `now`.
fn since(start: u32, now: Timestamp) -> Duration {
    Duration::from_millis(u64::from(low(now).wrapping_sub(start)))
}

/// Far less than the 49 days after which kept starts would wrap.
const LONGEST_WINDOW: Duration = Duration::from_secs(86_400);

const _: () = assert!(size_of::<Group>() == 64 || cfg!(not(target_pointer_width = "64")));

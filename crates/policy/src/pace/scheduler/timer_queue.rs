//! A priority queue of timers, in which removed hosts may leave stale entries.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::time::Timestamp;

/// Timers of numbered hosts or groups, the earliest first. A timer is live if its stamp is its
/// host's; others are skipped.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<Timer>", into = "Vec<Timer>"))]
pub(crate) struct TimerQueue {
    heap: BinaryHeap<Reverse<Timer>>,
}

/// The time of one host or group. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Timer {
    pub(crate) at: Timestamp,
    pub(crate) number: u32,
    pub(crate) stamp: u32,
}

impl TimerQueue {
    pub(crate) const NEW: TimerQueue = TimerQueue {
        heap: BinaryHeap::new(),
    };

    pub(crate) fn push(&mut self, timer: Timer) {
        self.heap.push(Reverse(timer));
    }

    pub(crate) fn first(&self) -> Option<Timer> {
        self.heap.peek().map(|Reverse(timer)| *timer)
    }

    pub(crate) fn drop_first(&mut self) {
        self.heap.pop();
    }

    /// Moves the first to a later time; one step of the heap instead of two.
    pub(crate) fn put_off_first(&mut self, at: Timestamp) {
        if let Some(mut first) = self.heap.peek_mut() {
            first.0.at = at;
        }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn stamps(&self) -> impl Iterator<Item = u32> {
        self.heap.iter().map(|Reverse(timer)| timer.stamp)
    }

    /// Drops the stale timers, if they may be more than half.
    pub(crate) fn tidy(&mut self, owners: usize, is_valid: impl Fn(&Timer) -> bool) {
        if self.heap.len() > owners.saturating_mul(2).saturating_add(64) {
            self.heap.retain(|Reverse(timer)| is_valid(timer));
        }
    }
}

impl From<Vec<Timer>> for TimerQueue {
    fn from(timers: Vec<Timer>) -> TimerQueue {
        TimerQueue {
            heap: timers.into_iter().map(Reverse).collect(),
        }
    }
}

impl From<TimerQueue> for Vec<Timer> {
    fn from(queue: TimerQueue) -> Vec<Timer> {
        queue.heap.into_iter().map(|Reverse(timer)| timer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_timers_are_dropped_before_they_are_most() {
        let mut queue = TimerQueue::NEW;
        for number in 0..1_000 {
            queue.push(Timer {
                at: Timestamp::from_millis(1_000 - u64::from(number)),
                number,
                stamp: 0,
            });
            queue.tidy(10, |timer| timer.number >= 990);
            assert!(queue.heap.len() <= 2 * 10 + 64);
        }
        queue.tidy(0, |timer| timer.number >= 990);
        assert!((10..=84).contains(&queue.heap.len()));
    }
}

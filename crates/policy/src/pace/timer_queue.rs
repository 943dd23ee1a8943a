use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::time::Timestamp;

/// A queue by time of numbered things. A place in it is valid if its stamp is the thing's own; others are passed over.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<Timer>", into = "Vec<Timer>"))]
pub(crate) struct TimerQueue {
    heap: BinaryHeap<Reverse<Timer>>,
}

/// 16 octets.
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

    pub(crate) fn push(&mut self, due: Timer) {
        self.heap.push(Reverse(due));
    }

    pub(crate) fn first(&self) -> Option<Timer> {
        self.heap.peek().map(|Reverse(due)| *due)
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
        self.heap.iter().map(|Reverse(due)| due.stamp)
    }

    /// Keeps what is valid, if that may be less than half.
    pub(crate) fn tidy(&mut self, things: usize, is_valid: impl Fn(&Timer) -> bool) {
        if self.heap.len() > things.saturating_mul(2).saturating_add(64) {
            self.heap.retain(|Reverse(due)| is_valid(due));
        }
    }
}

impl From<Vec<Timer>> for TimerQueue {
    fn from(places: Vec<Timer>) -> TimerQueue {
        TimerQueue {
            heap: places.into_iter().map(Reverse).collect(),
        }
    }
}

impl From<TimerQueue> for Vec<Timer> {
    fn from(timetable: TimerQueue) -> Vec<Timer> {
        timetable.heap.into_iter().map(|Reverse(due)| due).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_longer_valid_is_thrown_out_before_it_is_most() {
        let mut timetable = TimerQueue::NEW;
        for number in 0..1_000 {
            timetable.push(Timer {
                at: Timestamp::from_millis(1_000 - u64::from(number)),
                number,
                stamp: 0,
            });
            timetable.tidy(10, |due| due.number >= 990);
            assert!(timetable.heap.len() <= 2 * 10 + 64);
        }
        timetable.tidy(0, |due| due.number >= 990);
        assert!((10..=84).contains(&timetable.heap.len()));
    }
}

//! One host of a scheduler: its pace, the queue that it is in and its goal.

use alloc::boxed::Box;

use crate::origin::hash;
use crate::pace::host_pace::{AskedDelay, Pace};

/// A host of a scheduler. 112 bytes and the name.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Host {
    pub(crate) name: Box<str>,
    pub(crate) pace: Pace,
    pub(crate) crawl_delay: AskedDelay,
    /// The number of its group, or [`NO_GROUP`].
    pub(crate) group: u32,
    /// Generation: only the queue entry with this stamp is live.
    pub(crate) stamp: u32,
    pub(crate) queue: Queue,
    pub(crate) goal: Goal,
}

/// Where a host waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Queue {
    Nowhere,
    /// In the queue by time.
    Timed,
    /// In the queue of its group.
    InGroup,
}

/// What a host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Goal {
    /// Its turn: there is a URL.
    Turn,
    Nothing,
    /// To be forgotten. Not before its gap is over, or removing and inserting it again would cut the gap short.
    Removal,
}

impl Host {
    pub(crate) fn key(&self) -> u64 {
        hash(self.name.as_bytes())
    }

    /// Whether a place with this stamp is its valid one.
    pub(crate) fn is_in(&self, queue: Queue, stamp: u32) -> bool {
        self.stamp == stamp && self.queue == queue
    }
}

/// The group number of a host without a group.
pub(crate) const NO_GROUP: u32 = u32::MAX;

const _: () = assert!(size_of::<Option<Host>>() == 112 || cfg!(not(target_pointer_width = "64")));

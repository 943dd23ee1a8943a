//! One host of a scheduler: its pace, the queue that it is in and its goal.

use alloc::boxed::Box;

use crate::origin::hash;
use crate::pace::host_pace::Pace;
use crate::pace::permission::Permission;
use crate::settings::pace::PaceSettings;
use crate::time::Timestamp;

/// A host of a scheduler. 128 bytes and the name.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Host {
    pub(crate) name: Box<str>,
    pub(crate) pace: Pace,
    /// The number of its group, or [`NO_GROUP`].
    pub(crate) group: u32,
    /// The number of the host among all that the scheduler has held: it separates the handles of
    /// the host from those of its predecessors in the slot.
    pub(crate) generation: u32,
    /// The stamp of its live queue entry; other entries are stale.
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

/// The event that a host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Goal {
    /// Its turn: there is a URL.
    Turn,
    /// A URL.
    Nothing,
    /// Its end, after its gap: forgotten earlier, it could be inserted again without a gap.
    Removal,
}

impl Host {
    pub(crate) fn key(&self) -> u64 {
        hash(self.name.as_bytes())
    }

    /// When the goal can be reached; `None` if only an event can bring it nearer.
    pub(crate) fn due(&self, settings: &PaceSettings, now: Timestamp) -> Option<Timestamp> {
        let due = match self.goal {
            Goal::Turn => match self.pace.permission(settings, now) {
                Permission::From(from) => Some(from),
                Permission::Busy | Permission::Skip => None,
            },
            Goal::Removal => self.pace.rests_from(settings, now),
            Goal::Nothing => None,
        };
        due.filter(|due| *due != Timestamp::MAX)
    }

    /// Whether an entry of this queue with this stamp is the live one.
    pub(crate) fn is_in(&self, queue: Queue, stamp: u32) -> bool {
        self.stamp == stamp && self.queue == queue
    }
}

/// The group number of a host without a group.
pub(crate) const NO_GROUP: u32 = u32::MAX;

const _: () = assert!(size_of::<Option<Host>>() == 128 || cfg!(not(target_pointer_width = "64")));

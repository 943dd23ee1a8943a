//! The handle of a host in a scheduler.

/// The number of a host in its [`Scheduler`](crate::Scheduler); another host may get it once this one is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HostId(pub(super) u32);

impl HostId {
    /// As a number below the most hosts that the scheduler has held, to index the caller's own tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

//! The handle of a host in a scheduler.

/// The handle of a host in its [`Scheduler`](crate::Scheduler).
///
/// A handle that outlives its host is stale: calls with it change nothing, and no other host ever
/// gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HostId {
    /// The slot of the host; another host may get it once this one is forgotten.
    pub(super) index: u32,
    /// The number of the host among all that the scheduler has held.
    pub(super) generation: u32,
}

impl HostId {
    /// The slot of the host, below the most hosts that the scheduler has held, to index the
    /// caller's own tables. Another host may get the slot once this one is removed.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The handle as one number, for a binding to a language whose objects cost memory.
    ///
    /// ```
    /// use polite_robots_policy::{HostId, Profile, Scheduler};
    ///
    /// let host = Scheduler::new(Profile::rfc9309()).insert("example.com", None);
    /// assert_eq!(HostId::from_bits(host.to_bits()), host);
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.index as u64) << 32 | self.generation as u64
    }

    /// The handle with a number of [`HostId::to_bits`]. Any other number may be that of another
    /// host, or stale.
    #[must_use]
    pub const fn from_bits(bits: u64) -> HostId {
        HostId {
            index: (bits >> 32) as u32,
            generation: bits as u32,
        }
    }
}

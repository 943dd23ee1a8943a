//! The choices that the sources leave open, as a profile of the policy.

use std::time::Duration;

use polite_robots_policy::Profile;

use crate::sized::read_sized;

/// A set of answers to the questions that RFC 9309 leaves open.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_profile {
    /// RFC 9309, with the stricter answer where it says MAY and a polite crawler's where it is
    /// silent. The default.
    POLITE_PROFILE_RFC9309 = 0,
    /// The rules that Google documents for its crawlers; no `Crawl-delay`.
    POLITE_PROFILE_GOOGLE = 1,
    /// The procedure of the IBM Web crawler, which goes through every address of a host.
    POLITE_PROFILE_IBM = 2,
}

/// How a cache and a pace decide: give both the same. Begin with zeros and `size`, which lets the
/// struct grow: `polite_policy policy = {.size = sizeof policy};`. NULL stands for the defaults.
///
/// A plain value of the caller, read only during the call: threads may share one that nobody
/// changes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_policy {
    /// `sizeof(polite_policy)` of the caller. Fields beyond it have their defaults.
    pub size: u32,
    /// A `polite_profile`. Other values count as `POLITE_PROFILE_RFC9309`.
    pub profile: u8,
    /// Zeros.
    pub reserved: [u8; 3],
    /// The bytes of memory of a cache, 300 for an origin and 2300 for a usual file; 0 for 64 MiB.
    pub max_memory: u64,
    /// The least time in milliseconds from the end of a request to the next one of its host; 0 for
    /// that of the profile, which is a second.
    pub min_delay_ms: u64,
}

impl polite_policy {
    /// The policy that a caller points at; the defaults for NULL.
    ///
    /// # Safety
    ///
    /// `policy` is NULL, or points at as many readable bytes as its first field says.
    pub(crate) unsafe fn read(policy: *const polite_policy) -> polite_policy {
        // SAFETY: the caller promises it, and a struct of numbers may be zeros.
        unsafe { read_sized(policy) }
    }

    pub(crate) fn profile(&self) -> Profile {
        const GOOGLE: u8 = polite_profile::POLITE_PROFILE_GOOGLE as u8;
        const IBM: u8 = polite_profile::POLITE_PROFILE_IBM as u8;
        let mut profile = match self.profile {
            GOOGLE => Profile::google(),
            IBM => Profile::ibm(),
            _ => Profile::rfc9309(),
        };
        if self.min_delay_ms > 0 {
            profile.pace.min_delay = Duration::from_millis(self.min_delay_ms);
        }
        profile
    }

    pub(crate) fn capacity(&self) -> usize {
        match self.max_memory {
            0 => 64 << 20,
            bytes => usize::try_from(bytes).unwrap_or(usize::MAX),
        }
    }
}

//! A profile: the settings of access and of pace together, and the presets.

use crate::settings::access::{AccessSettings, Obedience};
use crate::settings::pace::PaceSettings;

/// Every choice that the sources leave open, as plain data: what robots.txt means, and the pace.
///
/// The three presets are sets of answers that somebody really gives. Change a field to differ from
/// them:
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Profile;
/// use polite_robots_policy::settings::AccessPolicy;
///
/// let mut profile = Profile::rfc9309();
/// profile.access.forbidden = AccessPolicy::Disallow;
/// profile.pace.min_delay = Duration::from_secs(5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct Profile {
    /// For [`Fetch`](crate::fetch::Fetch), [`Entry`](crate::Entry) and [`Cache`](crate::Cache).
    pub access: AccessSettings,
    /// For [`Pacer`](crate::Pacer) and [`Scheduler`](crate::Scheduler).
    pub pace: PaceSettings,
}

impl Profile {
    /// RFC 9309, with the stricter answer where it says MAY and a polite crawler's where it is
    /// silent. The default.
    #[must_use]
    pub const fn rfc9309() -> Profile {
        Profile {
            access: AccessSettings::RFC9309,
            pace: PaceSettings::RFC9309,
        }
    }

    /// The rules that Google documents for its crawlers: three phases of an outage, 429 as an error
    /// of the server, no `Crawl-delay`.
    #[must_use]
    pub const fn google() -> Profile {
        Profile {
            access: AccessSettings::GOOGLE,
            pace: PaceSettings::GOOGLE,
        }
    }

    /// The IBM Web crawler's procedure: every address, two seconds, every address again; a site
    /// whose answer is not clear is disqualified until the retry interval is over, and for good
    /// after too many failures.
    #[must_use]
    pub const fn ibm() -> Profile {
        Profile {
            access: AccessSettings::IBM,
            pace: PaceSettings::IBM,
        }
    }

    /// Leaves robots.txt out: it is not fetched, everything is allowed, and the pace is kept. For
    /// sites whose owner has agreed (IBM: "unless you configure … to ignore").
    #[must_use]
    pub const fn ignore_robots(mut self) -> Profile {
        self.access.obedience = Obedience::Ignore;
        self
    }
}

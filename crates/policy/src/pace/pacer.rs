//! The pacer of one host.

use core::time::Duration;

use crate::origin::hash;
use crate::pace::crawl_delay::{AskedDelay, DelaySource};
use crate::pace::host_pace::Pace;
use crate::pace::permission::Permission;
use crate::pace::reply::{Reply, Turn};
use crate::profile::Profile;
use crate::time::{Clock, Timestamp};

/// The pace of one host: when the next request may start. About 100 bytes; a
/// [`Scheduler`](crate::Scheduler) keeps many.
///
/// The gap between two requests is the longest of these: the profile's least delay, the host's
/// `Crawl-delay`, the delay of its back-off level, and a multiple of its last latency.
/// `Retry-After` blocks on top of that. All requests to the host count, that for robots.txt too.
///
/// A request ends with [`Pacer::handle_reply`] or [`Pacer::handle_cancelled`], or after
/// [`PaceSettings::request_lease`](crate::settings::PaceSettings::request_lease). A pacer that is
/// read back with `serde` has no requests under way: those of the saved one have ended, and the gap
/// is counted from their start at least.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{Pacer, Profile, Reply, Timestamp, Turn};
///
/// let profile = Profile::rfc9309();
/// let mut pacer = Pacer::new();
/// pacer.set_crawl_delay(Some(Duration::from_secs(10)));
///
/// let start = Timestamp::from_millis(1_767_225_600_000);
/// assert_eq!(pacer.poll(&profile, start), Turn::Ready);
/// pacer.handle_start(start);
/// assert_eq!(pacer.poll(&profile, start), Turn::Busy);
///
/// // It took four seconds, and the gap begins at the end.
/// let end = start.saturating_add(Duration::from_secs(4));
/// pacer.handle_reply(Reply::new(Ok(200), start), &profile, end);
/// assert_eq!(pacer.poll(&profile, end), Turn::NotBefore(start.saturating_add(Duration::from_secs(14))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "stored::Stored"))]
pub struct Pacer {
    /// The pace, in the caller's time.
    pace: Pace,
    /// The hash of the host, for the jitter.
    key: u64,
}

impl Pacer {
    /// A pacer for a host that was never asked: ready at once.
    #[must_use]
    pub fn new() -> Pacer {
        Pacer {
            pace: Pace::NEW,
            key: 0,
        }
    }

    /// A pacer with the jitter of this host; see
    /// [`Backoff::Doubling`](crate::settings::Backoff::Doubling).
    #[must_use]
    pub fn for_host(host: &str) -> Pacer {
        Pacer {
            key: hash(host.as_bytes()),
            ..Pacer::new()
        }
    }

    /// A pacer in place of one that was lost, in a crash or on another worker: it waits for one
    /// whole gap first.
    #[must_use]
    pub fn after_gap(now: Timestamp) -> Pacer {
        Pacer {
            pace: Pace::after_gap(now),
            ..Pacer::new()
        }
    }

    /// Sets the delay that the host's robots.txt asks for
    /// ([`Robot::crawl_delay`](polite_robots::Robot::crawl_delay)), or `None` if it asks for none.
    /// More than 86,400 s count as that. A host with several origins needs the longest; a
    /// [`Scheduler`](crate::Scheduler) keeps them apart.
    pub fn set_crawl_delay(&mut self, delay: Option<Duration>) {
        self.pace
            .set_crawl_delay(DelaySource::HOST, AskedDelay::new(delay));
    }

    /// Whether the host may be asked. Changes nothing.
    #[must_use]
    pub fn poll(&self, profile: &Profile, now: Timestamp) -> Turn {
        let mut pace = self.pace.clone();
        pace.expire(&profile.pace, now);
        match pace.permission(&profile.pace, now) {
            Permission::Skip => Turn::Skip,
            Permission::Busy => Turn::Busy,
            Permission::From(from) if from <= now => Turn::Ready,
            Permission::From(from) => Turn::NotBefore(from),
        }
    }

    /// Notes that a request was started.
    pub fn handle_start(&mut self, now: Timestamp) {
        self.pace.start(now);
    }

    /// Ends a request that the crawler gave up or never sent. The gap is kept, and the host is not
    /// to blame. Without a request under way nothing changes.
    pub fn handle_cancelled(&mut self, profile: &Profile, now: Timestamp) {
        self.pace.expire(&profile.pace, now);
        self.pace.cancel(None, now);
    }

    /// Notes the end of a request. [`Reply::started`] says which, if several are under way.
    pub fn handle_reply(&mut self, reply: Reply, profile: &Profile, now: Timestamp) {
        self.pace.expire(&profile.pace, now);
        self.pace
            .reply(&reply, &profile.pace, self.key, Clock::at(now));
    }

    /// Whether the pacer may be forgotten: a new one in its place would permit no request earlier,
    /// now and whatever comes.
    ///
    /// Its gap and its blocks are over then, no request is under way, its `Crawl-delay` is not
    /// above the profile's least delay, and none of its last 20 answers was an error, slow, or a
    /// reason for a back-off level.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::{Pacer, Profile, Reply, Timestamp};
    ///
    /// let profile = Profile::rfc9309();
    /// let mut pacer = Pacer::new();
    /// let start = Timestamp::from_millis(1_767_225_600_000);
    /// pacer.handle_start(start);
    /// pacer.handle_reply(Reply::new(Ok(200), start), &profile, start);
    /// assert!(!pacer.is_as_new(&profile, start), "the gap is not over");
    /// let later = start.saturating_add(Duration::from_secs(1));
    /// assert!(pacer.is_as_new(&profile, later));
    /// ```
    #[must_use]
    pub fn is_as_new(&self, profile: &Profile, now: Timestamp) -> bool {
        let mut pace = self.pace.clone();
        pace.expire(&profile.pace, now);
        pace.is_as_new(&profile.pace, now)
    }

    /// The back-off level: 0 is normal, each one doubles the delay.
    #[must_use]
    pub fn level(&self, profile: &Profile) -> u8 {
        self.pace.level(&profile.pace)
    }

    /// The host's `Crawl-delay`, if the profile reads it as a gap and it is above
    /// [`PaceSettings::max_crawl_delay`](crate::settings::PaceSettings::max_crawl_delay): worth a
    /// line in a log.
    #[must_use]
    pub fn long_crawl_delay(&self, profile: &Profile) -> Option<Duration> {
        self.pace.crawl_delay().over_max(&profile.pace)
    }

    /// The pacer of a machine whose time is that of `clock`.
    pub(crate) fn of_pace(clock: Clock, pace: Pace, key: u64) -> Pacer {
        Pacer {
            pace: pace.moved(|time| clock.outside(time)),
            key,
        }
    }

    /// The pace for a machine whose time is that of `clock`.
    pub(crate) fn into_pace(self, clock: Clock) -> Pace {
        self.pace.moved(|time| clock.inside(time))
    }
}

impl Default for Pacer {
    fn default() -> Pacer {
        Pacer::new()
    }
}

/// The stored form, whose requests ended with their process.
#[cfg(feature = "serde")]
mod stored {
    use super::{Pace, Pacer};

    #[derive(serde::Deserialize)]
    pub(super) struct Stored {
        pace: Pace,
        key: u64,
    }

    impl From<Stored> for Pacer {
        fn from(Stored { mut pace, key }: Stored) -> Pacer {
            pace.end_all(None);
            Pacer { pace, key }
        }
    }
}

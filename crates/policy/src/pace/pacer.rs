//! The pacer of one host.

use core::time::Duration;

use crate::origin::hash;
use crate::pace::host_pace::{AskedDelay, Pace, Permission};
use crate::pace::reply::{Reply, Turn};
use crate::profile::Profile;
use crate::time::{Clock, Timestamp};

/// The pace of one host: when the next request may start. About 100 bytes; a [`Scheduler`](crate::Scheduler)
/// keeps many.
///
/// The gap between two requests is the longest of these: the profile's least delay, the host's `Crawl-delay`, the
/// delay of its back-off level, and a multiple of its last latency. `Retry-After` blocks on top of that. All requests
/// to the host count, that for robots.txt too.
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
pub struct Pacer {
    /// In the caller's time.
    pace: Pace,
    crawl_delay: AskedDelay,
    /// Whose jitter it is.
    key: u64,
}

impl Pacer {
    /// Of a host that was never asked: ready at once.
    #[must_use]
    pub fn new() -> Pacer {
        Pacer {
            pace: Pace::NEW,
            crawl_delay: AskedDelay::NONE,
            key: 0,
        }
    }

    /// The same, with the jitter of this host; see [`Backoff::Doubling`](crate::Backoff::Doubling).
    #[must_use]
    pub fn for_host(host: &str) -> Pacer {
        Pacer {
            key: hash(host.as_bytes()),
            ..Pacer::new()
        }
    }

    /// Of a host whose pacer is lost, after a crash or from another worker: waits for one whole gap first.
    #[must_use]
    pub fn after_gap(now: Timestamp) -> Pacer {
        Pacer {
            pace: Pace::after_gap(now),
            ..Pacer::new()
        }
    }

    /// What the host's robots.txt asks for ([`Robot::crawl_delay`](polite_robots::Robot::crawl_delay)), or `None` if it does
    /// not. More than 86,400 s count as that.
    pub fn set_crawl_delay(&mut self, delay: Option<Duration>) {
        self.crawl_delay = AskedDelay::new(delay);
    }

    /// Whether the host may be asked. Changes nothing.
    #[must_use]
    pub fn poll(&self, profile: &Profile, now: Timestamp) -> Turn {
        match self.pace.permission(&profile.pace, self.crawl_delay, now) {
            Permission::Skip => Turn::Skip,
            Permission::Busy => Turn::Busy,
            Permission::From(from) if from <= now => Turn::Ready,
            Permission::From(from) => Turn::NotBefore(from),
        }
    }

    /// A request was started.
    pub fn handle_start(&mut self, now: Timestamp) {
        self.pace.start(now);
    }

    /// A request came to its end.
    pub fn handle_reply(&mut self, reply: Reply, profile: &Profile, now: Timestamp) {
        self.pace
            .reply(&reply, &profile.pace, self.key, Clock::at(now));
    }

    /// The back-off level: 0 is normal, each one doubles the delay.
    #[must_use]
    pub fn level(&self, profile: &Profile) -> u8 {
        self.pace.level(&profile.pace)
    }

    /// The host's `Crawl-delay`, if the profile reads it as a gap and it is above [`PaceSettings::max_crawl_delay`](crate::PaceSettings::max_crawl_delay): worth a
    /// line in a log.
    #[must_use]
    pub fn long_crawl_delay(&self, profile: &Profile) -> Option<Duration> {
        self.crawl_delay.over_max(&profile.pace)
    }

    /// From a machine whose time is that of `clock`.
    pub(crate) fn of_parts(clock: Clock, pace: Pace, crawl_delay: AskedDelay, key: u64) -> Pacer {
        Pacer {
            pace: pace.moved(|time| clock.outside(time)),
            crawl_delay,
            key,
        }
    }

    /// For a machine whose time is that of `clock`.
    pub(crate) fn into_parts(self, clock: Clock) -> (Pace, AskedDelay) {
        let pace = self.pace.moved(|time| clock.inside(time));
        (pace, self.crawl_delay)
    }
}

impl Default for Pacer {
    fn default() -> Pacer {
        Pacer::new()
    }
}

//! The exceptions that an operator makes for one host.

use core::time::Duration;

use crate::settings::access::Obedience;
use crate::settings::pace::{Backoff, CrawlDelayPolicy, PaceSettings};

/// The exceptions that an operator makes for one host; a field that is `None` leaves the profile's
/// answer.
///
/// [`Scheduler::set_rule`](crate::Scheduler::set_rule) reads the pace, and
/// [`Cache::set_obedience`](crate::Cache::set_obedience) takes the obedience. Other crawlers call
/// it `setDomainDelay`, or a `LimitRule` (Colly). To stop asking a host, use
/// [`Scheduler::block`](crate::Scheduler::block).
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{HostRule, Profile, Scheduler};
///
/// let mut scheduler = Scheduler::new(Profile::rfc9309());
/// let host = scheduler.insert("intranet.example", None);
/// let rule = HostRule::new().min_delay(Duration::from_millis(100)).max_in_flight(4);
/// scheduler.set_rule(host, rule);
/// assert_eq!(scheduler.rule(host).max_in_flight, Some(4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct HostRule {
    /// Stands for [`PaceSettings::min_delay`]. The operator's delay is kept:
    /// [`Levels::reward`](crate::settings::Levels::reward) does not shorten it. A longer
    /// `Crawl-delay`, `Retry-After` or back-off still counts.
    pub min_delay: Option<Duration>,
    /// Stands for [`PaceSettings::max_in_flight`]; 0 counts as 1.
    pub max_in_flight: Option<u8>,
    /// Stands for [`PaceSettings::crawl_delay`].
    pub crawl_delay: Option<CrawlDelayPolicy>,
    /// Stands for [`AccessSettings::obedience`](crate::settings::AccessSettings::obedience). A
    /// [`Scheduler`](crate::Scheduler) ignores it.
    pub obedience: Option<Obedience>,
}

impl HostRule {
    /// A rule without exceptions.
    #[must_use]
    pub const fn new() -> HostRule {
        HostRule {
            min_delay: None,
            max_in_flight: None,
            crawl_delay: None,
            obedience: None,
        }
    }

    /// Sets the field [`HostRule::min_delay`].
    #[must_use]
    pub const fn min_delay(mut self, delay: Duration) -> HostRule {
        self.min_delay = Some(delay);
        self
    }

    /// Sets the field [`HostRule::max_in_flight`].
    #[must_use]
    pub const fn max_in_flight(mut self, requests: u8) -> HostRule {
        self.max_in_flight = Some(requests);
        self
    }

    /// Sets the field [`HostRule::crawl_delay`].
    #[must_use]
    pub const fn crawl_delay(mut self, policy: CrawlDelayPolicy) -> HostRule {
        self.crawl_delay = Some(policy);
        self
    }

    /// Sets the field [`HostRule::obedience`].
    #[must_use]
    pub const fn obedience(mut self, obedience: Obedience) -> HostRule {
        self.obedience = Some(obedience);
        self
    }

    /// The settings of a host with this rule.
    pub(crate) fn applied(&self, settings: &PaceSettings) -> PaceSettings {
        let mut applied = *settings;
        if let Some(delay) = self.min_delay {
            applied.min_delay = delay;
            if let Backoff::Levels(levels) = &mut applied.backoff {
                levels.reward = None;
            }
        }
        applied.max_in_flight = self.max_in_flight.unwrap_or(settings.max_in_flight);
        applied.crawl_delay = self.crawl_delay.unwrap_or(settings.crawl_delay);
        applied
    }
}

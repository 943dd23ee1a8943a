//! The record of an outage: how long robots.txt was seen to be unreachable.

use core::time::Duration;

use polite_robots::Cause;

use crate::settings::access::AccessSettings;
use crate::time::Timestamp;

/// A stretch of time in which every round for robots.txt failed.
///
/// Its age is counted by evidence: a single failure and a month of silence is not a month of
/// outage.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Outage {
    /// The first failed round of the stretch.
    pub(crate) since: Timestamp,
    /// The last failed round.
    pub(crate) last: Timestamp,
    /// The failed rounds of the stretch; none once the failures were forgotten.
    pub(crate) rounds: u32,
    /// The reason of the last failure.
    pub(crate) cause: Cause,
    /// The retry that the last failure led to. From then on the stretch proves nothing until a
    /// round has ended.
    pub(crate) retry: Timestamp,
    /// The end of the server's `Retry-After`; no retry comes before.
    pub(crate) not_before: Timestamp,
    pub(crate) site: Site,
    /// When the site was last tried.
    pub(crate) site_tried: Timestamp,
}

/// Whether the rest of a site answers, which Google asks after a long outage of robots.txt alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Site {
    /// Pages come.
    Available,
    /// They do not.
    Unavailable,
    /// Nobody has tried; counts as unavailable.
    #[default]
    Unknown,
}

impl Outage {
    /// The outage after one more failed round.
    pub(crate) fn after_failure(
        earlier: Option<&Outage>,
        cause: Cause,
        settings: &AccessSettings,
        now: Timestamp,
    ) -> Outage {
        let is_encoded = cause == Cause::Encoded;
        let goes_on = |outage: &&Outage| {
            let is_alike = outage.is_encoded() == is_encoded;
            outage.rounds > 0 && is_alike && !outage.is_interrupted(settings, now)
        };
        let earlier = earlier.filter(goes_on);
        Outage {
            since: earlier.map_or(now, |outage| outage.since.min(now)),
            last: now,
            rounds: earlier.map_or(1, |outage| outage.rounds.saturating_add(1)),
            cause,
            retry: now,
            not_before: Timestamp::EPOCH,
            site: earlier.map_or(Site::Unknown, |outage| outage.site),
            site_tried: earlier.map_or(Timestamp::EPOCH, |outage| outage.site_tried),
        }
    }

    /// Whether the site has a robots.txt that cannot be read. That is no evidence that there is
    /// none, however long it lasts.
    pub(crate) fn is_encoded(&self) -> bool {
        self.cause == Cause::Encoded
    }

    /// The time in which robots.txt was seen to be unreachable.
    pub(crate) fn age(&self, settings: &AccessSettings, now: Timestamp) -> Duration {
        if self.rounds < settings.outage_rounds || self.is_interrupted(settings, now) {
            Duration::ZERO
        } else {
            now.saturating_since(self.since)
        }
    }

    /// Whether the last round is so long ago that the site may have answered in between.
    pub(crate) fn is_interrupted(&self, settings: &AccessSettings, now: Timestamp) -> bool {
        now.saturating_since(self.last) > settings.outage_gap
    }

    /// The state of the rest of the site, as far as it is known.
    pub(crate) fn site(&self, settings: &AccessSettings, now: Timestamp) -> Site {
        if now.saturating_since(self.site_tried) < settings.site_ttl {
            self.site
        } else {
            Site::Unknown
        }
    }
}

//! When a host may be asked, by its pace.

use core::time::Duration;

use crate::pace::host_pace::{Pace, longest_block};
use crate::pace::reward;
use crate::settings::pace::{GapAnchor, LongDelayPolicy, PaceSettings};
use crate::time::{Timestamp, latest_believed, whole_millis};

/// When a host may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// From this time on.
    From(Timestamp),
    Busy,
    Skip,
}

impl Pace {
    /// When the host may be asked, as far as the pace, the operator and the crawler's own plans go.
    pub(crate) fn permission(&self, settings: &PaceSettings, now: Timestamp) -> Permission {
        let ruled = self.ruled(settings);
        let settings = ruled.as_ref().unwrap_or(settings);
        let most = usize::from(settings.max_in_flight.max(1));
        if settings.over_max_crawl_delay == LongDelayPolicy::SkipHost
            && self.crawl_delay().over_max(settings).is_some()
        {
            Permission::Skip
        } else if self.starts().count() >= most {
            Permission::Busy
        } else {
            Permission::From(self.planned_from(settings, now))
        }
    }

    /// When the host may be asked, if no request were under way and the profile did not leave it
    /// out.
    pub(crate) fn turn_from(&self, settings: &PaceSettings, now: Timestamp) -> Timestamp {
        let ruled = self.ruled(settings);
        self.planned_from(ruled.as_ref().unwrap_or(settings), now)
    }

    fn planned_from(&self, settings: &PaceSettings, now: Timestamp) -> Timestamp {
        self.paced_from(settings, now)
            .max(self.rare.blocked_until())
            .max(self.rare.deferred_until())
    }

    /// When the gap, the blocks and the requests of the host are over, whatever the crawler plans;
    /// `None` while a request is under way.
    pub(crate) fn rests_from(&self, settings: &PaceSettings, now: Timestamp) -> Option<Timestamp> {
        let ruled = self.ruled(settings);
        let settings = ruled.as_ref().unwrap_or(settings);
        let is_idle = self.starts().next().is_none();
        is_idle.then(|| {
            self.paced_from(settings, now)
                .max(self.rare.blocked_until())
        })
    }

    /// Whether the pace permits no request later than [`Pace::NEW`] would, now and whatever comes:
    /// to forget it shortens nothing.
    pub(crate) fn is_as_new(&self, settings: &PaceSettings, now: Timestamp) -> bool {
        let ruled = self.ruled(settings);
        let ruled = ruled.as_ref().unwrap_or(settings);
        let asked = self.crawl_delay();
        // A reward shortens the least delay, below which a `Crawl-delay` counts again.
        let is_asked_alike = asked.window(ruled).is_none()
            && asked.gap(ruled) <= reward::least_delay(u8::MAX, ruled);
        let is_free =
            matches!(self.permission(settings, now), Permission::From(from) if from <= now);
        let is_idle = self.starts().next().is_none() && self.overdue == 0;
        is_free
            && is_idle
            && is_asked_alike
            && !self.is_ahead_of(now)
            && self.memory.is_as_new(ruled)
    }

    /// When the next request may start, if none were under way. A moment further ahead of `now`
    /// than it could be when it was noted does not count: the clock has gone back since.
    fn paced_from(&self, settings: &PaceSettings, now: Timestamp) -> Timestamp {
        let latest_event = latest_believed(now);
        let latest_block = latest_event.saturating_add(longest_block(settings));
        let block = Some(self.blocked_until).filter(|until| *until <= latest_block);
        let block = block.unwrap_or(Timestamp::EPOCH);
        let last_done = self.last_done();
        if self.last_start == Timestamp::MAX || last_done > latest_event {
            return block;
        }
        let gap_from = match settings.gap_from {
            GapAnchor::Completion => last_done,
            GapAnchor::Start => self.last_start,
        };
        let window = self.crawl_delay().window(settings);
        let next_window = window.map_or(Timestamp::EPOCH, |window| {
            let this = self.last_start.as_millis() / window;
            Timestamp::from_millis(this.saturating_add(1).saturating_mul(window))
        });
        gap_from
            .saturating_add(self.gap(settings))
            .max(next_window)
            .max(block)
    }

    fn gap(&self, settings: &PaceSettings) -> Duration {
        reward::least_delay(self.clean, settings)
            .max(self.crawl_delay().gap(settings))
            .max(self.memory.delay(settings))
    }

    /// The number of requests that may start until `horizon` from now on.
    pub(crate) fn capacity(
        &self,
        settings: &PaceSettings,
        now: Timestamp,
        horizon: Duration,
    ) -> u64 {
        if self.permission(settings, now) == Permission::Skip {
            return 0;
        }
        let ruled = self.ruled(settings);
        let settings = ruled.as_ref().unwrap_or(settings);
        let wait = self.planned_from(settings, now).saturating_since(now);
        if wait > horizon {
            return 0;
        }
        let duration = match settings.gap_from {
            GapAnchor::Completion => self.memory.mean_latency(),
            GapAnchor::Start => Duration::ZERO,
        };
        let each = whole_millis(self.gap(settings).saturating_add(duration))
            .max(self.crawl_delay().window(settings).unwrap_or(1))
            .max(1);
        (whole_millis(horizon.saturating_sub(wait)) / each).saturating_add(1)
    }
}

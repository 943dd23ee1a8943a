//! The time for the machines of the policy: the wall clock at the start, and tokio's clock since.

use std::time::{Duration, SystemTime};

use polite_robots_policy::Timestamp;
use tokio::time::Instant;

/// Wall time that advances with tokio's clock, so that `tokio::time::pause` in a test pauses the
/// waits of a crawl too.
///
/// It does not follow a wall clock that is set while the client lives. While the machine sleeps it
/// stands still, so a turn comes later than it could and never earlier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    started: Instant,
    at: Timestamp,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock {
            started: Instant::now(),
            at: SystemTime::now().into(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.at.saturating_add(self.started.elapsed())
    }

    /// The time at a moment of tokio's clock.
    pub(crate) fn time(&self, instant: Instant) -> Timestamp {
        let since = instant.saturating_duration_since(self.started);
        self.at.saturating_add(since)
    }

    /// The moment of tokio's clock at which `time` has come.
    pub(crate) fn instant(&self, time: Timestamp) -> Instant {
        // A timestamp counts whole milliseconds: without the one more, a timer would wake before
        // its time.
        let wait = time
            .saturating_since(self.at)
            .saturating_add(Duration::from_millis(1))
            .min(LONGEST_WAIT);
        self.started + wait
    }
}

/// 30 years. tokio's timers end later, and its `Instant` panics when an addition overflows.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(30 * 365 * 86_400);

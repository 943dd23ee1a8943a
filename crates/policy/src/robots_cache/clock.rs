//! The time of a cache: by the calendar, and by a clock that nobody sets.

use alloc::boxed::Box;
use core::time::Duration;
use std::time::{Instant, SystemTime};

use crate::time::Timestamp;

/// The clock of the system, or one of a test.
pub(super) struct Clock {
    now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// The start of the steady time; without it the other clock is believed.
    start: Option<Instant>,
}

impl Clock {
    pub(super) fn of_system() -> Clock {
        Clock {
            now: Box::new(|| SystemTime::now().into()),
            start: Some(Instant::now()),
        }
    }

    pub(super) fn of(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Clock {
        Clock {
            now: Box::new(now),
            start: None,
        }
    }

    pub(super) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// The same moment by both clocks.
    pub(super) fn both(&self) -> (Timestamp, Duration) {
        let now = self.now();
        let steady = self.start.map(|start| start.elapsed());
        let steady = steady.unwrap_or(Duration::from_millis(now.as_millis()));
        (now, steady)
    }
}

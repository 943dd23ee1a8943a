//! Timestamps, dates and a clock that bears jumps.

use core::fmt;
use core::time::Duration;

use polite_robots_records::calendar::date_of_day;

/// A moment of the wall clock: milliseconds since 1970-01-01 00:00 UTC, without leap seconds.
///
/// The clock is the caller's; nothing in this crate reads one. It is wall time and not a monotonic
/// clock, because the state outlives the process, and because `Retry-After`, `Expires` and `Date`
/// are wall time (RFC 9110 §10.2.3, §6.6.1). Arithmetic saturates. Every state machine of
/// [`policy`](crate) bears a clock that jumps:
///
/// - Up to one hour back: time stands still until the clock has caught up, so nothing starts early.
/// - Further back: a clock that was days ahead freezes no host. A moment that was noted meanwhile
///   lies in the future and cannot be true: an [`Entry`](crate::Entry) asks again, a
///   [`Pacer`](crate::Pacer) lets a request through. A [`Scheduler`](crate::Scheduler) moves all
///   its times along and keeps every gap.
/// - Ahead: as if the time had passed. Copies expire, waits are over, and each host starts once.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Timestamp;
///
/// let now = Timestamp::from_millis(784_111_777_000);
/// assert_eq!(now.to_string(), "1994-11-06T08:49:37Z");
/// assert_eq!(now.saturating_add(Duration::MAX), Timestamp::MAX);
/// assert_eq!(now.saturating_since(Timestamp::MAX), Duration::ZERO);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Timestamp(u64);

impl Timestamp {
    /// 1970-01-01 00:00 UTC.
    pub const EPOCH: Timestamp = Timestamp(0);

    /// A moment that never comes.
    pub const MAX: Timestamp = Timestamp(u64::MAX);

    /// A moment, in milliseconds after [`Timestamp::EPOCH`].
    #[must_use]
    pub const fn from_millis(milliseconds: u64) -> Timestamp {
        Timestamp(milliseconds)
    }

    /// Milliseconds since [`Timestamp::EPOCH`].
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// Later by `duration`, at most [`Timestamp::MAX`]. A part of a millisecond counts as a whole
    /// one, so that a wait is never too short.
    #[must_use]
    pub const fn saturating_add(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(whole_millis(duration)))
    }

    /// Earlier by `duration`, at least [`Timestamp::EPOCH`].
    #[must_use]
    pub const fn saturating_sub(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(whole_millis(duration)))
    }

    /// The time since `earlier`; zero if that is later.
    #[must_use]
    pub const fn saturating_since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// A duration in milliseconds, rounded up, at most `u64::MAX`.
pub(crate) const fn whole_millis(duration: Duration) -> u64 {
    // Not by `as_nanos`: each answer of the cache needs some of these, and a division of 128 bits
    // takes longer than the rest of it.
    let whole = duration.as_secs().saturating_mul(1_000);
    whole.saturating_add(duration.subsec_nanos().div_ceil(1_000_000) as u64)
}

/// A time before 1970 becomes [`Timestamp::EPOCH`].
#[cfg(feature = "std")]
impl From<std::time::SystemTime> for Timestamp {
    fn from(time: std::time::SystemTime) -> Timestamp {
        let since = time
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

/// The form of RFC 3339, in UTC, to the second.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        let days = i64::try_from(seconds / 86_400).unwrap_or_default();
        let (year, month, day) = date_of_day(days);
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// The latest believable time of a noted moment: a later one shows that the clock was wrong.
pub(crate) fn latest_believed(now: Timestamp) -> Timestamp {
    now.saturating_add(MOST_CLAMPED)
}

/// The caller's clock as a machine trusts it: inside of the machine time never goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Clock {
    /// The newest moment seen, in the machine's time.
    newest: Timestamp,
    /// The last reading, in the machine's time; before the newest while a step back is waited out.
    last: Timestamp,
    /// The machine's time minus the caller's, in milliseconds: the sum of all jumps back of the
    /// caller's clock.
    ahead: u64,
}

impl Clock {
    /// A clock that has seen nothing but `now`, for a machine whose time is the caller's.
    pub(crate) fn at(now: Timestamp) -> Clock {
        Clock {
            newest: now,
            last: now,
            ahead: 0,
        }
    }

    /// The clock after a reading of `now`.
    pub(crate) fn read(self, now: Timestamp) -> Clock {
        // A reading of `u64::MAX` would leave no later time, and nothing would ever have to wait
        // again.
        let inside = self.inside(Timestamp(now.0.min(END_OF_YEAR_9999)));
        let back = self.newest.saturating_since(inside);
        if back > MOST_CLAMPED {
            Clock {
                newest: self.newest,
                last: self.newest,
                ahead: self.ahead.saturating_add(whole_millis(back)),
            }
        } else {
            Clock {
                newest: self.newest.max(inside),
                last: inside,
                ahead: self.ahead,
            }
        }
    }

    /// Reads `now` and gives the machine's time.
    pub(crate) fn advance(&mut self, now: Timestamp) -> Timestamp {
        *self = self.read(now);
        self.newest
    }

    /// The newest moment seen, in the machine's time.
    pub(crate) fn now(self) -> Timestamp {
        self.newest
    }

    /// A moment of the caller's time in the machine's.
    pub(crate) fn inside(self, moment: Timestamp) -> Timestamp {
        Timestamp(moment.0.saturating_add(self.ahead))
    }

    /// A wait of the caller's time in the machine's. One that lies ahead of the caller's clock lies
    /// ahead here too, while time stands still after a step back.
    pub(crate) fn wait_inside(self, until: Timestamp) -> Timestamp {
        let until = self.inside(until);
        if until > self.last {
            until.max(self.newest.saturating_add(Duration::from_millis(1)))
        } else {
            until
        }
    }

    /// A moment of the machine's time in the caller's.
    pub(crate) fn outside(self, moment: Timestamp) -> Timestamp {
        if moment == Timestamp::MAX {
            return moment;
        }
        Timestamp(moment.0.saturating_sub(self.ahead))
    }
}

/// A step back of the clock up to here is waited out; a larger one moves the machine's time.
const MOST_CLAMPED: Duration = Duration::from_secs(3600);
const END_OF_YEAR_9999: u64 = 253_402_300_799_999;

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn the_last_timestamp_can_be_printed() {
        assert!(Timestamp::MAX.to_string().ends_with('Z'));
    }

    #[test]
    fn a_part_of_a_millisecond_counts_as_a_whole_one() {
        for duration in [
            Duration::ZERO,
            Duration::from_nanos(1),
            Duration::from_micros(1_000),
            Duration::from_nanos(1_999_999_999),
            Duration::from_millis(u64::MAX),
            Duration::from_millis(u64::MAX).saturating_add(Duration::from_nanos(1)),
            Duration::MAX,
        ] {
            let expected = duration.as_nanos().div_ceil(1_000_000);
            let expected = u64::try_from(expected).unwrap_or(u64::MAX);
            assert_eq!(whole_millis(duration), expected, "{duration:?}");
        }
    }

    #[test]
    fn a_clock_at_its_end_still_goes_on_afterwards() {
        let mut clock = Clock::default();
        clock.advance(Timestamp::from_millis(5));
        let far = clock.advance(Timestamp::MAX);
        let back = clock.advance(Timestamp::from_millis(10));
        assert_eq!(far, back);
        assert_eq!(clock.outside(back), Timestamp::from_millis(10));
        let later = clock.advance(Timestamp::from_millis(1010));
        assert_eq!(later.saturating_since(back), Duration::from_secs(1));
    }

    #[test]
    fn a_small_step_back_is_waited_out() {
        let hour = 3_600_000;
        let mut clock = Clock::default();
        let start = clock.advance(Timestamp::from_millis(10 * hour));
        assert_eq!(clock.advance(Timestamp::from_millis(9 * hour)), start);
        assert_eq!(clock.advance(Timestamp::from_millis(10 * hour)), start);
        assert_eq!(clock.advance(Timestamp::from_millis(9 * hour - 1)), start);
        let next = clock.advance(Timestamp::from_millis(9 * hour));
        assert_eq!(next.saturating_since(start), Duration::from_millis(1));
    }
}

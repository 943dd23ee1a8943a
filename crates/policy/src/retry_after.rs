//! The value of a `Retry-After` header.

use core::time::Duration;

use crate::http_date::http_date;
use crate::time::{Clock, Timestamp};

/// The wait that a server asks for, in a `Retry-After` header (RFC 9110 §10.2.3) or by a rate
/// limit.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{RetryAfter, Timestamp};
///
/// assert_eq!(RetryAfter::parse("120"), Some(RetryAfter::Delay(Duration::from_secs(120))));
/// let date = RetryAfter::parse("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
/// let now = Timestamp::from_millis(784_111_770_000);
/// assert_eq!(date.until(now).saturating_since(now), Duration::from_secs(7));
/// assert_eq!(RetryAfter::parse("soon"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RetryAfter {
    /// A time from now on, as `delay-seconds`.
    Delay(Duration),
    /// A moment, as an HTTP-date.
    Date(Timestamp),
}

impl RetryAfter {
    /// Reads the value of a `Retry-After`; blanks around it are cut. [`RetryAfter::of`] reads all
    /// headers, and is right about dates even where a clock is wrong.
    ///
    /// A fraction is rounded up: 120.5 is 121. Of a list, as clients join two fields, the longest
    /// counts. `None` for a value that is neither a number nor one of the three forms of an
    /// HTTP-date, as `-1` and `soon`, and for `0`, which asks for nothing. Seconds saturate at
    /// `u64::MAX`.
    ///
    /// ```text
    /// Retry-After = HTTP-date / delay-seconds
    /// ```
    #[must_use]
    pub fn parse(value: &str) -> Option<RetryAfter> {
        let (mut longest, mut values) = (None, Some(value));
        while let Some(rest) = values {
            let (first, after) = match rest.split_once(',') {
                Some((first, after)) => (first, Some(after)),
                None => (rest, None),
            };
            // An HTTP-date has one comma itself.
            let two = after.map_or("", |after| {
                let second = after.find(',').unwrap_or(after.len());
                rest.get(..first.len() + 1 + second).unwrap_or_default()
            });
            let asked = one(first).or_else(|| one(two));
            let end = |asked: &RetryAfter| asked.until(Timestamp::EPOCH);
            longest = [longest, asked].into_iter().flatten().max_by_key(end);
            values = after;
        }
        longest
    }

    /// The end of the wait, for an answer that came `now`. A date that is past gives `now`.
    #[must_use]
    pub fn until(self, now: Timestamp) -> Timestamp {
        match self {
            RetryAfter::Delay(delay) => now.saturating_add(delay),
            RetryAfter::Date(date) => date.max(now),
        }
    }

    /// The end of the wait in the time of a machine, `longest` ahead at most.
    pub(crate) fn until_inside(self, clock: Clock, longest: Duration) -> Timestamp {
        let now = clock.now();
        let until = match self {
            RetryAfter::Delay(delay) => now.saturating_add(delay),
            RetryAfter::Date(date) => clock.inside(date),
        };
        until.clamp(now, now.saturating_add(longest))
    }
}

/// One value, with blanks around it.
fn one(value: &str) -> Option<RetryAfter> {
    let value = value.trim_matches([' ', '\t']);
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    match (delta_seconds(whole), delta_seconds(fraction)) {
        (Some(0), Some(0)) => None,
        (Some(seconds), Some(fraction)) => {
            let seconds = seconds.saturating_add(u64::from(fraction > 0));
            Some(RetryAfter::Delay(Duration::from_secs(seconds)))
        }
        _ => http_date(value).map(RetryAfter::Date),
    }
}

/// ```text
/// delta-seconds = 1*DIGIT
/// ```
///
/// Saturates, as RFC 9111 §1.2.2 asks.
pub(crate) fn delta_seconds(value: &str) -> Option<u64> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| {
        value.bytes().fold(0_u64, |seconds, digit| {
            seconds
                .saturating_mul(10)
                .saturating_add(u64::from(digit - b'0'))
        })
    })
}

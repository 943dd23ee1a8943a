//! Times of requests: `20/Nov/2026:10:00:00 +0100`, RFC 3339, and seconds, milliseconds or
//! nanoseconds since 1970.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, datetime};

/// The time of a request, as exact as the log has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogTime {
    /// Since 1970-01-01T00:00:00Z.
    milliseconds: i64,
    resolution_milliseconds: u16,
}

impl LogTime {
    /// Reads a time as text. `None` if it is in no known form.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<LogTime> {
        let text = std::str::from_utf8(text).ok()?.trim();
        match text.as_bytes() {
            [_, _, b'/', ..] => of_web_server(text),
            [_, _, _, _, b'-', ..] => of_rfc3339(text),
            [first, ..] if first.is_ascii_digit() => LogTime::of_number(text),
            _ => None,
        }
    }

    /// A number since 1970, with or without a fraction: its size shows whether it counts seconds,
    /// milliseconds, microseconds or nanoseconds.
    pub(crate) fn of_number(number: &str) -> Option<LogTime> {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let whole: i64 = whole.parse().ok()?;
        let per_second: i64 = match whole {
            0..=99_999_999_999 => 1,
            100_000_000_000..=99_999_999_999_999 => 1_000,
            100_000_000_000_000..=99_999_999_999_999_999 => 1_000_000,
            100_000_000_000_000_000.. => 1_000_000_000,
            _ => return None,
        };
        let milliseconds = match per_second {
            1 => whole
                .checked_mul(1000)?
                .checked_add(thousandths(fraction)?)?,
            per_second => whole.checked_div(per_second / 1000)?,
        };
        let is_whole_seconds = per_second == 1 && fraction.is_empty();
        Some(LogTime::new(milliseconds, is_whole_seconds))
    }

    fn new(milliseconds: i64, is_whole_seconds: bool) -> LogTime {
        LogTime {
            milliseconds,
            resolution_milliseconds: if is_whole_seconds { 1000 } else { 1 },
        }
    }

    /// The longest time that may lie between this request and another one: a log with whole seconds
    /// has two requests within one second at the same time.
    #[must_use]
    pub fn at_most_from(self, other: LogTime) -> Duration {
        let apart = self.milliseconds.abs_diff(other.milliseconds);
        let resolution = self
            .resolution_milliseconds
            .max(other.resolution_milliseconds);
        Duration::from_millis(apart.saturating_add(resolution.into()))
    }

    /// The time since an earlier request; none if that one was later.
    #[must_use]
    pub fn since(self, earlier: LogTime) -> Duration {
        let apart = self.milliseconds.saturating_sub(earlier.milliseconds);
        Duration::from_millis(u64::try_from(apart).unwrap_or(0))
    }
}

/// As in `2026-11-20T09:00:00Z`.
impl fmt::Display for LogTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = SignedDuration::from_secs(self.milliseconds.div_euclid(1000));
        write!(f, "{}Z", EPOCH.saturating_add(seconds))
    }
}

/// `20/Nov/2026:10:00:00 +0100`.
fn of_web_server(text: &str) -> Option<LogTime> {
    let day = number(text, 0, 2)?;
    let month = text.get(3..6)?;
    let month = MONTHS.iter().position(|name| *name == month)?;
    let year = number(text, 7, 11)?;
    let clock = clock(text, 12)?;
    let offset = offset(text.get(20..)?.trim())?;
    let days = days(year, i64::try_from(month).ok()?.checked_add(1)?, day)?;
    let seconds = days.checked_mul(86_400)?.checked_add(clock)?;
    Some(LogTime::new(
        seconds.checked_sub(offset)?.checked_mul(1000)?,
        true,
    ))
}

/// `2026-11-20T10:00:00.123+01:00`, also with a blank in place of the `T`.
fn of_rfc3339(text: &str) -> Option<LogTime> {
    let days = days(
        number(text, 0, 4)?,
        number(text, 5, 7)?,
        number(text, 8, 10)?,
    )?;
    let clock = clock(text, 11)?;
    let rest = text.get(19..)?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        None => ("", rest),
        Some(rest) => {
            let digits = rest.find(|character: char| !character.is_ascii_digit());
            rest.split_at_checked(digits.unwrap_or(rest.len()))?
        }
    };
    let seconds = days.checked_mul(86_400)?.checked_add(clock)?;
    let seconds = seconds.checked_sub(offset(zone.trim())?)?;
    let milliseconds = seconds
        .checked_mul(1000)?
        .checked_add(thousandths(fraction)?)?;
    Some(LogTime::new(milliseconds, fraction.is_empty()))
}

/// The seconds of the day in `10:00:00`.
fn clock(text: &str, at: usize) -> Option<i64> {
    let part = |from: usize| number(text, at.checked_add(from)?, at.checked_add(from + 2)?);
    let (hours, minutes, seconds) = (part(0)?, part(3)?, part(6)?);
    let is_clock = hours < 24 && minutes < 60 && seconds <= 60;
    is_clock.then_some(hours * 3600 + minutes * 60 + seconds)
}

/// The seconds of `+0100`, `+01:00` or `Z`.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first() {
        None | Some(b'Z' | b'z') => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return None,
    };
    let hours = number(zone, 1, 3)?;
    let minutes = number(zone, 3, 5).or_else(|| number(zone, 4, 6))?;
    Some(sign * (hours * 3600 + minutes * 60))
}

fn number(text: &str, from: usize, to: usize) -> Option<i64> {
    let digits = text.get(from..to)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// The milliseconds of a fraction of a second.
fn thousandths(fraction: &str) -> Option<i64> {
    let mut value: i64 = 0;
    for place in 0..3 {
        let digit = match fraction.as_bytes().get(place) {
            None => 0,
            Some(digit) if digit.is_ascii_digit() => i64::from(digit - b'0'),
            Some(_) => return None,
        };
        value = value * 10 + digit;
    }
    Some(value)
}

/// The days since 1970-01-01 of a date; `None` if there is no such date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let date = Date::new(
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
    );
    Some(date.ok()?.duration_since(EPOCH.date()).as_secs() / 86_400)
}

const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

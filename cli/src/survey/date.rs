//! Dates of runs: that of today, and that which an option names.

use std::time::{SystemTime, UNIX_EPOCH};

/// The present date in UTC, as in `2026-01-31`.
pub(super) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date_of(since.map_or(0, |since| since.as_secs() / SECONDS_OF_A_DAY))
}

/// The parser of an option with a date.
pub(super) fn parse(text: &str) -> Result<String, String> {
    match is_date(text) {
        true => Ok(String::from(text)),
        false => Err(String::from("give a date as in 2026-01-31")),
    }
}

/// The date of a day, counted from 1970.
fn date_of(day: u64) -> String {
    let (mut year, mut left) = (1970, day);
    let mut month = 0;
    while left >= length_of_month(year, month) {
        left -= length_of_month(year, month);
        month += 1;
        if month == 12 {
            (year, month) = (year + 1, 0);
        }
    }
    format!("{year:04}-{:02}-{:02}", month + 1, left + 1)
}

fn is_date(text: &str) -> bool {
    let number = |range| {
        let digits = text
            .get(range)
            .filter(|text: &&str| text.bytes().all(|byte| byte.is_ascii_digit()));
        digits.and_then(|digits: &str| digits.parse().ok())
    };
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    let is_dash = |at| text.get(at..at + 1) == Some("-");
    text.len() == 10
        && is_dash(4)
        && is_dash(7)
        && (1..=12).contains(&month)
        && (1..=length_of_month(year, month - 1)).contains(&day)
}

/// The days of a month, the first of which is 0.
fn length_of_month(year: u64, month: u64) -> u64 {
    let is_leap_year =
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 if is_leap_year => 29,
        1 => 28,
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    }
}

const SECONDS_OF_A_DAY: u64 = 24 * 60 * 60;

#[cfg(test)]
mod tests {
    use super::{date_of, parse};

    #[test]
    fn days_have_their_dates() {
        for (day, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_513, "2026-03-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_of(day), date);
            assert_eq!(parse(date).as_deref(), Ok(date));
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "2026",
            "2026-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026/01/01",
            "26-01-01",
            "2026-01-011",
            "+026-01-01",
            "2026-01-1é",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

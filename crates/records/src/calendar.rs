//! The Gregorian calendar, also before its time, in days since 1970-01-01.
//!
//! For the crates that read dates in headers without `std`; every calendar crate is too large.
//!
//! ```
//! use polite_robots_records::calendar::{date_of_day, day_of_date};
//!
//! assert_eq!(day_of_date(2026, 11, 28), Some(20_785));
//! assert_eq!(date_of_day(20_785), (2026, 11, 28));
//! assert_eq!(day_of_date(2026, 2, 29), None);
//! ```

/// The days from 1970-01-01 to a date; `None` if there is no such date, and for a year that is more
/// than a million years away.
pub fn day_of_date(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(-MOST_YEARS..=MOST_YEARS).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=days_of_month(year, month)).contains(&day)
    {
        return None;
    }
    // A year that begins with March has its leap day at its end.
    let year = if month > 2 { year } else { year - 1 };
    let (cycle, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_cycle = 365 * year + year / 4 - year / 100 + day_of_year;
    Some(cycle * DAYS_PER_CYCLE + day_of_cycle - DAYS_TO_1970)
}

/// Year, month and day: the inverse of [`day_of_date`]. A day more than a billion years away counts
/// as the last one within them.
pub fn date_of_day(day: i64) -> (i64, i64, i64) {
    let day = day.clamp(-MOST_DAYS, MOST_DAYS) + DAYS_TO_1970;
    let (cycle, day) = (
        day.div_euclid(DAYS_PER_CYCLE),
        day.rem_euclid(DAYS_PER_CYCLE),
    );
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (400 * cycle + year + next, month, day)
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Within these limits nothing overflows.
const MOST_YEARS: i64 = 1_000_000;
const MOST_DAYS: i64 = 400_000_000_000;

/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

/// Days of 400 years, after which the calendar repeats.
const DAYS_PER_CYCLE: i64 = 146_097;

//! Dates of runs: today's date, and the date that an option names.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// The present date in UTC, as in `2026-01-31`.
pub(super) fn today() -> String {
    Offset::UTC.to_datetime(Timestamp::now()).date().to_string()
}

/// The parser of an option with a date.
pub(super) fn parse(text: &str) -> Result<String, String> {
    // jiff reads other forms too, such as `20260131`.
    match text
        .parse::<Date>()
        .is_ok_and(|date| date.to_string() == text)
    {
        true => Ok(String::from(text)),
        false => Err(String::from("give a date as in 2026-01-31")),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, today};

    #[test]
    fn dates_are_in_one_form() {
        for date in [
            "1970-01-01",
            "2000-02-29",
            "2026-03-01",
            "2100-02-28",
            &today(),
        ] {
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
            "20260131",
            "2026-01-31T00:00",
            "2100-02-29",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

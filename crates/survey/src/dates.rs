//! The first and the last of many dates.

use serde::{Deserialize, Serialize};

/// The first and the last of many dates, each as text of RFC 3339 in UTC.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dates {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last: Option<String>,
}

impl Dates {
    /// Adds a date. The order of the texts is that of the dates.
    pub(crate) fn add(&mut self, date: &str) {
        if self.first.as_deref().is_none_or(|first| date < first) {
            self.first = Some(String::from(date));
        }
        if self.last.as_deref().is_none_or(|last| date > last) {
            self.last = Some(String::from(date));
        }
    }

    /// Adds the dates of another part.
    pub(crate) fn merge(&mut self, other: &Dates) {
        for date in [&other.first, &other.last].into_iter().flatten() {
            self.add(date);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }
}

/// The date of a WARC record to the second, as in `2026-01-31T12:00:00Z`; `None` for other texts.
/// WARC/1.1 allows fractions of a second, which are cut off.
pub(crate) fn to_the_second(text: &[u8]) -> Option<&str> {
    let (date, rest) = text.split_at_checked(PATTERN.len())?;
    let is_like = |(byte, pattern): (&u8, &u8)| match pattern {
        b'0' => byte.is_ascii_digit(),
        _ => byte == pattern,
    };
    let is_date = date.iter().zip(PATTERN).all(is_like) && rest.ends_with(b"Z");
    std::str::from_utf8(date).ok().filter(|_| is_date)
}

/// The form of a date to the second, without its `Z`: a digit for each `0`.
const PATTERN: &[u8] = b"0000-00-00T00:00:00";

#[cfg(test)]
mod tests {
    use super::{Dates, to_the_second};

    #[test]
    fn the_order_of_dates_does_not_matter() {
        let mut forwards = Dates::default();
        let mut backwards = Dates::default();
        let dates = ["2019-01-02", "2019-01-02T10:00:00", "2024-12-31"];
        for date in dates {
            forwards.add(date);
        }
        for date in dates.into_iter().rev() {
            let mut one = Dates::default();
            one.add(date);
            one.merge(&backwards);
            backwards = one;
        }
        assert_eq!(forwards, backwards);
        assert_eq!(forwards.first.as_deref(), Some("2019-01-02"));
        assert_eq!(forwards.last.as_deref(), Some("2024-12-31"));
    }

    #[test]
    fn dates_of_records_are_cut_to_the_second() {
        let second = Some("2026-01-31T12:00:00");
        assert_eq!(to_the_second(b"2026-01-31T12:00:00Z"), second);
        assert_eq!(to_the_second(b"2026-01-31T12:00:00.123456Z"), second);
        for other in [
            "",
            "2026",
            "2026-01-31T12:00:00",
            "20260131120000Z",
            "2026-01-31 12:00:00Z",
        ] {
            assert_eq!(to_the_second(other.as_bytes()), None, "{other}");
        }
    }
}

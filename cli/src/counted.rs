//! A count and what is counted, in the singular or the plural; and seconds.

use core::time::Duration;

/// `1 file`, `3 files`.
pub(crate) fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}

/// `1 URL`, `4,031 URLs`: for numbers that may be long.
#[cfg(feature = "site")]
pub(crate) fn counted_long(count: u64, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {name}{plural}", grouped(count))
}

/// `4,031`.
#[cfg(any(feature = "fetch", feature = "site"))]
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.char_indices() {
        let left = digits.len().saturating_sub(place);
        if place > 0 && left.is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Writes a delay in seconds, as files do: `0.5s`. The `Debug` form of a duration is `500ms`, and
/// `0ns` for none.
pub(crate) fn seconds(delay: Duration) -> String {
    format!("{}s", delay.as_secs_f64())
}

#[cfg(all(test, feature = "site"))]
mod tests {
    use super::{counted_long, grouped};

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(4031), "4,031");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(counted_long(1, "URL"), "1 URL");
        assert_eq!(counted_long(1000, "URL"), "1,000 URLs");
    }
}

//! The formats of numbers for people.

use crate::summary::distribution::ratio;
use crate::summary::interval::Interval;

/// Groups the digits: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Writes a count with its noun: `1 file`, `1,200 files`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Writes a share in percent: `12.3 %`. Small shares have two significant digits, so that one file
/// in a million shows. A whole of zero has no share.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => String::from("–"),
        _ => share(ratio(part, whole) * 100.0),
    }
}

/// Writes a share of all files with its base: `12.3 % of 28,599 files`.
pub(crate) fn percent_of_files(part: u64, files: u64) -> String {
    format!("{} of {}", percent(part, files), counted(files, "file"))
}

/// Writes the share of a sample with its base and its interval: `1.9 % (1.1 to 3.4) of a sample of
/// 575 files`. A sample that is `all` files has no interval.
pub(crate) fn percent_of_sample(part: u64, sample: u64, all: u64) -> String {
    match sample < all {
        true => format!(
            "{} ({}) of a sample of {}",
            percent(part, sample),
            interval(part, sample),
            counted(sample, "file")
        ),
        false => percent_of_files(part, sample),
    }
}

/// Writes the interval of a share of a sample, in percent: `1.1 to 3.4`.
pub(crate) fn interval(part: u64, sample: u64) -> String {
    let Interval { low, high } = Interval::of(part, sample);
    let [low, high] = [low, high].map(|bound| share(bound).replace(" %", ""));
    format!("{low} to {high}")
}

/// Writes a share that is in percent already, as [`percent`] does.
pub(crate) fn share(share: f64) -> String {
    let places = match share {
        share if share == 0.0 || share >= 100.0 => 0,
        share if share >= 1.0 => 1,
        share if share >= 0.1 => 2,
        share if share >= 0.01 => 3,
        share if share >= 0.001 => 4,
        _ => 5,
    };
    format!("{share:.places$} %")
}

/// Writes a number that is not negative with up to two places: `1.5`, `12`, `3,518.33`.
pub(crate) fn decimal(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{}.{fraction}", grouped(whole.parse().unwrap_or(0))),
        None => grouped(text.parse().unwrap_or(0)),
    }
}

/// Writes a duration: `850 ns`, `1.5 µs`, `12 ms`.
pub(crate) fn duration(nanoseconds: u64) -> String {
    let (unit, name) = match nanoseconds {
        0..1_000 => (1.0, "ns"),
        1_000..1_000_000 => (1e3, "µs"),
        1_000_000..1_000_000_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {name}", decimal(nanoseconds as f64 / unit))
}

/// Writes a size: `512 B`, `1.5 KiB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{} {name}", decimal(bytes as f64 / *unit as f64)),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let all = [0, 12, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(all, ["0", "12", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn small_shares_keep_two_digits() {
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(1, 400), "0.25 %");
        assert_eq!(percent(1, 1_000_000), "0.00010 %");
        assert_eq!(percent(0, 5), "0 %");
        assert_eq!(percent(5, 5), "100 %");
        assert_eq!(percent(9_999_999, 10_000_000), "100.0 %");
        assert_eq!(percent(0, 0), "–");
    }

    #[test]
    fn only_samples_have_intervals() {
        assert_eq!(
            percent_of_sample(11, 575, 28_599),
            "1.9 % (1.1 to 3.4) of a sample of 575 files"
        );
        assert_eq!(percent_of_sample(11, 575, 575), "1.9 % of 575 files");
        assert_eq!(interval(0, 0), "0 to 100");
    }

    #[test]
    fn units_fit_the_size() {
        assert_eq!(
            (bytes(512), bytes(1536)),
            ("512 B".into(), "1.5 KiB".into())
        );
        assert_eq!(
            (duration(850), duration(1_500)),
            ("850 ns".into(), "1.5 µs".into())
        );
        assert_eq!(duration(12_000_000), "12 ms");
        assert_eq!(
            (decimal(3518.333), decimal(0.0), decimal(10.0)),
            ("3,518.33".into(), "0".into(), "10".into())
        );
    }
}

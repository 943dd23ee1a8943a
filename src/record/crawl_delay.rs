//! The value of a `Crawl-delay` record: the seconds from one request to the next.

use core::time::Duration;

use crate::text::bytes::split_run;

/// Reads the value of a `Crawl-delay` record exactly, without a float on the way.
///
/// ```text
/// delay  = [ "+" ] number [ *WS unit ]
/// number = 1*DIGIT [ "." *DIGIT ] / "." 1*DIGIT
/// unit   = "s" / "sec" / "secs" / "second" / "seconds"
/// ```
///
/// Returns `None` for everything else, including values that other parsers accept: `1e3`, `inf`,
/// `-1`, `0,5`, `500ms`. Seconds saturate at `u64::MAX`; digits below a nanosecond are dropped.
pub(crate) fn crawl_delay(value: &[u8]) -> Option<Duration> {
    let number = value.strip_prefix(b"+").unwrap_or(value);
    let split_digits = |text| split_run(text, |byte| byte.is_ascii_digit());
    let (whole, rest) = split_digits(number);
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => split_digits(rest),
        _ => (&b""[..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // Blanks at the end are no unit: `5 ` is refused. Values from a file are trimmed before.
    let unit = match split_run(rest, |byte| matches!(byte, b' ' | b'\t')).1 {
        [] => rest,
        unit => unit,
    };
    if !unit.is_empty() && !UNITS.iter().any(|known| known.eq_ignore_ascii_case(unit)) {
        return None;
    }
    let seconds = whole.iter().fold(0_u64, |seconds, digit| {
        let tens = seconds.saturating_mul(10);
        tens.saturating_add(u64::from(digit - b'0'))
    });
    let places = fraction.iter().chain([b'0'; NANOSECOND_DIGITS].iter());
    let nanoseconds = places
        .take(NANOSECOND_DIGITS)
        .fold(0_u32, |nanoseconds, digit| {
            nanoseconds * 10 + u32::from(digit - b'0')
        });
    Some(Duration::new(seconds, nanoseconds))
}

const UNITS: [&[u8]; 5] = [b"s", b"sec", b"secs", b"second", b"seconds"];
const NANOSECOND_DIGITS: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_only_plain_decimals_are_delays() {
        let value = |text: &str| crawl_delay(text.as_bytes());
        assert_eq!(value("10"), Some(Duration::from_secs(10)));
        assert_eq!(value("+.5 Sec"), Some(Duration::from_millis(500)));
        assert_eq!(value("5."), Some(Duration::from_secs(5)));
        assert_eq!(value("0.0000000019"), Some(Duration::from_nanos(1)));
        assert_eq!(
            value("99999999999999999999"),
            Some(Duration::from_secs(u64::MAX))
        );
        for odd in [
            "", ".", "-1", "-0", "1e3", "0x10", "inf", "nan", "0,5", "1_000", "10;", "1m", "500ms",
            "1 2", "٣", "++1", "4\u{c}s", "4\u{b}s",
        ] {
            assert_eq!(value(odd), None, "{odd}");
        }
    }
}

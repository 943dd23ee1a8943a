//! Numbers in extension records, exactly and without floats.

use core::time::Duration;

/// Reads the value of a `Crawl-delay` record.
///
/// ```text
/// delay  = [ "+" ] number [ *WS unit ]
/// number = 1*DIGIT [ "." *DIGIT ] / "." 1*DIGIT
/// unit   = "s" / "sec" / "secs" / "second" / "seconds"
/// ```
///
/// Anything else is no value, among it what peers take: `1e3`, `inf`, `-1`, `0,5`, `500ms`. Seconds saturate
/// at `u64::MAX`; digits after the ninth behind the point are dropped.
pub(crate) fn crawl_delay(value: &[u8]) -> Option<Duration> {
    let number = value.strip_prefix(b"+").unwrap_or(value);
    let (whole, rest) = digits(number);
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => digits(rest),
        _ => (&b""[..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // Blanks without a unit behind them are no unit either.
    let unit = match trim_start(rest) {
        [] => rest,
        unit => unit,
    };
    if !unit.is_empty() && !UNITS.iter().any(|known| known.eq_ignore_ascii_case(unit)) {
        return None;
    }
    let seconds = whole_number(whole);
    let places = fraction.iter().chain([b'0'; NANOSECOND_DIGITS].iter());
    let nanoseconds = places
        .take(NANOSECOND_DIGITS)
        .fold(0_u32, |nanoseconds, digit| {
            nanoseconds * 10 + u32::from(digit - b'0')
        });
    Some(Duration::new(seconds, nanoseconds))
}

/// A rate as a `Request-rate` record states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// At least 1, as are the seconds.
    pub(crate) documents: u64,
    pub(crate) seconds: u64,
    pub(crate) window: Option<Window>,
}

/// Reads the value of a `Request-rate` record.
///
/// ```text
/// rate = 1*DIGIT *WS "/" *WS 1*DIGIT [ "s" / "m" / "h" / "d" ] [ 1*WS window ]
/// ```
///
/// Both numbers must be more than 0; they and the seconds saturate at `u64::MAX`.
pub(crate) fn request_rate(value: &[u8]) -> Option<Rate> {
    let (documents, rest) = number(value)?;
    let rest = trim_start(rest).strip_prefix(b"/")?;
    let (time, rest) = number(trim_start(rest))?;
    let (seconds_per_unit, rest) = match rest {
        [b's' | b'S', rest @ ..] => (1, rest),
        [b'm' | b'M', rest @ ..] => (60, rest),
        [b'h' | b'H', rest @ ..] => (60 * 60, rest),
        [b'd' | b'D', rest @ ..] => (24 * 60 * 60, rest),
        _ => (1, rest),
    };
    let window = match rest {
        [] => None,
        [b' ' | b'\t', rest @ ..] => Some(visit_time(trim_start(rest))?),
        _ => return None,
    };
    (documents > 0 && time > 0).then_some(Rate {
        documents,
        seconds: time.saturating_mul(seconds_per_unit),
        window,
    })
}

/// Two minutes of the day, from 0 to 1439; the first may be the later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) first: u16,
    pub(crate) last: u16,
}

/// Reads the value of a `Visit-time` record.
///
/// ```text
/// window = clock ( *WS "-" *WS / 1*WS ) clock
/// clock  = 4DIGIT    ; hours from 00 to 23, minutes from 00 to 59, or 2400 as the second clock
/// ```
pub(crate) fn visit_time(value: &[u8]) -> Option<Window> {
    let (first, rest) = clock(value)?;
    let blanks = trim_start(rest);
    let rest = match blanks {
        [b'-', rest @ ..] => trim_start(rest),
        _ if blanks.len() < rest.len() => blanks,
        _ => return None,
    };
    let (last, rest) = clock(rest)?;
    let last = if last == MINUTES_OF_DAY {
        last - 1
    } else {
        last
    };
    (first < MINUTES_OF_DAY && rest.is_empty()).then_some(Window { first, last })
}

fn clock(text: &[u8]) -> Option<(u16, &[u8])> {
    let (digits, rest) = text.split_first_chunk::<4>()?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let [hours, hour, minutes, minute] = digits.map(|digit| u16::from(digit - b'0'));
    let (hour, minute) = (hours * 10 + hour, minutes * 10 + minute);
    let is_clock = (hour < 24 && minute < 60) || (hour, minute) == (24, 0);
    is_clock.then_some((hour * 60 + minute, rest))
}

fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = digits(text);
    (!digits.is_empty()).then(|| (whole_number(digits), rest))
}

/// Of ASCII digits; saturates.
fn whole_number(digits: &[u8]) -> u64 {
    digits.iter().fold(0_u64, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    })
}

fn trim_start(text: &[u8]) -> &[u8] {
    let start = text
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t'))
        .unwrap_or(text.len());
    text.get(start..).unwrap_or_default()
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

const UNITS: [&[u8]; 5] = [b"s", b"sec", b"secs", b"second", b"seconds"];
const NANOSECOND_DIGITS: usize = 9;
const MINUTES_OF_DAY: u16 = 24 * 60;

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

    #[test]
    fn issue_rates_of_whole_numbers() {
        let rate = |text: &str| {
            let Rate {
                documents,
                seconds,
                window,
            } = request_rate(text.as_bytes())?;
            Some((
                documents,
                seconds,
                window.map(|window| (window.first, window.last)),
            ))
        };
        assert_eq!(rate("1/5"), Some((1, 5, None)));
        assert_eq!(
            rate("1 / 10M 1800-1900"),
            Some((1, 600, Some((1080, 1140))))
        );
        assert_eq!(rate("5/1d\t2300 0100"), Some((5, 86_400, Some((1380, 60)))));
        assert_eq!(
            rate("99999999999999999999/300000000000000000d"),
            Some((u64::MAX, u64::MAX, None))
        );
        for odd in [
            "",
            "1",
            "/1",
            "1/",
            "0/1",
            "1/0",
            "1/1.5s",
            "1/s",
            "1/1w",
            "1/1 s",
            "-1/1",
            "1/1s0600-0700",
            "1/1 0600",
            "1/1/1",
            "1_0/1",
            "٣/1",
            "inf/1",
            "1/1 0600-0700 x",
        ] {
            assert_eq!(rate(odd), None, "{odd}");
        }
    }

    #[test]
    fn issue_windows_of_the_day() {
        let window =
            |text: &str| visit_time(text.as_bytes()).map(|window| (window.first, window.last));
        assert_eq!(window("0600-0845"), Some((360, 525)));
        assert_eq!(window("0200 \t0630"), Some((120, 390)));
        assert_eq!(window("2300 - 0100"), Some((1380, 60)));
        assert_eq!(window("0000-2400"), Some((0, 1439)));
        for odd in [
            "",
            "0600",
            "0600-",
            "-0600",
            "6-8",
            "600-800",
            "06:00-08:00",
            "2400-0100",
            "0600-2401",
            "0660-0700",
            "2500-2600",
            "06000800",
            "0600--0800",
            "0600-0800 GMT",
            "٠٦٠٠-0800",
        ] {
            assert_eq!(window(odd), None, "{odd}");
        }
    }
}

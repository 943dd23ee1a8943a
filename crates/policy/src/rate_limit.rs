//! The wait that the headers of a response ask for: `Retry-After`, else an exhausted rate limit.

use core::time::Duration;

use crate::headers::Headers;
use crate::http_date::http_date;
use crate::retry_after::RetryAfter;
use crate::time::Timestamp;

impl RetryAfter {
    /// The wait that the headers of a response ask for, if they ask for one.
    ///
    /// `Retry-After` comes first, and of several the longest. A date in it is relative to the
    /// `Date` of the response, so that a wrong clock on either side does not matter. Without it a
    /// rate limit counts, if nothing remains of it: the header `RateLimit` of
    /// [draft-ietf-httpapi-ratelimit-headers](https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/)
    /// (`"name";r=0;t=30`, or `remaining=0, reset=30` in earlier drafts), then
    /// `RateLimit-Remaining` and `RateLimit-Reset`, with or without `X-`. A reset is in seconds;
    /// above 10⁹ it is Unix time, above 10¹¹ in milliseconds. `now` is the time of the response.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::{RetryAfter, Timestamp};
    /// use polite_robots_policy::fetch::Headers;
    ///
    /// let now = Timestamp::from_millis(1_767_225_600_000);
    /// let mut headers = Headers::default();
    /// headers.insert("X-RateLimit-Remaining", "0");
    /// headers.insert("X-RateLimit-Reset", "30");
    /// assert_eq!(RetryAfter::of(&headers, now), Some(RetryAfter::Delay(Duration::from_secs(30))));
    /// ```
    #[must_use]
    pub fn of(headers: &Headers<'_>, now: Timestamp) -> Option<RetryAfter> {
        let date = headers.date.and_then(|date| http_date(date.trim()));
        let served = date.unwrap_or(now);
        let fields = [headers.retry_after, headers.further_retry_after];
        let asked = fields.into_iter().flatten().filter_map(RetryAfter::parse);
        match asked.max_by_key(|asked| asked.until(served)) {
            Some(asked) => relative(asked, served),
            None => RetryAfter::of_limit(headers, now),
        }
    }

    /// The wait by an exhausted rate limit, which a successful response may state too; see
    /// [`RetryAfter::of`].
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::{RetryAfter, Timestamp};
    /// use polite_robots_policy::fetch::Headers;
    ///
    /// let now = Timestamp::from_millis(1_767_225_600_000);
    /// let mut headers = Headers::default();
    /// headers.insert("Retry-After", "3600");
    /// assert_eq!(RetryAfter::of_limit(&headers, now), None);
    /// headers.insert("RateLimit", "\"burst\";r=0;t=5");
    /// assert_eq!(RetryAfter::of_limit(&headers, now), Some(RetryAfter::Delay(Duration::from_secs(5))));
    /// ```
    #[must_use]
    pub fn of_limit(headers: &Headers<'_>, now: Timestamp) -> Option<RetryAfter> {
        let date = headers.date.and_then(|date| http_date(date.trim()));
        let served = date.unwrap_or(now);
        if let Some(reset) = headers.rate_limit.and_then(exhausted) {
            return delay(reset, served);
        }
        let remaining = headers.rate_limit_remaining.and_then(millis_of_number)?;
        if remaining > 0 {
            return None;
        }
        delay(headers.rate_limit_reset.and_then(millis_of_number)?, served)
    }

    /// The wait that a header map asks for, and the part of it that a rate limit asks for.
    #[cfg(feature = "http")]
    pub(crate) fn of_map(headers: &http::HeaderMap, now: Timestamp) -> [Option<RetryAfter>; 2] {
        // Few responses ask for a wait, and this is called for each.
        let asks = |name: &http::HeaderName| {
            let name = name.as_str();
            name == "retry-after" || name.contains("ratelimit")
        };
        if !headers.keys().any(asks) {
            return [None; 2];
        }
        let headers = Headers::from(headers);
        [
            RetryAfter::of(&headers, now),
            RetryAfter::of_limit(&headers, now),
        ]
    }
}

/// A wait from the moment at which the response was served.
fn relative(asked: RetryAfter, served: Timestamp) -> Option<RetryAfter> {
    let delay = match asked {
        RetryAfter::Delay(delay) => delay,
        RetryAfter::Date(date) => date.saturating_since(served),
    };
    (delay > Duration::ZERO).then_some(RetryAfter::Delay(delay))
}

/// The wait until a reset. The number, times 1000, is a time from now on or a moment.
fn delay(reset: u64, served: Timestamp) -> Option<RetryAfter> {
    let number = reset / 1000;
    let asked = if number <= UNIX_TIME {
        RetryAfter::Delay(Duration::from_millis(reset))
    } else {
        // Unix time in seconds was multiplied above, Unix time in milliseconds once too often.
        let millis = if number <= UNIX_MILLIS { reset } else { number };
        RetryAfter::Date(Timestamp::from_millis(millis))
    };
    relative(asked, served)
}

/// The longest reset of the exhausted limits, in milliseconds as it is written.
///
/// ```text
/// RateLimit: "burst";r=0;t=5, "daily";r=0;t=3600
/// RateLimit: limit=100, remaining=0, reset=5
/// ```
fn exhausted(field: &str) -> Option<u64> {
    let (mut longest, mut remaining, mut reset) = (None, None, None);
    for (end, part) in parts(field) {
        if let Some((name, value)) = part.split_once('=') {
            let value = millis_of_number(value);
            match name.trim() {
                "r" | "remaining" => remaining = value,
                "t" | "reset" => reset = value,
                _ => {}
            }
        }
        let is_exhausted = remaining == Some(0) && reset.is_some();
        if is_exhausted {
            longest = longest.max(reset);
        }
        // The members of the earlier drafts are one limit, those that begin with a name one each.
        let is_item = field.trim_start().starts_with('"');
        if is_exhausted || end == End::Member && is_item {
            (remaining, reset) = (None, None);
        }
    }
    longest
}

/// The end of a part of a list of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Parameter,
    Member,
}

/// The parts between `;` and `,`, outside of quotes.
fn parts(field: &str) -> impl Iterator<Item = (End, &str)> {
    let mut rest = Some(field);
    core::iter::from_fn(move || {
        let text = rest?;
        let (mut is_quoted, mut is_escaped) = (false, false);
        let found = text.char_indices().find(|(_, letter)| {
            let was_escaped = core::mem::take(&mut is_escaped);
            match letter {
                '\\' if is_quoted && !was_escaped => is_escaped = true,
                '"' if !was_escaped => is_quoted = !is_quoted,
                ';' | ',' => return !is_quoted,
                _ => {}
            }
            false
        });
        let Some((at, letter)) = found else {
            rest = None;
            return Some((End::Member, text));
        };
        let (part, tail) = text.split_at_checked(at)?;
        rest = tail.get(1..);
        let end = if letter == ',' {
            End::Member
        } else {
            End::Parameter
        };
        Some((end, part))
    })
}

/// A number with at most one point, times 1000, rounded up; it saturates.
///
/// ```text
/// 1*DIGIT [ "." *DIGIT ]
/// ```
fn millis_of_number(text: &str) -> Option<u64> {
    let text = text.trim_matches([' ', '\t']);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let add = |number: u64, digit: u8| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit.saturating_sub(b'0')))
    };
    let thousandths = fraction.bytes().chain([b'0'; 3]).take(3);
    let is_more = fraction.bytes().skip(3).any(|digit| digit != b'0');
    let millis = whole.bytes().chain(thousandths).fold(0, add);
    Some(millis.saturating_add(u64::from(is_more)))
}

/// The largest reset that is a time from now on, in seconds: 30 years.
const UNIX_TIME: u64 = 1_000_000_000;
/// The largest reset that is Unix time in seconds: the year 5138.
const UNIX_MILLIS: u64 = 100_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(784_111_777_000);

    fn wait(fields: &[(&str, &'static str)]) -> Option<u64> {
        let mut headers = Headers::default();
        for (name, value) in fields {
            headers.insert(name, value);
        }
        match RetryAfter::of(&headers, NOW) {
            Some(RetryAfter::Delay(delay)) => Some(delay.as_millis().try_into().unwrap()),
            Some(RetryAfter::Date(date)) => panic!("{date}"),
            None => None,
        }
    }

    #[test]
    fn a_retry_after_comes_before_a_rate_limit() {
        let limit = ("ratelimit", "\"a\";r=0;t=30");
        assert_eq!(wait(&[("retry-after", "5"), limit]), Some(5_000));
        assert_eq!(wait(&[("retry-after", "soon"), limit]), Some(30_000));
    }

    #[test]
    fn a_rate_limit_counts_if_nothing_remains() {
        for (value, expected) in [
            ("\"default\";r=0;t=30", Some(30_000)),
            ("\"default\"; r=0; t=30", Some(30_000)),
            ("\"default\";t=30;r=0", Some(30_000)),
            ("\"default\";r=50;t=30", None),
            ("\"default\";r=0", None),
            ("\"default\";t=30", None),
            ("\"default\";r=0;t=0", None),
            ("\"a\";r=5;t=9, \"b\";r=0;t=7, \"c\";r=0;t=3", Some(7_000)),
            ("\"a\";r=0, \"b\";t=7", None),
            ("\"r=0;t=9, \\\";r=0;t=8\";r=1;t=7", None),
            ("limit=100, remaining=0, reset=50", Some(50_000)),
            ("limit=100, remaining=1, reset=50", None),
            ("default;r=0;t=4", Some(4_000)),
            ("\"a\";r=0;t=x", None),
            ("", None),
            (";,=", None),
        ] {
            assert_eq!(wait(&[("RateLimit", value)]), expected, "{value}");
        }
    }

    #[test]
    fn a_reset_is_a_time_or_a_moment() {
        for (remaining, reset, expected) in [
            ("0", "30", Some(30_000)),
            ("0", "0.25", Some(250)),
            ("0", "1.0001", Some(1_001)),
            ("0", "1000000000", Some(1_000_000_000_000)),
            ("0", "784111837", Some(784_111_837_000)),
            ("1", "30", None),
            ("0.5", "30", None),
            ("0", "0", None),
            ("0", "-1", None),
            ("0", "soon", None),
            ("0", "", None),
            ("", "30", None),
        ] {
            let fields = [
                ("RateLimit-Remaining", remaining),
                ("RateLimit-Reset", reset),
            ];
            assert_eq!(wait(&fields), expected, "{remaining} {reset}");
        }
        let unix = |value| [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", value)];
        let now = Timestamp::from_millis(1_767_225_600_000);
        for value in ["1767225660", "1767225660000"] {
            let mut headers = Headers::default();
            for (name, value) in unix(value) {
                headers.insert(name, value);
            }
            let minute = Some(RetryAfter::Delay(Duration::from_secs(60)));
            assert_eq!(RetryAfter::of(&headers, now), minute, "{value}");
        }
    }
}

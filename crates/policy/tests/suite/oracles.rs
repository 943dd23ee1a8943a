//! Compares the parsers of header values with other crates, on written and random values. Each
//! known difference is listed here with its reason, and any other difference is a failure.

use std::time::{Duration, SystemTime};

use http_cache_semantics::CachePolicy;
use polite_robots_policy::fetch::{Freshness, Headers};
use polite_robots_policy::{RetryAfter, Timestamp};
use proptest::prelude::*;
use proptest::sample::select;

use super::together::law_cases::law_cases;

/// Seconds since 1970 by our reading of an HTTP-date.
fn ours(value: &str) -> Option<u64> {
    match RetryAfter::parse(value)? {
        RetryAfter::Date(date) => Some(date.as_millis() / 1000),
        RetryAfter::Delay(_) => None,
    }
}

/// The seconds that the crate `httpdate` reads.
fn httpdate(value: &str) -> Option<u64> {
    let time = httpdate::parse_http_date(value).ok()?;
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    Some(since.unwrap().as_secs())
}

/// The reason why the two may differ on a date, if there is one.
fn date_difference(value: &str) -> Option<&'static str> {
    let has = |parts: &[&str]| parts.iter().any(|part| value.contains(part));
    if has(&[":60 "]) {
        return Some("RFC 9110 §5.6.7 has second 60; httpdate refuses it");
    }
    let year = value.split([' ', '-']).find_map(|word| {
        let is_year = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        is_year.then(|| word.parse::<u32>().unwrap())
    });
    if year.is_some_and(|year| year < 1970) {
        return Some("before 1970 is past, which a server may mean; httpdate refuses it");
    }
    let date = value.split_once("day, ").map(|(_, date)| date.as_bytes());
    let before_time = date.and_then(|date| date.get(9));
    if before_time.is_some_and(|byte| *byte != b' ') {
        return Some("httpdate takes any byte before the time of an rfc850-date");
    }
    if ours(value).is_some() && httpdate(value).is_none() {
        return Some("the name of the day is not that of the date; httpdate refuses it");
    }
    None
}

#[test]
fn dates_as_in_httpdate() {
    for value in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Thu, 29 Feb 2024 23:59:59 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "Thursday, 01-Jan-70 00:00:00 GMT",
        "Tuesday, 31-Dec-69 00:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:37 +0100",
        "Sun, 06 Nov 1994 08:49:37 gmt",
        "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun,06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun Nov 06 08:49:37 1994",
        "Sun, 06 Nov 94 08:49:37 GMT",
        "1994-11-06T08:49:37Z",
        "tomorrow",
        "",
    ] {
        assert_eq!(ours(value), httpdate(value), "{value}");
    }
    for (value, seconds) in [
        ("Sun, 06 Nov 1994 08:49:60 GMT", 784_111_800),
        ("Thu, 01 Jan 1969 00:00:00 GMT", 0),
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ] {
        assert!(date_difference(value).is_some(), "{value}");
        let found = (ours(value), httpdate(value));
        assert_eq!(found, (Some(seconds), None), "{value}");
    }
}

/// The lifetime that `http-cache-semantics` gives a response, as a private cache sees it.
fn peer_lifetime(cache_control: &str, age: Option<&str>) -> Duration {
    let request = http::Request::builder()
        .uri("/robots.txt")
        .body(())
        .unwrap();
    let mut response = http::Response::builder().header("cache-control", cache_control);
    if let Some(age) = age {
        response = response.header("age", age);
    }
    let response = response.body(()).unwrap();
    let options = http_cache_semantics::CacheOptions {
        shared: false,
        ..Default::default()
    };
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    CachePolicy::new_options(&request, &response, now, options).time_to_live(now)
}

fn our_lifetime(cache_control: &str, age: Option<&str>) -> Option<Duration> {
    let mut headers = Headers::default();
    headers.cache_control = Some(cache_control);
    headers.age = age;
    Freshness::of(&headers, Timestamp::EPOCH).lifetime()
}

#[test]
fn max_age_as_in_http_cache_semantics() {
    for (value, seconds) in [
        ("max-age=60", 60),
        ("public, max-age=60", 60),
        ("max-age=60,public", 60),
        ("max-age=\"60\"", 60),
        ("max-age=0", 0),
        ("max-age=604800, must-revalidate", 604_800),
        ("foo=bar, max-age=5, x", 5),
        ("no-store", 0),
        ("no-cache", 0),
        ("no-store, max-age=60", 0),
        ("no-cache, max-age=60", 0),
        ("max-age=abc", 0),
        ("max-age=-1", 0),
    ] {
        let seconds = Duration::from_secs(seconds);
        assert_eq!(our_lifetime(value, None), Some(seconds), "{value}");
        assert_eq!(peer_lifetime(value, None), seconds, "{value}");
    }
    for (value, age, ours, peers) in [
        // RFC 9111 §5.2: the names of directives are case-insensitive. The peer regards their case.
        ("MAX-AGE=60", None, Some(60), 0),
        // RFC 9111 §1.2.2: a value that is too large counts as the largest. The peer drops it.
        ("max-age=99999999999999999999", None, Some(u64::MAX), 0),
        // A response without a lifetime differs here from one with a lifetime of zero: the first
        // gets 24 hours by RFC 9309 §2.4.
        ("public", None, None, 0),
        // RFC 9111 §4.2.3: the age is subtracted from the lifetime.
        ("max-age=3600", Some("600"), Some(3_000), 3_000),
    ] {
        let found = (our_lifetime(value, age), peer_lifetime(value, age));
        let ours = ours.map(Duration::from_secs);
        assert_eq!(found, (ours, Duration::from_secs(peers)), "{value}");
    }
}

proptest! {
    #![proptest_config(law_cases(2048))]

    #[test]
    fn random_dates_as_in_httpdate(
        seconds in 0_u64..253_402_300_800,
        form in 0_u8..3,
        position in 0_usize..40,
        byte in select(b" ,:-0123456789GMTSunNov\0x".to_vec()),
        is_changed: bool,
    ) {
        let written = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        let words: Vec<&str> = written.split(' ').collect();
        let [day_name, day, month, year, time, _] = words[..] else { panic!() };
        let day_name = day_name.trim_end_matches(',');
        let long = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
            .into_iter()
            .find(|long| long.starts_with(day_name))
            .unwrap();
        let mut value = match form {
            0 => written.clone(),
            1 => format!("{long}, {day}-{month}-{} {time} GMT", &year[2..]),
            _ => format!("{day_name} {month} {:>2} {time} {year}", day.trim_start_matches('0')),
        };
        if is_changed && position < value.len() {
            value.replace_range(position..=position, &char::from(byte).to_string());
        }
        if ours(&value) != httpdate(&value) {
            let reason = date_difference(&value);
            prop_assert!(reason.is_some(), "{value}: {:?}, not {:?}", ours(&value), httpdate(&value));
        }
    }

    #[test]
    fn random_lifetimes_as_in_http_cache_semantics(
        seconds in prop_oneof![0_u64..100, any::<u32>().prop_map(u64::from)],
        others in proptest::collection::vec(select(vec!["public", "private", "must-revalidate", "foo=bar", "x=\"a, b\"", "no-cache", "no-store", "immutable"]), 0..4),
        place in 0_usize..4,
        quote: bool,
        age in proptest::option::of(0_u32..4000),
    ) {
        let mut directives = others.clone();
        let max_age = if quote { format!("max-age=\"{seconds}\"") } else { format!("max-age={seconds}") };
        directives.insert(place.min(others.len()), &max_age);
        let value = directives.join(", ");
        let age = age.map(|age| age.to_string());
        let found = our_lifetime(&value, age.as_deref());
        prop_assert_eq!(found, Some(peer_lifetime(&value, age.as_deref())), "{}", value);
    }

    #[test]
    fn retry_after_is_a_number_or_a_date(value in "[ \t]?[0-9+.eE-]{0,22}[ \t]?") {
        let trimmed = value.trim_matches([' ', '\t']);
        let expected = match trimmed.parse::<u64>() {
            Ok(0) => None,
            Ok(seconds) if trimmed.bytes().all(|byte| byte.is_ascii_digit()) => Some(seconds),
            _ if !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit()) => Some(u64::MAX),
            // A fraction is rounded up.
            _ => trimmed.split_once('.').and_then(|(whole, fraction)| {
                let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let is_more = fraction.bytes().any(|byte| byte != b'0');
                let whole = are_digits(whole).then(|| whole.parse().unwrap_or(u64::MAX))?;
                are_digits(fraction).then(|| whole.saturating_add(u64::from(is_more))).filter(|seconds| *seconds > 0)
            }),
        };
        let expected = expected.map(|seconds| RetryAfter::Delay(Duration::from_secs(seconds)));
        prop_assert_eq!(RetryAfter::parse(&value), expected);
        // The longest value of a list counts, whatever stands around it.
        let list = format!("Sun, 06 Nov 1994 08:49:37 GMT, {value},1");
        let date = RetryAfter::Date(Timestamp::from_millis(784_111_777_000));
        let longest = expected.filter(|asked| asked.until(Timestamp::EPOCH) >= date.until(Timestamp::EPOCH));
        prop_assert_eq!(RetryAfter::parse(&list), Some(longest.unwrap_or(date)));
    }
}

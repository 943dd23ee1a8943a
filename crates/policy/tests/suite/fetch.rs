//! Rounds whose headers or bodies a scenario cannot state: repeated fields, raw bytes, the host of
//! a request.

use std::time::Duration;

use polite_robots::Cause;
use polite_robots_policy::cache::NextFetch;
use polite_robots_policy::fetch::{
    BodyEnd, Event, Fetch, Freshness, Headers, RawResponse, Step, Validators,
};
use polite_robots_policy::{NetError, Origin, Outcome, Profile};

use super::laws::{START, at};

fn fetch(profile: &Profile) -> Fetch {
    let origin = Origin::of("https://example.com").unwrap();
    Fetch::new(&origin, Validators::default(), profile, at(START))
}

fn respond(fetch: &mut Fetch, status: u16, headers: Headers<'_>, body: &[u8], end: BodyEnd) {
    let response = RawResponse {
        status,
        headers,
        body,
        end,
    };
    fetch.handle(Event::Response(response), at(START));
}

fn outcome(status: u16, headers: Headers<'_>, body: &[u8], end: BodyEnd) -> Outcome {
    let mut fetch = fetch(&Profile::rfc9309());
    respond(&mut fetch, status, headers, body, end);
    fetch.into_outcome()
}

fn headers<'a>(fields: &[(&str, &'a str)]) -> Headers<'a> {
    let mut headers = Headers::default();
    for (name, value) in fields {
        headers.insert(name, value);
    }
    headers
}

/// RFC 9110 §5.3: several fields of one name are one list.
#[test]
fn all_cache_control_fields_are_one_list() {
    for (fields, expected) in [
        (&["public", "max-age=60"][..], Some(60)),
        (&["max-age=60", "no-store"], Some(0)),
        (&["max-age=60", "max-age=5"], Some(60)),
        (&["x=\"open", "max-age=7"], Some(7)),
        (&["public", "immutable"], None),
        (&["public,MAX-AGE=\"60\""], Some(60)),
        (&["max-age = 60"], Some(60)),
        (&["max-age=60, max-age=5"], Some(60)),
        (&["max-age=99999999999999999999"], Some(u64::MAX)),
        (&["max-age=1.5"], Some(0)),
        (&["max-age=-1"], Some(0)),
        (&["max-age"], Some(0)),
        (&["x=\"a, max-age=5\""], None),
        (&["x=\"\\\", max-age=5\", max-age=7"], Some(7)),
        (&["max-age=60, no-cache"], Some(0)),
        (&["no-cache=\"set-cookie\", max-age=60"], Some(60)),
        (&["No-Store"], Some(0)),
        (&["s-maxage=5, must-revalidate"], None),
        (&[""], None),
        (&[",,,"], None),
    ] {
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|value| ("Cache-Control", *value))
            .collect();
        let freshness = Freshness::of(&headers(&fields), at(START));
        let expected = expected.map(Duration::from_secs);
        assert_eq!(freshness.lifetime(), expected, "{fields:?}");
    }
}

/// A crawler's clock may be a day off, but both dates of a response come from one clock.
#[test]
fn a_date_in_retry_after_counts_from_the_date_of_the_response() {
    let retry_after =
        |fields: &[(&str, &str)]| match outcome(503, headers(fields), b"", BodyEnd::Complete) {
            Outcome::Unreachable { retry_after, .. } => {
                retry_after.map(|asked| asked.until(at(START)))
            }
            other => panic!("{other:?}"),
        };
    let asked = ("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT");
    let date = |value: &'static str| ("Date", value);
    let [earlier, same] = [
        "Sun, 06 Nov 1994 08:47:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT",
    ];
    // Without a readable date, only the crawler's clock is left.
    let later = ("Retry-After", "Thu, 01 Jan 2026 00:02:00 GMT");
    for (fields, expected) in [
        (&[asked, date(earlier)][..], Some(120_000)),
        (&[asked, date(same)], None),
        (&[asked, date("Mon, 07 Nov 1994 08:49:37 GMT")], None),
        (&[later], Some(120_000)),
        (&[later, date("today")], Some(120_000)),
        (&[("Retry-After", "120"), date(earlier)], Some(120_000)),
    ] {
        let expected = expected.map(|millis| at(START + millis));
        assert_eq!(retry_after(fields), expected, "{fields:?}");
    }
}

/// The first 500 KiB are there, and the crawler would not have read more.
#[test]
fn a_body_that_is_cut_after_the_limit_counts() {
    let mut body = b"User-agent: *\nDisallow: /x\n".repeat(30_000);
    let limit = Profile::rfc9309().access.max_bytes;
    for length in [body.len(), limit] {
        body.truncate(length);
        let outcome = outcome(200, Headers::default(), &body, BodyEnd::CutShort);
        let Outcome::Parsed {
            robots_txt, end, ..
        } = outcome
        else {
            panic!("{outcome:?}");
        };
        assert_eq!(end, BodyEnd::LimitReached);
        assert!(!robots_txt.robot("ExampleBot").unwrap().allowed("/x"));
        assert!(robots_txt.as_bytes().len() <= limit);
    }
    body.truncate(limit - 1);
    let cut = outcome(200, Headers::default(), &body, BodyEnd::CutShort);
    assert!(is_truncated(&cut));
    // A profile that rejects files over the limit also rejects a file that is cut.
    let mut fetch = fetch(&Profile::ibm());
    fetch.handle(Event::Resolved(&["192.0.2.1".parse().unwrap()]), at(START));
    let body = b"User-agent: *\n".repeat(50_000);
    respond(
        &mut fetch,
        200,
        Headers::default(),
        &body,
        BodyEnd::CutShort,
    );
    assert!(is_truncated(&fetch.into_outcome()));
}

fn is_truncated(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Unreachable {
            cause: Cause::Truncated,
            ..
        }
    )
}

#[test]
fn a_location_may_have_raw_bytes() {
    let target = |location: &[u8]| {
        let mut fetch = fetch(&Profile::rfc9309());
        let mut headers = Headers::default();
        headers.insert_bytes("Location", location);
        respond(&mut fetch, 301, headers, b"", BodyEnd::Complete);
        match fetch.poll(at(START)) {
            Step::Get(request) => request.url.to_owned(),
            other => panic!("{other:?}"),
        }
    };
    for (location, url) in [
        (
            "/größe.txt".as_bytes(),
            "https://example.com/gr%C3%B6%C3%9Fe.txt",
        ),
        (b"/gr\xF6\xDFe.txt", "https://example.com/gr%F6%DFe.txt"),
        (b"/plain.txt", "https://example.com/plain.txt"),
    ] {
        assert_eq!(target(location), url);
    }
}

#[test]
fn each_request_names_the_host_whose_turn_it_needs() {
    let mut fetch = fetch(&Profile::rfc9309());
    let host = |fetch: &Fetch| match fetch.poll(at(START)) {
        Step::Get(request) => request.host.to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(host(&fetch), "example.com");
    let url = "https://user:password@www.example.com.:8443/r.txt";
    let away = headers(&[("Location", url)]);
    respond(&mut fetch, 301, away, b"", BodyEnd::Complete);
    assert_eq!(host(&fetch), "www.example.com");
    // The trailing dot stays in the URL, and so in the `Host` field. The user and the password do
    // not.
    let Step::Get(request) = fetch.poll(at(START)) else {
        panic!()
    };
    assert_eq!(request.url, "https://www.example.com.:8443/r.txt");
}

#[test]
fn a_fault_of_the_crawler_ends_the_round_without_a_word_about_the_site() {
    for profile in [Profile::rfc9309(), Profile::ibm()] {
        let mut fetch = fetch(&profile);
        fetch.handle(Event::Failed(NetError::Local), at(START));
        assert!(matches!(fetch.into_outcome(), Outcome::Local));
    }
    let mut entry = polite_robots_policy::Entry::new();
    entry.handle(Outcome::Local, &Profile::rfc9309(), at(START));
    assert_eq!(entry.failures(), 0);
    let next = entry.next_fetch(&Profile::rfc9309(), at(START));
    assert_eq!(next, NextFetch::At(at(START + 10_000)));
}

#[test]
fn rate_limit_fields_have_two_names() {
    for prefix in ["", "X-"] {
        let names =
            ["RateLimit-Remaining", "RateLimit-Reset"].map(|name| format!("{prefix}{name}"));
        let headers = headers(&[(&names[0], "0"), (&names[1], "30")]);
        assert_eq!(headers.rate_limit_remaining, Some("0"));
        assert_eq!(headers.rate_limit_reset, Some("30"));
    }
    let others = headers(&[("X-Date", "0"), ("X-ETag", "0")]);
    assert_eq!(others, Headers::default());
    let limit = "\"a\";r=0;t=1";
    assert_eq!(headers(&[("ratelimit", limit)]).rate_limit, Some(limit));
}

#[cfg(feature = "http")]
#[test]
fn a_header_map_is_converted() {
    let mut map = http::HeaderMap::new();
    let mut append = |name: &'static str, value: &[u8]| {
        map.append(name, http::HeaderValue::from_bytes(value).unwrap());
    };
    append("cache-control", b"public");
    append("cache-control", b"max-age=60");
    append("location", "/größe".as_bytes());
    append("etag", b"\"\xFF\"");
    append("retry-after", b"7");
    let headers = Headers::from(&map);
    assert_eq!(headers.location, Some("/größe"));
    assert_eq!((headers.etag, headers.retry_after), (None, Some("7")));
    let lifetime = Freshness::of(&headers, at(START)).lifetime();
    assert_eq!(lifetime, Some(Duration::from_secs(60)));
}

/// A client that resolves names by itself leaves that step out, and still asks twice.
#[test]
fn a_name_in_place_of_addresses_is_asked_in_each_round() {
    let mut fetch = fetch(&Profile::ibm());
    let is_get = |fetch: &Fetch, now| match fetch.poll(at(now)) {
        Step::Get(request) => {
            assert_eq!((request.host, request.address), ("example.com", None));
            true
        }
        _ => false,
    };
    assert!(matches!(
        fetch.poll(at(START)),
        Step::Resolve("example.com")
    ));
    fetch.handle(Event::ByName, at(START));
    assert!(is_get(&fetch, START));
    // This event belongs to another step, and is ignored here.
    fetch.handle(Event::ByName, at(START));
    fetch.handle(Event::Failed(NetError::Connect), at(START));
    assert!(matches!(fetch.poll(at(START)), Step::Wait(until) if until == at(START + 2_000)));
    assert!(is_get(&fetch, START + 2_000));
    fetch.handle(Event::Failed(NetError::Connect), at(START + 2_000));
    assert!(matches!(
        fetch.poll(at(START + 2_000)),
        Step::Done(Outcome::Unreachable { .. })
    ));
}

//! The forms of lines that servers and services write.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// The user agent, the target, the host and the time.
fn fields(line: &str) -> Option<(String, String, Option<String>, Option<String>)> {
    let request = LoggedRequest::parse(line.as_bytes())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((
        text(&request.user_agent()),
        text(&request.target()),
        request.host().map(str::to_owned),
        request.time().map(|time| time.to_string()),
    ))
}

fn of(
    user_agent: &str,
    target: &str,
    host: Option<&str>,
    time: Option<&str>,
) -> Option<(String, String, Option<String>, Option<String>)> {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Some((
        user_agent.to_owned(),
        target.to_owned(),
        owned(host),
        owned(time),
    ))
}

#[test]
fn combined_lines_are_read() {
    let time = Some("2026-11-20T09:00:00Z");
    for (line, expected) in [
        (
            r#"192.0.2.1 - - [20/Nov/2026:10:00:00 +0100] "GET /a?b HTTP/1.1" 200 5 "-" "ExampleBot/1.0""#,
            of("ExampleBot/1.0", "/a?b", None, time),
        ),
        (
            r#"example.com:443 2001:db8::1 - me [20/Nov/2026:04:00:00 -0500] "HEAD / HTTP/2.0" 304 - "https://e.com/\"q\"" "a \"quoted\" bot" "203.0.113.5" 0.01"#,
            of("a \"quoted\" bot", "/", Some("example.com:443"), time),
        ),
        (
            r#"192.0.2.1 - - [20/Nov/2026:09:00:00 +0000] "GET /caf\xC3\xA9 b HTTP/1.1" 200 5 "-" "x\x22y""#,
            of("x\"y", "/café b", None, time),
        ),
        (
            r#"192.0.2.1 - - [20/Nov/2026:09:00:00 +0000] "-" 408 0 "-" "x""#,
            of("x", "", None, time),
        ),
        // The first word is an address and the user's name has a blank.
        (
            r#"192.0.2.1 - a b [broken] "GET /a" 400 0 "-" "x""#,
            of("x", "/a", None, None),
        ),
        (
            r#"192.0.2.1 - - [20/Nov/2026:09:00:00 +0000] "GET / HTTP/1.0" 200 5"#,
            None,
        ),
        ("no line of a log", None),
        (r#""\"#, None),
    ] {
        assert_eq!(fields(line), expected, "{line}");
    }
}

#[test]
fn lines_of_json_are_read() {
    let time = Some("2026-11-20T09:00:00Z");
    for (line, expected) in [
        // Cloudflare's Logpush, with each of its forms of time.
        (
            r#"{"ClientIP":"192.0.2.1","ClientRequestHost":"example.com","ClientRequestURI":"/a?b","ClientRequestUserAgent":"ExampleBot/1.0","EdgeStartTimestamp":1795165200000000000}"#,
            of("ExampleBot/1.0", "/a?b", Some("example.com"), time),
        ),
        (
            r#"{"ClientRequestPath":"/a","ClientRequestURI":"/a?b","ClientRequestUserAgent":"x","EdgeStartTimestamp":"2026-11-20T09:00:00Z"}"#,
            of("x", "/a?b", None, time),
        ),
        // Caddy.
        (
            r#"{"ts":1795165200.25,"request":{"method":"GET","host":"example.com","uri":"/a","headers":{"Accept":["*/*"],"User-Agent":["x","y"]}},"status":200}"#,
            of("x", "/a", Some("example.com"), time),
        ),
        // nginx with a format of its own.
        (
            r#"{"time_iso8601":"2026-11-20T10:00:00+01:00","request":"GET /a HTTP/1.1","http_user_agent":"x \"y\"","host":null}"#,
            of("x \"y\"", "/a", None, time),
        ),
        (
            r#"{"time":1795165200,"path":"/p","user_agent":"x"} "#,
            of("x", "/p", None, time),
        ),
        (r#"{"time":1795165200,"path":"/p"}"#, None),
        (r#"{"user_agent":"x","uri":"/a""#, None),
        (r#"{"user_agent":"x","uri":"/a"}}"#, None),
        ("{", None),
    ] {
        assert_eq!(fields(line), expected, "{line}");
    }
}

#[test]
fn a_deep_document_is_refused() {
    let deep = format!(r#"{{"a":{}"#, "[".repeat(200_000));
    assert!(LoggedRequest::parse(deep.as_bytes()).is_none());
    let nested = r#"{"headers":"#.repeat(200_000);
    assert!(LoggedRequest::parse(nested.as_bytes()).is_none());
}

#[test]
fn two_requests_are_as_far_apart_as_the_log_can_tell() {
    let time = |text: &str| LogTime::parse(text.as_bytes()).unwrap();
    let (one, other) = ("2026-11-20T09:00:00Z", "2026-11-20T09:00:02Z");
    assert_eq!(time(other).at_most_from(time(one)).as_millis(), 3000);
    assert_eq!(time(one).at_most_from(time(other)).as_millis(), 3000);
    let other = time("2026-11-20T09:00:02.500Z");
    assert_eq!(other.at_most_from(time("1795165201.4")).as_millis(), 1101);
    assert_eq!(time(one).since(other).as_millis(), 0);
}

#[test]
fn dates_are_right_at_the_ends_of_months_and_years() {
    for (text, expected) in [
        ("01/Jan/1970:00:00:00 +0000", "1970-01-01T00:00:00Z"),
        ("29/Feb/2024:23:59:59 +0000", "2024-02-29T23:59:59Z"),
        ("01/Mar/2100:00:30:00 +0100", "2100-02-28T23:30:00Z"),
        ("31/Dec/2026:23:30:00 -0100", "2027-01-01T00:30:00Z"),
        ("2026-11-20 09:00:00.999", "2026-11-20T09:00:00Z"),
        ("1795165200000", "2026-11-20T09:00:00Z"),
    ] {
        let time = LogTime::parse(text.as_bytes()).unwrap();
        assert_eq!(time.to_string(), expected, "{text}");
    }
    for text in [
        "",
        "20/Foo/2026:10:00:00 +0000",
        "99/Nov/2026:10:00:00 +0000",
        "2026",
        "20/Nov/2026:99:00:00 +0000",
        "é/é",
        "2026-11-20T09:00:00é",
    ] {
        let time = LogTime::parse(text.as_bytes());
        assert!(time.is_none() || text == "2026", "{text}: {time:?}");
    }
}

const PIECES: &[&[u8]] = &[
    b"192.0.2.1 - - ",
    b"[20/Nov/2026:10:00:00 +0100]",
    b" \"GET /a HTTP/1.1\"",
    b" 200 5 ",
    b"\"-\"",
    b"\"",
    b"\\",
    b"\\x",
    b"\xE9",
    b"{\"request\":{",
    b"\"headers\":[",
    b"\"user_agent\":",
    b"\"ts\":",
    b"1e999",
    b"-1",
    b"9223372036854775807",
    b",",
    b"}",
];

proptest! {
    #[test]
    fn any_line_is_read_or_refused(
        pieces in vec(prop_oneof![select(PIECES).prop_map(<[u8]>::to_vec), vec(any::<u8>(), 0..4)], 0..20),
    ) {
        if let Some(request) = LoggedRequest::parse(&pieces.concat()) {
            let _ = (request.user_agent(), request.target(), request.host(), request.time());
        }
    }

    #[test]
    fn any_line_under_any_columns_is_read_or_refused(
        names in vec(select(COLUMNS), 0..6),
        pieces in vec(prop_oneof![select(PIECES).prop_map(<[u8]>::to_vec), select(VALUES).prop_map(<[u8]>::to_vec), vec(any::<u8>(), 0..3)], 0..20),
    ) {
        let Some(Directive::Fields(columns)) = Directive::parse(format!("#Fields: {}", names.join(" ")).as_bytes()) else {
            panic!()
        };
        if let Some(request) = LoggedRequest::in_columns(&columns, &pieces.concat()) {
            let _ = (request.user_agent(), request.target(), request.host(), request.time());
        }
    }

    #[test]
    fn any_time_is_read_or_refused(text in "[0-9/:TZ .+-]{0,30}|\\PC{0,20}") {
        if let Some(time) = LogTime::parse(text.as_bytes()) {
            let _ = time.to_string();
        }
    }
}

const COLUMNS: &[&str] = &[
    "date",
    "time",
    "cs-uri-stem",
    "cs-uri-query",
    "cs-uri",
    "cs(User-Agent)",
    "x-host-header",
    "cs-host",
    "other",
];

const VALUES: &[&[u8]] = &[
    b" ",
    b"\t",
    b"\"",
    b"\"\"",
    b"%25",
    b"%2520",
    b"%",
    b"+",
    b"-",
    b"2026-11-20",
    b"09:00:00",
];

//! Laws of URLs as clients send them: a string has the answer of the request. The models are the
//! `url` crate, which HTTP clients use, and the naive reading of the semantics.

use std::collections::BTreeMap;

use polite_robots::{Dialect, Robot, Target, robots_url};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use url::{Position, Url};

use crate::suite::verdict::naive;
use crate::suite::verdict::strategies::files;

/// Schemes, with all spellings that the URL standard forgives.
const STARTS: &[&str] = &[
    "http://",
    "https://",
    "HTTPS://",
    "hTtp:",
    "https:/",
    "http:///",
    "http:\\\\",
    "https:/\\/",
    " http://",
    "\u{1}\thttps://",
    "ht\ttp:\n//",
    "http\r:/\t/",
];

const HOSTS: &[&str] = &[
    "h",
    "example.com",
    "Example.COM",
    "h.",
    "user@h",
    "u:p@x@h",
    "%65xample.com",
    "a\tb",
    "a_b",
    "exämple.com",
    "1.2.3.4",
    "1.2.3.4.",
    "127.1",
    "0x7F.1",
    "017.0.0.1",
    "4294967295",
    "4294967296",
    "1.2.3.256",
    "0x",
    "h.09",
    "[::1]",
    "[2001:DB8:0:0::7]",
    "[::ffff:1.2.3.4]",
    "[1::2",
    "h%2F",
    "h%",
    "",
];

const PORTS: &[&str] = &[
    "", "", "", ":", ":80", ":443", ":8080", ":0080", ":0", ":99999", ":x",
];

/// Parts of paths, queries and fragments that a reader of URLs may stumble over.
const PARTS: &[&str] = &[
    "/",
    "/",
    "/",
    "a",
    "b",
    ".",
    "..",
    "/.",
    "/..",
    "/../",
    "/./",
    "...",
    "%2e",
    "%2E",
    ".%2e",
    "%2e%2E",
    "\\",
    "?",
    "#",
    "\t",
    "\n",
    "\r",
    " ",
    "\0",
    "\u{b}",
    "\u{7f}",
    "é",
    "\u{a0}",
    "%",
    "%2",
    "%2f",
    "%5C",
    "%41",
    "C:",
    "c|",
    "*",
    "$",
    "&",
    "=",
    ";",
    ":",
    "@",
    "'",
    "\"",
    "<",
    "`",
    "{",
    "|",
    "^",
    "[",
    "]",
    "robots.txt",
];

fn urls() -> impl Strategy<Value = String> {
    let parts = vec(select(PARTS), 0..9).prop_map(|parts| parts.concat());
    let random = "[h0-9x.%:@\\[\\]/]{0,8}";
    let hosts = prop_oneof![4 => select(HOSTS).prop_map(str::to_owned), 1 => random];
    (select(STARTS), hosts, select(PORTS), parts)
        .prop_map(|(start, host, port, parts)| format!("{start}{host}{port}{parts}"))
}

/// Texts without a web scheme, some of which begin like an authority.
fn bare_texts() -> impl Strategy<Value = String> {
    let start = select(
        &[
            "", "/", "//", "/\\", "\\\\", "h", "a:", "ftp://h", "x:/\\h", ":", "#",
        ][..],
    );
    (start, vec(select(PARTS), 0..9))
        .prop_map(|(start, parts)| format!("{start}{}", parts.concat()))
}

/// The URL that the `url` crate reads, or none if a segment is a drive letter: that crate alone
/// keeps a drive letter where `..` follows.
fn web_url(text: &str) -> Option<Url> {
    let is_drive = |segment: &str| matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .filter(|url| !url.path().split('/').any(is_drive))
}

/// A robot for which exactly one path is closed.
fn closes(path: &[u8]) -> Robot {
    let file = [b"User-agent: *\nDisallow: ", path, b"$"].concat();
    Robot::new("ExampleBot", &file).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

    #[test]
    fn a_string_and_its_url_have_one_path(text in urls()) {
        let Some(url) = web_url(&text) else { return Ok(()) };
        let path = |target: Target<'_>| target.path(Dialect::Rfc9309).into_owned();
        let of_url = path(Target::from(url.as_str()));
        prop_assert_eq!(path(Target::new(&text)), &of_url[..], "{}", url);
        prop_assert_eq!(path(Target::from(text.as_bytes())), &of_url[..], "{}", url);
        // A client writes these bytes into its request.
        let sent = &url[Position::BeforePath..Position::AfterQuery];
        prop_assert_eq!(path(Target::sent(sent.as_bytes())), &of_url[..], "{}", url);
        prop_assert_eq!(path(Target::sent(url.as_str().as_bytes())), of_url, "{}", url);
    }

    /// The readings of a text are those of the semantics. The first reading is the path of the
    /// text, and a file that closes any reading closes the text.
    #[test]
    fn a_text_has_the_readings_of_the_semantics(text in prop_oneof![3 => urls(), 1 => bare_texts()]) {
        let target = Target::new(&text);
        let readings = naive::paths(&text, Dialect::Rfc9309);
        prop_assert_eq!(&*target.path(Dialect::Rfc9309), &readings[0][..]);
        for closed in readings.iter().filter(|path| *path != b"/robots.txt") {
            let robot = closes(closed);
            prop_assert!(!robot.allowed(&target) && !robot.allowed(&text));
            prop_assert_eq!(&*robot.deciding_path(&target), &closed[..]);
            let unprepared = Target::from(&text);
            prop_assert_eq!(&*robot.deciding_path(&unprepared), &closed[..]);
            prop_assert!(robot.check(&text).rule().is_some_and(|rule| rule.matches(&text)));
        }
        let robot = closes(b"/another/path");
        prop_assert!(robot.allowed(&text));
        prop_assert_eq!(&*robot.deciding_path(&target), &readings[0][..]);
    }

    /// A tool that says what Googlebot does asks about Googlebot's request.
    #[test]
    fn a_requested_text_is_the_request_in_both_dialects(
        text in prop_oneof![3 => urls(), 1 => bare_texts()],
    ) {
        let (text, requested) = (Target::new(&text), Target::requested(&text));
        prop_assert_eq!(text.path(Dialect::Rfc9309), requested.path(Dialect::Rfc9309));
        let expected = naive::requested(text.as_str());
        prop_assert_eq!(&*requested.path(Dialect::Google), &expected[..]);
        let robot = closes(&naive::paths(text.as_str(), Dialect::Rfc9309)[0]);
        prop_assert_eq!(robot.allowed(&text), robot.allowed(&requested));
    }

    #[test]
    fn a_string_and_its_url_have_one_verdict(file in files(), text in urls()) {
        let Some(url) = web_url(&text) else { return Ok(()) };
        let robot = Robot::new("ExampleBot", &file).unwrap();
        let (of_text, of_url) = (robot.check(&text), robot.check(url.as_str()));
        if naive::paths(&text, Dialect::Rfc9309).len() == 1 {
            prop_assert_eq!(of_text, of_url);
        } else if of_text.is_allowed() {
            prop_assert!(of_url.is_allowed());
        }
    }

    #[test]
    fn a_string_and_its_url_have_one_robots_url(text in urls()) {
        let Some(url) = web_url(&text) else { return Ok(()) };
        // A host outside of ASCII needs the `url` crate.
        prop_assume!(!url.host_str().unwrap().contains("xn--"));
        let mut expected = url.join("/robots.txt").unwrap();
        expected.set_username("").unwrap();
        expected.set_password(None).unwrap();
        match robots_url(&text) {
            Ok(found) => prop_assert_eq!(found, expected.as_str()),
            // The `url` crate takes some marks that no host has.
            Err(_) => prop_assert!(url.host_str().unwrap().contains(['`', '{', '"']), "{}", url),
        }
    }

    /// A path is no URL: no byte of it is dropped.
    #[test]
    fn a_path_keeps_its_bytes(segments in vec("[a-c \t\n%]{1,4}", 1..5)) {
        let path = format!("/{}", segments.join("/"));
        let (given, sent) = (Target::new(&path), Target::sent(path.as_bytes()));
        prop_assert_eq!(given.path(Dialect::Rfc9309), sent.path(Dialect::Rfc9309));
    }
}

/// The files for the recorded requests. Each file closes the paths that begin with these values, or
/// with `$` the paths that equal them.
const CLOSED: [&[&str]; 4] = [
    &["/private", "/a/closed"],
    &["//private", "/%5Cprivate", "/%5C/"],
    &["/C:/", "/c%7C", "/a/b"],
    &["/private$", "/a/$", "/.x", "/%5C.."],
];

/// Nine clients sent these requests for random URLs. Each of them knows its request target before
/// it asks: a crawler that asks about that target and about the text fetches nothing that the file
/// closes. The judge compares the bytes that arrived, and reads no URL.
#[test]
fn no_recorded_request_is_one_that_the_file_closes() {
    let mut by_text: BTreeMap<String, u32> = BTreeMap::new();
    let mut count = 0;
    for line in include_str!("../../../testdata/sent_requests.jsonl").lines() {
        let record: Vec<String> = serde_json::from_str(line).unwrap();
        let [client, url, arrived, own @ ..] = &record[..] else {
            panic!("{line}");
        };
        count += 1;
        let url = url
            .replace("{host}", "127.0.0.1:8080")
            .replace("{port}", "8080");
        let bytes = |text: &str| -> Vec<u8> {
            text.chars()
                .map(|byte| u8::try_from(byte).unwrap())
                .collect()
        };
        let arrived_path = naive::canonical_path(&bytes(arrived));
        let own = bytes(own.first().unwrap_or(arrived));
        for rules in CLOSED {
            let lines: String = rules
                .iter()
                .map(|rule| format!("Disallow: {rule}\n"))
                .collect();
            let robot =
                Robot::new("ExampleBot", format!("User-agent: *\n{lines}").as_bytes()).unwrap();
            let is_closed = rules.iter().any(|rule| match rule.strip_suffix('$') {
                Some(exact) => arrived_path == exact.as_bytes(),
                None => arrived_path.starts_with(rule.as_bytes()),
            });
            if !is_closed || !robot.allowed(&url) {
                continue;
            }
            *by_text.entry(client.clone()).or_default() += 1;
            assert!(
                !robot.allowed(Target::sent(&own)),
                "{client} sends {arrived} for {url:?}"
            );
            let of_url = Url::parse(&url).ok().filter(|_| client == "reqwest");
            assert!(
                of_url.is_none_or(|parsed| !robot.allowed(parsed.as_str())),
                "{url:?}"
            );
            if matches!(&**client, "Node's fetch" | "got") {
                // These clients drop an empty query, and send everything else as the text is read.
                assert!(
                    url.trim_end().split('#').next().unwrap().ends_with('?'),
                    "{client}: {url:?}"
                );
            }
        }
    }
    // A crawler that did not ask about the request would have been led to a closed page with each
    // client.
    assert!(count >= 2_000 && by_text.len() == 9, "{count} {by_text:?}");
}

/// Each of these links led a crawler to a closed page: curl, requests and httpx send `/private` for
/// it.
#[test]
fn no_client_is_led_to_a_closed_page() {
    let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /private").unwrap();
    for url in [
        "http://h/C:/../private",
        "http://h/c|/../private",
        "http://h/\\/../private",
        "/C:/../private",
        "/a\\/../private",
    ] {
        let verdict = robot.check(url);
        assert_eq!(verdict.rule().map(|rule| rule.line()), Some(2), "{url}");
        assert!(
            !robot.allowed(url) && !robot.allowed(Target::new(url)),
            "{url}"
        );
        assert_eq!(
            *robot.deciding_path(&Target::new(url)),
            *b"/private",
            "{url}"
        );
    }
    // reqwest sends the drive letter, as the `url` crate writes it.
    let sent = Url::parse("http://h/C:/../private").unwrap();
    assert!(robot.allowed(sent.as_str()));
    // A browser asks for another page, so its reading does not close the text.
    assert!(robot.allowed(Target::sent(b"//private")));
}

#[test]
fn an_absolute_url_names_its_place() {
    for url in [
        "https://h/a",
        "http:h",
        " https://h/a ",
        "ftp://h/a",
        "//h/a",
        "/",
        "/a b",
        "/a\t",
    ] {
        assert!(Target::absolute(url).is_ok(), "{url:?}");
    }
    for (url, reason) in [
        ("private/x.html", "resolve the link"),
        ("", "resolve the link"),
        ("?page=2", "resolve the link"),
        ("#top", "resolve the link"),
        ("a b:c", "resolve the link"),
        (" /search", "begins with a blank"),
        ("\t/search", "begins with a blank"),
        ("/ search", "begins with a blank"),
        ("/\tsearch", "begins with a blank"),
    ] {
        let error = Target::absolute(url).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(error.url(), url);
    }
}

#[test]
fn a_request_target_is_compared_as_it_was_sent() {
    let paths = |target: &str| {
        let target = Target::sent(target.as_bytes());
        [Dialect::Rfc9309, Dialect::Google]
            .map(|dialect| String::from_utf8(target.path(dialect).into_owned()).unwrap())
    };
    for (target, canonical, google) in [
        ("/a/../b", "/a/../b", "/a/../b"),
        ("/%2e%2E/b", "/../b", "/%2e%2E/b"),
        ("//h/a", "//h/a", "//h/a"),
        ("/a\\b c", "/a%5Cb%20c", "/a\\b c"),
        ("/a?b#c", "/a?b", "/a?b"),
        ("http://h/a/../b", "/a/../b", "/a/../b"),
        ("http://h", "/", "/"),
        ("h:443", "/", "/"),
        ("*", "/", "/"),
        ("", "/", "/"),
    ] {
        assert_eq!(paths(target), [canonical, google], "{target}");
    }
}

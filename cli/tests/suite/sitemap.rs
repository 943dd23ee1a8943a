//! `robots check --sitemap`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::suite::robots::{ROBOTS_TXT, Run, file, robots, robots_reading};

/// Five URLs of example.com, three of which are private, and one of another host.
const SITEMAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc></url>
  <url><loc>https://example.com/private/a?b=1&amp;c</loc></url>
  <url><loc>https://example.com/private/b</loc></url>
  <url><loc>https://example.com/private/open</loc></url>
  <url><loc>https://example.com/named</loc></url>
  <url><loc>https://other.example/private/</loc></url>
</urlset>"#;

/// Asks about a sitemap that is in a file; the robots.txt comes from standard input.
fn check(name: &str, sitemap: impl AsRef<[u8]>, options: &[&str]) -> Run {
    let sitemap = file(name, sitemap);
    let mut arguments = vec!["check", "-", "--sitemap", sitemap.to_str().unwrap()];
    arguments.extend(options);
    robots_reading(ROBOTS_TXT, arguments)
}

#[test]
fn disallowed_urls_are_counted_by_line() {
    let run = check(
        "map.xml",
        SITEMAP,
        &["--agent=ExampleBot", "--agent=NamedBot"],
    );
    assert_eq!(
        run.stdout,
        "\
ExampleBot: 2 of 5 URLs are disallowed
  line 2: Disallow: /private/  (2 URLs)
    https://example.com/private/a?b=1&c
    https://example.com/private/b

NamedBot: 1 of 5 URLs is disallowed
  line 6: Disallow: /named  (1 URL)
    https://example.com/named
"
    );
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains(
            "1 URL on another host than example.com, such as `https://other.example/private/`"
        ),
        "{run:?}"
    );
}

#[test]
fn many_urls_are_counted_and_few_are_shown() {
    let urls: String = (0..4031)
        .map(|n| match n % 2 {
            0 => format!("https://example.com/private/{n}\n"),
            _ => format!("https://example.com/{n}\n"),
        })
        .collect();
    let run = check("map.txt", &urls, &["--agent=ExampleBot"]);
    assert!(
        run.stdout
            .starts_with("ExampleBot: 2,016 of 4,031 URLs are disallowed\n"),
        "{run:?}"
    );
    assert!(run.stdout.ends_with("    and 2,013 more\n"), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 6);
    let quiet = check("map-quiet.txt", &urls, &["--agent=ExampleBot", "-q"]);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (1, ""));
}

#[test]
fn gzip_and_standard_input_are_read() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(SITEMAP.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let robots_txt = file("map-gzip.robots.txt", ROBOTS_TXT);
    let run = robots_reading(
        packed,
        [
            "check",
            robots_txt.to_str().unwrap(),
            "--agent=ExampleBot",
            "--sitemap=-",
        ],
    );
    assert!(
        run.stdout
            .starts_with("ExampleBot: 2 of 5 URLs are disallowed\n"),
        "{run:?}"
    );
}

#[test]
fn the_document_is_stable() {
    let run = check("map-json.xml", SITEMAP, &["--agent=ExampleBot", "--json"]);
    let mut document: Value = serde_json::from_str(&run.stdout).unwrap();
    let name = document["sitemaps"][0]["file"].take();
    assert!(name.as_str().unwrap().ends_with("map-json.xml"));
    assert_eq!(
        document,
        json!({
            "file": "-",
            "dialect": null,
            "host": "example.com",
            "sitemaps": [{ "file": null, "kind": "urls", "urls": 6, "other_hosts": 1, "unusable": 0 }],
            "all_allowed": false,
            "agents": [{
                "agent": "ExampleBot",
                "dialect": "rfc9309",
                "agent_match": "wildcard",
                "urls": 5,
                "disallowed": 2,
                "lines": [{
                    "line": 2,
                    "rule": "Disallow: /private/",
                    "urls": 2,
                    "examples": ["https://example.com/private/a?b=1&c", "https://example.com/private/b"],
                }],
                "noted": 0,
                "first_note": null,
            }],
        })
    );
}

#[test]
fn a_line_of_json_for_each_url() {
    let run = check(
        "map-lines.xml",
        SITEMAP,
        &["--agent=ExampleBot", "--ndjson"],
    );
    assert_eq!((run.code, run.stdout.lines().count()), (1, 5));
    let line: Value = serde_json::from_str(run.stdout.lines().nth(2).unwrap()).unwrap();
    assert_eq!(
        (&line["url"], &line["allowed"]),
        (&json!("https://example.com/private/b"), &json!(false))
    );
}

#[test]
fn another_host_is_asked_about_where_it_is_named() {
    let run = check(
        "map-host.xml",
        SITEMAP,
        &["--agent=ExampleBot", "--host=Other.example"],
    );
    assert!(
        run.stdout
            .starts_with("ExampleBot: 1 of 1 URL is disallowed\n"),
        "{run:?}"
    );
    let run = check(
        "map-no-host.xml",
        SITEMAP,
        &["--agent=ExampleBot", "--host=example.org"],
    );
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .ends_with("error: the sitemaps hold no URL of example.org\n"),
        "{run:?}"
    );
}

#[test]
fn an_index_asks_about_the_sitemaps_in_it() {
    let index = "<sitemapindex><sitemap><loc>https://example.com/private/1.xml</loc></sitemap></sitemapindex>";
    let run = check("map-index.xml", index, &["--agent=ExampleBot"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains(" is an index: "), "{run:?}");
}

#[test]
fn wrong_input_is_an_error_that_says_what_and_where() {
    for (sitemap, expected) in [
        (
            "<html><body>",
            "as a sitemap: it is an XML or HTML document that begins with `<html>`",
        ),
        (
            "User-agent: *\nDisallow: /",
            "as a sitemap: no line of it is a URL",
        ),
        (
            "<urlset>\n<url><loc>https://e.com/?a&b</loc>",
            "line 2 has a `&` that begins no reference",
        ),
        ("<urlset/>", "the sitemaps hold no URL"),
    ] {
        let run = check("map-wrong.xml", sitemap, &["--agent=ExampleBot"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(expected), "{run:?}");
    }
    let run = robots(["check", "-", "--agent=a", "--sitemap=-"]);
    assert!(run.stderr.contains("cannot both be `-`"), "{run:?}");
    let run = robots(["check", "-", "--agent=a", "--sitemap=missing.xml", "/a"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("cannot be used with"), "{run:?}");
    let run = robots_reading("", ["check", "-", "--agent=a", "--sitemap=missing.xml"]);
    assert!(
        run.stderr.contains("error: cannot read `missing.xml`: "),
        "{run:?}"
    );
}

#[test]
fn what_a_terminal_would_obey_is_escaped() {
    let hostile = "https://example.com/private/\u{1b}[31m\u{202e}\nhttps://\u{9b}x.com/\n";
    let run = check("map-hostile.txt", hostile, &["--agent=ExampleBot"]);
    let is_unsafe = |character: char| character.is_control() && character != '\n';
    assert!(
        !run.stdout.contains(is_unsafe) && !run.stderr.contains(is_unsafe),
        "{run:?}"
    );
}

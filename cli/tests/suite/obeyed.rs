//! `robots obeyed`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::suite::robots::{Run, file, robots, robots_reading};

const ROBOTS_TXT: &str = "\
User-agent: *
Disallow: /private/
Crawl-delay: 10

User-agent: GPTBot
Disallow: /
";

const LOG: &str = r#"192.0.2.1 - - [20/Nov/2026:09:00:00 +0000] "GET /robots.txt HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
192.0.2.1 - - [20/Nov/2026:09:00:10 +0000] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
192.0.2.1 - - [20/Nov/2026:09:00:20 +0000] "GET /b HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
192.0.2.2 - - [20/Nov/2026:09:00:21 +0000] "GET /a?b=1 HTTP/1.1" 200 5 "-" "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
192.0.2.3 - - [20/Nov/2026:09:00:22 +0000] "GET /a HTTP/1.1" 200 5 "-" "RudeBot/1.0"
192.0.2.3 - - [20/Nov/2026:09:00:23 +0000] "GET /private/1 HTTP/1.1" 200 5 "-" "RudeBot/1.0"
192.0.2.3 - - [20/Nov/2026:09:00:24 +0000] "GET /private/2 HTTP/1.1" 200 5 "-" "RudeBot/1.0"
192.0.2.4 - - [20/Nov/2026:09:00:25 +0000] "GET /private/1 HTTP/1.1" 200 5 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
"#;

/// Reads the log from standard input.
fn obeyed(name: &str, log: impl AsRef<[u8]>, options: &[&str]) -> Run {
    let robots_txt = file(&format!("obeyed.{name}.robots.txt"), ROBOTS_TXT);
    let mut arguments = vec!["obeyed", "--robots", robots_txt.to_str().unwrap(), "-"];
    arguments.extend(options);
    robots_reading(log, arguments)
}

#[test]
fn each_crawler_has_a_row_and_the_lines_that_it_did_not_obey() {
    let run = obeyed("rows", LOG, &[]);
    assert_eq!(
        run.stdout,
        "\
crawler  requests  disallowed  too soon  robots.txt
RudeBot  3         2           2         never
GPTBot   1         1                     never
bingbot  2         0           0         once

RudeBot
  line 2: Disallow: /private/  (2 requests)
    /private/1
  2 requests sooner than 10s after another one

GPTBot
  line 6: Disallow: /  (1 request)
    /a?b=1

2 of 3 crawlers did not obey; 1 request of others. Crawlers are counted by the name that they give: identities are not verified.
"
    );
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
}

#[test]
fn the_answer_is_yes_where_all_obeyed() {
    let polite: String = LOG
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    let run = obeyed("polite", &polite, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.stdout
            .contains("\n1 crawler obeyed; 0 requests of others. "),
        "{run:?}"
    );
    let quiet = obeyed("quiet", LOG, &["-q"]);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (1, ""));
    let empty = obeyed("empty", "", &[]);
    assert_eq!(empty.code, 0);
    assert!(
        empty.stdout.starts_with("no crawler asked for anything\n"),
        "{empty:?}"
    );
}

#[test]
fn google_is_not_blamed_for_a_delay_that_it_ignores() {
    let log: String = LOG
        .lines()
        .take(3)
        .map(|line| {
            line.replace("bingbot/2.0", "Googlebot/2.1")
                .replace(":20 ", ":11 ")
                + "\n"
        })
        .collect();
    let run = obeyed("google", &log, &[]);
    let row =
        "\nGooglebot  2         0           once        ignores Crawl-delay, as Google says\n";
    assert!(run.stdout.contains(row), "{run:?}");
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn the_document_is_stable() {
    let run = obeyed("json", LOG, &["--json"]);
    assert_eq!(run.code, 1);
    let mut document: Value = serde_json::from_str(&run.stdout).unwrap();
    let crawlers = document["crawlers"].take();
    document["file"].take();
    assert_eq!(
        document,
        json!({
            "file": null,
            "dialect": null,
            "logs": ["-"],
            "identities": "not verified",
            "all_obeyed": false,
            "lines": 8,
            "unread_lines": 0,
            "other_requests": 1,
            "requests_for_other_hosts": 0,
            "crawlers_left_out": 0,
            "crawlers": null,
        })
    );
    assert_eq!(
        crawlers[0],
        json!({
            "crawler": "RudeBot",
            "operator": null,
            "purpose": null,
            "obeys": null,
            "dialect": "rfc9309",
            "agent_match": "wildcard",
            "requests": 3,
            "disallowed": 2,
            "lines": [{
                "line": 2,
                "rule": "Disallow: /private/",
                "requests": 2,
                "examples": ["/private/1", "/private/2"],
            }],
            "disallowed_by_other_lines": 0,
            "noted": 0,
            "first_note": null,
            "robots_txt_fetches": 0,
            "oldest_copy_seconds": null,
            "crawl_delay_seconds": 10.0,
            "ignores_crawl_delay": false,
            "too_soon": 2,
            "first": "2026-11-20T09:00:22Z",
            "last": "2026-11-20T09:00:24Z",
        })
    );
    assert_eq!(crawlers[1]["operator"], "OpenAI");
    assert_eq!(crawlers[2]["oldest_copy_seconds"], 20.0);
}

#[test]
fn several_logs_and_forms_are_one_log() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(LOG.as_bytes()).unwrap();
    let packed = file("obeyed.log.gz", encoder.finish().unwrap());
    let logpush = file(
        "obeyed.logpush",
        r#"{"ClientRequestHost":"example.com","ClientRequestURI":"/private/3","ClientRequestUserAgent":"RudeBot/1.0","EdgeStartTimestamp":1795165300000000000}"#,
    );
    let options = [packed.to_str().unwrap(), logpush.to_str().unwrap()];
    let run = obeyed("several", LOG, &options);
    assert!(
        run.stdout
            .contains("\nRudeBot  7         5           5         never\n"),
        "{run:?}"
    );
}

#[test]
fn a_log_of_several_hosts_asks_for_one() {
    let line = |host: &str| {
        format!(r#"{{"host":"{host}","uri":"/private/","user_agent":"RudeBot"}}"#) + "\n"
    };
    let log = line("a.example") + &line("b.example") + &line("b.example");
    let run = obeyed("hosts", &log, &[]);
    assert!(
        run.stderr
            .contains("several hosts, such as a.example and b.example"),
        "{run:?}"
    );
    let run = obeyed("host", &log, &["--host=A.example", "--json"]);
    assert_eq!(run.stderr, "");
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["crawlers"][0]["requests"], 1);
    assert_eq!(document["requests_for_other_hosts"], 2);
    let run = obeyed("no-host", &log, &["--host=c.example"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains(
            "no crawler asked for anything on c.example; 3 requests of crawlers are for other hosts"
        ),
        "{run:?}"
    );
}

#[test]
fn wrong_input_is_an_error_that_says_what_to_do() {
    let run = obeyed("no-log", "User-agent: *\nDisallow: /\n", &[]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr
            .contains("error: no line is a request in a known form; "),
        "{run:?}"
    );
    let run = obeyed("some", format!("{LOG}\nwhat?\n"), &["-q"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains("warning: 1 of 9 lines is no request in a known form, the first is line 9\n"),
        "{run:?}"
    );
    let run = robots(["obeyed", "--robots=-", "-"]);
    assert!(run.stderr.contains("cannot both be `-`"), "{run:?}");
    let run = robots(["obeyed", "access.log"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--robots <FILE>"), "{run:?}");
    let run = obeyed("missing", "", &["missing.log"]);
    assert!(
        run.stderr.contains("error: cannot read `missing.log`: "),
        "{run:?}"
    );
    let run = obeyed("cut", b"\x1F\x8B\x08\x00\x00", &[]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("error: cannot read standard input: "),
        "{run:?}"
    );
}

#[test]
fn what_a_terminal_would_obey_is_escaped() {
    let log = "x - - [20/Nov/2026:09:00:22 +0000] \"GET /private/\\x1b]0;\u{9b}31m HTTP/1.1\" 200 5 \"-\" \"Rude\\x1bBot/1.0 \u{202e}bot\"\n";
    for options in [&[][..], &["--json"]] {
        let run = obeyed("hostile", log, options);
        let is_unsafe = |character: char| {
            (character.is_control() && character != '\n') || character == '\u{202e}'
        };
        assert!(!run.stdout.contains(is_unsafe), "{run:?}");
    }
}

//! `robots obeyed`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::suite::robots::{Run, file, robots_reading};

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

//! `robots check --sitemap`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::suite::robots::{ROBOTS_TXT, Run, file, robots_reading};

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
    let unmet = "  no URL meets this rule:\n    line 3: Allow: /private/open\n";
    let end = format!("    and 2,013 more\n{unmet}");
    assert!(run.stdout.ends_with(&end), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 8);
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
fn what_a_terminal_would_obey_is_escaped() {
    let hostile = "https://example.com/private/\u{1b}[31m\u{202e}\nhttps://\u{9b}x.com/\n";
    let run = check("map-hostile.txt", hostile, &["--agent=ExampleBot"]);
    let is_unsafe = |character: char| character.is_control() && character != '\n';
    assert!(
        !run.stdout.contains(is_unsafe) && !run.stderr.contains(is_unsafe),
        "{run:?}"
    );
}

//! Any bytes as a sitemap: reading comes to an end or an error, each URL has a host, and the result
//! is the same however few bytes a read gives.
#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use polite_robots::{RobotsTxt, Target};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_site::by_rule::DisallowedByRule;
use polite_robots_site::host;
use polite_robots_site::sitemap::{self, Summary};

fuzz_target!(|file: &[u8]| {
    let (whole, urls) = read(file);
    for url in &urls {
        assert_eq!(url.trim(), url);
        assert!(host(url).is_some_and(|host| !host.is_empty()), "{url}");
    }
    if let Some(summary) = &whole {
        assert_eq!(summary.urls(), urls.len() as u64);
        assert_eq!(summary.first_unusable().is_some(), summary.unusable() > 0);
    }
    let (in_pieces, urls_in_pieces) = read(Pieces(file));
    assert_eq!(
        (in_pieces.is_some(), &urls_in_pieces),
        (whole.is_some(), &urls)
    );

    let file = RobotsTxt::parse(b"User-agent: *\nDisallow: /a\nDisallow: /*?");
    let readings = Readings::new(&file);
    let answers = readings.answers("ExampleBot", Reading::Crawler).unwrap();
    let mut tally = DisallowedByRule::new(2);
    let mut disallowed = 0;
    for url in &urls {
        let is_disallowed = !answers.robot().allowed(url.as_str());
        let is_allowed = tally.add(&answers, &Target::requested(url));
        assert_eq!(is_allowed, !is_disallowed);
        disallowed += u64::from(is_disallowed);
    }
    assert_eq!(
        (tally.urls(), tally.disallowed()),
        (urls.len() as u64, disallowed)
    );
});

/// The facts, if the file is a sitemap, and the URLs up to its end or its error.
fn read(file: impl Read) -> (Option<Summary>, Vec<String>) {
    let mut urls = Vec::new();
    let summary = sitemap::read(file, |url| urls.push(url.to_owned()));
    if let Err(error) = &summary {
        assert!(!error.to_string().is_empty());
    }
    (summary.ok(), urls)
}

/// A source that gives three bytes at a time.
struct Pieces<'b>(&'b [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(3);
        self.0.read(&mut buffer[..most])
    }
}

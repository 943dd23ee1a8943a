//! Any bytes as an access log: each line is counted once, and the counts are the same however few
//! bytes a read gives.
#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use polite_robots::RobotsTxt;
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_site::log::LoggedRequest;
use polite_robots_site::obedience::CrawlerRequests;

const ROBOTS_TXT: &[u8] =
    b"User-agent: *\nCrawl-delay: 2\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /";

fuzz_target!(|log: &[u8]| {
    for line in log.split(|byte| *byte == b'\n') {
        if let Some(request) = LoggedRequest::parse(line) {
            let _ = (
                request.user_agent(),
                request.target(),
                request.host(),
                request.time(),
            );
        }
    }
    let readings = Readings::new(&RobotsTxt::parse(ROBOTS_TXT));
    for host in [None, Some("example.com")] {
        let mut whole = CrawlerRequests::new(&readings, Reading::Crawler, host);
        let ended = whole.read(log).is_ok();
        check(&whole);
        let mut in_pieces = CrawlerRequests::new(&readings, Reading::Crawler, host);
        assert_eq!(in_pieces.read(Pieces(log)).is_ok(), ended);
        assert_eq!(counts(&in_pieces), counts(&whole));
    }
});

fn check(requests: &CrawlerRequests<'_>) {
    let crawlers = requests.crawlers();
    let of_crawlers = crawlers
        .iter()
        .map(|crawler| crawler.requests() + crawler.robots_txt_fetches());
    let others = requests.others() + requests.other_hosts();
    let no_requests = requests.unread() + requests.directives();
    assert_eq!(
        of_crawlers.sum::<u64>() + others + no_requests,
        requests.lines()
    );
    assert_eq!(requests.first_unread().is_some(), requests.unread() > 0);
    for crawler in crawlers {
        let disallowed = crawler.disallowed();
        assert!(disallowed.disallowed() <= crawler.requests());
        assert!(crawler.too_soon() <= crawler.requests() + crawler.robots_txt_fetches());
        assert!(crawler.first() <= crawler.last());
        assert!(!crawler.name().is_empty());
    }
}

fn counts(requests: &CrawlerRequests<'_>) -> Vec<(String, u64, u64, u64)> {
    let mut counts = vec![(
        String::from("all"),
        requests.lines(),
        requests.unread(),
        requests.others(),
    )];
    counts.extend(requests.crawlers().into_iter().map(|crawler| {
        let name = crawler.name().to_owned();
        let disallowed = crawler.disallowed().disallowed();
        (name, crawler.requests(), disallowed, crawler.too_soon())
    }));
    counts
}

/// A source that gives three bytes at a time.
struct Pieces<'b>(&'b [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(3);
        self.0.read(&mut buffer[..most])
    }
}

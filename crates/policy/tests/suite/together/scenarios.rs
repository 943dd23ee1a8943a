//! Crawls with more hosts than the cache holds, a fortieth of the size of those in the bench
//! `simulation`.

use super::scale::{Bodies, crawl};

/// An earlier cache forgot the answers before their pages came. It asked for robots.txt 405,801
/// times and fetched no page.
///
/// The bench has all sizes with all bodies.
#[test]
fn hosts_beyond_the_capacity_are_crawled_one_after_the_other() {
    let capacity = (64 << 20) / 40;
    for (hosts, bodies) in [
        (125, Bodies::Distinct),
        (300, Bodies::Distinct),
        (1_500, Bodies::Distinct),
        (300, Bodies::Equal),
        (1_500, Bodies::EqualSmall),
    ] {
        let report = crawl(hosts, PAGES, bodies, capacity, 25);
        report.assert_polite(hosts, PAGES);
        // The cache exceeds its capacity only for files that were larger than expected.
        let overshoot = 25 * 8_192;
        assert!(report.most_bytes <= capacity + overshoot, "{report:?}");
        let is_over = bodies == Bodies::Distinct && hosts > 125;
        assert_eq!(report.full > 0, is_over, "{report:?}");
    }
}

/// With a capacity for one origin or two the crawl is slow and still polite.
#[test]
fn a_tiny_cache_fetches_every_page() {
    for capacity in [1, 1_000, 10_000] {
        let report = crawl(12, 10, Bodies::Distinct, capacity, 4);
        report.assert_polite(12, 10);
        assert!(report.full > 0);
    }
}

const PAGES: u32 = 10;

//! Crawls with a cache for all hosts, for half of them, for a tenth: the invariants hold at every
//! ratio.

use std::time::Instant;

use crate::together::scale::{Bodies, crawl};

/// Crawls 5,000, 12,000 and 60,000 hosts of 100 pages with a cache of 64 MiB, all divided by
/// `scale`, and prints a table.
///
/// # Panics
///
/// For a host that was asked for robots.txt more than once, that was not crawled to its end, or
/// that was asked too early.
pub(crate) fn run(scale: u32) {
    println!(
        "\n| hosts | robots.txt | requests for robots.txt | pages | fewest of a host | virtual minutes | polls without room | cache, most bytes | time |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for hosts in [5_000, 12_000, 60_000] {
        for bodies in Bodies::ALL {
            let hosts = hosts / scale;
            let start = Instant::now();
            let report = crawl(hosts, PAGES, bodies, CAPACITY / scale as usize, WORKERS);
            println!(
                "| {hosts} | {} | {} | {} | {} | {} | {} | {} | {:.1} s |",
                bodies.label(),
                report.robots_requests,
                report.pages,
                report.fewest_pages,
                report.minutes,
                report.full,
                report.most_bytes,
                start.elapsed().as_secs_f64()
            );
            report.assert_polite(hosts, PAGES);
        }
    }
}

const PAGES: u32 = 100;
const CAPACITY: usize = 64 << 20;
/// Requests at the same time.
const WORKERS: usize = 2_000;

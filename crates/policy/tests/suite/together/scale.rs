//! Crawls of many equal sites with a small cache: at any ratio of hosts to capacity each host is
//! asked once for its robots.txt, and all of its pages are fetched.

use polite_robots_policy::Profile;

use super::crawl::{Crawl, Setup};
use super::judge::{Exchange, Violations};
use super::world::{Body, DAY, Path, Robots, Site, World};

/// The robots.txt of all sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bodies {
    /// 33 bytes, all equal.
    EqualSmall,
    /// 2 kB, all equal.
    Equal,
    /// 2 kB, all different.
    Distinct,
}

// The bench uses all of them.
#[allow(dead_code)]
impl Bodies {
    pub(crate) const ALL: [Bodies; 3] = [Bodies::EqualSmall, Bodies::Equal, Bodies::Distinct];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Bodies::EqualSmall => "equal, 33 bytes",
            Bodies::Equal => "equal, 2 kB",
            Bodies::Distinct => "distinct, 2 kB",
        }
    }

    fn body(self, number: u32) -> Body {
        match self {
            Bodies::EqualSmall => Body::Text(SMALL),
            Bodies::Equal => Body::Generated {
                number: 0,
                bytes: 2000,
            },
            Bodies::Distinct => Body::Generated {
                number,
                bytes: 2000,
            },
        }
    }
}

/// The figures of one crawl.
#[derive(Debug)]
#[allow(dead_code)]
pub(crate) struct Report {
    pub(crate) admissions: u64,
    pub(crate) robots_requests: usize,
    /// The requests for robots.txt to the host with most of them.
    pub(crate) most_robots_requests: usize,
    pub(crate) pages: usize,
    /// The pages of the host with fewest of them.
    pub(crate) fewest_pages: usize,
    pub(crate) minutes: u64,
    pub(crate) full: u64,
    pub(crate) most_bytes: usize,
    pub(crate) violations: Violations,
}

/// Crawls `hosts` hosts with `pages` pages each, by `workers` workers.
pub(crate) fn crawl(
    hosts: u32,
    pages: u32,
    bodies: Bodies,
    capacity: usize,
    workers: usize,
) -> Report {
    let sites = (0..hosts).map(|number| {
        let body = bodies.body(number);
        let robots = Robots::File {
            body,
            max_age: None,
        };
        Site::new(format!("host-{number}.example"), robots, pages)
    });
    let world = World::new(sites.collect());
    let setup = Setup {
        workers,
        ..Setup::new(Profile::rfc9309(), capacity)
    };
    let mut crawl = Crawl::new(&world, setup);
    crawl.run(30 * DAY);
    let violations = crawl.judge();
    let requests = crawl.log().iter().map(|exchanges| {
        let is_robots = |exchange: &&Exchange| exchange.path == Path::Robots;
        let robots = exchanges.iter().filter(is_robots).count();
        (robots, exchanges.len() - robots)
    });
    let requests: Vec<(usize, usize)> = requests.collect();
    let of_robots = || requests.iter().map(|(robots, _)| *robots);
    let of_pages = || requests.iter().map(|(_, pages)| *pages);
    Report {
        admissions: crawl.tally.admissions,
        robots_requests: of_robots().sum(),
        most_robots_requests: of_robots().max().unwrap_or(0),
        pages: of_pages().sum(),
        fewest_pages: of_pages().min().unwrap_or(0),
        minutes: crawl.time() / 60_000,
        full: crawl.tally.full,
        most_bytes: crawl.tally.most_bytes,
        violations,
    }
}

impl Report {
    /// Asserts that each host was asked for robots.txt once each time that it was admitted, and
    /// crawled to its end.
    pub(crate) fn assert_polite(&self, hosts: u32, pages: u32) {
        assert_eq!(self.violations, Violations::none());
        assert_eq!(self.admissions, u64::from(hosts));
        let robots = (self.robots_requests, self.most_robots_requests);
        assert_eq!(robots, (hosts as usize, 1));
        // One page in ten is disallowed.
        let fetchable = (pages - pages / 10) as usize;
        assert_eq!(self.pages, hosts as usize * fetchable);
        assert_eq!(self.fewest_pages, fetchable);
    }
}

/// A file of 33 bytes.
const SMALL: &str = "User-agent: *\nDisallow: /private\n";

//! Laws of whole crawls: random sites, a cache of any size, and accidents at random times.

use polite_robots_policy::Profile;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::crawl::{Crawl, Documents, Guard, Setup, Trouble};
use super::judge::{Exchange, Reply, Violations};
use super::law_cases::law_cases;
use super::world::{
    Authority, Body, DAY, Failure, HOUR, MINUTE, Outage, Path, Preset, Robots, SECOND, Scope, Site,
    World, millis,
};

/// The parts of a site, before it has a name and neighbours.
#[derive(Debug, Clone)]
pub(crate) struct Sketch {
    origins: Vec<(Kind, u32)>,
    latency: u64,
    address: Option<u64>,
    busy_every: u32,
    outage: Option<Outage>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Text(&'static str, Option<u64>),
    Large(usize),
    Status(u16),
    /// A redirect to the site that this number chooses among all sites.
    Moved(usize),
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        4 => select(vec![
            Kind::Text("User-agent: *\nDisallow: /private\n", None),
            Kind::Text("User-agent: *\nDisallow: /private\n", Some(HOUR)),
            Kind::Text("User-agent: *\nCrawl-delay: 3\nDisallow: /page/1\n", None),
            // This delay is longer than the least lifetime of a robots.txt and shorter than the
            // lease of a request. The gap of a request that was never reported counts from its
            // start.
            Kind::Text("User-agent: *\nCrawl-delay: 500\n", Some(0)),
            Kind::Text("User-agent: *\nDisallow: /\n", None),
            Kind::Text("User-agent: *\nDisallow: /page/1\nLicense: /license.xml\n", None),
            // IBM treats a file with an unreadable line as a file without rules.
            Kind::Text("User-agent: *\nDisallow: /page/1\nkeep out of here\n", None),
        ]),
        2 => (200_usize..6_000).prop_map(Kind::Large),
        2 => select(vec![404, 410, 403, 500]).prop_map(Kind::Status),
        1 => any::<usize>().prop_map(Kind::Moved),
    ]
}

pub(crate) fn outages() -> impl Strategy<Value = Outage> {
    let durations = select(vec![SECOND, MINUTE, 20 * MINUTE, 3 * HOUR, 7 * HOUR]);
    let failures = select(vec![
        Failure::NoConnection,
        Failure::Status(500, 0),
        Failure::Status(503, 0),
        Failure::Status(503, 90),
        Failure::Status(429, 700),
    ]);
    let scopes = select(vec![Scope::Host, Scope::Robots]);
    (0..2 * HOUR, durations, scopes, failures).prop_map(|(from, duration, scope, failure)| {
        // Many outages begin at the very start.
        let from = from.saturating_sub(HOUR);
        let until = from + duration;
        Outage {
            from,
            until,
            scope,
            failure,
        }
    })
}

pub(crate) fn sketches(
    outage: impl Strategy<Value = Option<Outage>>,
) -> impl Strategy<Value = Sketch> {
    let origins = vec((kinds(), 1_u32..12), 1..3);
    let latency = select(vec![5, 100, 2_500]);
    let busy = select(vec![0, 0, 5]);
    let address = of(0_u64..3);
    (origins, latency, address, busy, outage).prop_map(
        |(origins, latency, address, busy_every, outage)| Sketch {
            origins,
            latency,
            address,
            busy_every,
            outage,
        },
    )
}

pub(crate) fn world(sketches: &[Sketch]) -> World {
    let sites = sketches.iter().enumerate().map(|(number, sketch)| {
        let authorities = sketch.origins.iter().zip(["https", "http"]);
        let authorities = authorities.map(|((kind, pages), scheme)| {
            let robots = match kind {
                Kind::Text(text, max_age) => Robots::text(text, *max_age),
                Kind::Large(bytes) => {
                    let (number, bytes) = (number as u32, *bytes);
                    let body = Body::Generated { number, bytes };
                    Robots::File {
                        body,
                        max_age: None,
                    }
                }
                Kind::Status(status) => Robots::Status(*status),
                Kind::Moved(to) => Robots::Moved {
                    to: to % sketches.len(),
                    body: Body::Text("User-agent: *\nDisallow: /page/2\n"),
                },
            };
            let pages = *pages;
            Authority {
                scheme,
                robots,
                pages,
            }
        });
        Site {
            host: format!("host-{number}.example"),
            address: sketch.address,
            latency: sketch.latency,
            authorities: authorities.collect(),
            outages: sketch.outage.into_iter().collect(),
            busy_every: sketch.busy_every,
        }
    });
    World::new(sites.collect())
}

pub(crate) fn presets() -> impl Strategy<Value = Preset> {
    select(vec![Preset::Rfc9309, Preset::Google, Preset::Ibm])
}

fn troubles() -> impl Strategy<Value = Vec<(u64, Trouble)>> {
    let guards = || select(vec![Guard::Reports, Guard::Forgets, Guard::Hangs]);
    let trouble = prop_oneof![
        3 => (any::<usize>(), guards()).prop_map(|(number, guard)| Trouble::DropRound(number, guard)),
        3 => (any::<usize>(), guards()).prop_map(|(number, guard)| Trouble::DropPage(number, guard)),
        1 => select(vec![3 * SECOND, MINUTE]).prop_map(Trouble::NetworkDown),
        2 => Just(Trouble::Restart),
        1 => select(vec![SECOND, 20 * MINUTE, 2 * HOUR, DAY]).prop_map(Trouble::ClockBack),
        1 => select(vec![SECOND, 20 * MINUTE, 2 * HOUR]).prop_map(Trouble::ClockAhead),
    ];
    let pauses = select(vec![1, 50, 100, SECOND, 7 * SECOND, MINUTE, 11 * MINUTE]);
    vec((pauses, trouble), 0..16)
}

/// Runs a crawl through its troubles, and then to its end. A site that always fails keeps it from
/// finishing.
fn crawl<'w>(world: &'w World, setup: Setup, troubles: &[(u64, Trouble)]) -> Crawl<'w> {
    let mut crawl = Crawl::new(world, setup);
    for (pause, trouble) in troubles {
        crawl.run(crawl.time() + pause);
        crawl.suffer(*trouble);
    }
    let start = crawl.time().max(world.recovery());
    crawl.run(start + 2 * DAY);
    crawl
}

/// The starts of the requests for the robots.txt of one origin, without those that were given up.
fn robots_requests(exchanges: &[Exchange], authority: u8) -> Vec<u64> {
    let is_its =
        |exchange: &&Exchange| exchange.path == Path::Robots && exchange.authority == authority;
    let is_counted = |exchange: &&Exchange| is_its(exchange) && exchange.reply != Reply::Dropped;
    let counted = exchanges.iter().filter(is_counted);
    counted.map(|exchange| exchange.start).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 300, ..law_cases(24) })]

    /// Each origin is crawled to its end, and asked for its robots.txt once, or again when an
    /// answer that made room for others is five minutes old.
    #[test]
    fn a_cache_smaller_than_the_hosts_still_fetches_pages(
        sketches in vec(sketches(Just(None)), 1..40),
        preset in presets(),
        capacity in select(vec![1, 2_000, 10_000, 30_000, 100_000, 300_000]),
        workers in select(vec![1, 4, 1_000]),
    ) {
        let world = world(&sketches);
        let setup = Setup { workers, ..Setup::new(preset.profile(), capacity) };
        let mut crawl = crawl(&world, setup, &[]);
        prop_assert_eq!(crawl.judge(), Violations::none());
        for (site, exchanges) in world.sites.iter().zip(crawl.log()) {
            for (authority, number) in site.authorities.iter().zip(0..) {
                let is_lasting = matches!(authority.robots, Robots::File { max_age: None, .. } | Robots::Status(404));
                let requests = robots_requests(exchanges, number);
                prop_assert!(!requests.is_empty());
                let is_too_soon = |two: &[u64]| two[1] - two[0] < 5 * MINUTE;
                let is_asked_too_soon = requests.windows(2).any(is_too_soon);
                prop_assert!(!is_asked_too_soon || !is_lasting, "{}: {:?}", site.host, requests);
            }
        }
    }

    /// The crawler's own network is down for a time. When it is back, each host is asked within
    /// seconds, as if nothing had happened.
    #[test]
    fn the_own_network_never_counts_against_a_site(
        pages in 1_u32..6,
        hosts in 1_usize..6,
        preset in select(vec![Preset::Rfc9309, Preset::Google]),
        start in 0..4 * SECOND,
        down in select(vec![SECOND, 20 * SECOND, 3 * MINUTE]),
    ) {
        let robots = Robots::text("User-agent: *\nDisallow: /private\n", None);
        let sites = (0..hosts).map(|number| Site::new(format!("host-{number}.example"), robots.clone(), pages));
        let world = World::new(sites.collect());
        let mut crawl = Crawl::new(&world, Setup::new(preset.profile(), usize::MAX));
        crawl.run(start);
        crawl.suffer(Trouble::NetworkDown(down));
        // The retry of robots.txt takes ten seconds, and each request needs a gap.
        let longest = start + down + 10 * SECOND + u64::from(pages + 2) * 1_200;
        prop_assert!(crawl.run(longest), "not finished");
        prop_assert_eq!(crawl.judge(), Violations::none());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 300, ..law_cases(96) })]

    /// Outages, accidents of the crawler, a cache of any size: nothing is lost and nobody is asked
    /// too early.
    #[test]
    fn no_host_is_lost(
        sketches in vec(sketches(of(outages())), 1..12),
        preset in presets(),
        capacity in select(vec![1, 10_000, 100_000, usize::MAX]),
        documents in select(vec![Documents::Kept, Documents::Dropped]),
        troubles in troubles(),
    ) {
        let world = world(&sketches);
        let setup = Setup { documents, ..Setup::new(preset.profile(), capacity) };
        let mut crawl = crawl(&world, setup, &troubles);
        prop_assert_eq!(crawl.judge(), Violations::none());
    }

    /// Whatever happens, the crawler asks for robots.txt once in its least lifetime on average.
    #[test]
    fn a_storm_never_happens(
        sketches in vec(sketches(of(outages())), 1..12),
        capacity in select(vec![1, 5_000, 20_000, usize::MAX]),
        troubles in troubles(),
    ) {
        let mut profile = Profile::rfc9309();
        profile.access.retry_first_503 = profile.access.retry_first;
        // An early retry would add one request in each outage.
        profile.access.retry_early = std::time::Duration::ZERO;
        // With a lower percentage the next request would come before the end of the lifetime.
        profile.access.refresh_percent = 100;
        let world = world(&sketches);
        let crawl = crawl(&world, Setup::new(profile, capacity), &troubles);
        let steps_back = troubles.iter().filter(|(_, trouble)| matches!(trouble, Trouble::ClockBack(_))).count();
        let ahead = troubles.iter().map(|(_, trouble)| match trouble {
            Trouble::ClockAhead(step) => *step,
            _ => 0,
        });
        let elapsed = crawl.time() + ahead.sum::<u64>();
        let most = 1 + steps_back + (elapsed / millis(profile.access.min_ttl)) as usize;
        for (site, exchanges) in world.sites.iter().zip(crawl.log()) {
            for number in 0..site.authorities.len() {
                let requests = robots_requests(exchanges, number as u8).len();
                // A round that was given up may have got an answer to its first request.
                let given_up = crawl.given_up(&site.host, number as u8);
                let most = most + given_up;
                prop_assert!(requests <= most, "{}: {} requests in {} ms", site.host, requests, elapsed);
            }
        }
    }
}

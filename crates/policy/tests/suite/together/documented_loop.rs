//! Runs the driving loop of the documentation over virtual sites in trouble. The judge checks its
//! requests.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};

use polite_robots_policy::fetch::BodyEnd;
use polite_robots_policy::{NetError, Origin, Profile, Timestamp};

use self::driving_loop::{Answer, Crawler, Outside};
use super::judge::{Exchange, Memory, Reply, Terms, Violations};
use super::world::{
    Authority, Body, Failure, HOUR, MINUTE, Outage, Path, Preset, Robots, SECOND, START, Scope,
    Site, World, path_of_page,
};

#[path = "../../../docs/driving_loop.rs"]
mod driving_loop;

/// The network of the crawler, in virtual time.
struct Network<'w> {
    world: &'w World,
    /// In milliseconds since the start, as in the world.
    now: u64,
    /// The start and the end of the time in which the crawler's own network is down.
    down: (u64, u64),
    /// The error that the crawler sees in that time.
    error: NetError,
    attempts: HashMap<(usize, u8, u32), u32>,
    log: Vec<Vec<Exchange>>,
    given_up: Vec<(usize, u8, u64)>,
}

impl Network<'_> {
    fn is_down(&self) -> bool {
        (self.down.0..self.down.1).contains(&self.now)
    }

    fn find(&self, url: &str) -> (usize, u8, Path) {
        let mut folders = ["/page/", "/private/"].into_iter();
        let page = folders.find_map(|folder| url.split_once(folder));
        let Some((origin, number)) = page else {
            return self.world.resolve(url);
        };
        let (site, authority, _) = self.world.resolve(&format!("{origin}/robots.txt"));
        (site, authority, Path::Page(number.parse().unwrap()))
    }
}

impl Outside for Network<'_> {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(START + self.now)
    }

    fn sleep_until(&mut self, moment: Timestamp) {
        let moment = moment.as_millis() - START;
        assert!(moment > self.now, "a wake-up that does not lie ahead");
        self.now = moment;
    }

    fn resolve(&mut self, _host: &str) -> Result<Vec<IpAddr>, NetError> {
        self.now += 20;
        match self.is_down() {
            true => Err(self.error),
            false => Ok(vec![IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))]),
        }
    }

    fn get(&mut self, url: &str, _address: Option<IpAddr>) -> Result<Answer, NetError> {
        let (site, authority, path) = self.find(url);
        let start = self.now;
        if self.is_down() {
            self.now += 5;
            match path {
                Path::Page(_) => {}
                Path::Robots => self.given_up.push((site, authority, start)),
                Path::RobotsOf { site, authority } => {
                    self.given_up.push((site as usize, authority, start));
                }
            }
            return Err(self.error);
        }
        let mut attempt = 0;
        if let Path::Page(page) = path {
            let attempts = self.attempts.entry((site, authority, page)).or_default();
            attempt = *attempts;
            *attempts += 1;
        }
        let answer = self.world.answer(site, authority, path, attempt, start);
        self.now += self.world.sites[site].latency;
        self.log[site].push(Exchange {
            authority,
            path,
            start,
            end: self.now,
            reply: answer.result.map_or(Reply::NoResponse, Reply::Status),
            retry_after: answer.retry_after,
        });
        let max_age = answer.max_age.map(|millis| millis / 1_000);
        let max_age = max_age.map(|age| format!("max-age={age}"));
        let retry_after = (answer.retry_after > 0).then(|| answer.retry_after.to_string());
        let fields = [
            ("Cache-Control", max_age),
            ("Location", answer.location),
            ("Retry-After", retry_after),
        ];
        let fields = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Ok(Answer {
            status: answer.result?,
            headers: fields.collect(),
            body: answer.body,
            end: BodyEnd::Complete,
        })
    }
}

const RULES: &str = "User-agent: *\nDisallow: /private\n";

/// Correct and faulty sites, some of them with an outage.
fn world() -> World {
    let robots = [
        Robots::text(RULES, None),
        Robots::text(RULES, Some(HOUR)),
        Robots::text("User-agent: *\nCrawl-delay: 3\nDisallow: /page/1\n", None),
        Robots::text("User-agent: *\nCrawl-delay: 500\n", Some(0)),
        Robots::text("User-agent: *\nDisallow: /\n", None),
        Robots::Status(404),
        Robots::Status(403),
        Robots::Moved {
            to: 0,
            body: Body::Text("User-agent: *\nDisallow: /page/2\n"),
        },
    ];
    let outages = [
        None,
        Some((Scope::Host, Failure::NoConnection, 20 * MINUTE)),
        Some((Scope::Robots, Failure::Status(503, 90), 3 * HOUR)),
        Some((Scope::Host, Failure::Status(429, 700), 15 * MINUTE)),
        Some((Scope::Robots, Failure::Status(500, 0), 7 * HOUR)),
    ];
    let mut sites = Vec::new();
    for robots in &robots {
        for outage in &outages {
            let number = sites.len() as u64;
            let mut site = Site::new(format!("host-{number}.example"), robots.clone(), 12);
            site.latency = [5, 100, 2_500][sites.len() % 3];
            site.busy_every = [0, 5][sites.len() % 2];
            let from = [0, 20 * SECOND][sites.len() % 2];
            let outage = outage.map(|(scope, failure, lasts)| {
                let until = from + lasts;
                Outage {
                    from,
                    until,
                    scope,
                    failure,
                }
            });
            site.outages.extend(outage);
            if sites.len() % 4 == 0 {
                let (scheme, robots) = ("http", Robots::text(RULES, None));
                site.authorities.push(Authority {
                    scheme,
                    robots,
                    pages: 4,
                });
            }
            sites.push(site);
        }
    }
    World::new(sites)
}

/// Crawls all pages of a world whose crawler has no network for a while, and judges the requests.
fn crawl(world: &World, profile: Profile, down: (u64, u64), error: NetError) -> Violations {
    let network = Network {
        world,
        now: 0,
        down,
        error,
        attempts: HashMap::new(),
        log: vec![Vec::new(); world.sites.len()],
        given_up: Vec::new(),
    };
    let mut crawler = Crawler::new("ExampleBot", profile, network).unwrap();
    for site in &world.sites {
        for authority in &site.authorities {
            for page in 0..authority.pages {
                let origin = format!("{}://{}", authority.scheme, site.host);
                let url = format!("{origin}{}", path_of_page(page));
                crawler.add(Origin::of(&origin).unwrap(), url);
            }
        }
    }
    crawler.run();
    let mut terms = Terms::new(profile, Memory::Unbounded);
    terms.given_up = crawler.outside.given_up;
    terms.judge(world, &crawler.outside.log)
}

#[test]
fn the_documented_loop_fetches_every_page_politely() {
    let world = world();
    for preset in [Preset::Rfc9309, Preset::Google, Preset::Ibm] {
        let down = (MINUTE, 4 * MINUTE);
        let found = crawl(&world, preset.profile(), down, NetError::Local);
        assert_eq!(found, Violations::none(), "{preset:?}");
    }
}

/// After 12 hours of failed rounds, Google opens a site whose pages come. A crawler that took the
/// failures of its own network for failures of the site would open all sites.
#[test]
fn half_a_day_without_a_network_opens_nothing() {
    let robots = Robots::text("User-agent: *\nDisallow: /\n", None);
    let site = |number| Site::new(format!("host-{number}.example"), robots.clone(), 30);
    let world = World::new((0..3).map(site).collect());
    let down = (0, 30 * HOUR);
    let found = crawl(&world, Profile::google(), down, NetError::Local);
    assert_eq!(found, Violations::none());
    let found = crawl(&world, Profile::google(), down, NetError::Connect);
    assert!(found.before_robots > 0 || found.rules > 0, "{found:?}");
}

//! The judge: sees the requests that reached each site and the truth about the sites, and counts
//! violations.
//!
//! Each rule is stated anew from its source. "Crawl politeness" is the essay and "the lesson" is
//! the course on pace from which the project starts. "IBM" is the documentation of IBM's Web
//! crawler.

#[cfg(test)]
mod own_types;
mod reader;
mod robots;

#[cfg(test)]
pub(crate) use self::own_types::assert_listed;
use self::reader::RobotsFile;
use polite_robots_policy::Profile;
use polite_robots_policy::settings::{
    AccessPolicy, CrawlDelayPolicy, ParseErrorPolicy, RedirectPolicy,
};

use super::evidence::{Permission, Round, permission};
use super::world::{Authority, Path, Robots, World, millis, path_of_page};

/// One request as its site saw it. Times in milliseconds since the start of the crawl.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exchange {
    pub(crate) authority: u8,
    pub(crate) path: Path,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) reply: Reply,
    /// In seconds; 0: none.
    pub(crate) retry_after: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Status(u16),
    NoResponse,
    /// The crawler closed the connection first.
    Dropped,
}

/// The promises that the crawler is held to.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) profile: Profile,
    pub(crate) memory: Memory,
    /// The times at which the crawler's clock was set back, and the size of each step.
    pub(crate) steps_back: Vec<(u64, u64)>,
    /// The rounds that the crawler gave up, because their tasks were dropped or its own network was
    /// down: site, authority, time. No site can see this between two requests of a round.
    pub(crate) given_up: Vec<(usize, u8, u64)>,
    pub(crate) agent: &'static str,
}

/// Whether the crawler may forget a robots.txt, and so ask for it again, before its lifetime is
/// over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    Unbounded,
    /// The crawler may forget it after the least lifetime.
    Bounded,
}

/// The number of violations of each kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Violations {
    /// Two requests to a host with less than its gap between them.
    pub(crate) gap: usize,
    pub(crate) concurrency: usize,
    pub(crate) retry_after: usize,
    /// More requests to an address than the limit that it shares permits in any minute.
    pub(crate) address: usize,
    /// Pages that the file in force disallows, or that nothing permitted.
    pub(crate) rules: usize,
    /// Pages of an origin before its robots.txt.
    pub(crate) before_robots: usize,
    /// Requests for robots.txt before the last answer was due again.
    pub(crate) robots_too_soon: usize,
    /// Origins with pages that could be fetched but were not.
    pub(crate) unfinished: usize,
    /// The first few violations, in words.
    pub(crate) examples: Vec<String>,
}

impl Violations {
    pub(crate) fn none() -> Violations {
        Violations::default()
    }

    fn tell(&mut self, example: String) {
        if self.examples.len() < 5 {
            self.examples.push(example);
        }
    }
}

impl Terms {
    pub(crate) fn new(profile: Profile, memory: Memory) -> Terms {
        Terms {
            profile,
            memory,
            steps_back: Vec::new(),
            given_up: Vec::new(),
            agent: "ExampleBot",
        }
    }

    /// Judges the requests to each site, each list in the order of their starts.
    pub(crate) fn judge(&self, world: &World, log: &[Vec<Exchange>]) -> Violations {
        let mut found = Violations::default();
        for (site, exchanges) in log.iter().enumerate() {
            let authorities = world.sites[site].authorities.iter();
            let robots: Vec<Option<RobotsFile>> =
                authorities.map(|authority| self.rules(authority)).collect();
            self.judge_pace(world, site, &robots, exchanges, &mut found);
            for (number, robot) in (0..).zip(&robots) {
                self.judge_access(world, site, number, robot.as_ref(), log, &mut found);
            }
        }
        self.judge_addresses(world, log, &mut found);
        found
    }

    /// Judges the concurrency, gaps and `Retry-After` of one host. "Crawl politeness": a host has
    /// one connection at a time, and a gap between two requests; the profile says where the gap
    /// begins. A `Crawl-delay` makes the gap longer. RFC 9110 §10.2.3: the client waits as long as
    /// `Retry-After` says.
    fn judge_pace(
        &self,
        world: &World,
        site: usize,
        robots: &[Option<RobotsFile>],
        exchanges: &[Exchange],
        found: &mut Violations,
    ) {
        let pace = &self.profile.pace;
        let host = &world.sites[site].host;
        let asked: Vec<u64> = robots.iter().map(crawl_delay).collect();
        let mut crawl_delays = vec![0; asked.len()];
        let mut ends: Vec<u64> = Vec::new();
        let mut last_end = None;
        let mut blocked_until = 0;
        let mut earlier = None;
        let pages = exchanges
            .iter()
            .filter(|exchange| matches!(exchange.path, Path::Page(_)));
        let last_page = pages.map(|page| page.start).max().unwrap_or(0);
        for exchange in exchanges {
            let at = exchange.start;
            ends.retain(|end| *end > at);
            if ends.len() >= usize::from(pace.max_in_flight.max(1)) {
                found.concurrency += 1;
                found.tell(format!("{host}: two at once at {at}"));
            }
            ends.push(exchange.end);
            if let (Path::Page(_), CrawlDelayPolicy::Gap) = (exchange.path, pace.crawl_delay) {
                // The delay of a file is in use from the first page that its rules let through.
                let authority = usize::from(exchange.authority);
                crawl_delays[authority] = asked[authority];
            }
            let is_after_page = matches!(earlier, Some(Path::Page(_)) | None);
            let crawl_delay = if at <= last_page || is_after_page {
                crawl_delays.iter().copied().max().unwrap_or(0)
            } else {
                // The crawler has finished the host, so a hop of another origin meets it anew.
                0
            };
            earlier = Some(exchange.path);
            let gap = millis(pace.min_delay).max(crawl_delay);
            if last_end.is_some_and(|end| at < end + gap) {
                found.gap += 1;
                found.tell(format!(
                    "{host}: {:?} at {at}, {} after the last, needs {gap}",
                    exchange.path,
                    at.saturating_sub(last_end.unwrap_or(0))
                ));
            }
            if at < blocked_until {
                found.retry_after += 1;
                found.tell(format!("{host}: {at} is before {blocked_until}"));
            }
            last_end = last_end.max(Some(exchange.end));
            if let Reply::Status(429 | 503) = exchange.reply {
                let wait =
                    (u64::from(exchange.retry_after) * 1000).min(millis(pace.max_retry_after));
                blocked_until = blocked_until.max(exchange.end + wait);
            }
        }
    }

    /// The rules of the file, or none if there is no file. RFC 9309 §2.3.1.5: the lines that can be
    /// parsed count. IBM: content that parsed with errors qualifies the site with no rules.
    fn rules(&self, authority: &Authority) -> Option<RobotsFile> {
        let file = RobotsFile::read(&authority.file()?, self.agent);
        let is_none =
            file.has_errors && self.profile.access.parse_errors == ParseErrorPolicy::AllowAll;
        (!is_none).then_some(file)
    }

    /// Judges the requests of one origin: its robots.txt comes first, often enough and not too
    /// often; its rules are kept; its pages make progress. RFC 9309 §2.2.2: the rules are applied
    /// to each URL before it is fetched; §2.3: a robots.txt belongs to scheme, host and port.
    fn judge_access(
        &self,
        world: &World,
        site: usize,
        number: u8,
        robot: Option<&RobotsFile>,
        log: &[Vec<Exchange>],
        found: &mut Violations,
    ) {
        let authority = world.authority(site, number);
        let name = format!("{}://{}", authority.scheme, world.sites[site].host);
        let attempts = self.attempts(world, site, number, log);
        let is_here = |(at_site, at, _): &&(usize, u8, u64)| (*at_site, *at) == (site, number);
        let given_up = self.given_up.iter().filter(is_here);
        let given_up: Vec<u64> = given_up.map(|(.., at)| *at).collect();
        self.judge_robots(&name, &attempts, &given_up, found);
        let rounds: Vec<Round> = attempts
            .iter()
            .filter_map(|attempt| attempt.round)
            .collect();
        let is_permitted = |page| robot.is_none_or(|rules| rules.permits(&path_of_page(page)));
        let mut is_done = vec![false; authority.pages as usize];
        let mut known = 0;
        for exchange in log[site]
            .iter()
            .filter(|exchange| exchange.authority == number)
        {
            let Path::Page(page) = exchange.path else {
                continue;
            };
            while rounds
                .get(known)
                .is_some_and(|round| round.at <= exchange.start)
            {
                known += 1;
            }
            if known == 0 {
                found.before_robots += 1;
                found.tell(format!("{name}: page {page}"));
            }
            // An answer that is fresh needs no look at the rest of the history.
            let from = known.saturating_sub(LONGEST_OUTAGE);
            let access = &self.profile.access;
            let slack = self.steps_back.iter().map(|(_, step)| step).sum();
            let is_right = match permission(access, &rounds[from..known], slack, exchange.start) {
                Permission::File => is_permitted(page),
                Permission::Open => true,
                Permission::Closed => false,
            };
            if !is_right {
                found.rules += 1;
                found.tell(format!("{name}: page {page} at {}", exchange.start));
            }
            let is_final =
                matches!(exchange.reply, Reply::Status(status) if status < 500 && status != 429);
            if let Some(is_done) = is_done.get_mut(page as usize) {
                *is_done |= is_final;
            }
        }
        let mut pages = (0..authority.pages).zip(&is_done);
        let is_missing = |(page, is_done): (u32, &bool)| !is_done && is_permitted(page);
        if self.is_fetchable(&authority.robots) && pages.any(is_missing) {
            let count = is_done.iter().filter(|is_done| **is_done).count();
            found.unfinished += 1;
            found.tell(format!("{name}: {count} pages"));
        }
    }

    /// The lesson: rates are limited for a domain, for an IP address and in all. Hosts of one
    /// address share its limit.
    fn judge_addresses(&self, world: &World, log: &[Vec<Exchange>], found: &mut Violations) {
        let pace = &self.profile.pace;
        let mut starts: std::collections::BTreeMap<u64, Vec<u64>> = Default::default();
        for (site, exchanges) in world.sites.iter().zip(log) {
            if let Some(address) = site.address {
                let starts = starts.entry(address).or_default();
                starts.extend(exchanges.iter().map(|exchange| exchange.start));
            }
        }
        let most = usize::from(pace.group_starts);
        for (address, mut starts) in starts {
            starts.sort_unstable();
            for number in most..starts.len() {
                if starts[number] < starts[number - most] + millis(pace.group_window) {
                    found.address += 1;
                    found.tell(format!("address {address} at {}", starts[number]));
                }
            }
        }
    }

    /// Whether the pages of an origin may be fetched once its outages are over. RFC 9309 §2.3.1.2:
    /// redirects are followed; IBM: any status but 2xx, 400, 404 and 410 disqualifies. RFC 9309
    /// §2.3.1.3: after 4xx everything may be fetched.
    fn is_fetchable(&self, robots: &Robots) -> bool {
        let access = &self.profile.access;
        match robots {
            Robots::File { .. } => true,
            Robots::Moved { .. } => access.redirects == RedirectPolicy::Follow,
            Robots::Status(404 | 410) => true,
            Robots::Status(403) => access.forbidden == AccessPolicy::Allow,
            Robots::Status(_) => false,
        }
    }
}

fn crawl_delay(rules: &Option<RobotsFile>) -> u64 {
    rules.as_ref().map_or(0, |rules| millis(rules.crawl_delay))
}

/// More rounds than this never matter: an outage of 31 days has fewer.
const LONGEST_OUTAGE: usize = 512;

// Types of ours: AccessPolicy, CrawlDelayPolicy, ParseErrorPolicy, Profile, RedirectPolicy;
// settings and plain data only.

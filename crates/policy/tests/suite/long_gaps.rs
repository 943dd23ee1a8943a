//! The driving loop for a host whose turns are further apart than the lifetime of its robots.txt.

use std::time::Duration;

use polite_robots_policy::cache::Ticket;
use polite_robots_policy::fetch::{Fetch, Headers, Step};
use polite_robots_policy::{
    Cache, HostId, Lookup, Origin, Profile, Reply, RetryAfter, Scheduler, Timestamp, Turn,
};
use proptest::prelude::*;

use super::together::law_cases::law_cases;
use super::words::{ask, respond};

const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);
const DISALLOWED: &str = "https://example.com/private";

/// Runs the five steps of the crate's front page for one host, and returns its requests with their
/// times, in order. The loop keeps the `Crawl-delay` before the first page too.
fn crawl(
    robots_txt: &[u8],
    cache_control: &str,
    urls: &[&'static str],
) -> Vec<(String, Timestamp)> {
    let mut waiting = urls.iter();
    let profile = Profile::rfc9309();
    let mut cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
    let mut scheduler = Scheduler::new(profile);
    let host = scheduler.insert("example.com", None);
    let mut headers = Headers::default();
    headers.insert("cache-control", cache_control);
    let mut now = START;
    let mut asked = Vec::new();
    let mut next = waiting.next();
    while let Some(url) = next {
        // A crawl that goes on for ever does not get its pages.
        if asked.len() > 4 * urls.len() + 10 {
            break;
        }
        if scheduler.next_ready(now).is_none() {
            now = scheduler.next_wakeup().unwrap();
            continue;
        }
        match cache.poll(&Origin::of(url).unwrap(), now) {
            Lookup::Fetch(ticket) => {
                let validators = ticket.validators().clone();
                let mut fetch = Fetch::new(ticket.origin(), validators, &profile, now);
                while let Step::Get(request) = fetch.poll(now) {
                    asked.push((request.url.to_string(), now));
                    ask(&mut scheduler, host, Ok(200), now);
                    respond(&mut fetch, 200, headers, robots_txt, now);
                }
                cache.handle(ticket, fetch.into_outcome(), now);
            }
            Lookup::Ready(robot) => {
                let origin = Origin::of(url).unwrap();
                scheduler.set_crawl_delay(host, &origin, robot.crawl_delay());
                if !robot.allowed(*url) {
                    next = waiting.next();
                } else if scheduler.next_ready(now).is_some() {
                    asked.push(((*url).to_string(), now));
                    ask(&mut scheduler, host, Ok(200), now);
                    next = waiting.next();
                }
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(keeps_gap(&asked, Duration::from_secs(1)), "{asked:?}");
    asked
}

fn keeps_gap(asked: &[(String, Timestamp)], gap: Duration) -> bool {
    let mut pairs = asked.windows(2);
    pairs.all(|two| two[1].1.saturating_since(two[0].1) >= gap)
}

fn pages(asked: &[(String, Timestamp)]) -> Vec<&str> {
    let urls = asked.iter().map(|(url, _)| &**url);
    urls.filter(|url| !url.ends_with("/robots.txt")).collect()
}

#[test]
fn a_gap_longer_than_the_lifetime_of_robots_txt_starves_no_page() {
    let urls = [
        "https://example.com/a",
        "https://example.com/b",
        "https://example.com/c",
    ];
    for (crawl_delay, cache_control) in [
        // In each turn robots.txt is refreshed because it is due, or has expired, or is due with
        // the default lifetime.
        ("250", "max-age=0"),
        ("600", "max-age=0"),
        ("80000", "no-cache"),
        ("80000", "max-age=86400"),
    ] {
        let robots_txt = format!("User-agent: *\nCrawl-delay: {crawl_delay}");
        let asked = crawl(robots_txt.as_bytes(), cache_control, &urls);
        assert_eq!(pages(&asked), urls, "{crawl_delay} {cache_control}");
        let gap = Duration::from_secs(crawl_delay.parse().unwrap());
        assert!(keeps_gap(&asked, gap), "{asked:?}");
        // The crawl asks for robots.txt at most once for each page.
        assert!(asked.len() <= 2 * urls.len(), "{asked:?}");
    }
}

/// A robots.txt of one day leaves at best all turns of a day but one for pages, and every second
/// turn where the gap is as long as a day. The request for robots.txt costs a turn like any other.
#[test]
fn a_long_gap_has_one_robots_txt_a_day_and_never_two_in_a_row() {
    for (gap, pages_of_a_file) in [
        (7_200, 11),
        (8_700, 9),
        (16_000, 5),
        (40_000, 2),
        (86_400, 1),
    ] {
        let robots_txt = format!("User-agent: *\nCrawl-delay: {gap}");
        let turns = 400 * 3_600 / gap;
        let urls = vec!["https://example.com/a"; turns];
        let asked = crawl(robots_txt.as_bytes(), "", &urls);
        let asked = &asked[..turns];
        let is_robots_txt = |(url, _): &(String, Timestamp)| url.ends_with("/robots.txt");
        let in_a_row = asked.windows(2).any(|two| two.iter().all(is_robots_txt));
        assert!(!in_a_row, "{gap}: {asked:?}");
        let pages = pages(asked).len();
        let best = turns - turns.div_ceil(pages_of_a_file + 1);
        assert!(pages * 100 >= best * 95, "{gap}: {pages} of {best}");
        let gap = Duration::from_secs(gap as u64);
        assert!(keeps_gap(asked, gap), "{asked:?}");
    }
}

/// A disallowed URL needs no turn, so it may not use up the answer that was fetched for all URLs.
#[test]
fn disallowed_urls_cost_no_turn_in_a_host_with_long_gaps() {
    let urls = [
        DISALLOWED,
        DISALLOWED,
        DISALLOWED,
        "https://example.com/a",
        DISALLOWED,
        "https://example.com/b",
    ];
    let robots_txt = b"User-agent: *\nCrawl-delay: 600\nDisallow: /private";
    let asked = crawl(robots_txt, "max-age=0", &urls);
    assert_eq!(pages(&asked), [urls[3], urls[5]]);
    // The delay is known before the first page has its turn.
    assert_eq!(asked.len(), 4);
}

/// Ends a round with a response: its status, its headers and its body.
fn end_round(
    cache: &mut Cache,
    ticket: Ticket,
    profile: &Profile,
    (status, headers, body): (u16, Headers<'_>, &[u8]),
    now: Timestamp,
) {
    let validators = ticket.validators().clone();
    let mut fetch = Fetch::new(ticket.origin(), validators, profile, now);
    respond(&mut fetch, status, headers, body, now);
    cache.handle(ticket, fetch.into_outcome(), now);
}

/// A page goes between two retries while the copy lasts. It also does so in the middle of an
/// outage, with the copy that Google uses then, where the turns are closer than the retries. A
/// retry that is due in each turn goes first in each: without it nothing proves that the outage
/// goes on.
#[test]
fn retries_that_are_due_in_each_turn_starve_no_page() {
    let hour = Duration::from_secs(3600);
    for (profile, retry_after, first_failure, turn, expected) in [
        (
            Profile::google(),
            None,
            24 * hour,
            5 * hour,
            [true, true, true, true, false, true, false, true],
        ),
        (
            Profile::google(),
            Some("86400"),
            24 * hour,
            24 * hour,
            [true; 8],
        ),
        (
            Profile::rfc9309(),
            None,
            20 * hour,
            hour / 4,
            [true, false, true, false, true, false, true, false],
        ),
    ] {
        let mut cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
        let origin = Origin::of("https://example.com").unwrap();
        let is_asked = |cache: &mut Cache, now: Timestamp, status: u16| {
            let Lookup::Fetch(ticket) = cache.poll(&origin, now) else {
                return false;
            };
            let mut headers = Headers::default();
            headers.retry_after = retry_after;
            let file = b"User-agent: *\nDisallow: /private";
            end_round(cache, ticket, &profile, (status, headers, file), now);
            true
        };
        assert!(is_asked(&mut cache, START, 200));
        assert!(!is_asked(&mut cache, START, 200));
        let mut now = START.saturating_add(first_failure);
        let turns = [(); 8].map(|()| {
            let is_robots_txt = is_asked(&mut cache, now, 503);
            now = now.saturating_add(turn);
            is_robots_txt
        });
        assert_eq!(turns, expected, "{turn:?}");
    }
}

/// RFC 9309 wants a copy to be used for a day at most, and this limit wins over a page.
#[test]
fn no_answer_is_held_for_more_than_a_day() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let Lookup::Fetch(ticket) = cache.poll(&origin, START) else {
        panic!()
    };
    let mut headers = Headers::default();
    headers.insert("cache-control", "max-age=60");
    end_round(
        &mut cache,
        ticket,
        &Profile::rfc9309(),
        (200, headers, b""),
        START,
    );
    let day = START.saturating_add(Duration::from_secs(86_400));
    assert_eq!(cache.next_wakeup(), Some(day));
    assert!(matches!(cache.poll(&origin, day), Lookup::Fetch(_)));
}

/// A site with the answers that these fields describe, and a crawler that calls for a page of it
/// again and again, in the turn of the host or not.
#[derive(Debug, Clone)]
struct Calls {
    /// The fields of a robots.txt with a `Crawl-delay`.
    crawl_delay: u64,
    max_age: u64,
    /// The `Retry-After` of a refused page. A page is refused if `refused_pages` divides the number
    /// of requests so far.
    retry_after: u64,
    refused_pages: usize,
    /// The statuses of robots.txt, which repeat.
    robots_txt: Vec<u16>,
    /// Seconds between two calls.
    period: u64,
}

fn calls() -> impl Strategy<Value = Calls> {
    let delay = prop_oneof![0_u64..20, 200_u64..2_000, 2_000_u64..100_000];
    let statuses = prop::collection::vec(prop_oneof![4 => Just(200), 1 => Just(503)], 1..5);
    let max_age = prop_oneof![Just(0), 0_u64..600, Just(86_400)];
    let retry_after = prop_oneof![Just(0), 0_u64..100_000];
    let period = prop_oneof![30_u64..120, 120_u64..4_000];
    let all = (delay, max_age, retry_after, 1_usize..6, statuses, period);
    all.prop_map(
        |(crawl_delay, max_age, retry_after, refused_pages, robots_txt, period)| Calls {
            crawl_delay,
            max_age,
            retry_after,
            refused_pages,
            robots_txt,
            period,
        },
    )
}

/// The requests of one host, in order.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    RobotsTxt(Timestamp),
    Page(Timestamp),
}

/// The crawl of a client that begins a round as soon as one is due, whether the host has a turn or
/// not, and keeps its ticket alive.
struct Caller {
    cache: Cache,
    scheduler: Scheduler,
    host: HostId,
    origin: Origin,
    round: Option<Ticket>,
    asked: Vec<Asked>,
    failed_rounds: usize,
    now: Timestamp,
}

impl Caller {
    fn new() -> Caller {
        let profile = Profile::rfc9309();
        let mut scheduler = Scheduler::new(profile);
        Caller {
            cache: Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap(),
            host: scheduler.insert("example.com", None),
            scheduler,
            origin: Origin::of("https://example.com").unwrap(),
            round: None,
            asked: Vec::new(),
            failed_rounds: 0,
            now: START,
        }
    }

    /// One call for a page.
    fn call(&mut self, site: &Calls) {
        let is_ready = self.scheduler.turn(self.host, self.now) == Turn::Ready;
        if let Some(ticket) = self.round.take() {
            self.cache.renew(&ticket, self.now);
            match is_ready {
                true => self.ask_robots_txt(site, ticket),
                false => self.round = Some(ticket),
            }
            return;
        }
        let lookup = match is_ready {
            true => self.cache.poll(&self.origin, self.now),
            false => self.cache.poll_ahead(&self.origin, self.now),
        };
        match lookup {
            Lookup::Fetch(ticket) if is_ready => self.ask_robots_txt(site, ticket),
            Lookup::Fetch(ticket) => self.round = Some(ticket),
            Lookup::Ready(robot) => {
                let delay = robot.crawl_delay();
                self.scheduler
                    .set_crawl_delay(self.host, &self.origin, delay);
                if self.scheduler.turn(self.host, self.now) == Turn::Ready {
                    self.ask_page(site);
                }
            }
            Lookup::Closed(_) => {}
            other => panic!("{other:?}"),
        }
    }

    fn ask_robots_txt(&mut self, site: &Calls, ticket: Ticket) {
        let is_round = |asked: &&Asked| matches!(asked, Asked::RobotsTxt(_));
        let rounds = self.asked.iter().filter(is_round).count();
        let status = site.robots_txt[rounds % site.robots_txt.len()];
        self.failed_rounds += usize::from(status != 200);
        self.asked.push(Asked::RobotsTxt(self.now));
        self.end(Reply::new(Ok(status), self.now));
        let mut headers = Headers::default();
        let max_age = format!("max-age={}", site.max_age);
        headers.insert("cache-control", &max_age);
        let body = format!("User-agent: *\nCrawl-delay: {}", site.crawl_delay);
        let profile = Profile::rfc9309();
        let response = (status, headers, body.as_bytes());
        end_round(&mut self.cache, ticket, &profile, response, self.now);
    }

    fn ask_page(&mut self, site: &Calls) {
        self.asked.push(Asked::Page(self.now));
        let is_refused = site.retry_after > 0 && self.asked.len() % site.refused_pages == 0;
        let reply = match is_refused {
            true => {
                let wait = RetryAfter::Delay(Duration::from_secs(site.retry_after));
                Reply::new(Ok(429), self.now).with_retry_after(Some(wait))
            }
            false => Reply::new(Ok(200), self.now),
        };
        self.end(reply);
    }

    fn end(&mut self, reply: Reply) {
        self.scheduler.handle_start(self.host, self.now);
        self.scheduler.handle_reply(self.host, reply, self.now);
    }
}

proptest! {
    #![proptest_config(law_cases(32))]

    /// robots.txt is asked for at most once in each `min_ttl`, once more, and once for each step of
    /// the back-off. A page comes between two of its requests that were answered.
    #[test]
    fn robots_txt_is_asked_for_once_and_then_a_page(site in calls()) {
        let mut caller = Caller::new();
        while caller.asked.len() < 40 && caller.now < START.saturating_add(Duration::from_secs(1_500_000)) {
            caller.call(&site);
            caller.now = caller.now.saturating_add(Duration::from_secs(site.period));
        }
        let min_ttl = Profile::rfc9309().access.min_ttl;
        let elapsed = caller.now.saturating_since(START);
        let most = elapsed.as_secs() / min_ttl.as_secs() + 1 + caller.failed_rounds as u64;
        let rounds = caller.asked.iter().filter(|asked| matches!(asked, Asked::RobotsTxt(_)));
        prop_assert!(rounds.count() as u64 <= most, "{:?}", caller.asked);
        if site.robots_txt.iter().all(|status| *status == 200) {
            for two in caller.asked.windows(2) {
                let is_twice = matches!(two, [Asked::RobotsTxt(_), Asked::RobotsTxt(_)]);
                prop_assert!(!is_twice, "{:?}", caller.asked);
            }
        }
    }
}

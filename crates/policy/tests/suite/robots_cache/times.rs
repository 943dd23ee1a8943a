//! Lifetimes, outages, pauses, restarts and a full cache, by a clock of the test.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::{Ready, ready};
use std::rc::Rc;

use polite_robots::Cause;
use polite_robots_policy::cache::SavedCache;
use polite_robots_policy::{
    Cache, Lookup, NetError, Origin, Profile, RobotsCache, RobotsCheck, RobotsResponse, block_on,
};

use super::super::naive::{DAY, HOUR, MINUTE};
use super::{Answer, Clock, at, file, status};

/// A site whose answer the test sets, and which counts its requests.
#[derive(Clone)]
struct Site {
    answer: Rc<RefCell<Answer>>,
    requests: Rc<Cell<usize>>,
}

impl Site {
    fn new(answer: Answer) -> Site {
        Site {
            answer: Rc::new(RefCell::new(answer)),
            requests: Rc::default(),
        }
    }

    fn set(&self, answer: Answer) {
        *self.answer.borrow_mut() = answer;
    }

    /// Counts a request for its robots.txt, and answers it.
    fn get(&self) -> Answer {
        self.requests.set(self.requests.get() + 1);
        self.answer.borrow().clone()
    }
}

const PAGE: &str = "https://a.test/page";

const RULES: &str = "User-agent: *\nDisallow: /private";

/// A site with this answer, the clock of its crawler, and the crawler.
fn crawl(
    profile: Profile,
    answer: Answer,
) -> (Site, Clock, RobotsCache<impl Fn(String) -> Ready<Answer>>) {
    let (site, clock) = (Site::new(answer), Clock::new());
    let asked = site.clone();
    let robots = RobotsCache::over(cache(profile, 64 << 20), move |_| ready(asked.get()));
    let robots = robots.with_clock(clock.read());
    (site, clock, robots)
}

fn cache(profile: Profile, capacity: usize) -> Cache {
    Cache::new(profile, &["ExampleBot"], capacity).unwrap()
}

fn is_open<A: Future<Output = Answer>>(
    robots: &RobotsCache<impl Fn(String) -> A>,
    path: &str,
) -> bool {
    block_on(robots.allowed(&format!("https://a.test{path}"))).unwrap()
}

fn check<A: Future<Output = Answer>>(
    robots: &RobotsCache<impl Fn(String) -> A>,
    host: &str,
) -> RobotsCheck {
    block_on(robots.check(&format!("https://{host}.test/"))).unwrap()
}

#[test]
fn an_answer_is_fetched_once_in_each_lifetime() {
    let (site, clock, robots) = crawl(Profile::rfc9309(), file(RULES));
    for _ in 0..10 * 24 * 60 {
        assert!(is_open(&robots, "/page"));
        assert!(!is_open(&robots, "/private"));
        clock.advance(MINUTE);
    }
    // A refresh comes after 80 percent of a day.
    assert_eq!(site.requests.get(), 13);
}

/// The fetch function gets a URL and sends no conditions, so an answer to conditions says nothing.
#[test]
fn an_answer_to_conditions_that_nobody_sent_is_none() {
    let answer = RobotsResponse::new(200, [("ETag", "\"v1\"")], RULES);
    let (site, clock, robots) = crawl(Profile::rfc9309(), Ok(answer));
    assert!(is_open(&robots, "/page"));
    site.set(status(304));
    clock.advance(DAY);
    let check = block_on(robots.check(PAGE)).unwrap();
    assert!(
        check.closed && check.cause == Some(Cause::Status(304)),
        "{check}"
    );
}

/// A lifetime of zero counts as five minutes, also where the file asks for long gaps. There are no
/// turns here for which an answer would have to be kept.
#[test]
fn a_crawl_delay_does_not_lengthen_a_lifetime() {
    let headers = [("Cache-Control", "no-store")];
    let body = "User-agent: *\nCrawl-delay: 7200";
    let answer = RobotsResponse::new(200, headers, body);
    let (site, clock, robots) = crawl(Profile::rfc9309(), Ok(answer));
    for _ in 0..60 {
        assert!(is_open(&robots, "/page"));
        clock.advance(MINUTE);
    }
    assert_eq!(site.requests.get(), 12);
}

#[test]
fn an_outage_of_days_closes_the_site_until_it_answers() {
    let (site, clock, robots) = crawl(Profile::rfc9309(), file(RULES));
    assert!(is_open(&robots, "/page"));
    site.set(Err(NetError::Connect));
    let begin = clock.now();
    clock.advance(DAY);
    while clock.now() < begin + 20 * DAY {
        let check = block_on(robots.check(PAGE)).unwrap();
        assert!(!check.allowed && check.closed, "{check:?}");
        let retry_at = check.retry_at.unwrap();
        let in_time = retry_at > at(clock.now()) && retry_at <= at(clock.now() + 6 * HOUR);
        assert!(in_time, "{check:?}");
        clock.advance(MINUTE);
    }
    // The crawler asks every hour at first, and then every six hours.
    let requests = site.requests.get();
    assert!((80..110).contains(&requests), "{requests}");
    site.set(file(RULES));
    clock.advance(6 * HOUR);
    assert!(is_open(&robots, "/page"));
    assert!(!is_open(&robots, "/private"));
}

/// A fault of the crawler's own network is no evidence, however long it lasts.
#[test]
fn a_fault_of_our_own_opens_nothing() {
    let (_, clock, robots) = crawl(Profile::rfc9309(), Err(NetError::Local));
    for _ in 0..100 * 24 {
        let check = block_on(robots.check(PAGE)).unwrap();
        assert_eq!((check.closed, check.cause), (true, Some(Cause::NotFetched)));
        assert_eq!(check.retry_at, Some(at(clock.now() + 10_000)));
        clock.advance(HOUR);
    }
}

/// IBM's procedure asks twice, two seconds apart. No task sleeps: the caller comes back.
#[test]
fn a_round_goes_on_after_its_pause() {
    let (site, clock, robots) = crawl(Profile::ibm(), status(500));
    for pause in [0, 1_999] {
        clock.advance(pause);
        let check = block_on(robots.check(PAGE)).unwrap();
        assert_eq!((check.closed, check.cause), (true, Some(Cause::NotFetched)));
        assert_eq!(check.retry_at, Some(at(clock.now() + 2_000 - pause)));
        assert_eq!(site.requests.get(), 1);
    }
    clock.advance(1);
    let check = block_on(robots.check(PAGE)).unwrap();
    assert_eq!(check.cause, Some(Cause::Status(500)));
    assert_eq!(site.requests.get(), 2);
    assert_eq!(check.retry_at, Some(at(clock.now() + HOUR)));
    // The second attempt of the next round is answered, an hour after its first.
    clock.advance(HOUR);
    assert!(!is_open(&robots, "/page"));
    clock.advance(HOUR);
    site.set(file(RULES));
    assert!(is_open(&robots, "/page"));
    assert_eq!(site.requests.get(), 4);
}

/// The cache keeps in its memory each round that nobody continues. A forgotten round has failed,
/// and its site is not asked again at once.
#[test]
fn rounds_that_pause_are_bounded() {
    let (site, clock) = (Site::new(status(500)), Clock::new());
    let cache = cache(Profile::ibm(), 1 << 20);
    let robots = RobotsCache::over(cache, async |_| site.get()).with_clock(clock.read());
    let check = |number: usize| check(&robots, &format!("h{number}"));
    let count = |checks: &[RobotsCheck], cause| {
        let is_its = |check: &&RobotsCheck| check.cause == Some(cause);
        checks.iter().filter(is_its).count()
    };
    let checks: Vec<RobotsCheck> = (0..1_500).map(check).collect();
    assert_eq!(count(&checks, Cause::NotFetched), 1_500);
    assert!(robots.with_cache(|cache| cache.bytes()) <= 1 << 20);
    let (kept, forgotten) = robots.with_cache(|cache| (cache.len(), cache.forgotten()));
    assert_eq!(kept + forgotten, 1_500);
    assert!((100..400).contains(&kept), "{kept}");
    let checks: Vec<RobotsCheck> = (0..1_500).map(check).collect();
    assert_eq!(site.requests.get(), 1_500);
    assert!(count(&checks, Cause::Unreachable) >= forgotten);
}

/// The explanation for a site whose round pauses says when the round goes on.
#[test]
fn a_pause_is_explained() {
    let (_, _, robots) = crawl(Profile::ibm(), status(500));
    let sentence = "disallowed: robots.txt not fetched yet; next fetch: 2026-01-01T00:00:02Z";
    assert_eq!(block_on(robots.check(PAGE)).unwrap().to_string(), sentence);
    assert_eq!(block_on(robots.explain(PAGE)).as_deref(), Ok(sentence));
}

/// A caller that may go on but goes away gives the round back, and the round begins anew.
#[test]
fn a_pause_is_no_lease() {
    let (site, clock, robots) = crawl(Profile::ibm(), status(500));
    assert!(!is_open(&robots, "/page"));
    clock.advance(DAY);
    let origin = Origin::of(PAGE).unwrap();
    let lookup = robots.with_cache(|cache| cache.poll_and_release(&origin, at(clock.now())));
    assert!(matches!(lookup, Lookup::Fetch(_)), "{lookup:?}");
    drop(lookup);
    site.set(file(RULES));
    assert!(is_open(&robots, "/page"));
    assert_eq!(site.requests.get(), 2);
}

#[test]
fn a_saved_cache_opens_nothing_and_forgives_nothing() {
    let clock = Clock::new();
    let get = async |url: String| match url.as_str() {
        "https://a.test/robots.txt" => file(RULES),
        _ => status(503),
    };
    let robots = RobotsCache::over(cache(Profile::rfc9309(), 1 << 20), get);
    let robots = robots.with_clock(clock.read());
    assert!(is_open(&robots, "/page"));
    let down = check(&robots, "down");
    let saved = robots.with_cache(|cache| cache.save());
    let stored = serde_json::to_string(&saved).unwrap();
    // A cache that is too small for everything that was saved keeps the promises of the rest.
    for memory in [1 << 20, 1_000] {
        let saved: SavedCache = serde_json::from_str(&stored).unwrap();
        let cache = cache(Profile::rfc9309(), memory);
        let next = RobotsCache::over(cache, |url: String| async move { panic!("{url} is asked") });
        let next = next.with_clock(clock.read());
        next.with_cache(|cache| cache.load(saved, at(clock.now())));
        let check = check(&next, "down");
        assert!(check.closed);
        if memory > 1_000 {
            assert_eq!((check.cause, check.retry_at), (down.cause, down.retry_at));
        }
        assert_eq!(
            ["/private", "/page"].map(|path| is_open(&next, path)),
            [false, true]
        );
    }
}

/// A full cache closes a site that it has no room for, and says when to come back.
#[test]
fn a_full_cache_closes_new_sites() {
    let (clock, requests) = (Clock::new(), Cell::new(0));
    let cache = cache(Profile::rfc9309(), 20_000);
    let robots = RobotsCache::over(cache, |_| {
        requests.set(requests.get() + 1);
        async { status(503) }
    });
    let robots = robots.with_clock(clock.read());
    let check = |number: usize| check(&robots, &format!("h{number}"));
    let mut full: Vec<RobotsCheck> = (0..200).map(check).collect();
    full.retain(|check| check.cause == Some(Cause::Full));
    assert!((1..200).contains(&full.len()), "{}", full.len());
    assert_eq!(requests.get(), 200 - full.len());
    for check in full {
        assert!(check.closed && !check.allowed);
        assert_eq!(check.retry_at, Some(at(clock.now() + 10_000)));
        let told = check.to_string();
        assert!(told.starts_with("disallowed: no room"), "{told}");
    }
    // After five minutes the promises are kept, and then there is room.
    clock.advance(5 * MINUTE);
    assert_eq!(check(199).cause, Some(Cause::Status(503)));
}

/// A caller keeps no queue, so a host that was asked about makes room for others at once, and not
/// after five minutes.
#[test]
fn a_crawl_in_a_hurry_has_room() {
    let clock = Clock::new();
    let cache = cache(Profile::rfc9309(), 1 << 20);
    let robots = RobotsCache::over(cache, |_| async { file(RULES) }).with_clock(clock.read());
    for number in 0..4_400 {
        let page = format!("https://h{number}.test/page");
        assert_eq!(block_on(robots.allowed(&page)), Ok(true), "{number}");
    }
    assert!(robots.with_cache(|cache| cache.forgotten()) > 500);
}

/// Ten thousand hosts share a memory for a few hundred, and each host is asked about twice. A
/// forgotten host is asked again no sooner than it may be, and forgetting opens nothing.
#[test]
fn forgetting_opens_nothing() {
    let clock = Clock::new();
    let asked: RefCell<BTreeMap<String, Vec<u64>>> = RefCell::default();
    let cache = cache(Profile::rfc9309(), 1 << 20);
    let robots = RobotsCache::over(cache, |url: String| {
        let is_down = url.contains("down");
        asked.borrow_mut().entry(url).or_default().push(clock.now());
        async move {
            match is_down {
                true => Err(NetError::Reset),
                false => file(RULES),
            }
        }
    });
    let robots = robots.with_clock(clock.read());
    let mut open = 0;
    for pass in 0..2 {
        for number in 0..10_000 {
            let kind = if number % 3 == 0 { "down" } else { "up" };
            let host = format!("https://{kind}{number}.test");
            let is_allowed = block_on(robots.allowed(&format!("{host}/page"))).unwrap();
            let private = block_on(robots.check(&format!("{host}/private"))).unwrap();
            let is_wrong = private.allowed || is_allowed && kind == "down";
            assert!(!is_wrong, "{host} in pass {pass}");
            open += usize::from(is_allowed);
            clock.advance(200);
        }
    }
    assert!(open > 6_000, "{open}");
    assert!(robots.with_cache(|cache| cache.len()) < 3_000);
    for (url, times) in asked.into_inner() {
        for pair in times.windows(2) {
            assert!(pair[1] - pair[0] >= 5 * MINUTE, "{url}");
        }
    }
}

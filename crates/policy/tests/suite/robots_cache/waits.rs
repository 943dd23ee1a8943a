//! Callers that wait for the turns of hosts.

use std::cell::Cell;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use polite_robots::Cause;
use polite_robots_policy::cache::Permit;
use polite_robots_policy::settings::LongDelayPolicy;
use polite_robots_policy::{Cache, NetError, Profile, Reply, RobotsCache, Timestamp, block_on};

use super::super::words::{after, paced, secs};
use super::callers::Network;
use super::{Answer, Clock, file, status};

const RULES: &str = "User-agent: *\nDisallow: /private";

/// A wait that a test polls by hand.
struct Wait<'r>(Pin<Box<dyn Future<Output = Permit> + 'r>>);

impl<'r> Wait<'r> {
    fn new<A: Future<Output = Answer>>(
        robots: &'r RobotsCache<impl Fn(String) -> A>,
        url: &'r str,
    ) -> Wait<'r> {
        Wait(Box::pin(async { robots.wait(url).await.unwrap() }))
    }

    fn poll(&mut self) -> Option<Permit> {
        let mut context = Context::from_waker(Waker::noop());
        match self.0.as_mut().poll(&mut context) {
            Poll::Ready(permit) => Some(permit),
            Poll::Pending => None,
        }
    }

    fn granted(&mut self) -> Permit {
        let permit = self.poll().expect("a permit");
        assert!(permit.allowed, "{permit}");
        permit
    }
}

/// A crawler of sites that all have this answer, and its clock.
fn crawl(
    profile: Profile,
    answer: impl Fn(&str) -> Answer,
) -> (Clock, RobotsCache<impl Fn(String) -> Ready<Answer>>) {
    let clock = Clock::new();
    let cache = Cache::new(profile, &["ExampleBot"], 64 << 20).unwrap();
    let robots = RobotsCache::over(cache, move |url: String| ready(answer(&url)));
    (clock.clone(), robots.with_clock(clock.read()))
}

/// A crawler of one site with rules, after its robots.txt and the gap.
fn known(clock: &Clock, robots: &RobotsCache<impl Fn(String) -> Ready<Answer>>) {
    let mut wait = Wait::new(robots, "https://a.test/first");
    assert!(wait.poll().is_none(), "a gap after robots.txt");
    clock.advance(1_000);
    let permit = wait.granted();
    permit.finish(200, NO_HEADERS);
}

const NO_HEADERS: [(&str, &str); 0] = [];

#[test]
fn a_host_has_one_request_at_a_time_and_gaps() {
    let (clock, robots) = crawl(Profile::rfc9309(), |_| file(RULES));
    known(&clock, &robots);
    let mut one = Wait::new(&robots, "https://a.test/1");
    let mut two = Wait::new(&robots, "https://a.test/2");
    let mut elsewhere = Wait::new(&robots, "https://b.test/");
    assert!(one.poll().is_none() && two.poll().is_none() && elsewhere.poll().is_none());
    clock.advance(999);
    assert!(one.poll().is_none());
    clock.advance(1);
    let permit = one.granted();
    assert!(two.poll().is_none());
    let elsewhere = elsewhere.granted();
    clock.advance(300);
    assert!(two.poll().is_none(), "a request is under way");
    // A rule needs no turn.
    let private = Wait::new(&robots, "https://a.test/private").poll().unwrap();
    assert!(!private.allowed && !private.closed && private.line == Some(2));
    assert_eq!(
        private.to_string(),
        "disallowed by line 2: Disallow: /private in the wildcard group on line 1"
    );
    permit.finish(200, NO_HEADERS);
    elsewhere.fail(NetError::Reset);
    clock.advance(999);
    assert!(two.poll().is_none());
    clock.advance(1);
    drop(two.granted());
    // Another origin of the host shares the pace, and its robots.txt comes first.
    let mut http = Wait::new(&robots, "http://a.test/3");
    for is_granted in [false, false, true] {
        assert_eq!(http.poll().is_some(), is_granted);
        clock.advance(1_000);
    }
}

/// The end of a request by a status, a failure or a drop decides when the next one begins.
#[test]
fn the_end_of_a_permit_sets_the_pace() {
    let ends: [(fn(Permit), u64); 5] = [
        (|permit| permit.finish(200, NO_HEADERS), 1),
        (|permit| permit.finish(429, [("Retry-After", "20")]), 20),
        (
            |permit| permit.finish(200, [("RateLimit", "\"a\";r=0;t=30")]),
            30,
        ),
        (drop, 1),
        (|permit| permit.fail(NetError::Local), 1),
    ];
    for (end, gap) in ends {
        let (clock, robots) = crawl(Profile::rfc9309(), |_| file(RULES));
        known(&clock, &robots);
        clock.advance(1_000);
        let permit = Wait::new(&robots, "https://a.test/1").granted();
        let mut next = Wait::new(&robots, "https://a.test/2");
        assert!(next.poll().is_none());
        clock.advance(200);
        end(permit);
        clock.advance(gap * 1_000 - 1);
        assert!(next.poll().is_none(), "{gap}");
        clock.advance(1);
        drop(next.granted());
    }
}

/// The paces of a crawl are saved with its cache.
#[test]
fn a_wait_that_a_page_asked_for_outlives_its_crawl() {
    let (clock, robots) = crawl(Profile::rfc9309(), |_| file(RULES));
    known(&clock, &robots);
    clock.advance(1_000);
    let permit = Wait::new(&robots, "https://a.test/1").granted();
    permit.finish(429, [("Retry-After", "20")]);
    let (cache, paces) =
        robots.with_crawl(|crawl| (crawl.cache().save(), crawl.scheduler().clone()));

    let (later, next) = crawl(Profile::rfc9309(), |_| panic!("robots.txt is known"));
    later.advance(clock.now() - later.now());
    next.with_crawl(|crawl| crawl.load(cache, &paces, Timestamp::from_millis(later.now())));
    let mut wait = Wait::new(&next, "https://a.test/2");
    assert!(wait.poll().is_none());
    later.advance(19_999);
    assert!(wait.poll().is_none());
    later.advance(1);
    drop(wait.granted());
}

#[test]
fn a_host_without_a_turn_in_time_is_busy() {
    let (clock, robots) = crawl(Profile::rfc9309(), |_| file(RULES));
    known(&clock, &robots);
    clock.advance(1_000);
    let permit = Wait::new(&robots, "https://a.test/1").granted();
    permit.finish_with(
        Reply::new(Ok(503), after(0))
            .with_retry_after(polite_robots_policy::RetryAfter::parse("3600")),
    );
    let permit = Wait::new(&robots, "https://a.test/2").poll().unwrap();
    assert!(!permit.allowed && permit.closed && permit.busy && permit.cause.is_none());
    assert_eq!(permit.retry_at, Some(after(3_602_000)));
    assert_eq!(
        permit.to_string(),
        "disallowed: a.test is busy: its turn comes too late; next turn: 2026-01-01T01:00:02Z"
    );
    // `check` has no turns.
    assert!(block_on(robots.check("https://a.test/2")).unwrap().allowed);
    // A request without an end keeps the others waiting for as long as they want to.
    let held = Wait::new(&robots, "https://b.test/1").poll();
    assert!(held.is_none());
}

/// A `Crawl-delay` beyond the limit of a profile may leave the host out.
#[test]
fn a_host_that_is_left_out_has_no_next_turn() {
    let profile = paced(|pace| pace.over_max_crawl_delay = LongDelayPolicy::SkipHost);
    let (clock, robots) = crawl(profile, |_| file("User-agent: *\nCrawl-delay: 90000"));
    let mut wait = Wait::new(&robots, "https://a.test/1");
    let first = wait.poll();
    clock.advance(1_000);
    let permit = first.or_else(|| wait.poll()).unwrap();
    assert!(permit.busy && permit.retry_at.is_none());
    assert_eq!(
        permit.to_string(),
        "disallowed: a.test is busy: its Crawl-delay is too long; next turn: never"
    );
}

/// A caller waits for as long as it wants to, and a request that never ends frees its host when its
/// lease is over.
#[test]
fn a_permit_that_is_kept_frees_its_host() {
    for (longest, is_granted) in [(300, false), (900, true)] {
        let (clock, robots) = crawl(Profile::rfc9309(), |_| file(RULES));
        let robots = robots.with_max_wait(secs(longest));
        known(&clock, &robots);
        clock.advance(1_000);
        let kept = Wait::new(&robots, "https://a.test/1").granted();
        let mut next = Wait::new(&robots, "https://a.test/2");
        assert!(next.poll().is_none());
        let mut answer = None;
        for _ in 0..700 {
            clock.advance(1_000);
            answer = answer.or_else(|| next.poll());
        }
        let answer = answer.unwrap();
        assert_eq!((answer.allowed, answer.busy), (is_granted, !is_granted));
        drop(answer);
        drop(kept);
    }
}

/// An early retry comes after two or three seconds.
#[test]
fn a_closed_site_is_asked_again_in_time() {
    for (longest, is_open) in [(300, true), (1, false)] {
        let asked = Rc::new(Cell::new(0));
        let count = Rc::clone(&asked);
        let (clock, robots) = crawl(Profile::rfc9309(), move |_| {
            count.set(count.get() + 1);
            if count.get() == 1 {
                status(503)
            } else {
                file(RULES)
            }
        });
        let robots = robots.with_max_wait(secs(longest));
        let mut wait = Wait::new(&robots, "https://a.test/1");
        let mut answer = wait.poll();
        for _ in 0..300 {
            clock.advance(100);
            answer = answer.or_else(|| wait.poll());
        }
        let answer = answer.unwrap();
        assert_eq!(
            (answer.allowed, asked.get()),
            (is_open, 1 + i32::from(is_open))
        );
        if !is_open {
            assert!(answer.closed && !answer.busy);
            assert_eq!(answer.cause, Some(Cause::Status(503)));
            assert!(answer.retry_at.is_some_and(|retry| retry > after(0)));
        }
    }
}

/// An outage that lasts closes the site for those who wait, when its next retry comes too late.
#[test]
fn a_site_that_stays_closed_has_a_time_for_the_next_question() {
    let (clock, robots) = crawl(Profile::rfc9309(), |_| Err(NetError::Connect));
    let mut wait = Wait::new(&robots, "https://a.test/1");
    let mut answer = None;
    for _ in 0..301 {
        answer = answer.or_else(|| wait.poll());
        clock.advance(1_000);
    }
    let answer = answer.unwrap();
    assert!(answer.closed && answer.cause == Some(Cause::Unreachable));
    assert!(answer.retry_at.is_some_and(|retry| retry > after(300_000)));
}

#[test]
fn a_caller_that_goes_away_hands_its_request_on() {
    let (network, clock) = (Network::default(), Clock::new());
    let robots = RobotsCache::new("ExampleBot", network.fetch()).unwrap();
    let robots = robots.with_clock(clock.read());
    let mut one = Wait::new(&robots, "https://a.test/1");
    let mut two = Wait::new(&robots, "https://a.test/2");
    assert!(one.poll().is_none() && two.poll().is_none());
    assert_eq!((network.open().len(), network.sent()), (1, 1));
    drop(one);
    assert!(two.poll().is_none());
    assert_eq!(
        network.sent(),
        1,
        "the gap after a request that was broken off"
    );
    clock.advance(1_000);
    assert!(two.poll().is_none());
    assert_eq!((network.open().len(), network.sent()), (1, 2));
    network.answer(0, file(RULES));
    assert!(two.poll().is_none());
    clock.advance(1_000);
    let turn = two.granted();
    // Its place in the line goes to the next one.
    let mut three = Wait::new(&robots, "https://a.test/3");
    let mut four = Wait::new(&robots, "https://a.test/4");
    assert!(three.poll().is_none() && four.poll().is_none());
    drop((turn, three));
    clock.advance(1_000);
    drop(four.granted());
}

/// The two kinds of callers share the round of a site, whoever began it.
#[test]
fn callers_with_and_without_turns_share_a_round() {
    for is_wait_first in [true, false] {
        let (network, clock) = (Network::default(), Clock::new());
        let robots = RobotsCache::new("ExampleBot", network.fetch()).unwrap();
        let robots = robots.with_clock(clock.read());
        let mut wait = Wait::new(&robots, "https://a.test/1");
        let mut check = Box::pin(robots.allowed("https://a.test/1"));
        let mut poll_check = || check.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if is_wait_first {
            assert!(wait.poll().is_none() && poll_check().is_pending());
        } else {
            assert!(poll_check().is_pending() && wait.poll().is_none());
        }
        assert_eq!(network.sent(), 1);
        network.answer(0, file(RULES));
        if is_wait_first {
            assert!(wait.poll().is_none());
            assert_eq!(poll_check(), Poll::Ready(Ok(true)));
        } else {
            assert_eq!(poll_check(), Poll::Ready(Ok(true)));
            // No turn was used, so no gap is kept.
            drop(wait.granted());
        }
        assert_eq!(network.sent(), 1);
    }
}

/// Without callers that wait for turns nobody sends the requests of their rounds.
#[test]
fn a_round_that_nobody_runs_is_given_up() {
    let (network, clock) = (Network::default(), Clock::new());
    let robots = RobotsCache::new("ExampleBot", network.fetch()).unwrap();
    let robots = robots.with_clock(clock.read());
    let mut wait = Wait::new(&robots, "https://a.test/1");
    assert!(wait.poll().is_none());
    let mut check = Box::pin(robots.allowed("https://a.test/1"));
    let mut poll_check = || check.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(poll_check().is_pending());
    drop(wait);
    assert!(poll_check().is_pending());
    assert_eq!((network.open().len(), network.sent()), (1, 2));
    network.answer(0, file(RULES));
    assert_eq!(poll_check(), Poll::Ready(Ok(true)));
}

#[test]
fn a_permit_may_end_in_another_thread() {
    fn send<T: Send>(value: T) -> T {
        value
    }
    let profile = paced(|pace| pace.min_delay = Duration::from_millis(20));
    let cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
    let robots = Arc::new(RobotsCache::over(cache, |_| async { file(RULES) }));
    let shared = Arc::clone(&robots);
    let task = send(async move { shared.wait("https://a.test/1").await.unwrap() });
    let permit = thread::spawn(|| block_on(task)).join().unwrap();
    assert!(permit.allowed);
    drop(robots);
    thread::spawn(|| permit.finish(200, NO_HEADERS))
        .join()
        .unwrap();
}

/// Threads without an executor share the turns of a few hosts by the clock of the system.
#[test]
fn threads_wait_for_their_turns() {
    const GAP: Duration = Duration::from_millis(30);

    let profile = paced(|pace| pace.min_delay = GAP);
    let cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
    let fetched = AtomicUsize::new(0);
    let robots = RobotsCache::over(cache, |_| {
        fetched.fetch_add(1, Ordering::Relaxed);
        async { file(RULES) }
    });
    let times: [Mutex<Vec<(Instant, Instant)>>; 3] = Default::default();
    thread::scope(|scope| {
        for number in 0..24 {
            let (robots, times) = (&robots, &times);
            scope.spawn(move || {
                let host = number % 3;
                let url = format!("https://h{host}.test/{number}");
                let permit = block_on(robots.wait(&url)).unwrap();
                assert!(permit.allowed);
                let start = Instant::now();
                thread::sleep(Duration::from_millis(5));
                times[host].lock().unwrap().push((start, Instant::now()));
                permit.finish(200, NO_HEADERS);
            });
        }
    });
    assert_eq!(fetched.into_inner(), 3);
    for times in times {
        let mut times = times.into_inner().unwrap();
        times.sort();
        assert_eq!(times.len(), 8);
        for two in times.windows(2) {
            let gap = two[1].0.checked_duration_since(two[0].1);
            // The clock of the machine has whole milliseconds.
            assert!(
                gap.is_some_and(|gap| gap + Duration::from_millis(1) >= GAP),
                "{gap:?}"
            );
        }
    }
}

/// A caller that is not polled holds up nobody else.
#[test]
fn a_future_that_is_not_polled_stops_nobody() {
    let profile = paced(|pace| pace.min_delay = Duration::from_millis(20));
    let cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
    let robots = RobotsCache::over(cache, |_| async { file(RULES) });
    let mut paused = Wait::new(&robots, "https://a.test/1");
    assert!(paused.poll().is_none());
    assert!(block_on(robots.wait("https://b.test/1")).unwrap().allowed);
}

/// The futures of callers are small: a crawler holds one for each page.
#[test]
fn futures_are_small() {
    let (_, robots) = crawl(Profile::rfc9309(), |_| file(RULES));
    let (check, wait) = (
        robots.check("https://a.test/"),
        robots.wait("https://a.test/"),
    );
    assert!(size_of_val(&check) <= 400, "{}", size_of_val(&check));
    assert!(size_of_val(&wait) <= 400, "{}", size_of_val(&wait));
}

//! The driving loop for a host whose turns are further apart than its robots.txt lives.

use std::time::Duration;

use polite_robots_policy::{
    BodyEnd, Cache, Event, Fetch, Headers, Lookup, Origin, Profile, Reply, Response, Scheduler,
    Step, Timestamp,
};

const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);
const DISALLOWED: &str = "https://example.com/private";

/// The requests to one host, in order, with their times: the five steps of the crate's front page,
/// with `Crawl-delay` kept before the first page too.
fn crawl(
    robots_txt: &[u8],
    cache_control: &str,
    urls: &[&'static str],
) -> Vec<(String, Timestamp)> {
    let profile = Profile::rfc9309();
    let mut cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
    let mut scheduler = Scheduler::new(profile);
    let host = scheduler.insert("example.com", None);
    let mut headers = Headers::default();
    headers.insert("cache-control", cache_control);
    let mut now = START;
    let mut asked = Vec::new();
    let mut urls = urls.iter();
    let mut next = urls.next();
    while let Some(url) = next {
        // A crawl that goes on for ever is one that does not get its pages.
        if asked.len() > 40 {
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
                    scheduler.handle_start(host, now);
                    scheduler.handle_reply(host, Reply::new(Ok(200), now), now);
                    let response = Response {
                        status: 200,
                        headers,
                        body: robots_txt,
                        end: BodyEnd::Complete,
                    };
                    fetch.handle(Event::Response(response), now);
                }
                cache.handle(ticket, fetch.into_outcome(), now);
            }
            Lookup::Ready(robot) => {
                let origin = Origin::of(url).unwrap();
                scheduler.set_crawl_delay(host, &origin, robot.crawl_delay());
                if !robot.allowed(*url) {
                    next = urls.next();
                } else if scheduler.next_ready(now).is_some() {
                    asked.push(((*url).to_string(), now));
                    scheduler.handle_start(host, now);
                    scheduler.handle_reply(host, Reply::new(Ok(200), now), now);
                    next = urls.next();
                }
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(
        asked
            .windows(2)
            .all(|two| two[1].1.saturating_since(two[0].1) >= Duration::from_secs(1)),
        "{asked:?}"
    );
    asked
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
        // Refreshed in each turn, as it is due; expired in each turn; due, with the lifetime that
        // is the default.
        ("250", "max-age=0"),
        ("600", "max-age=0"),
        ("80000", "no-cache"),
        ("80000", "max-age=86400"),
    ] {
        let robots_txt = format!("User-agent: *\nCrawl-delay: {crawl_delay}");
        let asked = crawl(robots_txt.as_bytes(), cache_control, &urls);
        assert_eq!(pages(&asked), urls, "{crawl_delay} {cache_control}");
        let gap = Duration::from_secs(crawl_delay.parse().unwrap());
        assert!(
            asked
                .windows(2)
                .all(|two| two[1].1.saturating_since(two[0].1) >= gap),
            "{asked:?}"
        );
        // robots.txt at most once for each page, and once more for the gap to be known.
        assert!(asked.len() <= 2 * urls.len() + 1, "{asked:?}");
    }
}

/// They need no turn, so none of them may use up the answer that was fetched for all.
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
    assert_eq!(
        pages(&asked),
        ["https://example.com/a", "https://example.com/b"]
    );
    assert_eq!(asked.len(), 5);
}

/// While the copy lasts a page goes between two retries; in the middle of an outage, with the copy
/// that Google uses then, where the turns are closer than the retries. A retry that is due in each
/// turn goes first in each: without it nothing proves that the outage goes on.
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
            let mut fetch = Fetch::new(&origin, ticket.validators().clone(), &profile, now);
            let response = Response {
                status,
                headers,
                body: b"User-agent: *\nDisallow: /private",
                end: BodyEnd::Complete,
            };
            fetch.handle(Event::Response(response), now);
            cache.handle(ticket, fetch.into_outcome(), now);
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

/// A day is the longest that RFC 9309 wants a copy to be used, and it wins over a page.
#[test]
fn no_answer_is_held_for_more_than_a_day() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let Lookup::Fetch(ticket) = cache.poll(&origin, START) else {
        panic!()
    };
    let mut fetch = Fetch::new(
        &origin,
        ticket.validators().clone(),
        &Profile::rfc9309(),
        START,
    );
    let mut headers = Headers::default();
    headers.insert("cache-control", "max-age=60");
    let response = Response {
        status: 200,
        headers,
        body: b"",
        end: BodyEnd::Complete,
    };
    fetch.handle(Event::Response(response), START);
    cache.handle(ticket, fetch.into_outcome(), START);
    let day = START.saturating_add(Duration::from_secs(86_400));
    assert_eq!(cache.next_wakeup(), Some(day));
    assert!(matches!(cache.poll(&origin, day), Lookup::Fetch(_)));
}

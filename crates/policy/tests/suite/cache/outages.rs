//! Outages: told from rules, retried when due, and ended by what the site answers.

use std::time::Duration;

use polite_robots::{Cause, RobotsTxt};
use polite_robots_policy::{
    Cache, Freshness, Lookup, NextFetch, Origin, Outcome, Profile, RetryAfter, Site,
};

use super::super::laws::{START, at, outcome, read};
use super::super::naive::{DAY, HOUR, MINUTE, Round};
use super::{fetch, origin, parsed};

#[test]
fn an_outage_is_told_from_a_rule() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, outcome(Round::Failed), at(START));
    let Lookup::Closed(closed) = cache.poll(&origin(0), at(START + 1)) else {
        panic!()
    };
    assert_eq!(closed.cause, Cause::Status(500));
    assert_eq!(
        (closed.since, closed.retry),
        (at(START), NextFetch::At(at(START + 5 * MINUTE)))
    );
    assert!(!closed.robot.allowed("/"));
    let explained = cache
        .explain(&origin(0), at(START + 1))
        .unwrap()
        .to_string();
    assert!(
        explained.starts_with("disallowed: robots.txt answered with status 500"),
        "{explained}"
    );
    // The crawler's own fault closes too, for a moment, and is no outage.
    let ticket = fetch(&mut cache, 1, START);
    cache.handle(ticket, Outcome::Local, at(START));
    assert_eq!((cache.in_outage(), cache.len()), (1, 2));
    let Lookup::Closed(closed) = cache.poll(&origin(1), at(START)) else {
        panic!()
    };
    assert_eq!(
        (closed.cause, closed.retry),
        (Cause::NotFetched, NextFetch::At(at(START + 10_000)))
    );
    // That the site wants no crawler is an answer.
    let ticket = fetch(&mut cache, 2, START);
    cache.handle(ticket, outcome(Round::Forbidden), at(START));
    assert!(matches!(
        cache.poll(&origin(2), at(START)),
        Lookup::Ready(_)
    ));
    assert!(cache.explain(&origin(3), at(START)).is_none());
}

#[test]
fn a_site_that_was_given_up_is_asked_again_after_a_reset() {
    let mut cache = Cache::new(Profile::ibm(), &["ExampleBot"], 1 << 20).unwrap();
    let mut now = START;
    while let Lookup::Fetch(ticket) = cache.poll(&origin(0), at(now)) {
        cache.handle(ticket, outcome(Round::Failed), at(now));
        now += HOUR;
    }
    assert_eq!(cache.next_wakeup(), None);
    cache.reset(&origin(0));
    assert!(cache.next_wakeup().is_some());
    assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 0);
    fetch(&mut cache, 0, now);
}

#[test]
fn a_page_that_came_makes_robots_txt_due_but_not_too_often() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = origin(0);
    let mut now = START;
    let mut rounds = 0;
    // A day in which pages of the site come all the time, and its robots.txt does not.
    while now < START + DAY {
        if let Lookup::Fetch(ticket) = cache.poll(&origin, at(now)) {
            cache.handle(ticket, outcome(Round::Failed), at(now));
            rounds += 1;
        }
        now += MINUTE;
        cache.set_site(&origin, Site::Available, at(now));
    }
    assert_eq!(rounds, DAY / (5 * MINUTE));
    // But a wait that the server asked for is kept.
    let Lookup::Fetch(ticket) = cache.poll(&origin, at(now + 5 * MINUTE)) else {
        panic!()
    };
    now += 5 * MINUTE;
    let retry_after = Some(RetryAfter::Delay(Duration::from_secs(7_200)));
    let cause = Cause::Status(503);
    cache.handle(ticket, Outcome::Unreachable { cause, retry_after }, at(now));
    cache.set_site(&origin, Site::Available, at(now + HOUR));
    assert_eq!(cache.next_wakeup(), Some(at(now + 2 * HOUR)));
    assert!(matches!(
        cache.poll(&origin, at(now + HOUR)),
        Lookup::Closed(_)
    ));
}

/// A round that failed by the crawler's own fault is no answer that a page could be waiting for.
#[test]
fn an_own_fault_keeps_no_expired_answer() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    let short = read(RobotsTxt::parse(b""), Freshness::given(Duration::ZERO));
    cache.handle(ticket, short, at(START));
    assert!(matches!(
        cache.poll(&origin(0), at(START)),
        Lookup::Ready(_)
    ));
    let ticket = fetch(&mut cache, 0, START + HOUR);
    cache.handle(ticket, Outcome::Local, at(START + HOUR));
    assert!(matches!(
        cache.poll(&origin(0), at(START + HOUR)),
        Lookup::Closed(_)
    ));
    // While the answer is fresh it counts, and the next try comes soon.
    let ticket = fetch(&mut cache, 1, START);
    cache.handle(ticket, outcome(Round::File(None)), at(START));
    assert!(matches!(
        cache.poll(&origin(1), at(START)),
        Lookup::Ready(_)
    ));
    let ticket = fetch(&mut cache, 1, START + 20 * HOUR);
    cache.handle(ticket, Outcome::Local, at(START + 20 * HOUR));
    assert!(matches!(
        cache.poll(&origin(1), at(START + 20 * HOUR)),
        Lookup::Ready(_)
    ));
    fetch(&mut cache, 1, START + 20 * HOUR + 10_000);
}

#[test]
fn google_a_site_that_answers_is_open_after_a_long_outage() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let mut now = START;
    // robots.txt fails for two months.
    for _ in 0..2_000 {
        if let Lookup::Fetch(ticket) = cache.poll(&origin, at(now)) {
            cache.handle(ticket, outcome(Round::Failed), at(now));
        }
        now += HOUR;
    }
    let is_open = |cache: &mut Cache| loop {
        match cache.poll(&origin, at(now)) {
            Lookup::Fetch(ticket) => cache.handle(ticket, outcome(Round::Failed), at(now)),
            Lookup::Ready(robot) => return robot.allowed("https://example.com/"),
            Lookup::Closed(_) => return false,
            other => panic!("{other:?}"),
        }
    };
    assert!(!is_open(&mut cache));
    cache.set_site(&origin, Site::Available, at(now));
    assert!(is_open(&mut cache));
    cache.set_site(&origin, Site::Unavailable, at(now));
    assert!(!is_open(&mut cache));
}

/// A robots.txt that cannot be read is one all the same: its site opens in no time, with failures
/// of other kinds in between or without. A copy counts on.
#[test]
fn a_file_that_cannot_be_read_never_opens_its_site() {
    let encoded = Outcome::Unreachable {
        cause: Cause::Encoded,
        retry_after: None,
    };
    for profile in [Profile::rfc9309(), Profile::google(), Profile::ibm()] {
        for has_copy in [true, false] {
            let mut cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
            let mut now = START;
            if has_copy {
                let ticket = fetch(&mut cache, 0, now);
                cache.handle(ticket, parsed("User-agent: *\nDisallow: /"), at(now));
            }
            let mut rounds = 0;
            while now < START + 100 * DAY {
                now += 20 * MINUTE;
                match cache.poll(&origin(0), at(now)) {
                    Lookup::Fetch(ticket) => {
                        rounds += 1;
                        let outcome = match rounds % 20 {
                            0 => outcome(Round::Failed),
                            _ => encoded.clone(),
                        };
                        cache.handle(ticket, outcome, at(now));
                    }
                    Lookup::Closed(_) => {}
                    Lookup::Ready(robot) => assert!(has_copy && !robot.allowed("/")),
                    other => panic!("{other:?}"),
                }
            }
            assert!(rounds >= 10);
        }
    }
}

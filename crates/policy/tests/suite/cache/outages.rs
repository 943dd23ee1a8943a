//! Outages: told from rules, retried when due, and ended by what the site answers.

use std::time::Duration;

use polite_robots::{Cause, RobotsTxt};
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::Freshness;
use polite_robots_policy::{Cache, Entry, Lookup, Origin, Outcome, Profile, RetryAfter};

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
    assert_eq!(closed.since, at(START));
    // Once in an outage the retry comes early.
    let NextFetch::At(early) = closed.retry else {
        panic!()
    };
    assert!(
        (at(START + 2_000)..at(START + 3_000)).contains(&early),
        "{early}"
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

/// The wait after each of some failures in a row, in seconds, in a profile.
fn waits(profile: Profile, failures: &[Outcome]) -> Vec<u64> {
    let mut entry = Entry::new();
    let mut now = at(START);
    let failures = failures.iter().map(|failure| {
        entry.handle(failure.clone(), &profile, now);
        let NextFetch::At(next) = entry.next_fetch(&profile, now) else {
            panic!()
        };
        let wait = next.saturating_since(now).as_secs();
        now = next;
        wait
    });
    failures.collect()
}

#[test]
fn the_table_of_rounds() {
    let failed = |cause| Outcome::Unreachable {
        cause,
        retry_after: None,
    };
    let [soft, busy, limited, absent] = [500, 503, 429, 501].map(Cause::Status).map(failed);
    let asks = Outcome::Unreachable {
        cause: Cause::Status(503),
        retry_after: Some(RetryAfter::Delay(Duration::from_secs(120))),
    };
    let good = Outcome::Unavailable(Cause::Status(404));
    let rfc9309 = Profile::rfc9309;
    let of = |outcome: &Outcome| vec![outcome.clone(); 4];
    for cause in [
        Cause::Unreachable,
        Cause::Truncated,
        Cause::Status(502),
        Cause::Status(504),
    ] {
        assert_eq!(
            waits(rfc9309(), &of(&failed(cause))),
            [2, 300, 600, 1200],
            "{cause}"
        );
    }
    assert_eq!(waits(rfc9309(), &of(&soft)), [2, 300, 600, 1200]);
    assert_eq!(waits(Profile::google(), &of(&busy)), [2, 60, 120, 240]);
    // Never after a 429, an answer that says when, or a failure that will not be over soon.
    assert_eq!(waits(rfc9309(), &of(&limited)), [300, 600, 1200, 2400]);
    assert_eq!(waits(rfc9309(), &of(&absent)), [300, 600, 1200, 2400]);
    assert_eq!(waits(rfc9309(), &[asks, busy.clone()]), [120, 60]);
    assert_eq!(waits(rfc9309(), &[limited, busy.clone()]), [300, 60]);
    let encoded = failed(Cause::Encoded);
    assert_eq!(waits(rfc9309(), &of(&encoded)), [300, 600, 1200, 2400]);
    // Once in an outage; an answer ends it.
    let again = [busy.clone(), busy.clone(), good, busy.clone()];
    let waited = waits(rfc9309(), &again);
    assert_eq!([waited[0], waited[1], waited[3]], [2, 60, 2]);
    // IBM has a plan of its own, and 0 is never.
    assert_eq!(waits(Profile::ibm(), &of(&soft))[0], 3600);
    let mut never = rfc9309();
    never.access.retry_early = Duration::ZERO;
    assert_eq!(waits(never, &of(&busy)), [60, 120, 240, 480]);
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
    // One more is the early retry.
    assert_eq!(rounds, DAY / (5 * MINUTE) + 1);
    // But a wait that the server asked for is kept.
    now += 5 * MINUTE;
    cache.set_site(&origin, Site::Available, at(now));
    let Lookup::Fetch(ticket) = cache.poll(&origin, at(now)) else {
        panic!()
    };
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

//! Outages: the cache separates them from rules, retries when due, and ends them when the site
//! answers.

use std::time::Duration;

use polite_robots::{Cause, RobotsTxt};
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::Freshness;
use polite_robots_policy::{Cache, Entry, Lookup, Outcome, Profile};

use super::super::laws::{START, at, outcome, read};
use super::super::naive::{DAY, HOUR, MINUTE, Round};
use super::{answer, asks_to_wait, cache_of, closed, fetch, new_cache, origin, parsed, robot};

#[test]
fn an_outage_is_told_from_a_rule() {
    let mut cache = new_cache();
    answer(&mut cache, 0, outcome(Round::Failed), START);
    let outage = closed(&mut cache, 0, START + 1);
    assert_eq!(outage.cause, Cause::Status(500));
    assert_eq!(outage.since, at(START));
    // One retry in each outage comes early.
    let NextFetch::At(early) = outage.retry else {
        panic!()
    };
    assert!(
        (2_000..3_000).contains(&(early.as_millis() - START)),
        "{early}"
    );
    assert!(!outage.robot.allowed("/"));
    let explained = cache
        .explain(&origin(0), at(START + 1))
        .unwrap()
        .to_string();
    let expected = "disallowed: robots.txt answered with status 500";
    assert!(explained.starts_with(expected), "{explained}");
    // A fault of the crawler itself also closes the site, for a moment, but it is no outage.
    answer(&mut cache, 1, Outcome::Local, START);
    assert_eq!((cache.in_outage(), cache.len()), (1, 2));
    let own = closed(&mut cache, 1, START);
    assert_eq!(own.cause, Cause::NotFetched);
    assert_eq!(own.retry, NextFetch::At(at(START + 10_000)));
    // A site that wants no crawler has answered.
    answer(&mut cache, 2, outcome(Round::Forbidden), START);
    robot(&mut cache, 2, START);
    assert!(cache.explain(&origin(3), at(START)).is_none());
}

fn failed(cause: Cause) -> Outcome {
    let retry_after = None;
    Outcome::Unreachable { cause, retry_after }
}

/// The waits after successive failures, in seconds, in a profile.
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
    let [soft, busy, limited, absent] =
        [500, 503, 429, 501].map(|status| failed(Cause::Status(status)));
    let asks = asks_to_wait(120);
    let good = Outcome::Unavailable(Cause::Status(404));
    let rfc9309 = Profile::rfc9309;
    let of = |outcome: &Outcome| vec![outcome.clone(); 4];
    let statuses = [502, 504].map(Cause::Status);
    for cause in [Cause::Unreachable, Cause::Truncated]
        .into_iter()
        .chain(statuses)
    {
        let waits = waits(rfc9309(), &of(&failed(cause)));
        assert_eq!(waits, [2, 300, 600, 1200], "{cause}");
    }
    assert_eq!(waits(rfc9309(), &of(&soft)), [2, 300, 600, 1200]);
    assert_eq!(waits(Profile::google(), &of(&busy)), [2, 60, 120, 240]);
    // No early retry follows a 429, an answer that says when to retry, or a failure that will not
    // be over soon.
    assert_eq!(waits(rfc9309(), &of(&limited)), [300, 600, 1200, 2400]);
    assert_eq!(waits(rfc9309(), &of(&absent)), [300, 600, 1200, 2400]);
    assert_eq!(waits(rfc9309(), &[asks, busy.clone()]), [120, 60]);
    assert_eq!(waits(rfc9309(), &[limited, busy.clone()]), [300, 60]);
    let encoded = failed(Cause::Encoded);
    assert_eq!(waits(rfc9309(), &of(&encoded)), [300, 600, 1200, 2400]);
    // The early retry comes once in an outage, and an answer ends the outage.
    let again = [busy.clone(), busy.clone(), good, busy.clone()];
    let waited = waits(rfc9309(), &again);
    assert_eq!([waited[0], waited[1], waited[3]], [2, 60, 2]);
    // IBM has its own plan of retries. A value of 0 means never.
    assert_eq!(waits(Profile::ibm(), &of(&soft))[0], 3600);
    let mut never = rfc9309();
    never.access.retry_early = Duration::ZERO;
    assert_eq!(waits(never, &of(&busy)), [60, 120, 240, 480]);
}

#[test]
fn a_site_that_was_given_up_is_asked_again_after_a_reset() {
    let mut cache = cache_of(Profile::ibm(), 1 << 20);
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
    let mut cache = new_cache();
    let mut now = START;
    let mut rounds = 0;
    // For a day, pages of the site come all the time, but its robots.txt does not.
    while now < START + DAY {
        if let Lookup::Fetch(ticket) = cache.poll(&origin(0), at(now)) {
            cache.handle(ticket, outcome(Round::Failed), at(now));
            rounds += 1;
        }
        now += MINUTE;
        cache.set_site(&origin(0), Site::Available, at(now));
    }
    // The additional round is the early retry.
    assert_eq!(rounds, DAY / (5 * MINUTE) + 1);
    // But a wait that the server asked for is kept.
    now += 5 * MINUTE;
    cache.set_site(&origin(0), Site::Available, at(now));
    answer(&mut cache, 0, asks_to_wait(7_200), now);
    cache.set_site(&origin(0), Site::Available, at(now + HOUR));
    assert_eq!(cache.next_wakeup(), Some(at(now + 2 * HOUR)));
    closed(&mut cache, 0, now + HOUR);
}

/// A round that fails by the crawler's own fault brings no answer, so no page can wait to use one.
#[test]
fn an_own_fault_keeps_no_expired_answer() {
    let mut cache = new_cache();
    let short = read(RobotsTxt::parse(b""), Freshness::given(Duration::ZERO));
    answer(&mut cache, 0, short, START);
    robot(&mut cache, 0, START);
    answer(&mut cache, 0, Outcome::Local, START + HOUR);
    closed(&mut cache, 0, START + HOUR);
    // A fresh answer still counts, and the next attempt comes soon.
    answer(&mut cache, 1, outcome(Round::File(None)), START);
    robot(&mut cache, 1, START);
    answer(&mut cache, 1, Outcome::Local, START + 20 * HOUR);
    robot(&mut cache, 1, START + 20 * HOUR);
    fetch(&mut cache, 1, START + 20 * HOUR + 10_000);
}

#[test]
fn google_a_site_that_answers_is_open_after_a_long_outage() {
    let mut cache = cache_of(Profile::google(), 1 << 20);
    let mut now = START;
    // robots.txt fails for two months.
    for _ in 0..2_000 {
        if let Lookup::Fetch(ticket) = cache.poll(&origin(0), at(now)) {
            cache.handle(ticket, outcome(Round::Failed), at(now));
        }
        now += HOUR;
    }
    let is_open = |cache: &mut Cache| loop {
        match cache.poll(&origin(0), at(now)) {
            Lookup::Fetch(ticket) => cache.handle(ticket, outcome(Round::Failed), at(now)),
            Lookup::Ready(robot) => return robot.allowed("https://h0.example/"),
            Lookup::Closed(_) => return false,
            other => panic!("{other:?}"),
        }
    };
    assert!(!is_open(&mut cache));
    for (site, expected) in [(Site::Available, true), (Site::Unavailable, false)] {
        cache.set_site(&origin(0), site, at(now));
        assert_eq!(is_open(&mut cache), expected);
    }
}

/// A robots.txt that cannot be read still exists, so its site never opens, with or without failures
/// of other kinds in between. A copy still counts.
#[test]
fn a_file_that_cannot_be_read_never_opens_its_site() {
    for profile in [Profile::rfc9309(), Profile::google(), Profile::ibm()] {
        for has_copy in [true, false] {
            let mut cache = cache_of(profile, 1 << 20);
            let mut now = START;
            if has_copy {
                answer(&mut cache, 0, parsed("User-agent: *\nDisallow: /"), now);
            }
            let mut rounds = 0;
            while now < START + 100 * DAY {
                now += 20 * MINUTE;
                match cache.poll(&origin(0), at(now)) {
                    Lookup::Fetch(ticket) => {
                        rounds += 1;
                        let outcome = match rounds % 20 {
                            0 => outcome(Round::Failed),
                            _ => failed(Cause::Encoded),
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

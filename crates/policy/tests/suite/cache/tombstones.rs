//! Forgotten origins: what is left of them closes sites and opens none, here and after a restart.

use polite_robots::Cause;
use polite_robots_policy::cache::{NextFetch, Tombstones};
use polite_robots_policy::{Cache, Lookup, Outcome, Profile};

use super::super::laws::{START, at, outcome};
use super::super::naive::{DAY, HOUR, MINUTE, Round};
use super::{fetch, origin, parsed};

#[test]
fn a_forgotten_copy_does_not_open_the_site() {
    for profile in [Profile::rfc9309(), Profile::google()] {
        let mut cache = Cache::new(profile, &["ExampleBot"], ONE_ORIGIN).unwrap();
        let ticket = fetch(&mut cache, 0, START);
        cache.handle(ticket, parsed("User-agent: *\nDisallow: /"), at(START));
        let mut now = START + 2 * DAY;
        forget(&mut cache, now);
        assert_eq!(cache.forgotten(), 1);
        // All is unreachable from then on; robots.txt is retried whenever it is due, for two
        // months.
        for _ in 0..5_000 {
            now += 20 * MINUTE;
            match cache.poll(&origin(0), at(now)) {
                Lookup::Fetch(ticket) => cache.handle(ticket, outcome(Round::Failed), at(now)),
                Lookup::Closed(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_forgotten_outage_goes_on() {
    let mut cache = Cache::new(Profile::ibm(), &["ExampleBot"], ONE_ORIGIN).unwrap();
    let mut now = START;
    for failures in 1..=10 {
        let ticket = fetch(&mut cache, 0, now);
        cache.handle(ticket, outcome(Round::Failed), at(now));
        assert_eq!(cache.entry(&origin(0)).unwrap().failures(), failures);
        cache.release(&origin(0));
        now += 30 * MINUTE;
        forget(&mut cache, now);
        now += 10 * MINUTE;
        // The retry is not due any earlier.
        if failures < 10 {
            let Lookup::Closed(closed) = cache.poll(&origin(0), at(now)) else {
                panic!()
            };
            assert_eq!(closed.retry, NextFetch::At(at(now + 20 * MINUTE)));
        }
        now += 20 * MINUTE;
    }
    let Lookup::Closed(closed) = cache.poll(&origin(0), at(now)) else {
        panic!()
    };
    assert_eq!(
        (closed.cause, closed.retry),
        (Cause::GaveUp, NextFetch::Never)
    );
    // Only the operator changes that, for one that is forgotten too.
    now += HOUR;
    forget(&mut cache, now);
    cache.reset(&origin(0));
    fetch(&mut cache, 0, now + HOUR);
}

#[test]
fn origins_that_say_nothing_leave_no_tombstone() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 1).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, outcome(Round::Gone), at(START));
    forget(&mut cache, START + 2 * DAY);
    assert_eq!(cache.forgotten(), 0);
}

#[test]
fn tombstones_take_a_quarter_at_most_and_outages_stay_longest() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 20_000).unwrap();
    let mut now = START;
    for number in 0..200 {
        let ticket = fetch(&mut cache, number, now);
        let round = if number < 10 {
            outcome(Round::Failed)
        } else {
            outcome(Round::File(None))
        };
        cache.handle(ticket, round, at(now));
        now += 2 * DAY;
        assert!(cache.bytes() <= 20_000);
    }
    assert!(
        (20..60).contains(&cache.forgotten()),
        "{}",
        cache.forgotten()
    );
    fetch(&mut cache, 0, now);
    assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 1);
}

/// A cache for one origin, and what the next process makes of its entries and tombstones.
fn restarted(cache: &Cache, profile: Profile, now: u64) -> Cache {
    let mut next = Cache::new(profile, &["ExampleBot"], ONE_ORIGIN).unwrap();
    for (origin, entry) in cache.entries() {
        next.insert(origin, entry, at(now));
    }
    let text = serde_json::to_string(cache.tombstones()).unwrap();
    let bytes = postcard::to_allocvec(cache.tombstones()).unwrap();
    let read: [Tombstones; 2] = [
        serde_json::from_str(&text).unwrap(),
        postcard::from_bytes(&bytes).unwrap(),
    ];
    for tombstones in read {
        assert_eq!(serde_json::to_string(&tombstones).unwrap(), text);
        next.insert_tombstones(tombstones);
    }
    next
}

#[test]
fn a_restart_neither_opens_nor_forgives_a_forgotten_site() {
    // Given up after ten failures.
    let mut cache = Cache::new(Profile::ibm(), &["ExampleBot"], ONE_ORIGIN).unwrap();
    let mut now = START;
    for _ in 0..10 {
        let ticket = fetch(&mut cache, 0, now);
        cache.handle(ticket, outcome(Round::Failed), at(now));
        now += HOUR;
    }
    cache.release(&origin(0));
    forget(&mut cache, now);
    assert_eq!(cache.tombstones().len(), 1);
    let mut next = restarted(&cache, Profile::ibm(), now);
    assert_eq!(next.forgotten(), 1);
    now += HOUR;
    let Lookup::Closed(closed) = next.poll(&origin(0), at(now)) else {
        panic!()
    };
    assert_eq!(closed.retry, NextFetch::Never);
    assert!(next.tombstones().is_empty());

    // A file that is lost keeps the site closed after 12 hours of failures; where there was none,
    // Google's rule opens it.
    for (answer, is_open) in [(Round::File(None), false), (Round::Gone, true)] {
        let profile = Profile::google();
        let mut cache = Cache::new(profile, &["ExampleBot"], ONE_ORIGIN).unwrap();
        let ticket = fetch(&mut cache, 0, START);
        cache.handle(ticket, outcome(answer), at(START));
        let mut now = START + 2 * DAY;
        forget(&mut cache, now);
        let mut next = restarted(&cache, profile, now);
        let mut opened = false;
        for _ in 0..200 {
            now += 10 * MINUTE;
            match next.poll(&origin(0), at(now)) {
                Lookup::Fetch(ticket) => next.handle(ticket, outcome(Round::Failed), at(now)),
                Lookup::Closed(_) => {}
                Lookup::Ready(robot) => opened |= robot.allowed("/"),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(opened, is_open, "{answer:?}");
    }
}

/// Older news about an origin that is known, or was forgotten here.
#[test]
fn a_saved_tombstone_replaces_nothing() {
    let profile = Profile::ibm();
    let mut cache = Cache::new(profile, &["ExampleBot"], ONE_ORIGIN).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, outcome(Round::Failed), at(START));
    cache.release(&origin(0));
    forget(&mut cache, START + HOUR);
    let saved = cache.tombstones().clone();
    // A second failure, in the cache at first and then in its tombstone.
    let ticket = fetch(&mut cache, 0, START + 2 * HOUR);
    cache.handle(ticket, outcome(Round::Failed), at(START + 2 * HOUR));
    cache.insert_tombstones(saved.clone());
    assert!(cache.tombstones().is_empty());
    cache.release(&origin(0));
    forget(&mut cache, START + 3 * HOUR);
    cache.insert_tombstones(saved);
    fetch(&mut cache, 0, START + 4 * HOUR);
    assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 2);
}

/// Room for one origin and its tombstone.
const ONE_ORIGIN: usize = 620;

/// Fills a cache that has room for one origin, so that the one in it is forgotten.
fn forget(cache: &mut Cache, now: u64) {
    let ticket = fetch(cache, 100, now);
    assert!(cache.entry(&origin(0)).is_none());
    cache.handle(ticket, Outcome::Local, at(now));
    cache.release(&origin(100));
}

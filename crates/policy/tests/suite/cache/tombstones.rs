//! Forgotten origins: their tombstones close sites and open none, here and after a restart.

use polite_robots::Cause;
use polite_robots_policy::cache::{NextFetch, Tombstones};
use polite_robots_policy::{Cache, Lookup, Outcome, Profile};

use super::super::laws::{START, at, outcome};
use super::super::naive::{DAY, HOUR, MINUTE, Round};
use super::super::words::reload;
use super::{answer, cache_of, closed, fetch, origin, parsed};

#[test]
fn a_forgotten_copy_does_not_open_the_site() {
    for profile in [Profile::rfc9309(), Profile::google()] {
        let mut cache = cache_of(profile, ONE_ORIGIN);
        answer(&mut cache, 0, parsed("User-agent: *\nDisallow: /"), START);
        let mut now = START + 2 * DAY;
        forget(&mut cache, now);
        assert_eq!(cache.forgotten(), 1);
        // From then on everything is unreachable. For two months the test retries robots.txt
        // whenever it is due.
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
    let mut cache = cache_of(Profile::ibm(), ONE_ORIGIN);
    let mut now = START;
    for failures in 1..=10 {
        answer(&mut cache, 0, outcome(Round::Failed), now);
        assert_eq!(cache.entry(&origin(0)).unwrap().failures(), failures);
        cache.release(&origin(0));
        now += 30 * MINUTE;
        forget(&mut cache, now);
        now += 10 * MINUTE;
        // The retry is not due any earlier.
        if failures < 10 {
            let retry = NextFetch::At(at(now + 20 * MINUTE));
            assert_eq!(closed(&mut cache, 0, now).retry, retry);
        }
        now += 20 * MINUTE;
    }
    let given_up = closed(&mut cache, 0, now);
    assert_eq!(given_up.cause, Cause::GaveUp);
    assert_eq!(given_up.retry, NextFetch::Never);
    // Only the operator changes that, also for a forgotten origin.
    now += HOUR;
    forget(&mut cache, now);
    cache.reset(&origin(0));
    fetch(&mut cache, 0, now + HOUR);
}

#[test]
fn origins_that_say_nothing_leave_no_tombstone() {
    let mut cache = cache_of(Profile::google(), 1);
    answer(&mut cache, 0, outcome(Round::Gone), START);
    forget(&mut cache, START + 2 * DAY);
    assert_eq!(cache.forgotten(), 0);
}

#[test]
fn tombstones_take_a_quarter_at_most_and_outages_stay_longest() {
    let mut cache = cache_of(Profile::google(), 20_000);
    let mut now = START;
    for number in 0..200 {
        let round = match number {
            ..10 => Round::Failed,
            _ => Round::File(None),
        };
        answer(&mut cache, number, outcome(round), now);
        now += 2 * DAY;
        assert!(cache.bytes() <= 20_000);
    }
    let forgotten = cache.forgotten();
    assert!((20..60).contains(&forgotten), "{forgotten}");
    fetch(&mut cache, 0, now);
    assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 1);
}

/// The cache of the next process, made from the entries and tombstones of this one.
fn restarted(cache: &Cache, profile: Profile, now: u64) -> Cache {
    let mut next = cache_of(profile, ONE_ORIGIN);
    for (origin, entry) in cache.entries() {
        next.insert(origin, entry, at(now));
    }
    let text = serde_json::to_string(cache.tombstones()).unwrap();
    let bytes = postcard::to_allocvec(cache.tombstones()).unwrap();
    let of_bytes: Tombstones = postcard::from_bytes(&bytes).unwrap();
    for tombstones in [reload(cache.tombstones()), of_bytes] {
        assert_eq!(serde_json::to_string(&tombstones).unwrap(), text);
        next.insert_tombstones(tombstones);
    }
    next
}

#[test]
fn a_restart_neither_opens_nor_forgives_a_forgotten_site() {
    // The origin is given up after ten failures.
    let mut cache = cache_of(Profile::ibm(), ONE_ORIGIN);
    let mut now = START;
    for _ in 0..10 {
        answer(&mut cache, 0, outcome(Round::Failed), now);
        now += HOUR;
    }
    cache.release(&origin(0));
    forget(&mut cache, now);
    assert_eq!(cache.tombstones().len(), 1);
    let mut next = restarted(&cache, Profile::ibm(), now);
    assert_eq!(next.forgotten(), 1);
    now += HOUR;
    assert_eq!(closed(&mut next, 0, now).retry, NextFetch::Never);
    assert!(next.tombstones().is_empty());

    // A lost file keeps the site closed after 12 hours of failures. If there was no file, Google's
    // rule opens the site.
    for (round, is_open) in [(Round::File(None), false), (Round::Gone, true)] {
        let profile = Profile::google();
        let mut cache = cache_of(profile, ONE_ORIGIN);
        answer(&mut cache, 0, outcome(round), START);
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
        assert_eq!(opened, is_open, "{round:?}");
    }
}

/// A saved tombstone is older news about an origin that is known or was forgotten here.
#[test]
fn a_saved_tombstone_replaces_nothing() {
    let profile = Profile::ibm();
    let mut cache = cache_of(profile, ONE_ORIGIN);
    answer(&mut cache, 0, outcome(Round::Failed), START);
    cache.release(&origin(0));
    forget(&mut cache, START + HOUR);
    let saved = cache.tombstones().clone();
    // The second failure is in the cache at first, and then in its tombstone.
    answer(&mut cache, 0, outcome(Round::Failed), START + 2 * HOUR);
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

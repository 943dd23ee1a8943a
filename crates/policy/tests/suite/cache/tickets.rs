//! Tickets that are out, dropped, given back or held for too long.

use polite_robots_policy::fetch::{Event, Step};
use polite_robots_policy::{Cache, Lookup, NetError, Origin, Profile};

use super::super::laws::{START, at, outcome};
use super::super::naive::{DAY, HOUR, MINUTE, Round};
use super::{LEASE, fetch, origin, parsed};

#[test]
fn a_copy_counts_while_its_refresh_is_on_its_way() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let Lookup::Fetch(ticket) = cache.poll(&origin, at(START)) else {
        panic!()
    };
    cache.handle(ticket, outcome(Round::File(None)), at(START));
    assert!(matches!(cache.poll(&origin, at(START)), Lookup::Ready(_)));
    let due = cache.next_wakeup().unwrap();
    assert_eq!(due.as_millis() - START, DAY * 8 / 10);
    assert_eq!(cache.due(due).next(), Some(&origin));
    let Lookup::Fetch(ticket) = cache.poll(&origin, due) else {
        panic!()
    };
    assert!(matches!(cache.poll(&origin, due), Lookup::Ready(_)));
    drop(ticket);
    let last = at(START + DAY - 5 * MINUTE);
    let Lookup::Fetch(_ticket) = cache.poll(&origin, last) else {
        panic!()
    };
    assert!(matches!(cache.poll(&origin, last), Lookup::Ready(_)));
    assert!(matches!(
        cache.poll(&origin, at(START + DAY)),
        Lookup::Pending
    ));
}

/// Eight dropped tickets over 14 hours opened a site, and 10 gave it up, without one request.
#[test]
fn dropped_tickets_count_as_nothing() {
    for profile in [Profile::rfc9309(), Profile::google(), Profile::ibm()] {
        let mut cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
        for number in 0..200 {
            let now = START + number * 12 * HOUR;
            let ticket = fetch(&mut cache, 0, now);
            if number % 2 == 0 {
                drop(ticket);
            } else {
                cache.give_back(ticket, at(now));
            }
            assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 0);
        }
        // And it is due again at once.
        drop(fetch(&mut cache, 0, START + 100 * DAY));
        drop(fetch(&mut cache, 0, START + 100 * DAY));
    }
}

#[test]
fn a_ticket_that_is_held_for_too_long_is_replaced() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let hung = fetch(&mut cache, 0, START);
    assert!(matches!(
        cache.poll(&origin(0), at(START + LEASE - 1)),
        Lookup::Pending
    ));
    assert_eq!(cache.next_wakeup(), Some(at(START + LEASE)));
    let ticket = fetch(&mut cache, 0, START + LEASE);
    // The one that hung comes back, and too late.
    cache.handle(
        hung,
        parsed("User-agent: *\nDisallow: /"),
        at(START + LEASE),
    );
    assert!(matches!(
        cache.poll(&origin(0), at(START + LEASE)),
        Lookup::Pending
    ));
    cache.handle(
        ticket,
        parsed("User-agent: *\nDisallow: /b"),
        at(START + LEASE),
    );
    let Lookup::Ready(robot) = cache.poll(&origin(0), at(START + LEASE)) else {
        panic!()
    };
    assert!(robot.allowed("/a") && !robot.allowed("/b"));
    // Nobody has replaced this one, so it still counts.
    let late = fetch(&mut cache, 1, START);
    cache.handle(late, parsed(""), at(START + DAY));
    assert!(matches!(
        cache.poll(&origin(1), at(START + DAY)),
        Lookup::Ready(_)
    ));
}

/// A round that waits for a `Retry-After` of a day is one round, as long as its task is alive.
#[test]
fn a_ticket_that_is_renewed_is_not_replaced() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let waiting = fetch(&mut cache, 0, START);
    let mut now = START;
    while now < START + DAY {
        now += LEASE - 1;
        cache.renew(&waiting, at(now));
        assert!(matches!(cache.poll(&origin(0), at(now)), Lookup::Pending));
        assert_eq!(cache.next_wakeup(), Some(at(now + LEASE)));
    }
    // Its task hangs, and comes back when another one has the round.
    now += LEASE;
    let ticket = fetch(&mut cache, 0, now);
    cache.renew(&waiting, at(now + LEASE - 1));
    drop(waiting);
    assert!(matches!(
        cache.poll(&origin(0), at(now + LEASE - 1)),
        Lookup::Pending
    ));
    cache.handle(ticket, parsed(""), at(now + LEASE));
    let ticket = fetch(&mut cache, 1, now + LEASE);
    assert!(matches!(
        cache.poll(&origin(0), at(now + LEASE)),
        Lookup::Ready(_)
    ));
    cache.give_back(ticket, at(now + LEASE));
}

/// A round for the first origin that pauses between two attempts.
fn with_a_pause() -> Cache {
    let mut cache = Cache::new(Profile::ibm(), &["ExampleBot"], 1 << 20).unwrap();
    let mut ticket = fetch(&mut cache, 0, START);
    let mut round = cache.begin(&mut ticket, at(START));
    round.handle(Event::ByName, at(START));
    round.handle(Event::Failed(NetError::Read), at(START));
    cache.end(ticket, round, at(START));
    assert!(closes(&mut cache, START));
    cache
}

fn closes(cache: &mut Cache, now: u64) -> bool {
    matches!(cache.poll(&origin(0), at(now)), Lookup::Closed(_))
}

#[test]
fn a_reset_ends_a_pause() {
    let mut cache = with_a_pause();
    cache.reset(&origin(0));
    drop(fetch(&mut cache, 0, START));
}

#[test]
fn a_round_that_pauses_has_failed_in_what_is_saved() {
    let saved = with_a_pause().save();
    let mut next = Cache::new(Profile::ibm(), &["ExampleBot"], 1 << 20).unwrap();
    next.load(saved, at(START));
    assert!(closes(&mut next, START));
    assert_eq!(next.entry(&origin(0)).unwrap().failures(), 1);
}

#[test]
fn a_round_that_pauses_goes_on_also_after_a_clock_that_was_set_back() {
    let mut cache = with_a_pause();
    assert!(closes(&mut cache, START - MINUTE));
    let after = START + MINUTE;
    let mut ticket = fetch(&mut cache, 0, after);
    let mut round = cache.begin(&mut ticket, at(after));
    // Its second attempt is its last one.
    round.handle(Event::Failed(NetError::Read), at(after));
    assert!(matches!(round.poll(at(after)), Step::Done(_)));
}

//! Tickets that are out, dropped, given back or held for too long.

use polite_robots_policy::fetch::{Event, Step};
use polite_robots_policy::{Cache, NetError, Profile};

use super::super::laws::{START, at, outcome};
use super::super::naive::{DAY, HOUR, MINUTE, Round};
use super::{LEASE, answer, cache_of, closed, fetch, is_pending, new_cache, origin, parsed, robot};

#[test]
fn a_copy_counts_while_its_refresh_is_on_its_way() {
    let mut cache = new_cache();
    answer(&mut cache, 0, outcome(Round::File(None)), START);
    robot(&mut cache, 0, START);
    let due = cache.next_wakeup().unwrap();
    assert_eq!(due, at(START + DAY * 8 / 10));
    assert_eq!(cache.due(due).next(), Some(&origin(0)));
    let due = due.as_millis();
    let ticket = fetch(&mut cache, 0, due);
    robot(&mut cache, 0, due);
    drop(ticket);
    let last = START + DAY - 5 * MINUTE;
    let _ticket = fetch(&mut cache, 0, last);
    robot(&mut cache, 0, last);
    assert!(is_pending(&mut cache, 0, START + DAY));
}

/// Eight dropped tickets over 14 hours once opened a site, and 10 gave it up, without one request.
#[test]
fn dropped_tickets_count_as_nothing() {
    for profile in [Profile::rfc9309(), Profile::google(), Profile::ibm()] {
        let mut cache = cache_of(profile, 1 << 20);
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
        // The origin is due again at once.
        drop(fetch(&mut cache, 0, START + 100 * DAY));
        drop(fetch(&mut cache, 0, START + 100 * DAY));
    }
}

#[test]
fn a_ticket_that_is_held_for_too_long_is_replaced() {
    let mut cache = new_cache();
    let hung = fetch(&mut cache, 0, START);
    assert!(is_pending(&mut cache, 0, START + LEASE - 1));
    assert_eq!(cache.next_wakeup(), Some(at(START + LEASE)));
    let ticket = fetch(&mut cache, 0, START + LEASE);
    // The task that hung comes back, but too late.
    let late = parsed("User-agent: *\nDisallow: /");
    cache.handle(hung, late, at(START + LEASE));
    assert!(is_pending(&mut cache, 0, START + LEASE));
    let rules = parsed("User-agent: *\nDisallow: /b");
    cache.handle(ticket, rules, at(START + LEASE));
    let rules = robot(&mut cache, 0, START + LEASE);
    assert!(rules.allowed("/a") && !rules.allowed("/b"));
    // Nobody has replaced this ticket, so its late answer still counts.
    let late = fetch(&mut cache, 1, START);
    cache.handle(late, parsed(""), at(START + DAY));
    robot(&mut cache, 1, START + DAY);
}

/// A round that waits for a `Retry-After` of a day is one round, as long as its task is alive.
#[test]
fn a_ticket_that_is_renewed_is_not_replaced() {
    let mut cache = new_cache();
    let waiting = fetch(&mut cache, 0, START);
    let mut now = START;
    while now < START + DAY {
        now += LEASE - 1;
        cache.renew(&waiting, at(now));
        assert!(is_pending(&mut cache, 0, now));
        assert_eq!(cache.next_wakeup(), Some(at(now + LEASE)));
    }
    // Its task hangs, and comes back when another task has the round.
    now += LEASE;
    let ticket = fetch(&mut cache, 0, now);
    cache.renew(&waiting, at(now + LEASE - 1));
    drop(waiting);
    assert!(is_pending(&mut cache, 0, now + LEASE - 1));
    cache.handle(ticket, parsed(""), at(now + LEASE));
    let ticket = fetch(&mut cache, 1, now + LEASE);
    robot(&mut cache, 0, now + LEASE);
    cache.give_back(ticket, at(now + LEASE));
}

/// A round for the first origin that pauses between two attempts.
fn with_a_pause() -> Cache {
    let mut cache = cache_of(Profile::ibm(), 1 << 20);
    let mut ticket = fetch(&mut cache, 0, START);
    let mut round = cache.begin(&mut ticket, at(START));
    round.handle(Event::ByName, at(START));
    round.handle(Event::Failed(NetError::Read), at(START));
    cache.end(ticket, round, at(START));
    closed(&mut cache, 0, START);
    cache
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
    let mut next = cache_of(Profile::ibm(), 1 << 20);
    next.load(saved, at(START));
    closed(&mut next, 0, START);
    assert_eq!(next.entry(&origin(0)).unwrap().failures(), 1);
}

#[test]
fn a_round_that_pauses_goes_on_also_after_a_clock_that_was_set_back() {
    let mut cache = with_a_pause();
    closed(&mut cache, 0, START - MINUTE);
    let after = START + MINUTE;
    let mut ticket = fetch(&mut cache, 0, after);
    let mut round = cache.begin(&mut ticket, at(after));
    // Its second attempt is its last one.
    round.handle(Event::Failed(NetError::Read), at(after));
    assert!(matches!(round.poll(at(after)), Step::Done(_)));
}

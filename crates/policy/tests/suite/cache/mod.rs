//! Tests of the cache, with one file for each of its promises.

mod outages;
mod room;
mod rules;
mod saving;
mod single_flight;
mod tickets;
mod tombstones;

use std::time::Duration;

use polite_robots::{Cause, Robot, RobotsTxt};
use polite_robots_policy::cache::{Closed, Ticket};
use polite_robots_policy::fetch::Freshness;
use polite_robots_policy::{Cache, Lookup, Origin, Outcome, Profile, RetryAfter};

use super::laws::{at, read};
use super::naive::MINUTE;

/// [`AccessSettings::ticket_lease`](polite_robots_policy::settings::AccessSettings::ticket_lease)
/// of the presets.
const LEASE: u64 = 10 * MINUTE;

/// A cache with room for a test.
fn new_cache() -> Cache {
    cache_of(Profile::rfc9309(), 1 << 20)
}

fn cache_of(profile: Profile, capacity: usize) -> Cache {
    Cache::new(profile, &["ExampleBot"], capacity).unwrap()
}

fn origin(number: usize) -> Origin {
    Origin::of(&format!("https://h{number}.example")).unwrap()
}

fn parsed(robots_txt: &str) -> Outcome {
    let robots_txt = RobotsTxt::parse(robots_txt.as_bytes());
    read(robots_txt, Freshness::default())
}

/// A 503 with a `Retry-After`.
fn asks_to_wait(seconds: u64) -> Outcome {
    let wait = RetryAfter::Delay(Duration::from_secs(seconds));
    Outcome::Unreachable {
        cause: Cause::Status(503),
        retry_after: Some(wait),
    }
}

fn fetch(cache: &mut Cache, number: usize, now: u64) -> Ticket {
    match cache.poll(&origin(number), at(now)) {
        Lookup::Fetch(ticket) => ticket,
        other => panic!("no fetch but {other:?}"),
    }
}

/// Takes the ticket of the round that is due, and ends the round.
fn answer(cache: &mut Cache, number: usize, outcome: Outcome, now: u64) {
    let ticket = fetch(cache, number, now);
    cache.handle(ticket, outcome, at(now));
}

/// The rules in force.
fn robot(cache: &mut Cache, number: usize, now: u64) -> Robot {
    match cache.poll(&origin(number), at(now)) {
        Lookup::Ready(robot) => robot,
        other => panic!("no rules but {other:?}"),
    }
}

fn closed(cache: &mut Cache, number: usize, now: u64) -> Closed {
    match cache.poll(&origin(number), at(now)) {
        Lookup::Closed(closed) => closed,
        other => panic!("not closed but {other:?}"),
    }
}

fn is_pending(cache: &mut Cache, number: usize, now: u64) -> bool {
    matches!(cache.poll(&origin(number), at(now)), Lookup::Pending)
}

//! The cache, a file for each of its promises.

mod outages;
mod room;
mod rules;
mod saving;
mod single_flight;
mod tickets;
mod tombstones;

use polite_robots::RobotsTxt;
use polite_robots_policy::cache::Ticket;
use polite_robots_policy::fetch::Freshness;
use polite_robots_policy::{Cache, Lookup, Origin, Outcome};

use super::laws::{at, read};
use super::naive::MINUTE;

/// [`AccessSettings::ticket_lease`](polite_robots_policy::settings::AccessSettings::ticket_lease)
/// of the presets.
const LEASE: u64 = 10 * MINUTE;

fn origin(number: usize) -> Origin {
    Origin::of(&format!("https://h{number}.example")).unwrap()
}

fn parsed(robots_txt: &str) -> Outcome {
    read(
        RobotsTxt::parse(robots_txt.as_bytes()),
        Freshness::default(),
    )
}

fn fetch(cache: &mut Cache, number: usize, now: u64) -> Ticket {
    match cache.poll(&origin(number), at(now)) {
        Lookup::Fetch(ticket) => ticket,
        other => panic!("no fetch but {other:?}"),
    }
}

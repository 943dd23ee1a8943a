//! Short names for values that many suites use: moments, turns, profiles, and the requests of a
//! host.

use std::time::Duration;

use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse};
use polite_robots_policy::settings::{Backoff, Levels, PaceSettings};
use polite_robots_policy::{HostId, NetError, Profile, Reply, Scheduler, Timestamp, Turn};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::laws::{START, at};

pub(crate) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The time `millis` milliseconds after the start.
pub(crate) fn after(millis: u64) -> Timestamp {
    at(START + millis)
}

pub(crate) fn not_before(millis: u64) -> Turn {
    Turn::NotBefore(after(millis))
}

/// The preset of RFC 9309 with another pace.
pub(crate) fn paced(change: impl FnOnce(&mut PaceSettings)) -> Profile {
    let mut profile = Profile::rfc9309();
    change(&mut profile.pace);
    profile
}

/// The preset of RFC 9309 with other levels.
pub(crate) fn with_levels(change: impl FnOnce(&mut Levels)) -> Profile {
    let mut levels = Levels::default();
    change(&mut levels);
    paced(|pace| pace.backoff = Backoff::Levels(levels))
}

/// A scheduler with one host.
pub(crate) fn one_host(profile: Profile) -> (Scheduler, HostId) {
    let mut scheduler = Scheduler::new(profile);
    let host = scheduler.insert("a.example", None);
    (scheduler, host)
}

/// A request that ends in the moment of its start.
pub(crate) fn ask(
    scheduler: &mut Scheduler,
    host: HostId,
    result: Result<u16, NetError>,
    now: Timestamp,
) {
    scheduler.handle_start(host, now);
    scheduler.handle_reply(host, Reply::new(result, now), now);
}

/// Gives the fetch a complete response.
pub(crate) fn respond(
    fetch: &mut Fetch,
    status: u16,
    headers: Headers<'_>,
    body: &[u8],
    now: Timestamp,
) {
    let end = BodyEnd::Complete;
    let response = RawResponse {
        status,
        headers,
        body,
        end,
    };
    fetch.handle(Event::Response(response), now);
}

/// The value after it was saved and read back.
pub(crate) fn reload<T: Serialize + DeserializeOwned>(saved: &T) -> T {
    serde_json::from_str(&serde_json::to_string(saved).unwrap()).unwrap()
}

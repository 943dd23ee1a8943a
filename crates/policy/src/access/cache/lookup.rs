//! The answer of the cache to a poll.

use polite_robots::{Cause, Robot};

use crate::access::cache::ticket::Ticket;
use crate::access::explain::NextFetch;
use crate::time::Timestamp;

/// The answer of a [`Cache`](crate::Cache) for an origin.
#[derive(Debug)]
#[non_exhaustive]
pub enum Lookup {
    /// The rules in force; or one access for the whole site, by the site's own answer or because
    /// the profile permits it.
    Ready(Robot),
    /// Nothing may be fetched now, and no rule says so: keep the URL until [`Closed::retry`].
    Closed(Closed),
    /// robots.txt is due: run a [`Fetch`](crate::fetch::Fetch) and give its outcome to
    /// [`Cache::handle`](crate::Cache::handle). Meanwhile the next poll says what is in force.
    Fetch(Ticket),
    /// A fetch is under way, and nothing may be fetched before its end.
    Pending,
    /// The origin is new, the cache is full, and nothing in it may be forgotten. Finish hosts that
    /// are known, with [`Cache::release`](crate::Cache::release), and come back later. The cache
    /// remembers nothing of the origin.
    Full,
}

/// An origin that is closed although no rule says so: an outage, or robots.txt could not be fetched
/// yet.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Closed {
    /// A robot that disallows everything, with the cause.
    pub robot: Robot,
    /// The reason.
    pub cause: Cause,
    /// The beginning of the outage, or else the last try.
    pub since: Timestamp,
    /// When robots.txt is due again; no page before.
    pub retry: NextFetch,
}

//! A page of a crawl, and the reasons why it is not fetched.

use polite_robots::Robot;
use polite_robots_policy::{Closed, HostId, Origin, Timestamp};

/// One request for a page, in the line of its host or under way.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) number: u32,
    pub(crate) url: String,
    pub(crate) origin: Origin,
    pub(crate) host: HostId,
    /// The time at which its caller stops waiting.
    pub(crate) until: Timestamp,
    /// Whether another client sends the request.
    pub(crate) lent: bool,
    pub(crate) started: Option<Timestamp>,
}

/// The reason why a page is not fetched.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// A rule of the site, as this robot has it.
    Disallowed(Robot),
    Closed(Closed),
    /// The host cannot be asked in time; `retry` is its next turn, if that is known.
    Busy {
        reason: String,
        retry: Option<Timestamp>,
    },
}

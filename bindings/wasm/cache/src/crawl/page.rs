//! A page of a crawl, and the reasons why it is not fetched.

use std::time::Duration;

use polite_robots::Robot;
use polite_robots_policy::cache::Closed;
use polite_robots_policy::{HostId, Origin, Timestamp};

/// One request for a page, in the line of its host or under way.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) number: u32,
    /// The URL as it is sent.
    pub(crate) url: String,
    /// The same as it was asked for, if that is another text.
    pub(crate) asked: Option<String>,
    pub(crate) origin: Origin,
    pub(crate) host: HostId,
    /// The time by the steady clock at which its caller stops waiting.
    pub(crate) until: Duration,
    /// Whether another client sends the request.
    pub(crate) lent: bool,
    pub(crate) started: Option<Timestamp>,
}

impl Page {
    /// The text that the robot disallows, if it does not allow both.
    pub(crate) fn disallowed_by(&self, robot: &Robot) -> Option<&str> {
        let texts = [Some(self.url.as_str()), self.asked.as_deref()];
        texts.into_iter().flatten().find(|url| !robot.allowed(*url))
    }
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

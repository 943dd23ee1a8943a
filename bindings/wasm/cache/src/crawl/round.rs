//! The rounds for robots.txt of a crawl.

use std::collections::BTreeMap;

use polite_robots_policy::cache::Ticket;
use polite_robots_policy::fetch::{Fetch, Step};
use polite_robots_policy::{HostId, Origin, Timestamp};

/// One round, in the line of a host or with a request under way.
#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) number: u32,
    pub(crate) ticket: Ticket,
    pub(crate) fetch: Fetch,
    /// The host whose turn it waits for or has.
    pub(crate) host: HostId,
    /// Whether a request was sent.
    pub(crate) is_begun: bool,
    /// The beginning of the request that is under way.
    pub(crate) started: Option<Timestamp>,
}

impl Round {
    /// Whether the next step is a request to the host of this name.
    pub(crate) fn asks(&self, host: &str, now: Timestamp) -> bool {
        matches!(self.fetch.poll(now), Step::Get(request) if request.host == host)
    }
}

/// The rounds by their numbers, and the newest one of each origin.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    rounds: BTreeMap<u32, Box<Round>>,
    newest: BTreeMap<Origin, u32>,
}

impl Rounds {
    pub(crate) fn get(&self, number: u32) -> Option<&Round> {
        self.rounds.get(&number).map(Box::as_ref)
    }

    pub(crate) fn newest(&self, origin: &Origin) -> Option<&Round> {
        self.get(*self.newest.get(origin)?)
    }

    pub(crate) fn set_newest(&mut self, round: &Round) {
        let origin = round.ticket.origin().clone();
        self.newest.insert(origin, round.number);
    }

    pub(crate) fn put(&mut self, round: Box<Round>) {
        self.rounds.insert(round.number, round);
    }

    /// Takes a round out, which stays the newest one of its origin.
    pub(crate) fn take(&mut self, number: u32) -> Option<Box<Round>> {
        self.rounds.remove(&number)
    }

    /// The same for one whose request was sent, with the time of that, which has ended.
    pub(crate) fn take_sent(&mut self, number: u32) -> Option<(Box<Round>, Timestamp)> {
        let started = self.rounds.get_mut(&number)?.started.take()?;
        Some((self.take(number)?, started))
    }

    /// Notes that a round has ended.
    pub(crate) fn forget(&mut self, round: &Round) {
        let origin = round.ticket.origin();
        if self.newest.get(origin) == Some(&round.number) {
            self.newest.remove(origin);
        }
    }
}

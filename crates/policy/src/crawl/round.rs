//! The rounds for robots.txt of a crawl.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;

use crate::access::cache::Ticket;
use crate::access::fetch::{Fetch, Step};
use crate::origin::Origin;
use crate::pace::scheduler::host_id::HostId;
use crate::time::Timestamp;

/// One round, in the line of a host or with a request under way.
#[derive(Debug)]
pub(super) struct Round {
    pub(super) number: u32,
    pub(super) ticket: Ticket,
    pub(super) fetch: Fetch,
    /// The host whose turn it waits for or has.
    pub(super) host: HostId,
    /// Whether one of its requests has come to its end.
    pub(super) has_answer: bool,
    /// The beginning of the request that is under way.
    pub(super) started: Option<Timestamp>,
}

impl Round {
    /// Whether the next step is a request to the host of this name.
    pub(super) fn asks(&self, host: &str, now: Timestamp) -> bool {
        matches!(self.fetch.poll(now), Step::Get(request) if request.host == host)
    }
}

/// The rounds by their numbers, and the newest one of each origin.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    rounds: BTreeMap<u32, Box<Round>>,
    newest: BTreeMap<Origin, u32>,
}

impl Rounds {
    pub(super) fn get(&self, number: u32) -> Option<&Round> {
        self.rounds.get(&number).map(Box::as_ref)
    }

    pub(super) fn newest(&self, origin: &Origin) -> Option<&Round> {
        self.get(*self.newest.get(origin)?)
    }

    pub(super) fn set_newest(&mut self, round: &Round) {
        let origin = round.ticket.origin().clone();
        self.newest.insert(origin, round.number);
    }

    pub(super) fn put(&mut self, round: Box<Round>) {
        self.rounds.insert(round.number, round);
    }

    /// Takes a round out, which stays the newest one of its origin.
    pub(super) fn take(&mut self, number: u32) -> Option<Box<Round>> {
        self.rounds.remove(&number)
    }

    /// Takes a round out whose request was sent and has ended, with the start of that request.
    pub(super) fn take_sent(&mut self, number: u32) -> Option<(Box<Round>, Timestamp)> {
        let started = self.rounds.get_mut(&number)?.started.take()?;
        Some((self.take(number)?, started))
    }

    /// Notes that a round has ended.
    pub(super) fn forget(&mut self, round: &Round) {
        let origin = round.ticket.origin();
        if self.newest.get(origin) == Some(&round.number) {
            self.newest.remove(origin);
        }
    }
}

//! The right to fetch one robots.txt, and the cache's side of it.

use alloc::boxed::Box;
use alloc::sync::{Arc, Weak};

use crate::access::fetch::{Fetch, Step};
use crate::access::outcome::Validators;
use crate::origin::Origin;
use crate::time::Timestamp;

/// The right to fetch the robots.txt of one origin, once.
///
/// A ticket that is dropped, because a task panicked or was cancelled, is given back: the next poll
/// hands out another one, and nothing counts as failed; a round that went on after its pause begins
/// anew. One that is held for longer than
/// [`AccessSettings::ticket_lease`](crate::settings::AccessSettings::ticket_lease) is replaced and
/// has no effect any more, unless its task [renews](crate::Cache::renew) it.
#[derive(Debug)]
pub struct Ticket {
    origin: Origin,
    validators: Validators,
    /// The round that goes on after its pause.
    paused: Option<Box<Fetch>>,
    alive: Arc<()>,
}

/// The cache's side of a [`Ticket`], or a paused round, which has no ticket meanwhile.
#[derive(Debug)]
pub(super) struct Lease {
    /// Dead once the ticket is gone. It also keeps the ticket's address from being used again, so
    /// that an old ticket is never taken for a new one.
    ticket: Weak<()>,
    /// The end of the ticket or of the pause, in the cache's time.
    until: Timestamp,
    paused: Option<Box<Fetch>>,
}

impl Ticket {
    /// The origin whose robots.txt to fetch.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The validators that make the request conditional, as [`Cache::begin`](crate::Cache::begin)
    /// gives them to its round.
    #[must_use]
    pub fn validators(&self) -> &Validators {
        &self.validators
    }

    /// Whether its round goes on after a pause.
    pub(crate) fn has_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// The round that goes on after its pause, once.
    pub(super) fn take_paused(&mut self) -> Option<Box<Fetch>> {
        self.paused.take()
    }

    pub(super) fn new(
        origin: Origin,
        validators: Validators,
        paused: Option<Box<Fetch>>,
        until: Timestamp,
    ) -> (Ticket, Lease) {
        let alive = Arc::new(());
        let lease = Lease {
            ticket: Arc::downgrade(&alive),
            until,
            paused: None,
        };
        let ticket = Ticket {
            origin,
            validators,
            paused,
            alive,
        };
        (ticket, lease)
    }
}

impl Lease {
    pub(super) fn of_pause(fetch: Fetch, until: Timestamp) -> Lease {
        Lease {
            ticket: Weak::new(),
            until,
            paused: Some(Box::new(fetch)),
        }
    }

    /// The end of the lease, if it has not ended before.
    pub(super) fn until(&self) -> Timestamp {
        self.until
    }

    /// Whether the pause is over, or the ticket was dropped or held for too long. `inside` is the
    /// cache's time.
    pub(super) fn is_over(&self, inside: Timestamp, now: Timestamp) -> bool {
        match self.paused {
            Some(_) => self.paused_until(now).is_none(),
            None => !self.is_out() || inside >= self.until,
        }
    }

    /// The end of the pause, unless it is over.
    pub(super) fn paused_until(&self, now: Timestamp) -> Option<Timestamp> {
        match self.paused.as_ref()?.poll(now) {
            Step::Wait(until) => Some(until),
            _ => None,
        }
    }

    /// The round that pauses.
    pub(super) fn paused(&self) -> Option<&Fetch> {
        self.paused.as_deref()
    }

    pub(super) fn into_paused(self) -> Option<Box<Fetch>> {
        self.paused
    }

    /// Whether the ticket is out, even after its lease.
    pub(super) fn is_out(&self) -> bool {
        self.ticket.strong_count() > 0
    }

    pub(super) fn renew(&mut self, until: Timestamp) {
        self.until = self.until.max(until);
    }

    pub(super) fn is_of(&self, ticket: &Ticket) -> bool {
        self.ticket.as_ptr() == Arc::as_ptr(&ticket.alive)
    }
}

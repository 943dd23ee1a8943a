//! The right to fetch one robots.txt, and the cache's end of it.

use alloc::sync::{Arc, Weak};

use crate::access::outcome::Validators;
use crate::origin::Origin;
use crate::time::Timestamp;

/// The right to fetch the robots.txt of one origin, once.
///
/// A ticket that is dropped, because a task panicked or was cancelled, is given back: the next poll
/// hands out another one, and nothing counts as failed. One that is held for longer than
/// [`AccessSettings::ticket_lease`](crate::AccessSettings::ticket_lease) is replaced and has no
/// effect any more, unless its task [renews](crate::Cache::renew) it.
#[derive(Debug)]
pub struct Ticket {
    origin: Origin,
    validators: Validators,
    alive: Arc<()>,
}

/// The cache's end of a [`Ticket`].
#[derive(Debug)]
pub(super) struct Lease {
    /// Broken when the ticket is gone. It also keeps the ticket's address from being used again, so
    /// that an old ticket is told from a new one.
    ticket: Weak<()>,
    /// The end of the ticket, in the cache's time.
    until: Timestamp,
}

impl Ticket {
    /// The origin whose robots.txt to fetch.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The validators that make the request conditional, for [`Fetch::new`](crate::Fetch::new).
    #[must_use]
    pub fn validators(&self) -> &Validators {
        &self.validators
    }

    pub(super) fn new(origin: Origin, validators: Validators, until: Timestamp) -> (Ticket, Lease) {
        let alive = Arc::new(());
        let lease = Lease {
            ticket: Arc::downgrade(&alive),
            until,
        };
        let ticket = Ticket {
            origin,
            validators,
            alive,
        };
        (ticket, lease)
    }
}

impl Lease {
    /// The end of the lease, if it has not ended before.
    pub(super) fn until(&self) -> Timestamp {
        self.until
    }

    /// Whether the ticket was dropped, or held for too long.
    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        !self.is_out() || now >= self.until
    }

    /// Whether somebody has the ticket, for however long.
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

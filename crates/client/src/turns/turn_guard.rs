//! The guard of a turn: the right to send one request to one host, which ends correctly however it
//! is dropped.

use std::fmt::Debug;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use polite_robots_policy::{HostId, Reply, Timestamp};
use tokio::sync::Notify;

/// The right to send one request to a host.
///
/// A guard that is dropped before the request is sent gives the turn to the next caller, and the
/// host was not asked. If it is dropped while the request is under way, the request counts as
/// ended: the gap is kept, and no error is counted. After the answer, the answer counts.
///
/// A turn that is not used within [`TURN_LEASE`](crate::turns::leases::TURN_LEASE) goes to the next
/// caller although its guard lives, and [`TurnGuard::send`] returns `None`.
#[derive(Debug)]
pub(crate) struct TurnGuard {
    keeper: Arc<dyn Keeper>,
    id: TurnId,
    phase: Phase,
    way: Arc<Way>,
}

/// Whether the request of a turn has to give way to others.
#[derive(Debug, Default)]
pub(crate) struct Way {
    is_given: AtomicBool,
    notify: Notify,
}

impl Way {
    /// Signals to the task of the request that it has to give way.
    pub(crate) fn give(&self) {
        self.is_given.store(true, Ordering::Release);
        self.notify.notify_one();
    }

    pub(crate) fn is_given(&self) -> bool {
        self.is_given.load(Ordering::Acquire)
    }

    /// Waits for a part of the request; `None` if the request has to give way before.
    pub(crate) async fn unless_given<T>(&self, part: impl Future<Output = T>) -> Option<T> {
        let mut part = pin!(part);
        let mut given = pin!(async {
            while !self.is_given() {
                self.notify.notified().await;
            }
        });
        poll_fn(|context| match part.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => given.as_mut().poll(context).map(|()| None),
        })
        .await
    }
}

/// The identity of one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TurnId {
    pub(crate) host: HostId,
    pub(crate) number: u64,
}

/// The object that grants turns, and that guards report to.
pub(crate) trait Keeper: Debug + Send + Sync {
    /// Records that the request of a turn starts now; `None` if the turn has gone to another
    /// caller.
    fn sent(&self, turn: TurnId) -> Option<Timestamp>;

    /// Records that a turn ends now.
    fn ended(&self, turn: TurnId, end: TurnEnd);
}

/// The end of a turn.
#[derive(Debug)]
pub(crate) enum TurnEnd {
    /// No request was sent.
    Unsent,
    /// The request was broken off before its answer.
    Broken,
    /// The request was answered, or failed.
    Answered(Reply),
}

#[derive(Debug)]
enum Phase {
    Granted,
    Sent,
    Answered(Reply),
    Over,
}

impl TurnGuard {
    /// The guard of a turn whose request is not sent yet. Only the keeper makes it, as it counts
    /// the turns.
    pub(crate) fn new(keeper: Arc<dyn Keeper>, id: TurnId, way: Arc<Way>) -> TurnGuard {
        TurnGuard {
            keeper,
            id,
            phase: Phase::Granted,
            way,
        }
    }

    /// The guard of a turn whose request is sent now.
    pub(crate) fn sent(keeper: Arc<dyn Keeper>, id: TurnId, way: Arc<Way>) -> TurnGuard {
        TurnGuard {
            keeper,
            id,
            phase: Phase::Sent,
            way,
        }
    }

    /// The sign by which the request learns that it has to give way.
    pub(crate) fn way(&self) -> &Way {
        &self.way
    }

    pub(crate) fn id(&self) -> TurnId {
        self.id
    }

    pub(crate) fn host(&self) -> HostId {
        self.id.host
    }

    /// Ends a turn that nobody took, without a report to the keeper: the keeper itself calls this,
    /// under the lock that its `ended` waits for.
    pub(crate) fn revoke(mut self) {
        self.phase = Phase::Over;
    }

    /// Reports the start of the request. Call it directly before the request is sent, and do not
    /// send it after `None`: the turn came too late, and has gone to another caller.
    pub(crate) fn send(&mut self) -> Option<Timestamp> {
        let started = self.keeper.sent(self.id)?;
        self.phase = Phase::Sent;
        Some(started)
    }

    /// Notes the start of a request that the keeper knows already.
    #[cfg(test)]
    pub(crate) fn mark_sent(&mut self) {
        self.phase = Phase::Sent;
    }

    /// Notes the answer. The request ends when the turn is dropped, with the last byte of the body.
    pub(crate) fn answered(&mut self, reply: Reply) {
        self.phase = Phase::Answered(reply);
    }

    /// The answer, once it is noted.
    pub(crate) fn reply(&self) -> Option<&Reply> {
        match &self.phase {
            Phase::Answered(reply) => Some(reply),
            Phase::Granted | Phase::Sent | Phase::Over => None,
        }
    }

    /// Ends the request with its answer.
    pub(crate) fn finish(mut self, reply: Reply) {
        self.answered(reply);
    }
}

impl Drop for TurnGuard {
    fn drop(&mut self) {
        let end = match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Granted => TurnEnd::Unsent,
            Phase::Sent => TurnEnd::Broken,
            Phase::Answered(reply) => TurnEnd::Answered(reply),
            Phase::Over => return,
        };
        self.keeper.ended(self.id, end);
    }
}

//! A turn: the right to send one request to one host, which ends well however it is dropped.

use std::sync::Arc;

use polite_robots_policy::{HostId, Reply, Timestamp};

use crate::shared::Shared;

/// The right to send one request to a host.
///
/// It is a guard. Dropped before the request is sent, it goes to the next in line, and the host was not asked. Dropped
/// while the request is under way, the request counts as ended: the gap is kept, and no error is counted. Dropped after
/// the answer, the answer counts.
#[derive(Debug)]
pub(crate) struct Turn {
    shared: Arc<Shared>,
    host: HostId,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    Granted,
    Sent,
    Answered(Box<Reply>),
    Over,
}

impl Turn {
    /// Made under the lock of the state, which has counted it.
    pub(crate) fn new(shared: Arc<Shared>, host: HostId) -> Turn {
        Turn {
            shared,
            host,
            phase: Phase::Granted,
        }
    }

    pub(crate) fn host(&self) -> HostId {
        self.host
    }

    /// Nobody took it: the state takes it back itself, as it holds the lock that a drop would wait for.
    pub(crate) fn revoke(mut self) {
        self.phase = Phase::Over;
    }

    /// Reports the start of the request. Call it directly before the request is sent.
    pub(crate) fn send(&mut self) -> Timestamp {
        let now = self.shared.clock.now();
        self.shared.state().start(self.host, now);
        self.shared.wake_driver();
        self.shared.host_changed(self.host);
        self.phase = Phase::Sent;
        now
    }

    /// Notes the answer. The request ends when the turn is dropped, with the last byte of the body.
    pub(crate) fn answered(&mut self, reply: Reply) {
        self.phase = Phase::Answered(Box::new(reply));
    }

    /// Ends the request with its answer.
    pub(crate) fn finish(mut self, reply: Reply) {
        self.answered(reply);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let phase = std::mem::replace(&mut self.phase, Phase::Over);
        if matches!(phase, Phase::Over) {
            // The state may be locked by the driver, which has just revoked this turn.
            return;
        }
        let now = self.shared.clock.now();
        {
            let mut state = self.shared.state();
            match phase {
                Phase::Granted => state.give_back(self.host),
                Phase::Sent => state.cancel(self.host, now),
                Phase::Answered(reply) => state.finish(self.host, *reply, now),
                Phase::Over => {}
            }
        }
        self.shared.host_changed(self.host);
        self.shared.wake_driver();
    }
}

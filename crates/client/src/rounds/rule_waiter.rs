//! A caller that waits for the rules of an origin.

use std::sync::Arc;

use polite_robots_policy::Origin;
use tokio::sync::watch;

use crate::shared::Shared;

/// Keeps the rules of an origin at hand while a caller has a page of that origin.
#[derive(Debug)]
pub(crate) struct RuleWaiter {
    shared: Arc<Shared>,
    origin: Origin,
}

impl RuleWaiter {
    pub(crate) fn new(shared: &Arc<Shared>, origin: &Origin) -> RuleWaiter {
        shared.state().waiters.add(origin);
        RuleWaiter {
            shared: Arc::clone(shared),
            origin: origin.clone(),
        }
    }
}

impl Drop for RuleWaiter {
    fn drop(&mut self) {
        let now = self.shared.clock.now();
        self.shared.state().remove_waiter(&self.origin, now);
    }
}

/// Waits until a round has ended, or memory for the origin may be free.
pub(crate) async fn next_round(rounds: Option<watch::Receiver<u64>>) {
    match rounds {
        // An error says that no caller waits for the origin any more.
        Some(mut rounds) => drop(rounds.changed().await),
        None => tokio::task::yield_now().await,
    }
}

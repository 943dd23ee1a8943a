//! What the client, its driver, its rounds and its turns share.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use polite_robots_policy::{HostId, Origin, Profile};
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::{AbortHandle, JoinSet};

use crate::clock::Clock;
use crate::host_rules::HostRules;
use crate::state::{LineIsFull, NewHost, Place, State};
use crate::transport::Transport;
use crate::turn::Turn;

/// The client behind its handles.
#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    /// Rounds under way. Dropped with the last handle.
    rounds: Mutex<JoinSet<()>>,
    driver: Notify,
    /// Signals that the cache may have room again.
    pub(crate) room: Notify,
    pub(crate) clock: Clock,
    pub(crate) transport: Transport,
    pub(crate) settings: Settings,
}

/// The choices of the builder.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) profile: Profile,
    pub(crate) rules: HostRules,
    pub(crate) max_wait: Duration,
    pub(crate) page_limit: usize,
    pub(crate) robots_timeout: Duration,
}

impl Shared {
    pub(crate) fn new(state: State, transport: Transport, clock: Clock, settings: Settings) -> Shared {
        Shared {
            state: Mutex::new(state),
            rounds: Mutex::default(),
            driver: Notify::new(),
            room: Notify::new(),
            clock,
            transport,
            settings,
        }
    }

    /// The state. A panic under the lock is a bug of this crate; the state stays usable for the other hosts.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wake_driver(&self) {
        self.driver.notify_one();
    }

    /// The number of a host, which is made known if it is not.
    pub(crate) fn host(&self, name: &str) -> HostId {
        self.state().host(name, || NewHost {
            pacer: None,
            rule: self.settings.rules.find(name).unwrap_or_default(),
        })
    }

    /// Puts the caller in line for a turn of the host.
    pub(crate) fn queue(&self, host: HostId, place: Place) -> Result<oneshot::Receiver<Turn>, LineIsFull> {
        let turn = self.state().queue(host, place)?;
        self.wake_driver();
        Ok(turn)
    }

    /// Runs a round until it ends or the last handle of the client is dropped.
    pub(crate) fn spawn_round(&self, round: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        // Reaps the ends of earlier ones, which the set would keep.
        while rounds.try_join_next().is_some() {}
        rounds.spawn(round)
    }

    pub(crate) fn abort_rounds(&self) {
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        rounds.abort_all();
    }

    /// Grants turns for ever. The one task that asks the scheduler who is next.
    pub(crate) async fn drive(self: Arc<Shared>) {
        loop {
            let next = self.state().grant(&self, self.clock.now());
            // A wake that came since is kept by the `Notify`, so none is lost.
            match next {
                Some(next) => {
                    let _ = tokio::time::timeout_at(self.clock.instant(next), self.driver.notified()).await;
                }
                None => self.driver.notified().await,
            }
        }
    }
}

/// Keeps the rules of an origin at hand while a caller has a page of it.
#[derive(Debug)]
pub(crate) struct Interest {
    shared: Arc<Shared>,
    origin: Origin,
}

impl Interest {
    pub(crate) fn new(shared: &Arc<Shared>, origin: &Origin) -> Interest {
        shared.state().begin_interest(origin);
        Interest {
            shared: Arc::clone(shared),
            origin: origin.clone(),
        }
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.shared.state().end_interest(&self.origin);
        self.shared.room.notify_waiters();
    }
}

/// Waits until a round has ended.
pub(crate) async fn next_round(rounds: Option<watch::Receiver<u64>>) {
    match rounds {
        // An error says that nobody has an interest any more, so there is nothing to wait for.
        Some(mut rounds) => drop(rounds.changed().await),
        None => tokio::task::yield_now().await,
    }
}

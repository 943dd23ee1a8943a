//! The state that the client, its driver, its rounds and its turns share.

use std::future::Future;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use polite_robots_policy::{HostId, IpGroup, Origin, Pacer, Profile, Timestamp};
use tokio::sync::{Notify, oneshot};
use tokio::task::{AbortHandle, JoinSet};

use crate::hosts::host_rules::HostRules;
use crate::hosts::host_state::HostState;
use crate::net::address_cache::{AddressCache, Membership};
use crate::net::transport::Transport;
use crate::shared::clock::Clock;
use crate::shared::ownership::Ownership;
use crate::shared::persistence::Persistence;
use crate::state::{RulesSnapshot, State, StoredPace};
use crate::store::batch::Batch;
use crate::store::key::Key;
use crate::store::store_error::StoreError;
use crate::turns::leases::LeaseStatus;
use crate::turns::queues::{Grant, Position, QueueError};
use crate::turns::turn_guard::{Keeper, TurnEnd, TurnGuard, TurnId};

pub(crate) mod clock;
pub(crate) mod handover;
pub(crate) mod ownership;
pub(crate) mod persistence;

/// The client that its handles share.
#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    /// The rounds under way, which end with the last handle.
    rounds: Mutex<JoinSet<()>>,
    driver: Notify,
    pub(crate) clock: Clock,
    pub(crate) transport: Transport,
    pub(crate) settings: Settings,
    persistence: Option<Arc<Persistence>>,
    /// The addresses by which hosts are grouped; `None` if they are not.
    addresses: Option<AddressCache>,
}

/// The choices of the builder.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) profile: Profile,
    pub(crate) rules: HostRules,
    pub(crate) ownership: Ownership,
    pub(crate) max_wait: Duration,
    pub(crate) retries: u32,
    pub(crate) page_limit: usize,
    pub(crate) robots_timeout: Duration,
}

impl Shared {
    pub(crate) fn new(
        mut state: State,
        transport: Transport,
        settings: Settings,
        persistence: Option<Persistence>,
        addresses: Option<AddressCache>,
    ) -> Shared {
        let clock = Clock::start();
        if persistence.is_some() && addresses.is_some() {
            state.dispatcher.count_starts(clock.now());
        }
        Shared {
            state: Mutex::new(state),
            rounds: Mutex::default(),
            driver: Notify::new(),
            clock,
            transport,
            settings,
            persistence: persistence.map(Arc::new),
            addresses,
        }
    }

    /// The state. A panic under the lock is a bug of this crate; the state stays usable for the
    /// other hosts.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.count_lock();
        state
    }

    pub(crate) fn wake_driver(&self) {
        self.driver.notify_one();
    }

    /// The number of a host. An unknown host is made known: with its stored pace if there is a
    /// store, and in the group of its address.
    pub(crate) async fn host(&self, name: &str) -> Result<HostId, StoreError> {
        let known = self.state().dispatcher.scheduler.find(name);
        if let Some(host) = known {
            let membership = self.membership(name).await?;
            if membership.is_changed {
                let mut state = self.state();
                state.dispatcher.set_group(host, membership.group);
                // The driver waits for the times of the old group.
                self.dispatch(state, self.clock.now());
            }
            return Ok(host);
        }
        let now = self.clock.now();
        let name_to_load = name.to_string();
        let pacer = self
            .load(move |persistence| persistence.pacer(&name_to_load, now))
            .await?;
        self.make_known(name, pacer).await
    }

    /// Adds a host with this pace. If the host is known already, its own pace stays.
    pub(crate) async fn make_known(
        &self,
        name: &str,
        pacer: Option<Pacer>,
    ) -> Result<HostId, StoreError> {
        let rule = self.settings.rules.find(name).unwrap_or_default();
        // No await follows: a change of the group that is taken here must reach the scheduler.
        let membership = self.membership(name).await?;
        let mut state = self.state();
        // Another call may have made it known since; then the pace of that call counts.
        let host = state.host(name, rule, pacer);
        if membership.is_changed || membership.group.is_some() {
            state.dispatcher.set_group(host, membership.group);
            // If the host was known, it may have returned a turn.
            self.dispatch(state, self.clock.now());
        }
        Ok(host)
    }

    /// Counts the next request of the host for the group of an address other than that of its
    /// connections.
    pub(crate) async fn detour(
        &self,
        host: HostId,
        address: IpAddr,
    ) -> Result<Option<DetourGuard<'_>>, StoreError> {
        let Some(addresses) = &self.addresses else {
            return Ok(None);
        };
        let group = addresses.group_at(address);
        self.recall_group(group).await?;
        self.state().dispatcher.begin_detour(host, group);
        Ok(Some(DetourGuard {
            shared: self,
            host,
            group,
        }))
    }

    /// Whether hosts are grouped by their addresses.
    pub(crate) fn has_groups(&self) -> bool {
        self.addresses.is_some()
    }

    /// The group of a host, whose starts in an earlier run are known by then. Its last await comes
    /// before a change of the group is taken.
    async fn membership(&self, name: &str) -> Result<Membership, StoreError> {
        let Some(addresses) = &self.addresses else {
            return Ok(Membership::default());
        };
        loop {
            addresses.refresh(name).await;
            let group = addresses.group(name);
            self.recall_group(group).await?;
            if addresses.group(name) == group {
                return Ok(addresses.take_membership(name));
            }
        }
    }

    /// Reads the starts of a group from the store, unless they are known or no longer count.
    async fn recall_group(&self, group: Option<IpGroup>) -> Result<(), StoreError> {
        let now = self.clock.now();
        let unknown = group.filter(|group| self.state().dispatcher.is_unknown(*group, now));
        let Some(group) = unknown else {
            return Ok(());
        };
        let starts = self
            .load(move |persistence| persistence.group(group, now))
            .await?;
        let mut state = self.state();
        state
            .dispatcher
            .recall(group, starts.unwrap_or_default(), now);
        Ok(())
    }

    /// Reads the robots.txt of an origin from the store, unless it is at hand.
    pub(crate) async fn recall(&self, origin: &Origin) -> Result<(), StoreError> {
        if self.persistence.is_none() || self.state().cache.contains(origin) {
            return Ok(());
        }
        let origin_to_load = origin.clone();
        let entry = self
            .load(move |persistence| persistence.entry(&origin_to_load))
            .await?;
        if let Some(entry) = entry {
            let now = self.clock.now();
            let mut state = self.state();
            // Others may have waited for memory for longer; then it is read again later.
            if !state.cache.contains(origin) && state.waiters.may_enter(origin) {
                state.cache.insert(origin, entry, now);
            }
        }
        Ok(())
    }

    /// Loads from the store, on a thread that may block.
    pub(crate) async fn load<T: Send + 'static>(
        &self,
        load: impl FnOnce(&Persistence) -> Result<Option<T>, StoreError> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let Some(persistence) = self.persistence.clone() else {
            return Ok(None);
        };
        let loaded = tokio::task::spawn_blocking(move || load(&persistence)).await;
        loaded.unwrap_or_else(|error| Err(StoreError::Load(error.into())))
    }

    pub(crate) fn host_changed(&self, host: HostId) {
        if let Some(persistence) = &self.persistence {
            persistence.host_changed(host);
        }
    }

    pub(crate) fn origin_changed(&self, origin: &Origin) {
        if let Some(persistence) = &self.persistence {
            persistence.origin_changed(origin);
        }
    }

    /// Saves all changes, on a thread that may block.
    pub(crate) async fn save(self: &Arc<Shared>) -> Result<(), StoreError> {
        let shared = Arc::clone(self);
        let saved = tokio::task::spawn_blocking(move || shared.save_now()).await;
        saved.unwrap_or_else(|error| Err(StoreError::Save(error.into())))
    }

    /// Removes the records of a host that was handed over.
    pub(crate) async fn forget_saved(
        self: &Arc<Shared>,
        state: &HostState,
    ) -> Result<(), StoreError> {
        // A change of its robots.txt that is not saved yet would come after the removal.
        self.save().await?;
        let mut batch = Batch::new();
        batch.remove(Key::pacer(&state.host));
        for (origin, _) in &state.entries {
            batch.remove(Key::entry(origin));
        }
        let forget = move |persistence: &Persistence| persistence.apply(&batch).map(|()| None);
        self.load::<()>(forget).await.map(|_| ())
    }

    fn save_now(&self) -> Result<(), StoreError> {
        let persistence = self.persistence.as_ref();
        persistence.map_or(Ok(()), |persistence| persistence.save(&self.state))
    }

    /// Saves all changes and, if no request is under way, notes that nothing is missing.
    pub(crate) fn close(&self) -> Result<(), StoreError> {
        self.save_now()?;
        match &self.persistence {
            Some(persistence) if self.state().dispatcher.running() == 0 => persistence.close(),
            _ => Ok(()),
        }
    }

    /// Saves the changes twice a second, so that a crash loses less than a second.
    pub(crate) async fn keep_saved(self: Arc<Shared>) {
        if self.persistence.is_none() {
            return;
        }
        loop {
            tokio::time::sleep(SAVE_EVERY).await;
            // Changes that could not be saved are tried again; `PoliteClient::save` reports the
            // error.
            let _ = self.save().await;
        }
    }

    /// Adds the caller to the queue for a turn of the host.
    pub(crate) fn queue(
        &self,
        host: HostId,
        position: Position,
        until: Timestamp,
    ) -> Result<oneshot::Receiver<Grant>, QueueError> {
        let turn = self.state().dispatcher.queue(host, position, until)?;
        self.wake_driver();
        Ok(turn)
    }

    /// Starts the request of a page without a wait, if it overtakes nobody and its rules are still
    /// in force.
    pub(crate) fn start_now(&self, snapshot: &RulesSnapshot) -> Option<(TurnGuard, Timestamp)> {
        let now = self.clock.now();
        let mut state = self.state();
        let turn = state.start_now(snapshot, now)?;
        // Under the lock, or the host could be forgotten before its change is noted.
        self.host_changed(turn.host());
        let is_driver_late = state.dispatcher.dispatch_after_start(now);
        self.wake_driver_if(is_driver_late, state);
        Some((turn, now))
    }

    /// Grants a turn of a host that is free now, to a caller that used its own too late.
    pub(crate) fn turn_at_once(&self, host: HostId) -> Option<TurnGuard> {
        let now = self.clock.now();
        self.state().dispatcher.grant_at_once(host, now)
    }

    /// Grants the turns that a change under the lock made free, and wakes the driver if it would
    /// wake too late for the next turn.
    fn dispatch(&self, mut state: MutexGuard<'_, State>, now: Timestamp) {
        let is_driver_late = state.dispatcher.dispatch(now);
        self.wake_driver_if(is_driver_late, state);
    }

    fn wake_driver_if(&self, is_late: bool, state: MutexGuard<'_, State>) {
        drop(state);
        if is_late {
            self.wake_driver();
        }
    }

    /// Runs a round until it ends or the last handle of the client is dropped.
    pub(crate) fn spawn_round(
        &self,
        round: impl Future<Output = ()> + Send + 'static,
    ) -> AbortHandle {
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        // Drops the results of earlier rounds, which the set would keep.
        while rounds.try_join_next().is_some() {}
        rounds.spawn(round)
    }

    pub(crate) fn abort_rounds(&self) {
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        rounds.abort_all();
    }

    /// Grants the turns whose time comes, for ever, and forgets the hosts that nobody needs. Each
    /// change that frees turns grants them by itself.
    pub(crate) async fn drive(self: Arc<Shared>) {
        loop {
            let next = {
                let now = self.clock.now();
                let mut state = self.state();
                let next = [
                    state.dispatcher.grant(now),
                    state.forget_idle(now, |host| self.stored_pace(host)),
                ];
                let next = next.into_iter().flatten().min();
                state.dispatcher.set_driver_wakeup(next);
                next
            };
            // A wake that came since is kept by the `Notify`, so none is lost.
            match next {
                Some(next) => {
                    let _ =
                        tokio::time::timeout_at(self.clock.instant(next), self.driver.notified())
                            .await;
                }
                None => self.driver.notified().await,
            }
        }
    }

    fn stored_pace(&self, host: HostId) -> StoredPace {
        match &self.persistence {
            None => StoredPace::NoStore,
            Some(persistence) if persistence.is_saved(host) => StoredPace::Current,
            Some(_) => StoredPace::Stale,
        }
    }
}

impl Keeper for Shared {
    fn sent(&self, turn: TurnId) -> Option<Timestamp> {
        let now = self.clock.now();
        let mut state = self.state();
        if state.start(turn, now) == LeaseStatus::Expired {
            return None;
        }
        if let (Some(persistence), Some(group)) =
            (&self.persistence, state.dispatcher.group(turn.host))
        {
            persistence.group_changed(group);
        }
        // Under the lock, or the host could be forgotten before its change is noted.
        self.host_changed(turn.host);
        self.dispatch(state, now);
        Some(now)
    }

    fn ended(&self, turn: TurnId, end: TurnEnd) {
        let now = self.clock.now();
        let mut state = self.state();
        state.dispatcher.end(turn, end, now);
        self.host_changed(turn.host);
        let is_driver_late = state.dispatcher.dispatch_after_end(now);
        self.wake_driver_if(is_driver_late, state);
    }
}

/// Keeps a host in the group of an address, for the request that goes there.
#[derive(Debug)]
pub(crate) struct DetourGuard<'s> {
    shared: &'s Shared,
    host: HostId,
    group: Option<IpGroup>,
}

impl DetourGuard<'_> {
    /// Makes the request count to this address, also if another round has moved the host since.
    /// Call it directly before the request is sent.
    pub(crate) fn stay(&self) {
        self.shared
            .state()
            .dispatcher
            .keep_detour(self.host, self.group);
    }
}

impl Drop for DetourGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.dispatcher.end_detour(self.host);
        self.shared.dispatch(state, self.shared.clock.now());
    }
}

/// Half of the second that a crash may lose: the other half is for the write.
const SAVE_EVERY: Duration = Duration::from_millis(500);

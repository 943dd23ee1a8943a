//! The memory of the client that outlives it: records to load, and changes to save.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use polite_robots_policy::{Entry, HostId, IpGroup, Origin, Pacer, Profile, Timestamp};

use crate::state::State;
use crate::store::batch::Batch;
use crate::store::interface::{LastStop, Store};
use crate::store::records::{Loaded, Records};
use crate::store::store_error::StoreError;

/// The view of a store, and the changes since the last save.
#[derive(Debug)]
pub(crate) struct Persistence {
    records: Records,
    profile: Profile,
    /// Whether requests of the last second may be missing in the store, so that every host waits
    /// for a gap first.
    is_after_crash: bool,
    changes: Mutex<Changes>,
    /// Held while a batch is made and written, so that batches are written in their order.
    saving: Mutex<()>,
}

/// The hosts and origins whose memory has changed.
#[derive(Debug, Default)]
struct Changes {
    hosts: BTreeSet<HostId>,
    origins: BTreeSet<Origin>,
    groups: BTreeSet<IpGroup>,
    /// The hosts of the batch that is being written, which may fail.
    written: BTreeSet<HostId>,
}

impl Persistence {
    pub(crate) fn new(store: impl Store, profile: Profile) -> Persistence {
        let records = Records::new(store);
        Persistence {
            is_after_crash: records.last_stop() == LastStop::Crash,
            records,
            profile,
            changes: Mutex::default(),
            saving: Mutex::default(),
        }
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn host_changed(&self, host: HostId) {
        self.changes().hosts.insert(host);
    }

    pub(crate) fn origin_changed(&self, origin: &Origin) {
        self.changes().origins.insert(origin.clone());
    }

    pub(crate) fn group_changed(&self, group: IpGroup) {
        self.changes().groups.insert(group);
    }

    /// Whether the store has the pace of the host as it is.
    pub(crate) fn is_saved(&self, host: HostId) -> bool {
        let changes = self.changes();
        !changes.hosts.contains(&host) && !changes.written.contains(&host)
    }

    /// The stored pace of a host. A host whose state was lost waits for one gap.
    pub(crate) fn pacer(&self, host: &str, now: Timestamp) -> Result<Option<Pacer>, StoreError> {
        if self.is_after_crash {
            return self.pacer_after_crash(host, now).map(Some);
        }
        Ok(match self.records.pacer(host)? {
            Loaded::Found(pacer) => Some(pacer),
            Loaded::Missing => None,
            Loaded::Corrupt(_) => Some(Pacer::after_gap(now)),
        })
    }

    /// The pace of a host whose last request may be missing in the store, so that one is assumed
    /// that ends now.
    pub(crate) fn pacer_after_crash(
        &self,
        host: &str,
        now: Timestamp,
    ) -> Result<Pacer, StoreError> {
        Ok(match self.records.pacer(host)? {
            Loaded::Found(mut pacer) => {
                pacer.handle_start(now);
                pacer.handle_cancelled(&self.profile, now);
                pacer
            }
            Loaded::Missing | Loaded::Corrupt(_) => Pacer::after_gap(now),
        })
    }

    /// The stored robots.txt of an origin. A record that cannot be read counts as none.
    pub(crate) fn entry(&self, origin: &Origin) -> Result<Option<Entry>, StoreError> {
        Ok(match self.records.entry(origin)? {
            Loaded::Found(entry) => Some(entry),
            Loaded::Missing | Loaded::Corrupt(_) => None,
        })
    }

    /// The stored starts of a group. A group whose state was lost may have used all its starts just
    /// now.
    pub(crate) fn group(
        &self,
        group: IpGroup,
        now: Timestamp,
    ) -> Result<Option<Vec<Timestamp>>, StoreError> {
        let lost = || vec![now; usize::from(self.profile.pace.group_starts)];
        Ok(Some(match self.records.group(group)? {
            _ if self.is_after_crash => lost(),
            Loaded::Found(starts) => starts,
            Loaded::Missing => Vec::new(),
            Loaded::Corrupt(_) => lost(),
        }))
    }

    /// Saves all changes. They count as unsaved again if the store refuses them.
    pub(crate) fn save(&self, state: &Mutex<State>) -> Result<(), StoreError> {
        let _saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = {
            let mut changes = self.changes();
            let written = changes.hosts.clone();
            std::mem::replace(
                &mut *changes,
                Changes {
                    written,
                    ..Changes::default()
                },
            )
        };
        let batch = {
            let state = state.lock().unwrap_or_else(PoisonError::into_inner);
            batch_of(&changes, &state)
        };
        let saved = batch.and_then(|batch| self.records.save(&batch));
        let mut unsaved = self.changes();
        unsaved.written.clear();
        if saved.is_err() {
            unsaved.hosts.extend(changes.hosts);
            unsaved.origins.extend(changes.origins);
            unsaved.groups.extend(changes.groups);
        }
        saved
    }

    /// Saves changes that the state does not have.
    pub(crate) fn apply(&self, batch: &Batch) -> Result<(), StoreError> {
        let _saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        self.records.save(batch)
    }

    /// Notes in the store that nothing is missing there.
    pub(crate) fn close(&self) -> Result<(), StoreError> {
        self.records.close()
    }
}

fn batch_of(changes: &Changes, state: &State) -> Result<Batch, StoreError> {
    let mut batch = Batch::new();
    for host in &changes.hosts {
        if let Some(pacer) = state.dispatcher.scheduler.pacer(*host) {
            batch.insert_pacer(state.dispatcher.scheduler.host(*host), &pacer)?;
        }
    }
    for origin in &changes.origins {
        if let Some(entry) = state.cache.entry(origin) {
            batch.insert_entry(origin, &entry)?;
        }
    }
    for group in &changes.groups {
        batch.insert_group(*group, &state.dispatcher.starts(*group))?;
    }
    Ok(batch)
}

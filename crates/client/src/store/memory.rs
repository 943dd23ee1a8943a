//! A store that lasts as long as its process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::batch::Batch;
use crate::store::interface::{LastStop, Store};
use crate::store::key::Key;
use crate::store::store_error::StoreError;

/// A store that lasts as long as its process: for tests, and for a client that is built anew. It
/// keeps the stored form of each record, as a file would.
#[derive(Debug, Default)]
pub struct MemoryStore {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    records: BTreeMap<Key, Vec<u8>>,
    /// Whether a batch was saved since the last `close`.
    is_open: bool,
    is_used: bool,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// The number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().records.len()
    }

    /// Whether there is no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().records.is_empty()
    }

    #[cfg(test)]
    pub(crate) fn plant(&self, key: Key, bytes: &[u8]) {
        self.lock().records.insert(key, bytes.to_vec());
    }

    /// A thread that panicked cannot have left a batch half saved: nothing in here panics.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn load(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.lock().records.get(key).cloned())
    }

    fn save(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut inner = self.lock();
        inner.is_open = true;
        inner.is_used = true;
        for (key, bytes) in batch.changes() {
            match bytes {
                Some(bytes) => inner.records.insert(key.clone(), bytes.to_vec()),
                None => inner.records.remove(key),
            };
        }
        Ok(())
    }

    /// The answer changes with the store, as it is never opened; a client asks at its start.
    fn last_stop(&self) -> LastStop {
        let inner = self.lock();
        match (inner.is_used, inner.is_open) {
            (false, _) => LastStop::New,
            (true, false) => LastStop::Clean,
            (true, true) => LastStop::Crash,
        }
    }

    fn close(&self) -> Result<(), StoreError> {
        let mut inner = self.lock();
        inner.is_used = true;
        inner.is_open = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::laws::assert_is_a_map;

    #[test]
    fn the_store_is_a_map() {
        assert_is_a_map(&MemoryStore::new());
    }

    #[test]
    fn the_last_stop_is_known() {
        let store = MemoryStore::new();
        assert_eq!(store.last_stop(), LastStop::New);
        store.save(&Batch::new()).unwrap();
        assert_eq!(store.last_stop(), LastStop::Crash);
        store.close().unwrap();
        assert_eq!(store.last_stop(), LastStop::Clean);
    }
}

//! The interface of a place where the memory of a crawl outlives the process.

use std::sync::Arc;

use crate::store::batch::Batch;
use crate::store::key::Key;
use crate::store::store_error::StoreError;

/// A place where the memory of a crawl outlives the process: a map from keys to bytes.
///
/// The client saves the answer of each origin's robots.txt and the pace of each host, so that a
/// crawl that starts again asks nobody twice and keeps every gap.
/// [`MemoryStore`](crate::store::MemoryStore) is for tests and for several clients of one process,
/// `RedbStore` (feature `redb`) is a file, and `RedisStore` (feature `redis`) is for the machines
/// of one crawler. Any other key-value database takes the few lines that this trait asks for; the
/// bytes have a version and a checksum, so a store need not check them.
///
/// The methods block, and the client calls them where that is allowed. Two clients must not have
/// one host in a store at the same time: each would keep its own pace. A store that several clients
/// share must keep the default of [`Store::last_stop`], as any of them may have crashed.
pub trait Store: Send + Sync + 'static {
    /// The bytes that were saved last for a key.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store cannot say; a key that it does not have is `None`.
    fn load(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError>;

    /// Saves all changes of a batch or none of them. When it returns, the changes survive the end
    /// of the process.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; the store is then as it was before.
    fn save(&self, batch: &Batch) -> Result<(), StoreError>;

    /// Says how the last client left the store. The answer stays the same for as long as the store
    /// is open.
    fn last_stop(&self) -> LastStop {
        LastStop::Crash
    }

    /// Notes that everything is saved, so that the next [`Store::last_stop`] is
    /// [`LastStop::Clean`]. The client calls it once, at its end.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; the next client then finds a crash, which is the careful answer.
    fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Lets the program keep a handle of the store that it gives away.
impl<S: Store + ?Sized> Store for Arc<S> {
    fn load(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).load(key)
    }

    fn save(&self, batch: &Batch) -> Result<(), StoreError> {
        (**self).save(batch)
    }

    fn last_stop(&self) -> LastStop {
        (**self).last_stop()
    }

    fn close(&self) -> Result<(), StoreError> {
        (**self).close()
    }
}

/// The end of the last client of a [`Store`], which decides whether requests may be missing in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LastStop {
    /// There was no client: the store is new.
    New,
    /// Everything was saved. A host without a record was never asked.
    Clean,
    /// The last second before the end may be missing, or the store cannot know. Every host may have
    /// been asked a moment before, so each waits for one gap.
    Crash,
}

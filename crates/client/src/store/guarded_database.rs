//! A redb database whose panics are errors: redb trusts its file, and panics where a damaged one
//! contradicts itself.

use std::error::Error;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{Database, DatabaseError};

/// A database that is not asked again after its file has shown itself damaged.
pub(crate) struct GuardedDatabase {
    /// `None` only while it is dropped.
    database: Option<Database>,
    is_damaged: AtomicBool,
}

/// The file of the database contradicts itself.
#[derive(Debug, thiserror::Error)]
#[error("the file is damaged")]
pub(crate) struct DamagedFile;

impl GuardedDatabase {
    /// Opens a database, or makes it. The outer error is a file that is damaged.
    pub(crate) fn open(
        open: impl FnOnce() -> Result<Database, DatabaseError>,
    ) -> Result<Result<GuardedDatabase, DatabaseError>, DamagedFile> {
        Ok(without_panic(open)?.map(|database| GuardedDatabase {
            database: Some(database),
            is_damaged: AtomicBool::new(false),
        }))
    }

    /// Calls redb. A panic leaves half-done work in memory alone, and no call sees it, as each
    /// later one is refused.
    pub(crate) fn call<T>(
        &self,
        call: impl FnOnce(&Database) -> Result<T, redb::Error>,
    ) -> Result<T, Box<dyn Error + Send + Sync>> {
        let is_damaged = self.is_damaged.load(Ordering::Relaxed);
        let database = self.database.as_ref().filter(|_| !is_damaged);
        let database = database.ok_or(DamagedFile)?;
        let result = without_panic(|| call(database)).inspect_err(|_| {
            self.is_damaged.store(true, Ordering::Relaxed);
        });
        Ok(result??)
    }
}

impl Drop for GuardedDatabase {
    fn drop(&mut self) {
        let database = self.database.take();
        if self.is_damaged.load(Ordering::Relaxed) {
            // Leaked, because its drop takes locks that the panicked thread holds.
            mem::forget(database);
        } else {
            let _ = without_panic(|| drop(database));
        }
    }
}

fn without_panic<T>(call: impl FnOnce() -> T) -> Result<T, DamagedFile> {
    panic::catch_unwind(AssertUnwindSafe(call)).map_err(|_| DamagedFile)
}

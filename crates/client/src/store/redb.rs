//! A store in one file, by redb.

use std::fmt;
use std::path::{Path, PathBuf};

use redb::{Database, DatabaseError, ReadableDatabase as _, ReadableTable as _, TableDefinition};

use crate::store::batch::Batch;
use crate::store::guarded_database::GuardedDatabase;
use crate::store::interface::{LastStop, Store};
use crate::store::key::Key;
use crate::store::store_error::StoreError;

/// A store in one file, which survives the end of the process and of the machine: each batch is one
/// transaction that is on the disk when [`Store::save`] returns.
///
/// One process has the file at a time; a second one gets [`StoreError::Locked`] with the name of
/// the file. Threads of one process share the store in an `Arc`.
///
/// A damaged file is an error of [`RedbStore::open`], or of the call that meets the damage and of
/// all after it. Remove the file then: the crawl begins anew, as after the loss of a disk. redb
/// panics at damage, which the store catches; the message of the panic still goes to standard
/// error, and in a program with `panic = "abort"` it is the end.
pub struct RedbStore {
    database: GuardedDatabase,
    path: PathBuf,
    last_stop: LastStop,
}

impl RedbStore {
    /// Opens a file, or makes it. Its folder must exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`] if another process has the file, or this one since it found it
    /// damaged; [`StoreError::Open`] if it is not a store, is damaged, or cannot be read and
    /// written.
    pub fn open(path: impl AsRef<Path>) -> Result<RedbStore, StoreError> {
        let path = path.as_ref().to_owned();
        let opened = GuardedDatabase::open(|| Database::create(&path));
        let began = match opened {
            Ok(Ok(database)) => database.call(begin).map(|last_stop| (database, last_stop)),
            Ok(Err(DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch)) => {
                return Err(StoreError::Locked { path });
            }
            Ok(Err(error)) => Err(error.into()),
            Err(damaged) => Err(damaged.into()),
        };
        match began {
            Ok((database, last_stop)) => Ok(RedbStore {
                database,
                path,
                last_stop,
            }),
            Err(source) => Err(StoreError::Open { path, source }),
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Store for RedbStore {
    fn load(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.database.call(|database| read(database, key));
        found.map_err(StoreError::Load)
    }

    fn save(&self, batch: &Batch) -> Result<(), StoreError> {
        let written = self.database.call(|database| write(database, batch));
        written.map_err(StoreError::Save)
    }

    fn last_stop(&self) -> LastStop {
        self.last_stop
    }

    fn close(&self) -> Result<(), StoreError> {
        let closed = self.database.call(|database| set_state(database, CLOSED));
        closed.map_err(StoreError::Save)
    }
}

impl fmt::Debug for RedbStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut this = f.debug_struct("RedbStore");
        this.field("path", &self.path).finish_non_exhaustive()
    }
}

/// Reads how the file was left and marks it as open, on the disk, before any request is noted in
/// it.
fn begin(database: &Database) -> Result<LastStop, redb::Error> {
    let mut last_stop = LastStop::New;
    transact(database, |transaction| {
        // Reading needs the table to exist.
        transaction.open_table(RECORDS)?;
        let table = transaction.open_table(STATE)?;
        last_stop = match table.get(STATE_KEY)?.map(|state| state.value()) {
            None => LastStop::New,
            Some(CLOSED) => LastStop::Clean,
            Some(_) => LastStop::Crash,
        };
        Ok(())
    })?;
    set_state(database, OPEN)?;
    Ok(last_stop)
}

fn read(database: &Database, key: &Key) -> Result<Option<Vec<u8>>, redb::Error> {
    let table = database.begin_read()?.open_table(RECORDS)?;
    let bytes = table.get(key.as_str())?;
    Ok(bytes.map(|bytes| bytes.value().to_vec()))
}

fn write(database: &Database, batch: &Batch) -> Result<(), redb::Error> {
    transact(database, |transaction| {
        let mut table = transaction.open_table(RECORDS)?;
        for (key, bytes) in batch.changes() {
            match bytes {
                Some(bytes) => table.insert(key.as_str(), bytes)?,
                None => table.remove(key.as_str())?,
            };
        }
        Ok(())
    })
}

fn set_state(database: &Database, state: u8) -> Result<(), redb::Error> {
    transact(database, |transaction| {
        transaction.open_table(STATE)?.insert(STATE_KEY, state)?;
        Ok(())
    })
}

fn transact(
    database: &Database,
    change: impl FnOnce(&redb::WriteTransaction) -> Result<(), redb::Error>,
) -> Result<(), redb::Error> {
    let mut transaction = database.begin_write()?;
    // A process that was killed then opens the file at once, where redb would otherwise read all of
    // it.
    transaction.set_quick_repair(true);
    change(&transaction)?;
    Ok(transaction.commit()?)
}

const RECORDS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("records");
const STATE: TableDefinition<'_, &str, u8> = TableDefinition::new("state");
const STATE_KEY: &str = "state";
const OPEN: u8 = 1;
const CLOSED: u8 = 2;

#[cfg(test)]
mod tests {
    use std::process;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::{env, fs};

    use polite_robots_policy::Pacer;

    use super::*;
    use crate::store::laws::assert_is_a_map;

    /// A path of its own for each test, which is removed at its end.
    struct TemporaryFile(PathBuf);

    impl TemporaryFile {
        fn new() -> TemporaryFile {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("polite-robots-store-{}-{number}", process::id());
            TemporaryFile(env::temp_dir().join(name))
        }
    }

    impl Drop for TemporaryFile {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn the_store_is_a_map() {
        let file = TemporaryFile::new();
        assert_is_a_map(&RedbStore::open(&file.0).unwrap());
    }

    #[test]
    fn records_outlive_the_store() {
        let file = TemporaryFile::new();
        let mut batch = Batch::new();
        batch.insert_pacer("example.com", &Pacer::new()).unwrap();
        RedbStore::open(&file.0).unwrap().save(&batch).unwrap();
        let store = RedbStore::open(&file.0).unwrap();
        let bytes = store.load(&Key::pacer("example.com")).unwrap();
        let (_, saved) = batch.changes().next().unwrap();
        assert_eq!(bytes.as_deref(), saved);
        assert_eq!(store.path(), file.0);
    }

    #[test]
    fn the_last_stop_is_that_of_the_store_before() {
        let file = TemporaryFile::new();
        let first = RedbStore::open(&file.0).unwrap();
        first.save(&Batch::new()).unwrap();
        assert_eq!(first.last_stop(), LastStop::New);
        drop(first);
        let second = RedbStore::open(&file.0).unwrap();
        assert_eq!(second.last_stop(), LastStop::Crash);
        second.close().unwrap();
        assert_eq!(second.last_stop(), LastStop::Crash);
        drop(second);
        let third = RedbStore::open(&file.0).unwrap();
        assert_eq!(third.last_stop(), LastStop::Clean);
        drop(third);
        let fourth = RedbStore::open(&file.0).unwrap();
        assert_eq!(fourth.last_stop(), LastStop::Crash);
    }

    /// A killed process leaves the file as it is while it is open, so the test copies it then.
    #[test]
    fn a_killed_process_loses_nothing_that_was_saved() {
        let (file, copy) = (TemporaryFile::new(), TemporaryFile::new());
        let store = RedbStore::open(&file.0).unwrap();
        let mut batch = Batch::new();
        batch.insert_pacer("example.com", &Pacer::new()).unwrap();
        store.save(&batch).unwrap();
        fs::copy(&file.0, &copy.0).unwrap();
        let left = RedbStore::open(&copy.0).unwrap();
        assert_eq!(left.last_stop(), LastStop::Crash);
        assert!(left.load(&Key::pacer("example.com")).unwrap().is_some());
    }

    #[test]
    fn a_second_crawler_is_told_which_file_is_in_use() {
        let file = TemporaryFile::new();
        let _first = RedbStore::open(&file.0).unwrap();
        let refused = RedbStore::open(&file.0).unwrap_err();
        assert!(matches!(&refused, StoreError::Locked { path } if *path == file.0));
        assert_eq!(
            refused.to_string(),
            format!(
                "the store {} is in use by another crawler",
                file.0.display()
            )
        );
    }

    /// Damages a file in one of four ways.
    fn damage(bytes: &mut Vec<u8>, case: usize, mut random: impl FnMut(usize) -> usize) {
        let length = bytes.len();
        let page = random(length / 4_096) * 4_096;
        match case % 4 {
            0 => (0..8).for_each(|_| bytes[random(length)] ^= 1 << random(8)),
            1 => {
                let from = random(length - 500);
                let noise = &mut bytes[from..from + 500];
                noise.iter_mut().for_each(|byte| *byte = random(256) as u8);
            }
            2 => bytes.truncate(random(length)),
            _ => bytes[page..page + 4_096].fill(0),
        }
    }

    /// redb panics at one file in fourteen.
    #[test]
    fn a_damaged_file_is_an_error() {
        const HOSTS: usize = 60;
        let file = TemporaryFile::new();
        let name = |host: usize| format!("host-{host}.example");
        let mut batch = Batch::new();
        for host in 0..HOSTS {
            batch.insert_pacer(&name(host), &Pacer::new()).unwrap();
        }
        let store = RedbStore::open(&file.0).unwrap();
        (0..3).for_each(|_| store.save(&batch).unwrap());
        store.close().unwrap();
        drop(store);
        let whole = fs::read(&file.0).unwrap();
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut intact = 0;
        for case in 0..120 {
            let mut bytes = whole.clone();
            damage(&mut bytes, case, |below| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                usize::try_from(seed % below as u64).unwrap()
            });
            let damaged = TemporaryFile::new();
            fs::write(&damaged.0, bytes).unwrap();
            let run = || -> Result<(), StoreError> {
                let store = RedbStore::open(&damaged.0)?;
                for host in 0..HOSTS {
                    store.load(&Key::pacer(&name(host)))?;
                }
                store.save(&batch)?;
                store.close()
            };
            intact += usize::from(run().is_ok());
        }
        assert!(intact < 110, "{intact} files were not damaged");
    }

    #[test]
    fn a_file_of_another_kind_is_named_and_left_alone() {
        let file = TemporaryFile::new();
        fs::write(&file.0, "no store".repeat(1000)).unwrap();
        let refused = RedbStore::open(&file.0).unwrap_err();
        assert!(
            refused.to_string().contains(&*file.0.to_string_lossy()),
            "{refused}"
        );
        assert!(matches!(refused, StoreError::Open { .. }));
        assert_eq!(
            fs::read(&file.0).unwrap(),
            "no store".repeat(1000).as_bytes()
        );

        let nowhere = file.0.join("folder/store");
        let refused = RedbStore::open(&nowhere).unwrap_err();
        assert!(matches!(refused, StoreError::Open { path, .. } if path == nowhere));
    }
}

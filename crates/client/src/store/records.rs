//! The typed view of a store.

use std::fmt;
use std::sync::Arc;

use polite_robots_policy::{Entry, IpGroup, Origin, Pacer, Timestamp};
use serde::de::DeserializeOwned;

use crate::store::batch::Batch;
use crate::store::interface::{LastStop, Store};
use crate::store::key::Key;
use crate::store::record::{CorruptRecord, decode};
use crate::store::store_error::StoreError;

/// The typed view of a [`Store`]. Clones share the store.
///
/// ```
/// use polite_robots_policy::Pacer;
/// use polite_robots_client::store::{Batch, Loaded, MemoryStore, Records};
///
/// let records = Records::new(MemoryStore::new());
/// let mut batch = Batch::new();
/// batch.insert_pacer("example.com", &Pacer::for_host("example.com"))?;
/// records.save(&batch)?;
/// assert!(matches!(records.pacer("example.com")?, Loaded::Found(_)));
/// assert!(matches!(records.pacer("example.org")?, Loaded::Missing));
/// # Ok::<(), polite_robots_client::store::StoreError>(())
/// ```
#[derive(Clone)]
pub struct Records {
    store: Arc<dyn Store>,
}

/// The result of a search for a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loaded<T> {
    /// The record as it was saved.
    Found(T),
    /// No record.
    Missing,
    /// A record that cannot be used. It was removed; the host counts as one whose state was lost.
    Corrupt(CorruptRecord),
}

impl Records {
    /// The view of a store.
    #[must_use]
    pub fn new(store: impl Store) -> Records {
        Records {
            store: Arc::new(store),
        }
    }

    /// The robots.txt of an origin.
    ///
    /// # Errors
    ///
    /// [`StoreError`] of the store. A record that cannot be read is no error.
    pub fn entry(&self, origin: &Origin) -> Result<Loaded<Entry>, StoreError> {
        self.load(Key::entry(origin))
    }

    /// The pace of a host. Requests that were under way when it was saved have ended.
    ///
    /// # Errors
    ///
    /// [`StoreError`] of the store. A record that cannot be read is no error.
    pub fn pacer(&self, host: &str) -> Result<Loaded<Pacer>, StoreError> {
        self.load(Key::pacer(host))
    }

    /// The last starts of a group, oldest first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] of the store. A record that cannot be read is no error.
    pub fn group(&self, group: IpGroup) -> Result<Loaded<Vec<Timestamp>>, StoreError> {
        self.load(Key::group(group))
    }

    /// Saves all changes or none; see [`Store::save`]. An empty batch is not written.
    ///
    /// # Errors
    ///
    /// [`StoreError`] of the store.
    pub fn save(&self, batch: &Batch) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        self.store.save(batch)
    }

    /// Says how the last client left the store.
    #[must_use]
    pub fn last_stop(&self) -> LastStop {
        self.store.last_stop()
    }

    /// Notes that everything is saved; see [`Store::close`].
    ///
    /// # Errors
    ///
    /// [`StoreError`] of the store.
    pub fn close(&self) -> Result<(), StoreError> {
        self.store.close()
    }

    fn load<T: DeserializeOwned>(&self, key: Key) -> Result<Loaded<T>, StoreError> {
        let Some(bytes) = self.store.load(&key)? else {
            return Ok(Loaded::Missing);
        };
        match decode(&bytes) {
            Ok(value) => Ok(Loaded::Found(value)),
            Err(corrupt) => {
                let mut batch = Batch::new();
                batch.remove(key);
                self.store.save(&batch)?;
                Ok(Loaded::Corrupt(corrupt))
            }
        }
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use polite_robots::{Cause, RobotsTxt};
    use polite_robots_policy::cache::Site;
    use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
    use polite_robots_policy::{Outcome, Profile, Reply, Timestamp, Turn};

    use super::*;
    use crate::store::memory::MemoryStore;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

    #[test]
    fn an_entry_means_the_same_after_it_was_saved() {
        let profile = Profile::rfc9309();
        let origin = Origin::of("https://example.com").unwrap();
        let mut entry = Entry::for_origin(&origin);
        let file = b"User-agent: *\nDisallow: /private\nCrawl-delay: 3";
        let robots_txt = RobotsTxt::parse(file);
        let outcome = Outcome::Parsed {
            robots_txt,
            freshness: Freshness::default(),
            validators: Validators::default(),
            end: BodyEnd::Complete,
        };
        entry.handle(outcome, &profile, START);
        let later = START.saturating_add(Duration::from_secs(20 * 3600));
        let cause = Cause::Status(503);
        let outage = Outcome::Unreachable {
            cause,
            retry_after: None,
        };
        entry.handle(outage, &profile, later);

        let records = Records::new(MemoryStore::new());
        let mut batch = Batch::new();
        batch.insert_entry(&origin, &entry).unwrap();
        records.save(&batch).unwrap();
        let Loaded::Found(loaded) = records.entry(&origin).unwrap() else {
            panic!()
        };
        for hours in [0, 1, 3, 5, 40] {
            let at = later.saturating_add(Duration::from_secs(hours * 3600));
            let explained = |entry: &Entry| entry.explain(&profile, Site::Unknown, at).to_string();
            assert_eq!(explained(&loaded), explained(&entry), "{hours}");
            let robots_txt = |entry: &Entry| entry.robots_txt(&profile, Site::Unknown, at);
            assert_eq!(robots_txt(&loaded), robots_txt(&entry), "{hours}");
        }
    }

    #[test]
    fn a_pacer_keeps_its_gap() {
        let profile = Profile::rfc9309();
        let mut pacer = Pacer::for_host("example.com");
        pacer.set_crawl_delay(Some(Duration::from_secs(7)));
        pacer.handle_start(START);
        pacer.handle_reply(Reply::new(Ok(200), START), &profile, START);

        let records = Records::new(MemoryStore::new());
        let mut batch = Batch::new();
        batch.insert_pacer("example.com", &pacer).unwrap();
        records.save(&batch).unwrap();
        let Loaded::Found(loaded) = records.pacer("example.com").unwrap() else {
            panic!()
        };
        let next = START.saturating_add(Duration::from_secs(7));
        assert_eq!(loaded.poll(&profile, START), Turn::NotBefore(next));
    }

    /// A snapshot of a running crawl always contains requests under way.
    #[test]
    fn a_request_under_way_has_ended_in_a_loaded_pacer() {
        let profile = Profile::rfc9309();
        let mut pacer = Pacer::for_host("example.com");
        pacer.handle_start(START);
        assert_eq!(pacer.poll(&profile, START), Turn::Busy);
        let records = Records::new(MemoryStore::new());
        let mut batch = Batch::new();
        batch.insert_pacer("example.com", &pacer).unwrap();
        records.save(&batch).unwrap();
        let Loaded::Found(loaded) = records.pacer("example.com").unwrap() else {
            panic!()
        };
        let next = START.saturating_add(Duration::from_secs(1));
        assert_eq!(loaded.poll(&profile, START), Turn::NotBefore(next));
    }

    #[test]
    fn a_corrupt_record_is_reported_once_and_removed() {
        let store = Arc::new(MemoryStore::new());
        let records = Records::new(Arc::clone(&store));
        let origin = Origin::of("https://example.com").unwrap();
        // A pace under the key of an entry: the bytes are sound, the value is of another kind.
        let mut batch = Batch::new();
        batch.insert_pacer("example.com", &Pacer::new()).unwrap();
        let (_, bytes) = batch.changes().next().unwrap();
        store.plant(Key::entry(&origin), bytes.unwrap());
        store.plant(Key::pacer("a.example"), &[1, 2, 3]);
        store.plant(Key::pacer("b.example"), &[9]);

        let entry = records.entry(&origin).unwrap();
        assert!(
            matches!(entry, Loaded::Corrupt(CorruptRecord::Value)),
            "{entry:?}"
        );
        let corrupt = |host| records.pacer(host).unwrap();
        assert_eq!(
            corrupt("a.example"),
            Loaded::Corrupt(CorruptRecord::Checksum)
        );
        assert_eq!(
            corrupt("b.example"),
            Loaded::Corrupt(CorruptRecord::Version(9))
        );
        assert!(store.is_empty());
        assert!(matches!(records.entry(&origin).unwrap(), Loaded::Missing));
        assert_eq!(corrupt("a.example"), Loaded::Missing);
    }

    #[test]
    fn an_empty_batch_is_not_written() {
        let records = Records::new(MemoryStore::new());
        records.save(&Batch::new()).unwrap();
        assert_eq!(records.last_stop(), LastStop::New);
        records.close().unwrap();
        assert_eq!(records.last_stop(), LastStop::Clean);
    }
}

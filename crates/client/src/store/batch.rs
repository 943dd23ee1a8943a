//! Changes of a store that are saved together.

use std::collections::BTreeMap;

use polite_robots_policy::{Entry, IpGroup, Origin, Pacer, Timestamp};

use crate::store::key::Key;
use crate::store::record::encode;
use crate::store::store_error::StoreError;

/// Changes of a [`Store`](crate::store::Store) that are saved together. A later change of a record
/// replaces an earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// `None` removes the record.
    changes: BTreeMap<Key, Option<Vec<u8>>>,
}

impl Batch {
    /// A batch without a change.
    #[must_use]
    pub fn new() -> Batch {
        Batch::default()
    }

    /// Sets the record of an origin's robots.txt.
    ///
    /// # Errors
    ///
    /// [`StoreError::Save`] for a value that has no stored form.
    pub fn insert_entry(&mut self, origin: &Origin, entry: &Entry) -> Result<(), StoreError> {
        let bytes = encode(entry).map_err(|error| StoreError::Save(error.into()))?;
        self.changes.insert(Key::entry(origin), Some(bytes));
        Ok(())
    }

    /// Sets the record of a host's pace.
    ///
    /// # Errors
    ///
    /// [`StoreError::Save`] for a value that has no stored form.
    pub fn insert_pacer(&mut self, host: &str, pacer: &Pacer) -> Result<(), StoreError> {
        let bytes = encode(pacer).map_err(|error| StoreError::Save(error.into()))?;
        self.changes.insert(Key::pacer(host), Some(bytes));
        Ok(())
    }

    /// Sets the record of the last starts of a group.
    ///
    /// # Errors
    ///
    /// [`StoreError::Save`] for a value that has no stored form.
    pub fn insert_group(&mut self, group: IpGroup, starts: &[Timestamp]) -> Result<(), StoreError> {
        let bytes = encode(&starts).map_err(|error| StoreError::Save(error.into()))?;
        self.changes.insert(Key::group(group), Some(bytes));
        Ok(())
    }

    /// Removes a record.
    pub fn remove(&mut self, key: Key) {
        self.changes.insert(key, None);
    }

    /// The changes: the bytes to save, or `None` to remove the record.
    pub fn changes(&self) -> impl Iterator<Item = (&Key, Option<&[u8]>)> {
        let changes = self.changes.iter();
        changes.map(|(key, bytes)| (key, bytes.as_deref()))
    }

    /// The number of records that change.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether no record changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use polite_robots_policy::Timestamp;

    use super::*;

    #[test]
    fn a_later_change_replaces_an_earlier_one() {
        let origin = Origin::of("https://example.com").unwrap();
        let mut batch = Batch::new();
        assert!(batch.is_empty());
        batch.insert_entry(&origin, &Entry::new()).unwrap();
        batch.insert_pacer("example.com", &Pacer::new()).unwrap();
        batch
            .insert_pacer("example.com", &Pacer::after_gap(Timestamp::from_millis(9)))
            .unwrap();
        batch.remove(Key::entry(&origin));
        assert_eq!(batch.len(), 2);
        let expected = encode(&Pacer::after_gap(Timestamp::from_millis(9))).unwrap();
        let changes: Vec<_> = batch.changes().collect();
        assert_eq!(
            changes,
            [
                (&Key::entry(&origin), None),
                (&Key::pacer("example.com"), Some(&expected[..]))
            ]
        );
    }
}

//! The laws of every store, for the tests of each.

use polite_robots_policy::{Pacer, Timestamp};

use crate::store::batch::Batch;
use crate::store::interface::Store;
use crate::store::key::Key;

/// Checks that a store, empty at first, is a map that takes batches.
pub(crate) fn assert_is_a_map(store: &impl Store) {
    let (a, b) = (Key::pacer("a.example"), Key::pacer("b.example"));
    assert_eq!(store.load(&a).unwrap(), None);

    let mut first = Batch::new();
    first.insert_pacer("a.example", &Pacer::new()).unwrap();
    first.insert_pacer("b.example", &Pacer::new()).unwrap();
    store.save(&first).unwrap();
    for (key, bytes) in first.changes() {
        assert_eq!(store.load(key).unwrap().as_deref(), bytes);
    }

    let mut second = Batch::new();
    let pacer = Pacer::after_gap(Timestamp::from_millis(7));
    second.insert_pacer("b.example", &pacer).unwrap();
    second.remove(a.clone());
    second.remove(Key::pacer("never.example"));
    store.save(&second).unwrap();
    assert_eq!(store.load(&a).unwrap(), None);
    let (_, bytes) = second.changes().find(|(key, _)| **key == b).unwrap();
    assert_eq!(store.load(&b).unwrap().as_deref(), bytes);
}

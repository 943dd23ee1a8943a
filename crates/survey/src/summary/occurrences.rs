//! Counts of how often something occurs in the files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::summary::merge::counts;
use crate::summary::tally::{Name, NameCounts, Tally};

counts! {
    /// The number of files in which something occurs, and of its occurrences in all of them.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub(crate) struct Occurrences {
        pub(crate) files: u64,
        pub(crate) times: u64,
    }

    /// The number of files in which something occurs.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub(crate) struct FileCount {
        pub(crate) files: u64,
    }
}

impl Occurrences {
    /// Adds the occurrences in one file.
    pub(crate) fn add(&mut self, times: u64) {
        if times > 0 {
            self.files += 1;
            self.times = self.times.saturating_add(times);
        }
    }
}

/// Occurrences by key.
pub(crate) trait ByKey<K: Ord> {
    /// The counts of a key; `None` if it is not kept.
    fn counts_of(&mut self, key: K) -> Option<&mut Occurrences>;

    /// Adds the keys that occur in one file, in any order.
    fn add_file(&mut self, keys: impl Iterator<Item = K>) {
        let mut keys: Vec<K> = keys.collect();
        keys.sort_unstable();
        let mut keys = keys.into_iter().peekable();
        while let Some(key) = keys.next() {
            let mut times = 1;
            while keys.next_if_eq(&key).is_some() {
                times += 1;
            }
            if let Some(counts) = self.counts_of(key) {
                counts.add(times);
            }
        }
    }
}

impl<K: Ord> ByKey<K> for BTreeMap<K, Occurrences> {
    fn counts_of(&mut self, key: K) -> Option<&mut Occurrences> {
        Some(self.entry(key).or_default())
    }
}

impl ByKey<Name> for Tally<Occurrences> {
    fn counts_of(&mut self, key: Name) -> Option<&mut Occurrences> {
        self.entry(&key)
    }
}

impl NameCounts for Occurrences {
    fn weight(&self) -> u64 {
        self.files
    }
}

impl NameCounts for FileCount {
    fn weight(&self) -> u64 {
        self.files
    }
}

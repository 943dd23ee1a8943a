//! Counts of how often something occurs in the files.

use serde::{Deserialize, Serialize};

use crate::summary::merge::counts;
use crate::summary::tally::NameCounts;

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

/// Each of the values in one file, with how often it is there.
pub(crate) fn in_file<V: Ord + Copy>(mut values: Vec<V>) -> Vec<(V, u64)> {
    values.sort_unstable();
    let each = values.chunk_by(|one, next| one == next);
    let each = each.filter_map(|same| Some((*same.first()?, same.len() as u64)));
    each.collect()
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

//! How often something stands in files.

use serde::{Deserialize, Serialize};

use crate::summary::merge::merge_fields;
use crate::summary::tally::Count;

/// In how many files it is, and how many times in all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Occurrences {
    pub(crate) files: u64,
    pub(crate) times: u64,
}

/// In how many files it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Files {
    pub(crate) files: u64,
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

impl Count for Occurrences {
    fn weight(&self) -> u64 {
        self.files
    }
}

impl Count for Files {
    fn weight(&self) -> u64 {
        self.files
    }
}

merge_fields!(Occurrences { files, times });
merge_fields!(Files { files });

//! What a survey measures: counts and distributions that add up, whatever the order and the split of the inputs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::survey::found::{Found, Passed};

/// Everything that is counted. Of bounded size, whatever is added.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Responses, of any status.
    pub(crate) responses: u64,
    /// What was passed over.
    pub(crate) passed: BTreeMap<Passed, u64>,
    /// Files that made the library panic, which none should; nothing else is counted of them.
    pub(crate) panics: u64,
}

impl Summary {
    /// Counts one find. A panic in the library leaves the summary as it was: see `panics`.
    pub(crate) fn add(&mut self, found: &Found) {
        match found {
            Found::Response(_) => self.responses += 1,
            Found::Passed(passed, _) => *self.passed.entry(*passed).or_default() += 1,
        }
    }

    /// Adds the counts of another survey: the same as one survey of both inputs.
    pub(crate) fn merge(&mut self, other: Summary) {
        self.responses += other.responses;
        for (passed, count) in other.passed {
            *self.passed.entry(passed).or_default() += count;
        }
        self.panics += other.panics;
    }
}

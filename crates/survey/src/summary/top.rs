//! The files with the largest value of some measure, each with its place and a description.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::content::Place;
use crate::summary::merge::Merge;

/// The twenty files with the largest values, the largest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct TopFiles {
    entries: Vec<TopFile>,
}

/// A file with its value and numbers that may explain it.
///
/// Equal values are ordered by the other fields, so that the order of adding does not matter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct TopFile {
    pub(crate) value: Reverse<u64>,
    pub(crate) place: Place,
    pub(crate) url: Option<String>,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) rules: u64,
    /// The runs of `*` in the rules.
    pub(crate) wildcards: u64,
}

impl TopFiles {
    /// Adds a file if its value is large enough; only then is `entry` called.
    pub(crate) fn offer(&mut self, value: u64, entry: impl FnOnce() -> TopFile) {
        let is_full = self.entries.len() >= LENGTH;
        if is_full && self.entries.last().is_some_and(|last| value < last.value.0) {
            return;
        }
        self.insert(entry());
    }

    pub(crate) fn entries(&self) -> &[TopFile] {
        &self.entries
    }

    fn insert(&mut self, entry: TopFile) {
        let at = self.entries.partition_point(|other| *other <= entry);
        self.entries.insert(at, entry);
        self.entries.truncate(LENGTH);
    }
}

impl Merge for TopFiles {
    fn merge(&mut self, other: TopFiles) {
        for entry in other.entries {
            self.insert(entry);
        }
    }
}

/// The most files that are kept.
const LENGTH: usize = 20;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn top_of<'n>(numbers: impl IntoIterator<Item = &'n (u64, u8)>) -> TopFiles {
        let mut top = TopFiles::default();
        for (value, place) in numbers {
            top.offer(*value, || TopFile {
                value: Reverse(*value),
                place: Place {
                    input: Arc::new(PathBuf::from(place.to_string())),
                    member: String::new(),
                    offset: 0,
                },
                url: None,
                bytes: 0,
                lines: 0,
                rules: 0,
                wildcards: 0,
            });
        }
        top
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn neither_order_nor_split_matters(
            numbers in prop::collection::vec((0..9_u64, 0..9_u8), 0..60),
            at in 0..60_usize,
        ) {
            let whole = top_of(&numbers);
            prop_assert_eq!(&top_of(numbers.iter().rev()), &whole);
            let (first, second) = numbers.split_at(at.min(numbers.len()));
            let mut merged = top_of(second);
            merged.merge(top_of(first));
            prop_assert_eq!(&merged, &whole);
            let mut largest: Vec<u64> = numbers.iter().map(|(value, _)| *value).collect();
            largest.sort_unstable_by_key(|value| Reverse(*value));
            largest.truncate(LENGTH);
            let values: Vec<u64> = whole.entries().iter().map(|entry| entry.value.0).collect();
            prop_assert_eq!(values, largest);
        }
    }
}

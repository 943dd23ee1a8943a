//! The files with the largest value of something: where they are, and what they are like.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::content::Place;
use crate::summary::merge::Merge;

/// The twenty entries with the largest values, that one first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Top {
    entries: Vec<Entry>,
}

/// A file, with what may explain its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) value: u64,
    pub(crate) place: Place,
    pub(crate) url: Option<String>,
    pub(crate) octets: u64,
    pub(crate) lines: u64,
    pub(crate) rules: u64,
    /// Runs of `*` in the rules.
    pub(crate) wildcards: u64,
}

impl Top {
    /// `entry` is made only if the value is large enough.
    pub(crate) fn offer(&mut self, value: u64, entry: impl FnOnce() -> Entry) {
        let is_full = self.entries.len() >= LENGTH;
        if is_full && self.entries.last().is_some_and(|last| value < last.value) {
            return;
        }
        self.insert(entry());
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn insert(&mut self, entry: Entry) {
        let at = self
            .entries
            .partition_point(|other| other.rank() <= entry.rank());
        self.entries.insert(at, entry);
        self.entries.truncate(LENGTH);
    }
}

impl Entry {
    /// Equal values are ordered by the rest, so that the order in which they were found does not matter.
    fn rank(&self) -> impl Ord + '_ {
        let Entry {
            value,
            place,
            url,
            octets,
            lines,
            rules,
            wildcards,
        } = self;
        (Reverse(value), place, url, octets, lines, rules, wildcards)
    }
}

impl Merge for Top {
    fn merge(&mut self, other: Top) {
        for entry in other.entries {
            self.insert(entry);
        }
    }
}

const LENGTH: usize = 20;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn of<'n>(numbers: impl IntoIterator<Item = &'n (u64, u8)>) -> Top {
        let mut top = Top::default();
        for (value, place) in numbers {
            top.offer(*value, || Entry {
                value: *value,
                place: Place {
                    input: Arc::new(PathBuf::from(place.to_string())),
                    member: String::new(),
                    offset: 0,
                },
                url: None,
                octets: 0,
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
            let whole = of(&numbers);
            prop_assert_eq!(&of(numbers.iter().rev()), &whole);
            let (first, second) = numbers.split_at(at.min(numbers.len()));
            let mut merged = of(second);
            merged.merge(of(first));
            prop_assert_eq!(&merged, &whole);
            let mut largest: Vec<u64> = numbers.iter().map(|(value, _)| *value).collect();
            largest.sort_unstable_by_key(|value| Reverse(*value));
            largest.truncate(LENGTH);
            let values: Vec<u64> = whole.entries().iter().map(|entry| entry.value).collect();
            prop_assert_eq!(values, largest);
        }
    }
}

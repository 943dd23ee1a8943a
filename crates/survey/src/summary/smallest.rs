//! A fair sample in bounded space: the values with the smallest hashes.

use std::borrow::Cow;
use std::mem;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::hash::{from_hex, split_hex};
use crate::summary::merge::Merge;

/// A value with a text form, in which a part stores it.
pub(crate) trait InText: Sized {
    fn to_text(&self) -> String;

    /// Reads the text; `None` for other texts.
    fn read(text: &str) -> Option<Self>;
}

/// The values with the `CAPACITY` smallest hashes: all values if there are no more, otherwise a
/// fair sample of them. Values with the same hash are merged, and a kept value is complete. Neither
/// order nor split matters.
///
/// New values wait unsorted until there are as many of them as sorted ones, and at least a few.
/// Inserting each value into a tree took a fiftieth of the time of a survey.
#[derive(Debug, Clone)]
pub(crate) struct Smallest<V, const CAPACITY: usize> {
    /// The sorted values, each hash once, and then the new ones.
    entries: Vec<(u64, V)>,
    /// The number of sorted values.
    ordered: usize,
    /// The largest hash that may be kept. Values with larger hashes were dropped.
    limit: u64,
}

impl<V: Merge + Clone, const CAPACITY: usize> Smallest<V, CAPACITY> {
    /// Whether a value with this hash is kept, as far as is known now.
    pub(crate) fn keeps(&self, hash: u64) -> bool {
        hash <= self.limit
    }

    pub(crate) fn add(&mut self, hash: u64, value: impl FnOnce() -> V) {
        if !self.keeps(hash) {
            return;
        }
        self.entries.push((hash, value()));
        if self.entries.len() >= 2 * self.ordered.max(FEW).min(CAPACITY) {
            self.settle();
        }
    }

    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// Whether no value was dropped.
    pub(crate) fn is_complete(&self) -> bool {
        self.limit == u64::MAX
    }

    /// The values sorted by hash, each hash once.
    pub(crate) fn entries(&self) -> &[(u64, V)] {
        &self.entries
    }

    /// The same values sorted by hash, each hash once, and at most `CAPACITY` of them. Values that
    /// are settled already, such as those of a part that was read, are not copied.
    pub(crate) fn settled(&self) -> Cow<'_, Smallest<V, CAPACITY>> {
        let hashes = self.entries.iter().map(|(hash, _)| hash);
        if self.entries.len() <= CAPACITY && hashes.is_sorted_by(|one, next| one < next) {
            return Cow::Borrowed(self);
        }
        let mut settled = self.clone();
        settled.settle();
        Cow::Owned(settled)
    }

    fn settle(&mut self) {
        self.entries.sort_by_key(|(hash, _)| *hash);
        let mut merged: Vec<(u64, V)> = Vec::with_capacity(self.entries.len().min(CAPACITY + 1));
        for (hash, value) in mem::take(&mut self.entries) {
            let is_full = merged.len() == CAPACITY;
            match merged.last_mut() {
                Some((last, own)) if *last == hash => own.merge(value),
                Some((last, _)) if is_full => {
                    self.limit = *last;
                    break;
                }
                _ => merged.push((hash, value)),
            }
        }
        self.entries = merged;
        self.ordered = self.entries.len();
    }
}

impl<V, const CAPACITY: usize> Default for Smallest<V, CAPACITY> {
    fn default() -> Smallest<V, CAPACITY> {
        Smallest {
            entries: Vec::new(),
            ordered: 0,
            limit: u64::MAX,
        }
    }
}

impl<V: Merge + Clone + PartialEq, const CAPACITY: usize> PartialEq for Smallest<V, CAPACITY> {
    fn eq(&self, other: &Smallest<V, CAPACITY>) -> bool {
        let (own, other) = (self.settled(), other.settled());
        own.limit == other.limit && own.entries == other.entries
    }
}

impl<V: Merge + Clone, const CAPACITY: usize> Merge for Smallest<V, CAPACITY> {
    fn merge(&mut self, other: Smallest<V, CAPACITY>) {
        self.limit = self.limit.min(other.limit);
        let limit = self.limit;
        self.entries.retain(|(hash, _)| *hash <= limit);
        for (hash, value) in other.entries {
            self.add(hash, || value);
        }
    }
}

/// The fewest new values that are put in order.
pub(super) const FEW: usize = 32;

/// The JSON form: the largest hash that is kept, and one text for each value, which begins with its
/// hash in hexadecimal digits.
#[derive(Serialize, Deserialize)]
struct JsonForm {
    limit: String,
    entries: Vec<String>,
}

impl<V: Merge + Clone + InText, const CAPACITY: usize> Serialize for Smallest<V, CAPACITY> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settled = self.settled();
        let entries = settled.entries.iter();
        let entries = entries.map(|(hash, value)| format!("{hash:016x} {}", value.to_text()));
        let written = JsonForm {
            limit: format!("{:016x}", settled.limit),
            entries: entries.collect(),
        };
        written.serialize(serializer)
    }
}

impl<'de, V: Merge + Clone + InText, const CAPACITY: usize> Deserialize<'de>
    for Smallest<V, CAPACITY>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = JsonForm::deserialize(deserializer)?;
        let limit = from_hex(&written.limit)
            .ok_or_else(|| D::Error::custom("`limit` is not sixteen hexadecimal digits"))?;
        let mut smallest = Smallest {
            limit,
            ..Smallest::default()
        };
        for text in written.entries {
            let entry = split_hex(&text).and_then(|(hash, value)| Some((hash, V::read(value)?)));
            let (hash, value) = entry
                .ok_or_else(|| D::Error::custom(format!("`{text}` is not a hash and a value")))?;
            smallest.add(hash, || value);
        }
        Ok(smallest)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::summary::hash::hash;

    type Small = Smallest<u64, 4>;

    impl InText for u64 {
        fn to_text(&self) -> String {
            self.to_string()
        }

        fn read(text: &str) -> Option<u64> {
            text.parse().ok()
        }
    }

    fn of(numbers: &[u64]) -> Small {
        let mut smallest = Small::default();
        for number in numbers {
            smallest.add(hash(&number.to_be_bytes()), || 1);
        }
        smallest
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_smallest_hashes_are_kept_with_all_their_values_whatever_the_order_and_split(
            numbers in prop::collection::vec(0..12_u64, 0..60),
            at in 0..60_usize,
            through_json in any::<bool>(),
        ) {
            let whole = of(&numbers);
            let mut distinct = numbers.clone();
            distinct.sort_by_key(|number| hash(&number.to_be_bytes()));
            distinct.dedup();
            let expected: Vec<(u64, u64)> = distinct
                .iter()
                .take(4)
                .map(|number| {
                    let times = numbers.iter().filter(|other| *other == number).count() as u64;
                    (hash(&number.to_be_bytes()), times)
                })
                .collect();
            let settled = whole.settled();
            prop_assert_eq!(settled.entries(), &expected[..]);
            prop_assert_eq!(settled.is_complete(), distinct.len() <= 4);
            prop_assert!(whole.entries.len() < 8);

            let (first, second) = numbers.split_at(at.min(numbers.len()));
            let mut first = of(first);
            if through_json {
                first = serde_json::from_str(&serde_json::to_string(&first).unwrap()).unwrap();
            }
            let mut merged = of(second);
            merged.merge(first);
            prop_assert_eq!(&merged, &whole);
            let reversed: Vec<u64> = numbers.iter().rev().copied().collect();
            prop_assert_eq!(&of(&reversed), &whole);
        }
    }

    #[test]
    fn a_broken_form_is_refused() {
        let text = serde_json::to_string(&of(&[1])).unwrap();
        assert!(serde_json::from_str::<Small>(&text).is_ok());
        for (from, to) in [
            (" 1\"", " x\""),
            (" 1\"", "\""),
            ("\"limit\":\"f", "\"limit\":\"x"),
        ] {
            let broken = text.replace(from, to);
            assert_ne!(broken, text);
            assert!(serde_json::from_str::<Small>(&broken).is_err(), "{broken}");
        }
    }
}

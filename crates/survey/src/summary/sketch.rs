//! The number of distinct values, without keeping them.

use std::collections::BTreeSet;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::merge::Merge;

/// Keeps the 65,536 smallest hashes of what was added. With fewer the count is exact; with more it is estimated from how
/// dense they lie, with a standard error of 0.4 % (k minimum values, Bar-Yossef et al. 2002).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Distinct {
    smallest: BTreeSet<u64>,
}

impl Distinct {
    pub(crate) fn add(&mut self, hash: u64) {
        let is_kept = self.smallest.len() < CAPACITY
            || self.smallest.last().is_some_and(|largest| hash < *largest);
        if is_kept && self.smallest.insert(hash) && self.smallest.len() > CAPACITY {
            self.smallest.pop_last();
        }
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.smallest.len() < CAPACITY
    }

    pub(crate) fn estimate(&self) -> u64 {
        match self.smallest.last() {
            Some(largest) if !self.is_exact() => estimate(CAPACITY, *largest),
            _ => self.smallest.len() as u64,
        }
    }
}

impl Merge for Distinct {
    fn merge(&mut self, other: Distinct) {
        for hash in other.smallest {
            self.add(hash);
        }
    }
}

/// The estimated number of hashes, if the largest of the `kept` smallest is this one.
pub(crate) fn estimate(kept: usize, largest: u64) -> u64 {
    let share = (largest as f64 + 1.0) / 2.0_f64.powi(64);
    (kept.saturating_sub(1) as f64 / share).round() as u64
}

#[derive(Serialize, Deserialize)]
struct Written {
    estimate: u64,
    exact: bool,
    /// Sixteen hexadecimal digits each: as numbers many programs would round them.
    hashes: String,
}

impl Serialize for Distinct {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut hashes = String::with_capacity(self.smallest.len() * HEX_DIGITS);
        for hash in &self.smallest {
            hashes.push_str(&format!("{hash:016x}"));
        }
        let written = Written {
            estimate: self.estimate(),
            exact: self.is_exact(),
            hashes,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Distinct, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let mut distinct = Distinct::default();
        for digits in written.hashes.as_bytes().chunks(HEX_DIGITS) {
            let hash = std::str::from_utf8(digits)
                .ok()
                .filter(|digits| digits.len() == HEX_DIGITS)
                .and_then(|digits| u64::from_str_radix(digits, 16).ok());
            distinct.add(hash.ok_or_else(|| {
                D::Error::custom("`hashes` is not made of sixteen hexadecimal digits each")
            })?);
        }
        Ok(distinct)
    }
}

const CAPACITY: usize = 1 << 16;
const HEX_DIGITS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::hash::hash;

    fn of(numbers: std::ops::Range<u64>) -> Distinct {
        let mut distinct = Distinct::default();
        for number in numbers {
            distinct.add(hash(&number.to_be_bytes()));
        }
        distinct
    }

    #[test]
    fn few_are_counted_exactly() {
        let mut distinct = of(0..1000);
        distinct.merge(of(500..1500));
        assert_eq!((distinct.estimate(), distinct.is_exact()), (1500, true));
    }

    #[test]
    fn many_are_estimated_in_bounded_space_whatever_the_order() {
        let whole = of(0..400_000);
        assert_eq!((whole.smallest.len(), whole.is_exact()), (CAPACITY, false));
        let error = whole.estimate().abs_diff(400_000);
        assert!(error < 400_000 / 50, "{error}");
        let mut parts = of(250_000..400_000);
        parts.merge(of(0..300_000));
        assert_eq!(parts, whole);
    }

    #[test]
    fn it_is_read_back_and_broken_hashes_are_refused() {
        let text = serde_json::to_string(&of(0..10)).unwrap();
        assert_eq!(serde_json::from_str::<Distinct>(&text).unwrap(), of(0..10));
        for broken in [r#""hashes":"0"#, r#""hashes":"x"#] {
            let text = text.replace(r#""hashes":""#, broken);
            assert!(serde_json::from_str::<Distinct>(&text).is_err());
        }
    }
}

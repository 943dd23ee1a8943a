//! An estimate of the number of distinct values, without keeping them.

use std::fmt::Write as _;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::hash::{HEX_DIGITS, from_hex};
use crate::summary::merge::{Merge, counts};
use crate::summary::smallest::Smallest;

counts! {
    /// The number of distinct values. It keeps the 65,536 smallest hashes: with fewer values the
    /// count is exact; with more it is estimated from their density, with a standard error of 0.4 %
    /// (k minimum values, Bar-Yossef et al. 2002).
    #[derive(Debug, Clone, Default)]
    pub(crate) struct DistinctCount {
        hashes: Smallest<(), CAPACITY>,
    }
}

impl DistinctCount {
    pub(crate) fn add(&mut self, hash: u64) {
        self.hashes.add(hash, || ());
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.hashes.settled().entries().len() < CAPACITY
    }

    pub(crate) fn estimate(&self) -> u64 {
        match self.hashes.settled().entries() {
            [.., (largest, ())] if !self.is_exact() => estimate(CAPACITY, *largest),
            smallest => smallest.len() as u64,
        }
    }
}

/// The limit of the sample is not compared: it is not in JSON, and it follows from the hashes.
impl PartialEq for DistinctCount {
    fn eq(&self, other: &DistinctCount) -> bool {
        self.hashes.settled().entries() == other.hashes.settled().entries()
    }
}

impl Merge for () {
    fn merge(&mut self, (): ()) {}
}

/// Estimates the number of distinct hashes from the largest of the `kept` smallest ones.
pub(crate) fn estimate(kept: usize, largest: u64) -> u64 {
    let share = (largest as f64 + 1.0) / 2.0_f64.powi(64);
    (kept.saturating_sub(1) as f64 / share).round() as u64
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
struct JsonForm {
    estimate: u64,
    exact: bool,
    /// The hashes with sixteen hexadecimal digits each.
    hashes: String,
}

impl Serialize for DistinctCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settled = self.hashes.settled();
        let mut hashes = String::with_capacity(settled.entries().len() * HEX_DIGITS);
        for (hash, ()) in settled.entries() {
            // Writing into a string cannot fail.
            let _ = write!(hashes, "{hash:016x}");
        }
        let written = JsonForm {
            estimate: self.estimate(),
            exact: self.is_exact(),
            hashes,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DistinctCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DistinctCount, D::Error> {
        let written = JsonForm::deserialize(deserializer)?;
        let mut distinct = DistinctCount::default();
        for digits in written.hashes.as_bytes().chunks(HEX_DIGITS) {
            let hash = std::str::from_utf8(digits).ok().and_then(from_hex);
            distinct.add(hash.ok_or_else(|| {
                D::Error::custom("`hashes` is not made of sixteen hexadecimal digits each")
            })?);
        }
        Ok(distinct)
    }
}

/// The most hashes that are kept.
const CAPACITY: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::hash::hash;
    use crate::summary::smallest::FEW;

    fn distinct_of(numbers: std::ops::Range<u64>) -> DistinctCount {
        let mut distinct = DistinctCount::default();
        for number in numbers {
            distinct.add(hash(&number.to_be_bytes()));
        }
        distinct
    }

    #[test]
    fn few_values_are_counted_exactly() {
        let mut distinct = distinct_of(0..1000);
        distinct.merge(distinct_of(500..1500));
        assert_eq!((distinct.estimate(), distinct.is_exact()), (1500, true));
    }

    /// Such a count once kept 131,072 repeats of the same few values: 1 MB for each count of each
    /// stratum.
    #[test]
    fn a_value_that_comes_again_takes_no_space() {
        let mut distinct = DistinctCount::default();
        for number in 0..100_000 {
            distinct.add(number % 10);
        }
        assert_eq!(distinct.estimate(), 10);
        assert!(
            distinct.hashes.capacity() <= 4 * FEW,
            "{}",
            distinct.hashes.capacity()
        );
    }

    #[test]
    fn many_values_are_estimated_in_bounded_space_and_any_order() {
        let whole = distinct_of(0..400_000);
        assert_eq!(
            (whole.hashes.settled().entries().len(), whole.is_exact()),
            (CAPACITY, false)
        );
        let error = whole.estimate().abs_diff(400_000);
        assert!(error < 400_000 / 50, "{error}");
        let mut parts = distinct_of(250_000..400_000);
        parts.merge(distinct_of(0..300_000));
        assert_eq!(parts, whole);
    }

    #[test]
    fn the_json_form_is_read_back_and_broken_hashes_are_refused() {
        let text = serde_json::to_string(&distinct_of(0..10)).unwrap();
        assert_eq!(
            serde_json::from_str::<DistinctCount>(&text).unwrap(),
            distinct_of(0..10)
        );
        for broken in [r#""hashes":"0"#, r#""hashes":"x"#] {
            let text = text.replace(r#""hashes":""#, broken);
            assert!(serde_json::from_str::<DistinctCount>(&text).is_err());
        }
    }
}

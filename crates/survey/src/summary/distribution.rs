//! The distribution of a number over the files.

use std::fmt;

use hdrhistogram::Histogram;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::merge::Merge;

/// A histogram with three significant digits; count, sum and maximum are exact. Its size is bounded
/// by the magnitude of the values: about 100 KB for sizes of files.
///
/// Small values have counts of their own, which takes a tenth of the time of a histogram.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Distribution {
    /// The counts of the values below [`SMALL`]; empty before the first one.
    small: Vec<u64>,
    /// The other values; `None` before the first one.
    histogram: Option<Histogram<u64>>,
    sum: u64,
    max: u64,
}

impl Distribution {
    pub(crate) fn add(&mut self, value: u64) {
        self.add_many(value, 1);
    }

    pub(crate) fn add_many(&mut self, value: u64, count: u64) {
        self.record(value, count);
        self.sum = self.sum.saturating_add(value.saturating_mul(count));
        self.max = self.max.max(value);
    }

    fn record(&mut self, value: u64, count: u64) {
        if self.small.is_empty() {
            self.small.resize(SMALL, 0);
        }
        let small = usize::try_from(value).ok();
        if let Some(small) = small.and_then(|value| self.small.get_mut(value)) {
            *small += count;
            return;
        }
        if self.histogram.is_none() {
            self.histogram = Histogram::new(SIGNIFICANT_DIGITS).ok();
        }
        if let Some(histogram) = &mut self.histogram {
            // Recording cannot fail, because the histogram grows for any value.
            let _ = histogram.record_n(value, count);
        }
    }

    pub(crate) fn count(&self) -> u64 {
        let large = self.histogram.as_ref().map_or(0, Histogram::len);
        self.small.iter().sum::<u64>() + large
    }

    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    pub(crate) fn max(&self) -> u64 {
        self.max
    }

    pub(crate) fn mean(&self) -> f64 {
        ratio(self.sum, self.count())
    }

    /// The smallest value that at least this share of all values does not exceed; 0 if there are no
    /// values.
    pub(crate) fn quantile(&self, share: f64) -> u64 {
        let [quantile] = self.quantiles(self.buckets(), [share]);
        quantile
    }

    /// The quantiles of several shares, found in one pass over the buckets.
    fn quantiles<const N: usize>(
        &self,
        buckets: impl Iterator<Item = (u64, u64)>,
        shares: [f64; N],
    ) -> [u64; N] {
        let Ok(mut all) = Histogram::<u64>::new(SIGNIFICANT_DIGITS) else {
            return [0; N];
        };
        for (value, count) in buckets {
            // Recording cannot fail, because the histogram grows for any value.
            let _ = all.record_n(value, count);
        }
        shares.map(|share| all.value_at_quantile(share).min(self.max))
    }

    /// The number of values from `first` to `last`, both included; exact if three digits
    /// distinguish the limits.
    pub(crate) fn between(&self, first: u64, last: u64) -> u64 {
        let within = |(bucket, _): &(u64, u64)| (first..=last).contains(bucket);
        self.buckets().filter(within).map(|(_, count)| count).sum()
    }

    /// The lowest value and the count of each bucket that is not empty.
    fn buckets(&self) -> impl Iterator<Item = (u64, u64)> {
        let small = (0..).zip(self.small.iter().copied());
        let large = self.histogram.iter().flat_map(|histogram| {
            histogram.iter_recorded().map(|bucket| {
                let value = histogram.lowest_equivalent(bucket.value_iterated_to());
                (value, bucket.count_at_value())
            })
        });
        small.filter(|(_, count)| *count > 0).chain(large)
    }
}

/// Leaves out the thousands of empty buckets.
impl fmt::Debug for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.buckets()).finish()
    }
}

impl Merge for Distribution {
    fn merge(&mut self, other: Distribution) {
        for (value, count) in other.buckets() {
            self.record(value, count);
        }
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }
}

/// The quotient of two counts; 0 if `whole` is 0.
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The JSON form: key figures for readers, then the buckets, from which the distribution is read
/// back.
#[derive(Serialize, Deserialize)]
struct JsonForm {
    count: u64,
    sum: u64,
    mean: f64,
    p50: u64,
    p90: u64,
    p99: u64,
    max: u64,
    buckets: Vec<(u64, u64)>,
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let buckets: Vec<(u64, u64)> = self.buckets().collect();
        let [p50, p90, p99] = self.quantiles(buckets.iter().copied(), [0.5, 0.9, 0.99]);
        let written = JsonForm {
            count: self.count(),
            sum: self.sum,
            mean: self.mean(),
            p50,
            p90,
            p99,
            max: self.max,
            buckets,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Distribution, D::Error> {
        let written = JsonForm::deserialize(deserializer)?;
        let mut distribution = Distribution::default();
        for (value, count) in written.buckets {
            distribution.record(value, count);
        }
        if distribution.count() != written.count {
            return Err(D::Error::custom(
                "the buckets of a distribution do not add up to its count",
            ));
        }
        distribution.sum = written.sum;
        distribution.max = written.max;
        Ok(distribution)
    }
}

/// The precision of the quantiles.
const SIGNIFICANT_DIGITS: u8 = 3;

/// The number of values with counts of their own. Nearly all patterns and most other measures have
/// values below this number. A histogram with three digits also keeps these values apart.
const SMALL: usize = 128;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn distribution_of(values: &[u64]) -> Distribution {
        let mut distribution = Distribution::default();
        for value in values {
            distribution.add(*value);
        }
        distribution
    }

    #[test]
    fn small_values_are_exact() {
        let distribution = distribution_of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 1000]);
        assert_eq!((distribution.count(), distribution.sum()), (10, 1036));
        let quantiles = [0.5, 0.9, 0.99].map(|share| distribution.quantile(share));
        assert_eq!(quantiles, [4, 8, 1000]);
        assert_eq!(distribution.max(), 1000);
        assert_eq!(distribution.between(2, 4), 3);
        assert_eq!(Distribution::default().quantile(0.5), 0);
    }

    #[test]
    fn buckets_that_do_not_add_up_are_refused() {
        let text = serde_json::to_string(&distribution_of(&[5])).unwrap();
        assert!(serde_json::from_str::<Distribution>(&text).is_ok());
        assert!(
            serde_json::from_str::<Distribution>(&text.replace("\"count\":1", "\"count\":2"))
                .is_err()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn parts_add_up_and_are_read_back(
            values in prop::collection::vec(prop_oneof![0..3000_u64, 0..u64::from(u32::MAX)], 0..40),
            at in 0..40_usize,
        ) {
            let (first, second) = values.split_at(at.min(values.len()));
            let mut merged = distribution_of(second);
            merged.merge(distribution_of(first));
            prop_assert_eq!(&merged, &distribution_of(&values));
            let text = serde_json::to_string(&merged).unwrap();
            prop_assert_eq!(serde_json::from_str::<Distribution>(&text).unwrap(), merged);
        }
    }
}

//! The interval of a share that was counted in a sample.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::summary::occurrences::Occurrences;

/// The bounds of a share in percent. In 95 of 100 samples, the share of all files lies between
/// them. This is the interval of Wilson (1927): its bounds stay between 0 and 100, and it holds for
/// shares near 0 and 100 too, where the usual `± 1.96 σ` does not.
///
/// The hash of its site decides whether a file is in the sample. So the draw of one file does not
/// depend on that of another file, not even of one with the same bytes or domain, and no correction
/// for clusters is needed. The interval is not narrowed for a sample that is a large part of the
/// survey, because the survey itself stands for sites that it did not see.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// The interval of `part` in a sample of `sample` files; 0 to 100 if there is no file.
    pub(crate) fn of(part: u64, sample: u64) -> Interval {
        if sample == 0 {
            return Interval {
                low: 0.0,
                high: 100.0,
            };
        }
        let sample = sample as f64;
        let found = part as f64 / sample;
        let square = DEVIATIONS * DEVIATIONS / sample;
        let middle = found + square / 2.0;
        let half = DEVIATIONS * (found * (1.0 - found) / sample + square / (4.0 * sample)).sqrt();
        let bound = |at: f64| (at / (1.0 + square) * 100.0).clamp(0.0, 100.0);
        Interval {
            low: bound(middle - half),
            high: bound(middle + half),
        }
    }

    /// The interval of the files of each key, for counts from a sample.
    pub(crate) fn of_each<K: Ord + Clone>(
        counts: &BTreeMap<K, Occurrences>,
        sample: u64,
    ) -> BTreeMap<K, Interval> {
        let each = counts.iter();
        each.map(|(key, counts)| (key.clone(), Interval::of(counts.files, sample)))
            .collect()
    }
}

/// The standard deviations on either side of the mean that hold 95 % of a normal distribution.
const DEVIATIONS: f64 = 1.959_963_985;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::hash::hash;

    /// Draws samples as a survey does, by the hash of a site. A fifth of the sites are the shops of
    /// one template and one domain, which have the finding. A tenth of the other sites have it too.
    #[test]
    fn the_intervals_of_samples_hold_the_share_of_all() {
        let has_finding = |site: u64| site < 300 || site.is_multiple_of(10);
        let share = 100.0 * (300.0 + 120.0) / 1_500.0;
        let mut holds = BTreeMap::from([(8, 0), (32, 0)]);
        for draw in 0..2_000_u64 {
            let mut counts = BTreeMap::from([(8, (0, 0)), (32, (0, 0))]);
            for site in 0..1_500_u64 {
                let [one, other] = [draw, site].map(u64::to_le_bytes);
                let drawn = hash(&[one, other].concat());
                for (one_in, (sample, found)) in &mut counts {
                    let is_in = u64::from(drawn.is_multiple_of(*one_in));
                    *sample += is_in;
                    *found += is_in * u64::from(has_finding(site));
                }
            }
            for (one_in, (sample, found)) in counts {
                let Interval { low, high } = Interval::of(found, sample);
                *holds.get_mut(&one_in).unwrap() += u64::from(low <= share && share <= high);
            }
        }
        let is_as_said = |held: &u64| (1_860..=1_940).contains(held);
        assert!(holds.values().all(is_as_said), "{holds:?}");
    }

    /// The values are from Newcombe, "Two-sided confidence intervals for the single proportion"
    /// (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29. The formula is the one given there.
    #[test]
    fn published_intervals_are_met() {
        for (part, sample, low, high) in [
            (81, 263, 25.53, 36.62),
            (15, 148, 6.24, 16.05),
            (0, 20, 0.0, 16.11),
            (1, 29, 0.61, 17.18),
        ] {
            let interval = Interval::of(part, sample);
            assert!((interval.low - low).abs() < 0.006, "{interval:?}");
            assert!((interval.high - high).abs() < 0.006, "{interval:?}");
        }
        let unknown = Interval::of(0, 0);
        assert_eq!((unknown.low, unknown.high), (0.0, 100.0));
    }
}

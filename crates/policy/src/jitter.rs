//! Delays that are spread by a hash of key and attempt: same input, same delay.

use core::time::Duration;

use crate::origin::hash;
use crate::time::whole_millis;

/// `wait`, and up to `percent` of it more. The addition is a hash of key and attempt: same input,
/// same delay, and two hosts have two.
pub(crate) fn later(wait: Duration, percent: u8, key: u64, attempt: u32) -> Duration {
    if percent == 0 {
        return wait;
    }
    let [a, b, c, d, e, f, g, h] = key.to_le_bytes();
    let [i, j, k, l] = attempt.to_le_bytes();
    let hash = hash(&[a, b, c, d, e, f, g, h, i, j, k, l]);
    let most = u128::from(whole_millis(wait)) * u128::from(percent) / 100;
    let more = (most * u128::from(hash >> u32::BITS)) >> u32::BITS;
    wait.saturating_add(Duration::from_millis(
        u64::try_from(more).unwrap_or(u64::MAX),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_is_within_its_bound_and_spreads() {
        let wait = Duration::from_secs(100);
        let mut sum = 0;
        for key in 0..1000 {
            let waited = later(wait, 10, key, 3).as_millis();
            assert!((100_000..110_000).contains(&waited), "{waited}");
            sum += waited;
        }
        assert!((104_500..105_500).contains(&(sum / 1000)), "{}", sum / 1000);
        assert_ne!(later(wait, 10, 1, 1), later(wait, 10, 1, 2));
        assert_eq!(later(wait, 0, 1, 1), wait);
        assert!(later(Duration::MAX, 255, 1, 1) <= Duration::MAX);
    }
}

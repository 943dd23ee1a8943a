//! Times of JavaScript, in milliseconds since 1970.

use std::time::Duration;

use polite_robots_policy::Timestamp;

/// Times out of range are the first and the last, and `NaN` is the first.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn timestamp(milliseconds: f64) -> Timestamp {
    Timestamp::from_millis(milliseconds as u64)
}

/// Converts a span of time in the same way.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn span(milliseconds: f64) -> Duration {
    Duration::from_millis(milliseconds as u64)
}

/// A number of JavaScript rounds times above 2^53, long after the last `Date`.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn milliseconds(time: Timestamp) -> f64 {
    time.as_millis() as f64
}

//! The notation of delays in the case files.

use std::time::Duration;

/// Writes a delay in decimal seconds without trailing zeros, and an absent one as `none`.
pub(crate) fn in_seconds(delay: Option<Duration>) -> String {
    match delay {
        None => "none".to_string(),
        Some(delay) if delay.subsec_nanos() == 0 => delay.as_secs().to_string(),
        Some(delay) => format!("{}.{:09}", delay.as_secs(), delay.subsec_nanos())
            .trim_end_matches('0')
            .to_string(),
    }
}

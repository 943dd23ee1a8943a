//! A count and what is counted, in the singular or the plural; and seconds.

use core::time::Duration;

/// `1 file`, `3 files`.
pub(crate) fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}

/// `0.5s`, as files count delays in seconds, and a duration's own form is `500ms`, or `0ns` of none.
pub(crate) fn seconds(delay: Duration) -> String {
    format!("{}s", delay.as_secs_f64())
}

//! The options of a file, as JavaScript hands them over.

use polite_robots::Options;

/// `max_bytes` is infinite for no limit, as a number of JavaScript may be.
pub(crate) fn options(is_google: bool, max_bytes: f64) -> Options {
    let options = if is_google {
        Options::google()
    } else {
        Options::rfc9309()
    };
    if max_bytes.is_finite() {
        // Numbers below zero become zero, and those above the address space its end.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        options.with_max_bytes(max_bytes as usize)
    } else {
        options
    }
}

//! The border that no panic crosses.

use std::any::Any;

use crate::error::{fail, polite_result};

/// Runs the body of a function; if it panics, keeps the sentence for `polite_last_error` and
/// returns the fallback.
///
/// Nothing is left half done that a caller could see: outputs are written last, and robots and
/// documents do not change. A cache or a pace goes on as the fault left it.
macro_rules! guard {
    ($fallback:expr, $body:block) => {
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| $body)) {
            Ok(answer) => answer,
            Err(panic) => {
                crate::guard::keep(panic);
                $fallback
            }
        }
    };
}

/// Keeps the message of a panic as the last error.
pub(crate) fn keep(panic: Box<dyn Any + Send>) {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    fail(
        polite_result::POLITE_PANIC,
        format_args!("a fault of polite-robots, please report it: {message}"),
    );
}

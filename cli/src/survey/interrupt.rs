//! Ctrl-C, and the signals that mean the same: the first asks the survey to stop, the second ends it.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when it is time to stop.
pub(crate) fn watch() -> &'static AtomicBool {
    // Without the handler Ctrl-C ends the command as it ends any other, and the part on disk is a few seconds old.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            process::exit(130);
        }
    });
    &STOP
}

/// For who reads for long before anything else is done.
pub(crate) fn is_asked() -> bool {
    STOP.load(Ordering::Relaxed)
}

static STOP: AtomicBool = AtomicBool::new(false);

//! Ctrl-C, and the signals that mean the same: the first stops the survey, the second ends the
//! command.

use std::process;

use polite_robots_survey::Interrupt;

/// An interrupt that Ctrl-C raises.
pub(crate) fn watch() -> Interrupt {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    // Without the handler Ctrl-C ends the command as it ends any other, and the part on disk is a
    // few seconds old.
    let _ = ctrlc::set_handler(move || {
        if raised.raise() {
            process::exit(130);
        }
    });
    interrupt
}

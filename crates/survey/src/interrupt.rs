//! The request to stop a survey between two batches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, which every clone shares.
///
/// ```
/// use polite_robots_survey::Interrupt;
///
/// let interrupt = Interrupt::default();
/// let signal_handler = interrupt.clone();
/// signal_handler.raise();
/// assert!(interrupt.is_raised());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the survey to stop. Returns whether it was asked before.
    pub fn raise(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether the survey is asked to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

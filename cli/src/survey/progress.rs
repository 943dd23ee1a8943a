//! How far the survey is, for who watches.

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::warn;

/// On standard error if that is a terminal; nothing otherwise.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of so many octets.
    pub(crate) fn new(octets: u64) -> Progress {
        let bar = ProgressBar::new(octets);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Progress { bar }
    }

    pub(crate) fn add(&self, octets: u64) {
        self.bar.inc(octets);
    }

    /// What was done by an earlier run: no part of the rate of this one.
    pub(crate) fn start_at(&self, octets: u64) {
        self.bar.set_position(octets);
        self.bar.reset_eta();
    }

    /// Above the bar.
    pub(crate) fn warn(&self, message: &str) {
        self.bar.suspend(|| warn(format_args!("{message}")));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

const TEMPLATE: &str = "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";

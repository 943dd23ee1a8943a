//! The progress bar of a survey.

use indicatif::{ProgressBar, ProgressStyle};
use polite_robots_survey::{Monitor, Part, Unit};

use crate::terminal::warn;

/// A bar on standard error, if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for the bytes of a part. Bytes that an earlier run read do not count in the rate of
    /// this run.
    pub(crate) fn new(part: &Part) -> Progress {
        let readings = match part.unit() {
            Unit::Response => 1,
            Unit::Body | Unit::Domain => 2,
        };
        let bar = ProgressBar::new(part.bytes() * readings);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar.set_position(part.bytes_done());
        bar.reset_eta();
        Progress { bar }
    }
}

impl Monitor for Progress {
    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Prints above the bar.
    fn warn(&self, message: &str) {
        self.bar.suspend(|| warn(format_args!("{message}")));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

const TEMPLATE: &str = "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";

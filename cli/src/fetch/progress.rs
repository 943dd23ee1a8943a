//! The progress bar of many sites.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error, if that is a terminal.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(sites: usize) -> Progress {
        let bar = match sites {
            // One or two are soon there, and `diff` prints notes about them.
            0..=2 => ProgressBar::hidden(),
            sites => ProgressBar::new(sites as u64),
        };
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Progress(bar)
    }

    /// One more site has answered, or was given up.
    pub(super) fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

const TEMPLATE: &str = "{wide_bar} {pos} of {len} sites, {elapsed}";

//! The time that the library takes: the only counts of a survey that differ from run to run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::FileFacts;
use crate::summary::merge::counts;
use crate::summary::top::{TopFile, TopFiles};

counts! {
    /// Times in nanoseconds, on one thread. Any two are equal, so that surveys compare by their
    /// other counts.
    #[derive(Debug, Clone, Default, Serialize, Deserialize)]
    pub(crate) struct Timings {
        /// The time to parse a file, with its findings.
        pub(crate) parse: Distribution,
        /// The time to compile the rules for `*` and check a first URL. Only a sample is timed, one
        /// file in 32, unless the survey is thorough.
        pub(crate) check: Distribution,
        pub(crate) bytes_parsed: u64,
        pub(crate) slowest_to_parse: TopFiles,
        pub(crate) slowest_to_check: TopFiles,
    }
}

impl Timings {
    /// Adds the times of a file. `entry` describes the file with the value that it is given.
    pub(crate) fn add(
        &mut self,
        parse: Duration,
        facts: &FileFacts<'_>,
        entry: impl Fn(u64) -> TopFile,
    ) {
        let parse = nanoseconds(parse);
        self.parse.add(parse);
        self.bytes_parsed += facts.body.len() as u64;
        self.slowest_to_parse.offer(parse, || entry(parse));
        if let Some(check) = facts.check_time.map(nanoseconds) {
            self.check.add(check);
            self.slowest_to_check.offer(check, || entry(check));
        }
    }

    /// The speed of parsing in bytes per second.
    pub(crate) fn bytes_per_second(&self) -> f64 {
        match self.parse.sum() {
            0 => 0.0,
            nanoseconds => self.bytes_parsed as f64 / (nanoseconds as f64 / 1e9),
        }
    }
}

impl PartialEq for Timings {
    fn eq(&self, _: &Timings) -> bool {
        true
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

//! How long the library took. The one part of a survey that another run does not repeat.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::Facts;
use crate::summary::merge::merge_fields;
use crate::summary::top::{Entry, Top};

/// In nanoseconds, on one thread. It is equal to any other, so that surveys are equal when all else is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Timings {
    /// To parse a file, with its findings.
    pub(crate) parse: Distribution,
    /// To compile its rules for everyone and check a first URL.
    pub(crate) check: Distribution,
    pub(crate) octets_parsed: u64,
    pub(crate) slowest_to_parse: Top,
    pub(crate) slowest_to_check: Top,
}

impl Timings {
    /// `entry` describes the file, with a value to be filled in.
    pub(crate) fn add(&mut self, parse: Duration, facts: &Facts<'_>, entry: impl Fn(u64) -> Entry) {
        let (parse, check) = (nanoseconds(parse), nanoseconds(facts.check_time));
        self.parse.add(parse);
        self.check.add(check);
        self.octets_parsed += facts.body.len() as u64;
        self.slowest_to_parse.offer(parse, || entry(parse));
        self.slowest_to_check.offer(check, || entry(check));
    }

    /// Bytes per second of parsing.
    pub(crate) fn octets_per_second(&self) -> f64 {
        match self.parse.sum() {
            0 => 0.0,
            nanoseconds => self.octets_parsed as f64 / (nanoseconds as f64 / 1e9),
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

merge_fields!(Timings {
    parse,
    check,
    octets_parsed,
    slowest_to_parse,
    slowest_to_check,
});

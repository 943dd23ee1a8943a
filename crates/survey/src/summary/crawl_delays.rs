//! The crawl delays that files ask for.

use std::time::Duration;

use polite_robots::record::ExtensionField;
use serde::{Deserialize, Serialize};

use crate::summary::file::FileFacts;
use crate::summary::merge::counts;
use crate::summary::occurrences::{ByKey as _, Occurrences};
use crate::summary::tally::{Name, Tally};

counts! {
    /// Counts of the `Crawl-delay` records.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct CrawlDelays {
        /// Records with a number.
        pub(crate) valid: Occurrences,
        /// Records without a number.
        pub(crate) not_a_number: Occurrences,
        /// Records by their value in seconds, as a decimal.
        pub(crate) seconds: Tally<Occurrences>,
        /// Records with more than 30 seconds.
        pub(crate) over_30: Occurrences,
        /// Records with more than 300 seconds.
        pub(crate) over_300: Occurrences,
        /// Records with more than an hour.
        pub(crate) over_3600: Occurrences,
    }
}

impl CrawlDelays {
    /// Whether a file has a delay that is a number.
    pub(crate) fn has_any(facts: &FileFacts<'_>) -> bool {
        let mut records = facts.extensions.iter();
        records.any(|record| record.crawl_delay().is_some())
    }

    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let records = facts.extensions.iter();
        let mut records = records
            .filter(|record| record.field() == ExtensionField::CrawlDelay)
            .peekable();
        // Nine files in ten have no such record.
        if records.peek().is_none() {
            return;
        }
        let mut not_a_number = 0;
        let mut delays: Vec<Duration> = Vec::new();
        for record in records {
            match record.crawl_delay() {
                Some(delay) => delays.push(delay),
                None => not_a_number += 1,
            }
        }
        let over = |seconds: u64| {
            let limit = Duration::from_secs(seconds);
            delays.iter().filter(|delay| **delay > limit).count() as u64
        };
        self.valid.add(delays.len() as u64);
        self.not_a_number.add(not_a_number);
        self.over_30.add(over(30));
        self.over_300.add(over(300));
        self.over_3600.add(over(3600));
        let seconds = delays.into_iter().map(decimal);
        let seconds = seconds.map(|seconds| Name::exact(seconds.as_bytes()));
        self.seconds.add_file(seconds);
    }
}

/// Writes a delay in seconds as a decimal: `2.5` for two and a half seconds.
fn decimal(delay: Duration) -> String {
    match delay.subsec_nanos() {
        0 => delay.as_secs().to_string(),
        nanoseconds => {
            let fraction = format!("{nanoseconds:09}");
            format!("{}.{}", delay.as_secs(), fraction.trim_end_matches('0'))
        }
    }
}

//! The outcome of a request: the consequence of its response by RFC 9309.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::content::RobotsResponse;
use crate::summary::file::FileFacts;
use crate::summary::merge::counts;

/// The consequence of a response for a crawler, by RFC 9309 §2.3.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// A file with a rule that can match: the crawler obeys it.
    Rules,
    /// A file without such a rule, or a status of 4xx: the crawler may fetch all.
    FullAllow,
    /// A status of 5xx: the crawler may fetch nothing.
    FullDisallow,
    /// A redirect, whose target decides, or another status.
    Unknown,
}

impl Outcome {
    pub(crate) const ALL: [Outcome; 4] = [
        Outcome::Rules,
        Outcome::FullAllow,
        Outcome::FullDisallow,
        Outcome::Unknown,
    ];

    /// The stable name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Outcome::Rules => "rules",
            Outcome::FullAllow => "full-allow",
            Outcome::FullDisallow => "full-disallow",
            Outcome::Unknown => "unknown",
        }
    }

    /// The outcome of a response without a file that could be read.
    pub(crate) fn of_status(response: &RobotsResponse) -> Outcome {
        match response.status {
            400..=499 => Outcome::FullAllow,
            500..=599 => Outcome::FullDisallow,
            _ => Outcome::Unknown,
        }
    }

    /// The outcome of a file.
    pub(crate) fn of_file(facts: &FileFacts<'_>) -> Outcome {
        match facts.rules.iter().any(|rule| rule.can_match) {
            true => Outcome::Rules,
            false => Outcome::FullAllow,
        }
    }
}

counts! {
    /// Counts of responses by their outcome.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub(crate) struct Outcomes {
        /// Responses by their own outcome: that of a redirect is unknown.
        pub(crate) direct: BTreeMap<Outcome, u64>,
    }
}

impl Outcomes {
    pub(crate) fn of(&self, outcome: Outcome) -> u64 {
        self.direct.get(&outcome).copied().unwrap_or_default()
    }

    pub(crate) fn add(&mut self, outcome: Outcome) {
        *self.direct.entry(outcome).or_default() += 1;
    }
}

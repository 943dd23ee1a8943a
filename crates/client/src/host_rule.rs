//! Stands for `polite_robots_policy::HostRule` until the policy has it.

use std::time::Duration;

use polite_robots_policy::{CrawlDelayPolicy, Obedience};

/// Exceptions that the operator makes for a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostRule {
    min_delay: Option<Duration>,
    max_in_flight: Option<u8>,
    crawl_delay: Option<CrawlDelayPolicy>,
    obedience: Option<Obedience>,
}

impl HostRule {
    /// No exception.
    #[must_use]
    pub fn new() -> HostRule {
        HostRule::default()
    }

    /// Sets the least time between two requests.
    #[must_use]
    pub fn min_delay(self, delay: Duration) -> HostRule {
        HostRule {
            min_delay: Some(delay),
            ..self
        }
    }

    /// Sets the number of requests at the same time.
    #[must_use]
    pub fn max_in_flight(self, requests: u8) -> HostRule {
        HostRule {
            max_in_flight: Some(requests),
            ..self
        }
    }

    /// Sets the meaning of a `Crawl-delay`.
    #[must_use]
    pub fn crawl_delay(self, policy: CrawlDelayPolicy) -> HostRule {
        HostRule {
            crawl_delay: Some(policy),
            ..self
        }
    }

    /// Sets whether robots.txt counts.
    #[must_use]
    pub fn obedience(self, obedience: Obedience) -> HostRule {
        HostRule {
            obedience: Some(obedience),
            ..self
        }
    }
}

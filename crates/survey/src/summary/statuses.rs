//! The statuses of the responses, with the header fields about redirects, caching and retries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::content::{BodyEnd, RobotsResponse};
use crate::summary::distribution::Distribution;
use crate::summary::host::host_of;
use crate::summary::merge::counts;
use crate::summary::occurrences::FileCount;
use crate::summary::tally::{Name, Tally};

counts! {
    /// Counts of responses with any status.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Statuses {
        pub(crate) by_status: BTreeMap<u16, u64>,
        /// Responses by the completeness of their bodies.
        pub(crate) body_end: BTreeMap<BodyEnd, u64>,
        /// Counts of responses with 3xx.
        pub(crate) redirects: Redirects,
        /// The media types of responses with 2xx, without parameters such as `charset`.
        pub(crate) media_types: Tally<FileCount>,
        /// Counts of responses with 2xx.
        pub(crate) cache_control: CacheControl,
        /// Counts of responses with 429 and 503, which ask for a later retry.
        pub(crate) retry_after: RetryAfter,
    }

    /// Counts of redirects.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Redirects {
        pub(crate) responses: u64,
        pub(crate) without_location: u64,
        /// Redirects to a URL on another host than the requested one.
        pub(crate) to_other_host: u64,
    }

    /// Counts of the directives in `Cache-Control`.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct CacheControl {
        pub(crate) responses: u64,
        pub(crate) present: u64,
        pub(crate) no_store: u64,
        pub(crate) no_cache: u64,
        /// The seconds of `max-age`.
        pub(crate) max_age: Distribution,
    }

    /// Counts of `Retry-After`.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct RetryAfter {
        pub(crate) responses: u64,
        pub(crate) present: u64,
        /// The values that are numbers of seconds; the others are dates.
        pub(crate) seconds: Distribution,
    }
}

impl Statuses {
    pub(crate) fn add(&mut self, response: &RobotsResponse) {
        *self.by_status.entry(response.status).or_default() += 1;
        *self.body_end.entry(response.end).or_default() += 1;
        match response.status {
            // A plain file has no header fields, so their absence means nothing.
            200..=299 if response.url.is_some() => {
                let media_type = response.content_type.as_deref().map(media_type);
                let name = Name::lower(media_type.unwrap_or(NO_MEDIA_TYPE).as_bytes());
                if let Some(counts) = self.media_types.entry(&name) {
                    counts.files += 1;
                }
                self.cache_control.add(response.cache_control.as_deref());
            }
            300..=399 => self.redirects.add(response),
            429 | 503 => self.retry_after.add(response.retry_after.as_deref()),
            _ => {}
        }
    }
}

impl Redirects {
    fn add(&mut self, response: &RobotsResponse) {
        self.responses += 1;
        let Some(location) = &response.location else {
            self.without_location += 1;
            return;
        };
        let asked = response.url.as_deref().and_then(host_of);
        if let (Some(asked), Some(next)) = (asked, host_of(location)) {
            self.to_other_host += u64::from(!asked.eq_ignore_ascii_case(next));
        }
    }
}

impl CacheControl {
    fn add(&mut self, value: Option<&str>) {
        self.responses += 1;
        let Some(value) = value else {
            return;
        };
        self.present += 1;
        let is_present =
            |wanted: &str| directives(value).any(|(name, _)| name.eq_ignore_ascii_case(wanted));
        self.no_store += u64::from(is_present("no-store"));
        self.no_cache += u64::from(is_present("no-cache"));
        let max_age = directives(value).find(|(name, _)| name.eq_ignore_ascii_case("max-age"));
        let seconds = max_age.map(|(_, seconds)| seconds.trim_matches('"').parse());
        if let Some(Ok(seconds)) = seconds {
            self.max_age.add(seconds);
        }
    }
}

impl RetryAfter {
    fn add(&mut self, value: Option<&str>) {
        self.responses += 1;
        let Some(value) = value else {
            return;
        };
        self.present += 1;
        if let Ok(seconds) = value.trim().parse() {
            self.seconds.add(seconds);
        }
    }
}

/// Removes the parameters: `Text/Plain; charset=utf-8` → `Text/Plain`.
fn media_type(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Splits the value into names and values: `public, max-age=60` → (`public`, ``), (`max-age`,
/// `60`).
fn directives(cache_control: &str) -> impl Iterator<Item = (&str, &str)> {
    cache_control.split(',').map(|directive| {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        (name.trim(), value.trim())
    })
}

/// The name under which responses without a media type are counted.
const NO_MEDIA_TYPE: &str = "(none)";

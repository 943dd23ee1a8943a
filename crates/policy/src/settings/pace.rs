//! The choices that the pace is made of: delays, back-off, shared addresses.

use core::time::Duration;

/// What a `Crawl-delay` means. It was never specified, and each search engine reads it in its own way.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{CrawlDelay, Profile};
///
/// let bing = CrawlDelay::Window { min: Duration::from_secs(1), max: Duration::from_secs(30) };
/// let profile = Profile::rfc9309().with_crawl_delay(bing);
/// # let _ = profile;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CrawlDelay {
    /// Nothing (Google).
    Ignore,
    /// So long between one request and the next (Yandex, and what most authors mean).
    Gap,
    /// Time is cut into windows of that length, and each sees one request at most (Bing).
    Window {
        /// Shorter windows become this long; Bing: 1 second.
        min: Duration,
        /// Longer windows become this long; Bing: 30 seconds.
        max: Duration,
    },
}

/// What the gap between two requests is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GapFrom {
    /// The end of the one before, so a slow host is asked less often.
    Completion,
    /// The start of the one before.
    Start,
}

/// What to do with a `Crawl-delay` above [`Profile::max_crawl_delay`](crate::Profile::max_crawl_delay).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OverMax {
    /// Keep it all the same; `long_crawl_delay` of [`Pacer`](crate::Pacer) tells of it.
    Honour,
    /// Wait as long as the profile permits at most (spider-rs: 60 s, YaCy: 10 s).
    Clamp,
    /// Leave the host out (Nutch, StormCrawler: above 30 s).
    SkipHost,
}

/// How the pace of a host follows its answers.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{Backoff, Profile};
///
/// let stormcrawler = Backoff::Doubling {
///     first: Duration::from_secs(60),
///     max: Duration::from_secs(86_400),
///     forget_after: Duration::from_secs(30 * 60),
/// };
/// let profile = Profile::rfc9309().with_backoff(stormcrawler).with_jitter_percent(10);
/// # let _ = profile;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Backoff {
    /// It does not; only `Retry-After` and blocks count.
    Off,
    /// Levels, each of which doubles the delay: the adaptive controller of the politeness lesson, with its figures in
    /// fields of the profile.
    Levels,
    /// Each 429 or 503 without a `Retry-After` blocks the host, twice as long as the last one did: StormCrawler with
    /// 60 s, 1 day, 30 min.
    Doubling {
        /// The first block.
        first: Duration,
        /// The longest block.
        max: Duration,
        /// When the last block has been over for longer than that, blocks start small again.
        forget_after: Duration,
    },
    /// The delay follows the latency, half of the way at each answer; only a 200 shortens it: Scrapy's AutoThrottle
    /// with 5 s, 60 s and a target concurrency of 1.
    AutoThrottle {
        /// The delay before anything is known.
        start: Duration,
        /// The longest delay, 655 s at most.
        max: Duration,
    },
}

/// How slow answers raise the level of [`Backoff::Levels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Latency {
    /// Not at all.
    Ignore,
    /// While the mean is above the threshold: one level, and one more each time that it doubles. Gone when the mean is.
    Level,
    /// One level more at each answer while the mean is above the threshold: what the lesson has, word for word. A
    /// steady host that is a little slow climbs to the highest level and never returns.
    Accumulate,
}

/// What the hosts of one address share besides their limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GroupPace {
    /// Nothing: each keeps its own pace.
    Own,
    /// The longest `Crawl-delay` that one of them has had is kept between any two of their requests; until none of them is
    /// left, as nobody lists them.
    Slowest,
}

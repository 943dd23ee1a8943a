//! The choices that the pace is made of: delays, back-off, shared addresses.

use core::time::Duration;

settings! {
    /// The half of a [`Profile`](crate::Profile) that decides when a host may be asked.
    ///
    /// Each field names its source, as in [`AccessSettings`](crate::AccessSettings), and its presets, in the order
    /// `rfc9309`, `google`, `ibm`; "ours" is a choice that no source gives.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::Profile;
    ///
    /// let mut profile = Profile::rfc9309();
    /// profile.pace.min_delay = Duration::from_secs(5);
    /// assert_eq!(profile.pace.max_in_flight, 1);
    /// ```
    PaceSettings;

    /// The least time between two requests to a host. 1 second: StormCrawler's `fetcher.server.delay`; Nutch has 5.
    min_delay: Duration = SECOND, SECOND, SECOND;

    /// What a `Crawl-delay` means. RFC 9309 does not know it; Yandex read it as a gap, Google ignores it, IBM is silent. Bing is
    /// `CrawlDelayPolicy::Window { min: 1 s, max: 30 s }`.
    crawl_delay: CrawlDelayPolicy = CrawlDelayPolicy::Gap, CrawlDelayPolicy::Ignore, CrawlDelayPolicy::Gap;

    /// The start of a gap. Yandex: the end of the load; the crawlers on Nutch's queues alike.
    gap_from: GapAnchor = GapAnchor::Completion, GapAnchor::Completion, GapAnchor::Completion;

    /// A `Crawl-delay` above it is long. 300 seconds: Heritrix and crawler-commons. 86,400 seconds are never exceeded, whatever
    /// the file says.
    max_crawl_delay: Duration = Duration::from_secs(300), Duration::from_secs(300), Duration::from_secs(300);

    /// What happens to a longer gap. Ours: it is kept, as the site asked for it.
    over_max_crawl_delay: LongDelayPolicy = LongDelayPolicy::Honour, LongDelayPolicy::Honour, LongDelayPolicy::Honour;

    /// The gap is at least so many times the last latency; 0: off. Ours: off; Heritrix has 5, Mercator 10.
    latency_factor: u32 = 0, 0, 0;

    /// Requests to a host at the same time; 0 counts as 1. One: Mercator.
    max_in_flight: u8 = 1, 1, 1;

    /// The longest `Retry-After` of any other answer that is obeyed. 24 hours: StormCrawler.
    max_retry_after: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// How the pace follows the answers. Google lowers the rate of a host after many 500, 503 and 429, without figures; the
    /// figures of [`Levels`] are ours.
    backoff: Backoff = Backoff::Levels(Levels::with_base(SECOND)), Backoff::Levels(Levels::with_base(SECOND)), Backoff::Levels(Levels::with_base(SECOND));

    /// Refused and reset connections in a row that count as a block of the address; 0: never. Ours.
    refusals: u8 = 3, 3, 3;

    /// The rest of an [`IpGroup`](crate::IpGroup) after such a block; each further block in a row makes it eight times as long. Ours.
    refusal_rest: Duration = Duration::from_secs(8), Duration::from_secs(8), Duration::from_secs(8);

    /// The longest rest of that kind. Ours.
    max_refusal_rest: Duration = Duration::from_secs(256), Duration::from_secs(256), Duration::from_secs(256);

    /// The rest of a host after a challenge to prove that one is human. Ours.
    challenge_block: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// Starts that the hosts of one [`IpGroup`](crate::IpGroup) share in any [`PaceSettings::group_window`]; 0: no limit.
    /// Ours.
    group_starts: u8 = 10, 10, 10;

    /// The time that [`PaceSettings::group_starts`] is counted in, 1 day at most; any 60 seconds count, not only whole minutes.
    /// Ours.
    group_window: Duration = Duration::from_secs(60), Duration::from_secs(60), Duration::from_secs(60);

    /// What else the hosts of one address share. Ours: nothing.
    group_pace: GroupPace = GroupPace::Own, GroupPace::Own, GroupPace::Own;
}

const SECOND: Duration = Duration::from_secs(1);
const HOURS_24: Duration = Duration::from_secs(24 * 3600);

/// What a `Crawl-delay` means. It was never specified, and each search engine reads it in its own way.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{CrawlDelayPolicy, Profile};
///
/// let bing = CrawlDelayPolicy::Window { min: Duration::from_secs(1), max: Duration::from_secs(30) };
/// let mut profile = Profile::rfc9309();
/// profile.pace.crawl_delay = bing;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CrawlDelayPolicy {
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
pub enum GapAnchor {
    /// The end of the one before, so a slow host is asked less often.
    Completion,
    /// The start of the one before.
    Start,
}

/// What to do with a `Crawl-delay` above [`PaceSettings::max_crawl_delay`](crate::PaceSettings::max_crawl_delay).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LongDelayPolicy {
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
///     jitter_percent: 10,
/// };
/// let mut profile = Profile::rfc9309();
/// profile.pace.backoff = stormcrawler;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Backoff {
    /// It does not; only `Retry-After` and blocks count.
    Off,
    /// Levels, each of which doubles the delay. The default.
    Levels(Levels),
    /// Each 429 or 503 without a `Retry-After` blocks the host, twice as long as the last one did: StormCrawler with
    /// 60 s, 1 day, 30 min.
    Doubling {
        /// The first block.
        first: Duration,
        /// The longest block.
        max: Duration,
        /// When the last block has been over for longer than that, blocks start small again.
        forget_after: Duration,
        /// By how much each block is longer, in percent at most: a hash of host and block, so that hosts that were
        /// blocked together do not return together. StormCrawler: 10.
        #[cfg_attr(feature = "serde", serde(default))]
        jitter_percent: u8,
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
pub enum LatencyPolicy {
    /// Not at all.
    Ignore,
    /// While the mean is above the threshold: one level, and one more each time that it doubles. Gone when the mean is.
    Level,
    /// One level more at each answer while the mean is above the threshold. A steady host that is a little slow climbs to
    /// the highest level and never returns.
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

/// The figures of [`Backoff::Levels`]. All of the defaults are ours: no public crawler documents such a controller.
///
/// A 429, a 503 and repeated errors raise the level; clean answers lower it by one each. The delay of level 0 is nothing
/// beyond the other gaps, that of level 1 is twice the base, and so on.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{Backoff, Levels, Profile};
///
/// let mut levels = Levels::default();
/// levels.base = Duration::from_secs(2);
/// levels.max_level = 6;
/// let mut profile = Profile::rfc9309();
/// profile.pace.backoff = Backoff::Levels(levels);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct Levels {
    /// The delay that each level doubles: 1 second.
    pub base: Duration,
    /// The highest level: 8, which is 256 seconds.
    pub max_level: u8,
    /// Levels that a 429 adds: 3.
    pub too_many_requests_levels: u8,
    /// Levels that a 503 adds: 2.
    pub service_unavailable_levels: u8,
    /// Levels that another error of the server or the network adds, from the [`Levels::error_streak`]th in a row on: 1.
    pub server_error_levels: u8,
    /// Errors in a row that count as one: 5.
    pub error_streak: u8,
    /// A 2xx takes a level off if fewer than so many percent of the last 20 answers are errors: 10. A 404 is none: it is
    /// no sign of stress.
    pub healthy_error_percent: u8,
    /// What slow answers do: raise the level while they are slow.
    pub latency: LatencyPolicy,
    /// The mean latency of the last 20 answers above which a host is slow: 2 seconds.
    pub slow_latency: Duration,
    /// Levels that a block by [`PaceSettings::refusals`] adds: 3, the same as a 429.
    pub refused_levels: u8,
    /// Levels that a soft block (false content for robots) adds: 3.
    pub soft_block_levels: u8,
}

impl Levels {
    const DEFAULT: Levels = Levels {
        base: Duration::from_secs(1),
        max_level: 8,
        too_many_requests_levels: 3,
        service_unavailable_levels: 2,
        server_error_levels: 1,
        error_streak: 5,
        healthy_error_percent: 10,
        latency: LatencyPolicy::Level,
        slow_latency: Duration::from_secs(2),
        refused_levels: 3,
        soft_block_levels: 3,
    };

    /// The default figures with another base delay.
    #[must_use]
    pub const fn with_base(base: Duration) -> Levels {
        Levels {
            base,
            ..Levels::DEFAULT
        }
    }
}

impl Default for Levels {
    fn default() -> Levels {
        Levels::DEFAULT
    }
}

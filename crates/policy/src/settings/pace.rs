//! The choices that the pace is made of: delays, back-off, shared addresses.

use core::time::Duration;

settings! {
    /// The half of a [`Profile`](crate::Profile) that decides when a host may be asked.
    ///
    /// Each field names its source, as in [`AccessSettings`](crate::settings::AccessSettings), and
    /// its presets, in the order `rfc9309`, `google`, `ibm`; "ours" is a choice that no source
    /// gives.
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

    /// The least time between two requests to a host. 1 second: StormCrawler's
    /// `fetcher.server.delay`; Nutch has 5.
    min_delay: Duration = SECOND, SECOND, SECOND;

    /// The meaning of a `Crawl-delay`. RFC 9309 does not know it; Yandex read it as a gap, Google
    /// ignores it, IBM is silent. Bing is `CrawlDelayPolicy::Window { min: 1 s, max: 30 s }`.
    crawl_delay: CrawlDelayPolicy = CrawlDelayPolicy::Gap, CrawlDelayPolicy::Ignore, CrawlDelayPolicy::Gap;

    /// The start of a gap. Yandex: the end of the load; the crawlers on Nutch's queues alike.
    gap_from: GapAnchor = GapAnchor::Completion, GapAnchor::Completion, GapAnchor::Completion;

    /// The `Crawl-delay` above which a delay is long. 300 seconds: Heritrix and crawler-commons. A
    /// delay never counts as more than 86,400 seconds, whatever the file says.
    max_crawl_delay: Duration = Duration::from_secs(300), Duration::from_secs(300), Duration::from_secs(300);

    /// The treatment of a long delay. Ours: it is kept, as the site asked for it.
    over_max_crawl_delay: LongDelayPolicy = LongDelayPolicy::Keep, LongDelayPolicy::Keep, LongDelayPolicy::Keep;

    /// The multiple of the last latency that a gap is at least; 0: off. Ours: off; Heritrix has 5,
    /// Mercator 10.
    latency_factor: u32 = 0, 0, 0;

    /// Requests to a host at the same time; 0 counts as 1. One: Mercator.
    max_in_flight: u8 = 1, 1, 1;

    /// The time after which a request no longer counts as under way, a day at most: its task hangs,
    /// or was dropped without a word. Longer than the time limit of the client, or two requests
    /// meet. Ours.
    request_lease: Duration = Duration::from_secs(600), Duration::from_secs(600), Duration::from_secs(600);

    /// The longest `Retry-After` that is obeyed. 24 hours: StormCrawler.
    max_retry_after: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// The way in which the pace follows the answers. Google lowers the rate of a host after many
    /// 500, 503 and 429, without figures; the figures of [`Levels`] are ours.
    backoff: Backoff = Backoff::Levels(Levels::with_base(SECOND)), Backoff::Levels(Levels::with_base(SECOND)), Backoff::Levels(Levels::with_base(SECOND));

    /// Refused and reset connections in a row that count as a block of the address; 0: never. Ours.
    refusals: u8 = 3, 3, 3;

    /// The rest of an [`IpGroup`](crate::IpGroup) after such a block; each further block in a row
    /// makes it eight times as long. Ours.
    refusal_rest: Duration = Duration::from_secs(8), Duration::from_secs(8), Duration::from_secs(8);

    /// The longest rest of that kind. Ours.
    max_refusal_rest: Duration = Duration::from_secs(256), Duration::from_secs(256), Duration::from_secs(256);

    /// The pause of a host after it asked the visitor to prove that it is human. Ours.
    challenge_block: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// Starts that the hosts of one [`IpGroup`](crate::IpGroup) share in any
    /// [`PaceSettings::group_window`]; 0: no limit. Ours.
    group_starts: u8 = 10, 10, 10;

    /// The time that [`PaceSettings::group_starts`] is counted in, 1 day at most. It slides: any 60
    /// seconds count, not only whole minutes. Ours.
    group_window: Duration = Duration::from_secs(60), Duration::from_secs(60), Duration::from_secs(60);

    /// The longest wait of a group after a start although it may start more, in percent of an equal
    /// part of [`PaceSettings::group_window`], which is 6 seconds. A hash of group and start takes
    /// up to half of it off, so that groups that began together do not go on together. Up to 100 no
    /// start is lost by it. 0: an address may get all starts of a window at once, and its line of
    /// hosts takes less memory. Ours.
    group_spread_percent: u8 = 0, 0, 0;

    /// The pace that the hosts of one address share besides the limit. Ours: none.
    group_pace: GroupPace = GroupPace::Own, GroupPace::Own, GroupPace::Own;
}

impl PaceSettings {
    /// The time between two turns of a host whose file asks for a delay, if nothing else counts.
    pub(crate) fn asked_gap(&self, delay: Duration) -> Duration {
        let delay = delay.min(HOURS_24);
        match (self.crawl_delay, self.over_max_crawl_delay) {
            (CrawlDelayPolicy::Ignore, _) => Duration::ZERO,
            (CrawlDelayPolicy::Window { min, max }, _) => delay.min(max).max(min),
            (CrawlDelayPolicy::Gap, LongDelayPolicy::Clamp) => delay.min(self.max_crawl_delay),
            (CrawlDelayPolicy::Gap, LongDelayPolicy::Keep | LongDelayPolicy::SkipHost) => delay,
        }
    }
}

const SECOND: Duration = Duration::from_secs(1);
const HOURS_24: Duration = Duration::from_secs(24 * 3600);

/// The meaning of a `Crawl-delay`. It was never specified, and each search engine reads it in its
/// own way.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Profile;
/// use polite_robots_policy::settings::CrawlDelayPolicy;
///
/// let bing = CrawlDelayPolicy::Window { min: Duration::from_secs(1), max: Duration::from_secs(30) };
/// let mut profile = Profile::rfc9309();
/// profile.pace.crawl_delay = bing;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CrawlDelayPolicy {
    /// No meaning (Google).
    Ignore,
    /// The time between one request and the next (Yandex, and the intention of most authors).
    Gap,
    /// The length of windows that time is cut into; each has one request at most (Bing).
    Window {
        /// Shorter windows become this long; Bing: 1 second.
        min: Duration,
        /// Longer windows become this long; Bing: 30 seconds.
        max: Duration,
    },
}

/// The moment that the gap between two requests is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GapAnchor {
    /// The end of the one before, so a slow host is asked less often.
    Completion,
    /// The start of the one before.
    Start,
}

/// The treatment of a `Crawl-delay` above
/// [`PaceSettings::max_crawl_delay`](crate::settings::PaceSettings::max_crawl_delay).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LongDelayPolicy {
    /// Keeps the delay all the same; `long_crawl_delay` of [`Pacer`](crate::Pacer) reports it.
    Keep,
    /// Waits as long as the profile permits at most (spider-rs: 60 s, YaCy: 10 s).
    Clamp,
    /// Leaves the host out (Nutch, StormCrawler: above 30 s).
    SkipHost,
}

/// The way in which the pace of a host follows its answers.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Profile;
/// use polite_robots_policy::settings::Backoff;
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
    /// No back-off: only `Retry-After` and blocks count.
    Off,
    /// Levels, each of which doubles the delay. The default.
    Levels(Levels),
    /// Each 429 or 503 without a `Retry-After` blocks the host, twice as long as the last one did:
    /// StormCrawler with 60 s, 1 day, 30 min.
    Doubling {
        /// The first block.
        first: Duration,
        /// The longest block.
        max: Duration,
        /// The quiet time after a block, after which blocks start small again.
        forget_after: Duration,
        /// The most that a block is lengthened by, in percent. A hash of host and block decides, so
        /// that hosts that were blocked together do not return together. StormCrawler: 10.
        #[cfg_attr(feature = "serde", serde(default))]
        jitter_percent: u8,
    },
    /// The delay follows the latency, half of the way at each answer; only a 200 shortens it:
    /// Scrapy's AutoThrottle with 5 s, 60 s and a target concurrency of 1.
    AutoThrottle {
        /// The delay before anything is known.
        start: Duration,
        /// The longest delay, 655 s at most.
        max: Duration,
    },
}

/// The way in which slow answers raise the level of [`Backoff::Levels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LatencyPolicy {
    /// No effect: latency is ignored.
    Ignore,
    /// One level while the mean is above the threshold, and one more for each doubling of it. The
    /// levels go when the mean falls.
    Level,
    /// One level more at each answer while the mean is above the threshold. A steady host that is a
    /// little slow climbs to the highest level and never returns.
    Accumulate,
}

/// The pace that the hosts of one address share besides their limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GroupPace {
    /// None: each host keeps its own pace.
    Own,
    /// The longest `Crawl-delay` that one of them has had is kept between any two of their
    /// requests, until none of them is left: the group keeps no list of its members.
    Slowest,
}

/// The figures of [`Backoff::Levels`]. All of the defaults are ours. Nutch (since 1.19) and
/// StormCrawler (with URLFrontier, since 3.7.0) document a delay that doubles after each refusal;
/// we know of no crawler that documents levels which good answers and latency move too.
///
/// A 429, a 503 and repeated errors raise the level. Every answer below 500 but 429 lowers it by
/// one while few of the last answers are errors; 304 and 404 too, as a crawl that comes again sees
/// little else. Level 0 adds nothing to the other gaps, level 1 is a gap of twice the base, and
/// each level more doubles it.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Profile;
/// use polite_robots_policy::settings::{Backoff, Levels};
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
    /// Levels that another error of the server or the network adds, from the
    /// [`Levels::error_streak`]th in a row on: 1. Any answer below 500 but 429 ends the row.
    pub server_error_levels: u8,
    /// Errors in a row that count as one: 5.
    pub error_streak: u8,
    /// The share of errors among the last 20 answers, in percent, from which on no answer takes a
    /// level off: 10. A 404 is not an error: it is no sign of stress.
    pub healthy_error_percent: u8,
    /// The effect of slow answers: they raise the level while they are slow.
    pub latency: LatencyPolicy,
    /// The mean latency of the last 20 answers above which a host is slow: 2 seconds.
    pub slow_latency: Duration,
    /// Levels that a block by [`PaceSettings::refusals`] adds: 3, the same as a 429.
    pub refused_levels: u8,
    /// Levels that a soft block (false content for robots) adds: 3.
    pub soft_block_levels: u8,
    /// The reward of a host that answers fast and without errors: none. Google documents such a
    /// reward without figures: "If the site responds quickly for a while, the limit goes up".
    pub reward: Option<Reward>,
}

/// A reward in [`Levels`]: a host that answers fast and without errors may be asked more often.
///
/// [`PaceSettings::min_delay`] halves after each [`Reward::after`] clean, fast answers in a row,
/// down to [`Reward::floor`]. Clean is a 2xx, 3xx, 404 or 410 at level 0 without a
/// [`PageSignal`](crate::PageSignal). One other or slow answer takes the whole reward back. A
/// `Crawl-delay` is never shortened, nor the delay of a [`HostRule`](crate::HostRule).
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Profile;
/// use polite_robots_policy::settings::{Backoff, Levels, Reward};
///
/// let mut levels = Levels::default();
/// levels.reward = Some(Reward::default());
/// let mut profile = Profile::rfc9309();
/// profile.pace.backoff = Backoff::Levels(levels);
/// assert_eq!(Reward::default().floor, Duration::from_millis(250));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct Reward {
    /// Clean, fast answers in a row for each halving: 50. 0: never. At most 255 answers are
    /// counted.
    pub after: u8,
    /// The longest latency of a fast answer: 500 milliseconds.
    pub fast_latency: Duration,
    /// The shortest least delay: 250 milliseconds. A least delay that is shorter already stays.
    pub floor: Duration,
}

impl Reward {
    const DEFAULT: Reward = Reward {
        after: 50,
        fast_latency: Duration::from_millis(500),
        floor: Duration::from_millis(250),
    };
}

impl Default for Reward {
    fn default() -> Reward {
        Reward::DEFAULT
    }
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
        reward: None,
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

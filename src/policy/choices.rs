//! The choices that a [`Profile`](crate::policy::Profile) is made of.

use core::time::Duration;

/// What a kind of answer to the request for robots.txt means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Meaning {
    /// There is no robots.txt: everything may be fetched ("unavailable", RFC 9309 §2.3.1.3).
    Allow,
    /// The site wants no crawler: nothing may be fetched, until a later fetch says otherwise.
    Disallow,
    /// No answer to the question: an outage begins or goes on ("unreachable", RFC 9309 §2.3.1.4).
    Outage,
}

/// What to do with a robots.txt that is longer than [`Profile::max_bytes`](crate::policy::Profile::max_bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OverLimit {
    /// Its first whole lines count.
    ReadStart,
    /// It counts as not read: an outage.
    Outage,
}

/// What to do with a robots.txt that has odd lines: any [`Diagnostic`](crate::Diagnostic) above a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ParseErrors {
    /// What can be read counts (RFC 9309 §2.3.1.5).
    KeepRules,
    /// The site counts as one without rules.
    AllowAll,
}

/// Whether to ask for a robots.txt only if it has changed (RFC 9110 §13.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Conditional {
    /// `If-None-Match` and `If-Modified-Since`, when the last answer had something to compare with.
    Send,
    /// Always ask for the whole file; a 304 is then no answer.
    Omit,
}

/// How often one round asks for a robots.txt.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::policy::{Attempts, Profile};
///
/// // Every address once, and no second round.
/// let attempts = Attempts::EveryAddress { rounds: 1, pause: Duration::ZERO };
/// let profile = Profile::rfc9309().with_attempts(attempts);
/// # let _ = profile;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Attempts {
    /// Once; the client resolves the host as it likes.
    Once,
    /// Every address of the host, until one answers with a status below 500. All again, `rounds` times in all.
    EveryAddress {
        /// How often to go through the addresses; 0 counts as 1.
        rounds: u8,
        /// To wait between two rounds.
        pause: Duration,
    },
}

/// Whether redirects of robots.txt are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Redirects {
    /// Up to [`Profile::max_redirects`](crate::policy::Profile::max_redirects).
    Follow,
    /// A redirect is no answer: an outage.
    Outage,
}

/// Whether the server has a say in how long its robots.txt is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum HttpFreshness {
    /// `Cache-Control`, `Expires` and `Age` count, within the profile's bounds.
    Obey,
    /// Always [`Profile::default_ttl`](crate::policy::Profile::default_ttl).
    Ignore,
}

/// Whether the last good copy counts in the middle of an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StaleCopy {
    /// Its rules apply.
    Use,
    /// Nothing may be fetched.
    Disallow,
}

/// Access in the middle of an outage if there is no copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoCopy {
    /// Everything may be fetched.
    Allow,
    /// Nothing may be fetched.
    Disallow,
}

/// Access after a long outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LongOutage {
    /// The rules of the last good copy; without one everything may be fetched.
    CopyOrAllow,
    /// If the rest of the site answers everything may be fetched, else nothing.
    AllowIfSiteAvailable,
    /// Nothing may be fetched, for as long as it lasts.
    Disallow,
}

/// Whether robots.txt counts at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obedience {
    /// It does.
    Obey,
    /// It is not fetched and everything may be; the pace is kept. For sites whose owner has agreed.
    Ignore,
}

/// What a `Crawl-delay` means. It was never specified, and each search engine reads it in its own way.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::policy::{CrawlDelay, Profile};
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

/// What to do with a `Crawl-delay` above [`Profile::max_crawl_delay`](crate::policy::Profile::max_crawl_delay).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OverMax {
    /// Keep it all the same; `long_crawl_delay` of [`Pacer`](crate::policy::Pacer) tells of it.
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
/// use polite_robots::policy::{Backoff, Profile};
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

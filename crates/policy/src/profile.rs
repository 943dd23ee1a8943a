use core::time::Duration;

use polite_robots::Dialect;

use crate::settings::access::{
    Attempts, Conditional, HttpFreshness, LongOutage, Meaning, NoCopy, Obedience, OverLimit,
    ParseErrors, Redirects, StaleCopy,
};
use crate::settings::pace::{Backoff, CrawlDelay, GapFrom, GroupPace, Latency, OverMax};

/// Makes the struct, its presets and its setters from one table, so that each field stands in one place.
macro_rules! profile {
    ($(
        $(#[$doc:meta])*
        $field:ident / $setter:ident: $type:ty = $rfc9309:expr, $google:expr, $ibm:expr;
    )*) => {
        /// Every choice that the sources leave open, as plain data.
        ///
        /// Three presets are sets of answers that somebody really gives. Each field says what it does, where the answers
        /// of the presets come from, and what they are, in the order `rfc9309`, `google`, `ibm`. "RFC" is RFC 9309,
        /// "Google" its
        /// [page on robots.txt](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt), "IBM"
        /// the documentation of its Web crawler, "lesson" a course's unit on politeness with code; "ours" is a number
        /// that no source gives.
        ///
        /// ```
        /// use core::time::Duration;
        /// use polite_robots_policy::{Meaning, Profile};
        ///
        /// let profile = Profile::rfc9309()
        ///     .with_forbidden(Meaning::Disallow)
        ///     .with_min_delay(Duration::from_secs(5));
        /// assert_eq!(profile.max_bytes, 512_000);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(default))]
        #[non_exhaustive]
        pub struct Profile {
            $(
                $(#[$doc])*
                ///
                #[doc = concat!(
                    "Presets: `", stringify!($rfc9309), "`, `", stringify!($google), "`, `", stringify!($ibm), "`."
                )]
                pub $field: $type,
            )*
        }

        impl Profile {
            /// RFC 9309, with the stricter answer where it says MAY and a polite crawler's where it is silent. The
            /// default.
            #[must_use]
            pub const fn rfc9309() -> Profile {
                Profile { $( $field: $rfc9309, )* }
            }

            /// What Google documents of its crawlers: three phases of an outage, 429 as an error of the server, no
            /// `Crawl-delay`.
            #[must_use]
            pub const fn google() -> Profile {
                Profile { $( $field: $google, )* }
            }

            /// The IBM Web crawler's procedure: every address, two seconds, every address again; a site whose answer
            /// is not clear is disqualified until the retry interval is over, and for good after too many failures.
            #[must_use]
            pub const fn ibm() -> Profile {
                Profile { $( $field: $ibm, )* }
            }

            $(
                #[doc = concat!("Sets [`Profile::", stringify!($field), "`].")]
                #[must_use]
                pub const fn $setter(mut self, $field: $type) -> Profile {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

profile! {
    /// Whose reading of the rules decides. RFC; Google's matcher; RFC (IBM is silent).
    dialect / with_dialect: Dialect = Dialect::Rfc9309, Dialect::Google, Dialect::Rfc9309;

    /// Octets of robots.txt to ask for and to read. RFC §2.5: at least 500 KiB; Google: 500 KiB; IBM is silent.
    max_bytes / with_max_bytes: usize = 512_000, 512_000, 512_000;

    /// A longer file. Google ignores the rest, RFC §2.5 permits it; IBM disqualifies truncated content.
    over_limit / with_over_limit: OverLimit = OverLimit::ReadStart, OverLimit::ReadStart, OverLimit::Outage;

    /// A file with odd lines. RFC §2.3.1.5: MUST follow the parseable rules; Google alike; IBM: qualified with no rules.
    parse_errors / with_parse_errors: ParseErrors = ParseErrors::KeepRules, ParseErrors::KeepRules, ParseErrors::AllowAll;

    /// Conditional requests. RFC §2.4 permits HTTP caching; Google sends none for robots.txt; IBM takes no 304.
    conditional / with_conditional: Conditional = Conditional::Send, Conditional::Omit, Conditional::Omit;

    /// Requests of one round. RFC and Google are silent; IBM: every address, 2 seconds, every address once more.
    attempts / with_attempts: Attempts = Attempts::Once, Attempts::Once,
        Attempts::EveryAddress { rounds: 2, pause: Duration::from_secs(2) };

    /// 3xx. RFC §2.3.1.2: SHOULD follow; Google follows; IBM: "any other status" disqualifies.
    redirects / with_redirects: Redirects = Redirects::Follow, Redirects::Follow, Redirects::Outage;

    /// Redirects in a row that are followed. RFC §2.3.1.2: at least five; Google: at least five.
    max_redirects / with_max_redirects: u8 = 5, 5, 5;

    /// More of them, or a loop. RFC §2.3.1.2: MAY assume unavailable; Google: a 404; IBM: disqualified.
    too_many_redirects / with_too_many_redirects: Meaning = Meaning::Allow, Meaning::Allow, Meaning::Outage;

    /// 401 and 403. RFC §2.3.1.3: MAY access; Google: no restriction; IBM: disqualified. The draft of 1996
    /// (draft-koster-robots-00 §3.1) and Common Crawl take them for a ban: [`Meaning::Disallow`].
    forbidden / with_forbidden: Meaning = Meaning::Allow, Meaning::Allow, Meaning::Outage;

    /// 429. RFC §2.3.1.3 MAY access as after any 4xx, which would answer "too fast" with more; Google: an error of the
    /// server; IBM: disqualified.
    too_many_requests / with_too_many_requests: Meaning = Meaning::Outage, Meaning::Outage, Meaning::Outage;

    /// Any other 4xx but 400, 404 and 410, which always mean that there is no file. RFC §2.3.1.3; Google; IBM:
    /// disqualified.
    other_client_errors / with_other_client_errors: Meaning = Meaning::Allow, Meaning::Allow, Meaning::Outage;

    /// How long an answer is kept if its server does not say. RFC §2.4: SHOULD NOT use it for more than 24 hours;
    /// Google: up to 24 hours; IBM's check interval, whose number is ours.
    default_ttl / with_default_ttl: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// Whether its server may say. RFC §2.4: MAY; Google: may raise or lower; IBM: a fixed interval.
    http_freshness / with_http_freshness: HttpFreshness = HttpFreshness::Obey, HttpFreshness::Obey, HttpFreshness::Ignore;

    /// The least time that an answer is kept, also with `no-store`: robots.txt is not asked for at each page. Ours.
    min_ttl / with_min_ttl: Duration = Duration::from_secs(300), Duration::from_secs(300), Duration::from_secs(300);

    /// The longest time. RFC §2.4: 24 hours; Google: `max-age` may raise, the bound of 7 days is ours; IBM as RFC.
    max_ttl / with_max_ttl: Duration = HOURS_24, Duration::from_secs(7 * 86_400), HOURS_24;

    /// The part of that time, in percent, after which the next fetch is due, so that one failure does not stop a
    /// crawl. Ours; IBM: when the interval elapses.
    refresh_percent / with_refresh_percent: u8 = 80, 80, 100;

    /// The first part of an outage, in which nothing may be fetched and retries are frequent. RFC §2.3.1.4: MUST
    /// assume complete disallow; Google: 12 hours.
    outage_stop / with_outage_stop: Duration = HOURS_12, HOURS_12, HOURS_12;

    /// The last copy after [`Profile::outage_stop`]. RFC §2.3.1.4: disallow; Google: used; IBM: disqualified.
    stale_copy / with_stale_copy: StaleCopy = StaleCopy::Disallow, StaleCopy::Use, StaleCopy::Disallow;

    /// No copy after [`Profile::outage_stop`]. RFC §2.3.1.4: disallow; Google: no restrictions; IBM: disqualified.
    no_copy / with_no_copy: NoCopy = NoCopy::Disallow, NoCopy::Allow, NoCopy::Disallow;

    /// When an outage has lasted long. RFC §2.3.1.4: 30 days for example; Google: 30 days after the first 12 hours;
    /// IBM: never.
    long_outage / with_long_outage: Duration = DAYS_30, DAYS_30.saturating_add(HOURS_12), Duration::MAX;

    /// What follows then. RFC §2.3.1.4: MAY assume unavailable or use a cached copy; Google: allowed if the site
    /// answers; IBM: disqualified.
    after_long_outage / with_after_long_outage: LongOutage =
        LongOutage::CopyOrAllow, LongOutage::AllowIfSiteAvailable, LongOutage::Disallow;

    /// The time to the first retry in an outage; it doubles each time. Ours; IBM's retry interval, whose number is ours.
    retry_first / with_retry_first: Duration = Duration::from_secs(300), Duration::from_secs(300), HOUR;

    /// The same after a 503. Google: "fairly frequent retrying"; the number is ours.
    retry_first_503 / with_retry_first_503: Duration = Duration::from_secs(60), Duration::from_secs(60), HOUR;

    /// The longest time between retries in [`Profile::outage_stop`]. Ours.
    retry_max / with_retry_max: Duration = HOUR, HOUR, HOUR;

    /// The time between retries later. Ours.
    retry_late / with_retry_late: Duration = Duration::from_secs(6 * 3600), Duration::from_secs(6 * 3600), HOUR;

    /// By how much retries and [`Backoff::Doubling`] come later, in percent at most: a hash of host and attempt, so
    /// that hosts that failed together do not return together. Ours; 10 is StormCrawler's.
    jitter_percent / with_jitter_percent: u8 = 0, 0, 0;

    /// The longest `Retry-After` that is obeyed, for robots.txt and pages. Ours, as StormCrawler has it.
    max_retry_after / with_max_retry_after: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// Failed rounds in a row after which a site is given up for good. RFC and Google: never; IBM has such a maximum,
    /// its number is ours.
    max_failures / with_max_failures: Option<u32> = None, None, Some(10);

    /// Whether robots.txt counts. See [`Profile::ignore_robots`].
    obedience / with_obedience: Obedience = Obedience::Obey, Obedience::Obey, Obedience::Obey;

    /// The least time between two requests to a host. Lesson: 1 second.
    min_delay / with_min_delay: Duration = SECOND, SECOND, SECOND;

    /// What a `Crawl-delay` means. The lesson: MUST be respected; Google: nothing; IBM is silent. Bing is
    /// `CrawlDelay::Window { min: 1 s, max: 30 s }`, Yandex a gap.
    crawl_delay / with_crawl_delay: CrawlDelay = CrawlDelay::Gap, CrawlDelay::Ignore, CrawlDelay::Gap;

    /// What a gap is counted from. Yandex: the end of the load; the lesson's own limiter: the start.
    gap_from / with_gap_from: GapFrom = GapFrom::Completion, GapFrom::Completion, GapFrom::Completion;

    /// A `Crawl-delay` above it is long. Lesson: 300 s and more are there to deter; Heritrix and crawler-commons have
    /// the same bound. 86,400 s are never exceeded, whatever the file says.
    max_crawl_delay / with_max_crawl_delay: Duration =
        Duration::from_secs(300), Duration::from_secs(300), Duration::from_secs(300);

    /// What happens to a longer gap. Lesson: respect it.
    over_max_crawl_delay / with_over_max_crawl_delay: OverMax = OverMax::Honour, OverMax::Honour, OverMax::Honour;

    /// The gap is at least so many times the last latency. Off; Heritrix: 5, Mercator: 10.
    latency_factor / with_latency_factor: u32 = 0, 0, 0;

    /// Requests to a host at the same time; 0 counts as 1. Mercator: one.
    max_in_flight / with_max_in_flight: u8 = 1, 1, 1;

    /// How the pace follows the answers. Lesson; Google lowers the rate of a host after many 500, 503 and 429, without
    /// figures.
    backoff / with_backoff: Backoff = Backoff::Levels, Backoff::Levels, Backoff::Levels;

    /// The delay of level 0, which each level doubles. Lesson: 1 second.
    backoff_base / with_backoff_base: Duration = SECOND, SECOND, SECOND;

    /// The highest level. Lesson: 8, which is 256 seconds.
    max_level / with_max_level: u8 = 8, 8, 8;

    /// Levels that a 429 adds. Lesson: 3.
    too_many_requests_levels / with_too_many_requests_levels: u8 = 3, 3, 3;

    /// Levels that a 503 adds. Lesson: 2.
    service_unavailable_levels / with_service_unavailable_levels: u8 = 2, 2, 2;

    /// Levels that another error of the server or the network adds, from the [`Profile::error_streak`]th in a row on.
    /// Lesson: 1.
    server_error_levels / with_server_error_levels: u8 = 1, 1, 1;

    /// Errors in a row that count as one. Lesson: 5.
    error_streak / with_error_streak: u8 = 5, 5, 5;

    /// A 2xx takes a level off if fewer than so many percent of the last 20 answers are errors. Lesson: 10; its code
    /// counts a 404 too, which is no sign of stress, and ours does not.
    healthy_error_percent / with_healthy_error_percent: u8 = 10, 10, 10;

    /// What slow answers do. Lesson: accumulate; ours is its repair.
    latency / with_latency: Latency = Latency::Level, Latency::Level, Latency::Level;

    /// The mean latency of the last 20 answers above which a host is slow. Lesson: 2 seconds.
    slow_latency / with_slow_latency: Duration = Duration::from_secs(2), Duration::from_secs(2), Duration::from_secs(2);

    /// Refused and reset connections in a row that count as a block of the address; 0: never. Lesson: pause all
    /// crawling to that address; the number is ours.
    refusals / with_refusals: u8 = 3, 3, 3;

    /// Levels that such a block adds, to the host and to its [`IpGroup`](crate::IpGroup), which rests for the
    /// delay of its level. Ours, the same as for a 429.
    refused_levels / with_refused_levels: u8 = 3, 3, 3;

    /// How long a host rests after a challenge to prove that one is human. Lesson: stop crawling it temporarily and
    /// never solve it; the number is ours.
    challenge_block / with_challenge_block: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// Levels that a soft block (false content for robots) adds. Lesson: reduce the rate significantly; ours.
    soft_block_levels / with_soft_block_levels: u8 = 3, 3, 3;

    /// Starts that the hosts of one [`IpGroup`](crate::IpGroup) share in any [`Profile::group_window`]; 0: no
    /// limit. Lesson: 10.
    group_starts / with_group_starts: u8 = 10, 10, 10;

    /// The time that [`Profile::group_starts`] speaks of, 1 day at most. Lesson: 60 seconds, in fixed windows, which
    /// let 20 requests through around a border; here any 60 seconds count.
    group_window / with_group_window: Duration = Duration::from_secs(60), Duration::from_secs(60), Duration::from_secs(60);

    /// What else the hosts of one address share. Ours: nothing.
    group_pace / with_group_pace: GroupPace = GroupPace::Own, GroupPace::Own, GroupPace::Own;
}

impl Profile {
    /// Leaves robots.txt out: it is not fetched, everything is allowed, and the pace is kept. For sites whose owner
    /// has agreed (IBM: "unless you configure … to ignore").
    #[must_use]
    pub const fn ignore_robots(self) -> Profile {
        self.with_obedience(Obedience::Ignore)
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::rfc9309()
    }
}

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);
const HOURS_12: Duration = Duration::from_secs(12 * 3600);
const HOURS_24: Duration = Duration::from_secs(24 * 3600);
const DAYS_30: Duration = Duration::from_secs(30 * 86_400);

//! The choices that access is made of: what an answer, a failure and an age mean.

use core::time::Duration;

use polite_robots::Dialect;

settings! {
    /// The half of a [`Profile`](crate::Profile) that decides about robots.txt: what an answer, a
    /// failure and an age mean.
    ///
    /// Each field says where the answers of the presets come from and what they are, in the order
    /// `rfc9309`, `google`, `ibm`. "RFC" is RFC 9309, "Google" its [page on
    /// robots.txt](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt),
    /// "IBM" the documentation of its Web crawler; "ours" is a choice that no source gives.
    ///
    /// ```
    /// use polite_robots_policy::Profile;
    /// use polite_robots_policy::settings::AccessPolicy;
    ///
    /// let mut profile = Profile::rfc9309();
    /// profile.access.forbidden = AccessPolicy::Disallow;
    /// assert_eq!(profile.access.max_bytes, 512_000);
    /// ```
    AccessSettings;

    /// The dialect in which the rules are read. RFC; Google's matcher; RFC (IBM is silent).
    dialect: Dialect = Dialect::Rfc9309, Dialect::Google, Dialect::Rfc9309;

    /// Bytes of robots.txt to ask for and to read. RFC §2.5: at least 500 KiB; Google: 500 KiB; IBM
    /// is silent.
    max_bytes: usize = 512_000, 512_000, 512_000;

    /// The treatment of a longer file. Google ignores the rest, RFC §2.5 permits it; IBM
    /// disqualifies truncated content.
    over_limit: OverLimitPolicy = OverLimitPolicy::ReadStart, OverLimitPolicy::ReadStart, OverLimitPolicy::Outage;

    /// The treatment of a file that has a line without a record. RFC §2.3.1.5: MUST follow the
    /// parseable rules; Google alike; IBM: content that parsed with errors is qualified with no
    /// rules.
    parse_errors: ParseErrorPolicy = ParseErrorPolicy::KeepRules, ParseErrorPolicy::KeepRules, ParseErrorPolicy::AllowAll;

    /// The treatment of a body that is not text in UTF-8, though no coding is announced. RFC §2.2:
    /// a file is in UTF-8, and the reading of others is ours: a polite crawler sees that the owner
    /// has a file; Google ignores what is outside of UTF-8, so no rule is left; IBM is silent, and
    /// reads as Google here, after which the content has errors.
    foreign_text: ForeignTextPolicy = ForeignTextPolicy::Recognize, ForeignTextPolicy::ReadAsUtf8, ForeignTextPolicy::ReadAsUtf8;

    /// Conditional requests. RFC §2.4 permits HTTP caching; Google sends none for robots.txt; IBM
    /// takes no 304.
    conditional: ConditionalRequests = ConditionalRequests::Send, ConditionalRequests::Omit, ConditionalRequests::Omit;

    /// The requests of one round. RFC and Google are silent; IBM: every address, 2 seconds, every
    /// address once more.
    attempts: AttemptPlan = AttemptPlan::Once, AttemptPlan::Once, AttemptPlan::EveryAddress { rounds: 2, pause: Duration::from_secs(2) };

    /// The meaning of 3xx. RFC §2.3.1.2: SHOULD follow; Google follows; IBM: "any other status"
    /// disqualifies.
    redirects: RedirectPolicy = RedirectPolicy::Follow, RedirectPolicy::Follow, RedirectPolicy::Outage;

    /// The most redirects in a row that are followed. RFC §2.3.1.2: at least five; Google: at least
    /// five.
    max_redirects: u8 = 5, 5, 5;

    /// The meaning of more of them, or of a loop. RFC §2.3.1.2: MAY assume unavailable; Google: a
    /// 404; IBM: disqualified.
    too_many_redirects: AccessPolicy = AccessPolicy::Allow, AccessPolicy::Allow, AccessPolicy::Outage;

    /// The meaning of 401 and 403. RFC §2.3.1.3: MAY access; Google: no restriction; IBM:
    /// disqualified. The draft of 1996 (draft-koster-robots-00 §3.1) and Common Crawl take them for
    /// a ban: [`AccessPolicy::Disallow`].
    forbidden: AccessPolicy = AccessPolicy::Allow, AccessPolicy::Allow, AccessPolicy::Outage;

    /// 429. The meaning of 429. RFC §2.3.1.3 MAY access as after any 4xx, which would answer "too
    ///      fast" with more; Google: an error of the server; IBM: disqualified.
    too_many_requests: AccessPolicy = AccessPolicy::Outage, AccessPolicy::Outage, AccessPolicy::Outage;

    /// The meaning of other 4xx but 400, 404 and 410, which always mean that there is no file. RFC
    /// §2.3.1.3; Google; IBM: disqualified.
    other_client_errors: AccessPolicy = AccessPolicy::Allow, AccessPolicy::Allow, AccessPolicy::Outage;

    /// How long an answer is kept if its server does not say. RFC §2.4: SHOULD NOT use it for more
    /// than 24 hours; Google: up to 24 hours; IBM's check interval, whose number is ours.
    default_ttl: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// Whether the server may set that time. RFC §2.4: MAY; Google: may raise or lower; IBM: a
    /// fixed interval.
    http_freshness: FreshnessPolicy = FreshnessPolicy::Obey, FreshnessPolicy::Obey, FreshnessPolicy::Ignore;

    /// The least time that an answer is kept, also with `no-store`: robots.txt is not asked for at
    /// each page. Ours.
    min_ttl: Duration = Duration::from_secs(300), Duration::from_secs(300), Duration::from_secs(300);

    /// The longest time that an answer is kept. RFC §2.4: 24 hours; Google: `max-age` may raise,
    /// the bound of 7 days is ours; IBM as RFC.
    max_ttl: Duration = HOURS_24, Duration::from_secs(7 * 86_400), HOURS_24;

    /// The part of that time, in percent, after which the next fetch is due, so that one failure
    /// does not stop a crawl. Ours; IBM: when the interval elapses.
    refresh_percent: u8 = 80, 80, 100;

    /// The first part of an outage, in which nothing may be fetched and retries are frequent. RFC
    /// §2.3.1.4: MUST assume complete disallow; Google: 12 hours.
    outage_stop: Duration = HOURS_12, HOURS_12, HOURS_12;

    /// The use of the last copy after [`AccessSettings::outage_stop`]. RFC §2.3.1.4: disallow;
    /// Google: used; IBM: disqualified.
    stale_copy: StaleCopyPolicy = StaleCopyPolicy::Disallow, StaleCopyPolicy::Use, StaleCopyPolicy::Disallow;

    /// The access without a copy after [`AccessSettings::outage_stop`]. RFC §2.3.1.4: disallow;
    /// Google: no restrictions; IBM: disqualified.
    no_copy: NoCopyPolicy = NoCopyPolicy::Disallow, NoCopyPolicy::Allow, NoCopyPolicy::Disallow;

    /// The failed rounds in a row from which on an outage has an age: one failure is no evidence of
    /// half a day. Ours.
    outage_rounds: u32 = 3, 3, 3;

    /// The longest time without a round within an outage. After a longer one nobody knows how long
    /// the site was unreachable, so the outage counts from the later round. Ours.
    outage_gap: Duration = DAYS_2, DAYS_2, DAYS_2;

    /// The age at which an outage is long. RFC §2.3.1.4: 30 days for example; Google: 30 days after
    /// the first 12 hours; IBM: never.
    long_outage: Duration = DAYS_30, DAYS_30.saturating_add(HOURS_12), Duration::MAX;

    /// The access after a long outage. RFC §2.3.1.4: MAY assume unavailable or use a cached copy;
    /// Google: allowed if the site answers; IBM: disqualified.
    after_long_outage: LongOutagePolicy = LongOutagePolicy::CopyOrAllow, LongOutagePolicy::AllowIfSiteAvailable, LongOutagePolicy::Disallow;

    /// How long [`Cache::set_site`](crate::Cache::set_site) counts. Ours.
    site_ttl: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// The time to the first retry in an outage that began with a failure which is often over soon:
    /// no response, half of one, a 500, 502, 503 or 504, and no `Retry-After`. Up to a half of it
    /// more, by a hash of the host. It comes once in an outage, and zero is never. Ours; IBM has a
    /// plan of its own.
    retry_early: Duration = Duration::from_secs(2), Duration::from_secs(2), Duration::ZERO;

    /// The time to the next retry in an outage; it doubles each time. Ours; IBM's retry interval,
    /// whose number is ours.
    retry_first: Duration = Duration::from_secs(300), Duration::from_secs(300), HOUR;

    /// The time to the next retry after a 503. Google: "fairly frequent retrying"; the number is
    /// ours.
    retry_first_503: Duration = Duration::from_secs(60), Duration::from_secs(60), HOUR;

    /// The longest time between retries in [`AccessSettings::outage_stop`]. Ours.
    retry_max: Duration = HOUR, HOUR, HOUR;

    /// The time between later retries. Ours.
    retry_late: Duration = Duration::from_secs(6 * 3600), Duration::from_secs(6 * 3600), HOUR;

    /// The time to the next try after a round that failed by the crawler's own fault. Ours.
    retry_local: Duration = Duration::from_secs(10), Duration::from_secs(10), Duration::from_secs(10);

    /// How long a [`Ticket`](crate::cache::Ticket) is waited for. The task that has it may hang, so
    /// the next poll after that hands out another one. Ours.
    ticket_lease: Duration = Duration::from_secs(600), Duration::from_secs(600), Duration::from_secs(600);

    /// The most by which retries come later, in percent: a hash of host and attempt, so that hosts
    /// that failed together do not return together. Ours: off.
    jitter_percent: u8 = 0, 0, 0;

    /// The longest `Retry-After` of an answer about robots.txt that is obeyed. 24 hours:
    /// StormCrawler.
    max_retry_after: Duration = HOURS_24, HOURS_24, HOURS_24;

    /// Failed rounds in a row after which a site is given up for good. RFC and Google: never; IBM
    /// has a maximum, its number is ours.
    max_failures: Option<u32> = None, None, Some(10);

    /// Whether robots.txt counts. See [`Profile::ignore_robots`](crate::Profile::ignore_robots).
    obedience: Obedience = Obedience::Obey, Obedience::Obey, Obedience::Obey;
}

const HOUR: Duration = Duration::from_secs(3600);
const HOURS_12: Duration = Duration::from_secs(12 * 3600);
const HOURS_24: Duration = Duration::from_secs(24 * 3600);
const DAYS_2: Duration = Duration::from_secs(2 * 86_400);
const DAYS_30: Duration = Duration::from_secs(30 * 86_400);

/// The meaning of a kind of answer to the request for robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AccessPolicy {
    /// There is no robots.txt: everything may be fetched ("unavailable", RFC 9309 §2.3.1.3).
    Allow,
    /// The site wants no crawler: nothing may be fetched, until a later fetch says otherwise.
    Disallow,
    /// No answer to the question: an outage begins or goes on ("unreachable", RFC 9309 §2.3.1.4).
    Outage,
}

/// The treatment of a robots.txt that is longer than [`AccessSettings::max_bytes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OverLimitPolicy {
    /// Its first whole lines count.
    ReadStart,
    /// It counts as not read: an outage.
    Outage,
}

/// The treatment of a robots.txt with [unread lines](polite_robots::RobotsTxt::unread_lines), such
/// as `keep out please` or a page of HTML. A line that can be read is none, however odd its value:
/// advice about a file never opens or closes a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ParseErrorPolicy {
    /// The other lines count (RFC 9309 §2.3.1.5).
    KeepRules,
    /// The site counts as one without rules.
    AllowAll,
}

/// The treatment of a body that is not text in UTF-8: in UTF-16 or UTF-32, an archive, or in a
/// coding that nobody has announced. The text of any other is read, whatever characters it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ForeignTextPolicy {
    /// UTF-16 with its mark is read. Anything else is
    /// [`Cause::Encoded`](polite_robots::Cause::Encoded).
    Recognize,
    /// The bytes are read as they are, so that they hold no rule.
    ReadAsUtf8,
}

/// Whether to ask for a robots.txt only if it has changed (RFC 9110 §13.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ConditionalRequests {
    /// `If-None-Match` and `If-Modified-Since`, when the last answer had something to compare with.
    Send,
    /// Always ask for the whole file; a 304 is then no answer.
    Omit,
}

/// How often one round asks for a robots.txt.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Profile;
/// use polite_robots_policy::settings::AttemptPlan;
///
/// // Every address once, and no second round.
/// let attempts = AttemptPlan::EveryAddress { rounds: 1, pause: Duration::ZERO };
/// let mut profile = Profile::rfc9309();
/// profile.access.attempts = attempts;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AttemptPlan {
    /// Once; the client resolves the host as it likes.
    Once,
    /// Every address of the host, until one answers with a status below 500. All of that `rounds`
    /// times.
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
pub enum RedirectPolicy {
    /// Up to [`AccessSettings::max_redirects`].
    Follow,
    /// A redirect is no answer: an outage.
    Outage,
}

/// Whether the server has a say in how long its robots.txt is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FreshnessPolicy {
    /// `Cache-Control`, `Expires` and `Age` count, within the profile's bounds.
    Obey,
    /// Always [`AccessSettings::default_ttl`].
    Ignore,
}

/// Whether the last good copy counts in the middle of an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StaleCopyPolicy {
    /// Its rules apply.
    Use,
    /// Nothing may be fetched.
    Disallow,
}

/// Access in the middle of an outage if there is no copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoCopyPolicy {
    /// Everything may be fetched.
    Allow,
    /// Nothing may be fetched.
    Disallow,
}

/// Access after a long outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LongOutagePolicy {
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
    /// robots.txt counts.
    Obey,
    /// It is not fetched and everything may be; the pace is kept. For sites whose owner has agreed.
    Ignore,
}

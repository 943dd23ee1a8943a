use core::fmt;
use core::time::Duration;

use polite_robots::{Cause, Reason, RobotsTxt};

use crate::access::explain::{Access, Explanation, NextFetch};
use crate::access::freshness::Freshness;
use crate::access::outcome::{Outcome, Validators};
use crate::jitter::later;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::settings::access::{HttpFreshness, LongOutage, NoCopy, Obedience, StaleCopy};
use crate::time::{Clock, Timestamp, latest_believed};

/// What is remembered of one origin's robots.txt: the last answer, the outage since, and when to ask again.
///
/// It holds facts; what they mean is worked out from them, a profile and the time, so that 12 hours or 30 days need no
/// timer and a saved entry means the same elsewhere. Lost, it starts closed: nothing may be fetched before robots.txt
/// is.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::Cause;
/// use polite_robots_policy::{Entry, NextFetch, Outcome, Profile, Site, Timestamp};
///
/// let profile = Profile::google();
/// let start = Timestamp::from_millis(1_767_225_600_000);
/// let mut entry = Entry::new();
/// assert_eq!(entry.next_fetch(&profile, start), NextFetch::Now);
///
/// entry.handle(Outcome::Unreachable { cause: Cause::Status(503), retry_after: None }, &profile, start);
/// let robot = entry.robots_txt(&profile, Site::Unknown, start).robot("ExampleBot")?;
/// assert!(!robot.allowed("https://example.com/"));
/// assert_eq!(
///     entry.explain(&profile, Site::Unknown, start).to_string(),
///     "disallowed: robots.txt answered with status 503, unreachable since 2026-01-01T00:00:00Z \
///      (1 failed round in a row), until 2026-01-01T12:00:00Z if no fetch succeeds; next fetch: 2026-01-01T00:01:00Z",
/// );
///
/// // Google: no copy after 12 hours, so no restrictions.
/// let later = start.saturating_add(Duration::from_secs(12 * 3600));
/// let robot = entry.robots_txt(&profile, Site::Unknown, later).robot("ExampleBot")?;
/// assert!(robot.allowed("https://example.com/"));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// Whose jitter it is.
    key: u64,
    answer: Option<Answer>,
    validators: Validators,
    /// When the answer came or was confirmed.
    answered: Timestamp,
    fresh_until: Timestamp,
    outage: Option<Outage>,
    failures: u32,
    robots_date: Option<Timestamp>,
    next_fetch: Timestamp,
}

/// What the site said about its robots.txt, last time that it said anything.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Answer {
    File(RobotsTxt),
    Allow(Cause),
    Disallow(Cause),
}

#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Outage {
    since: Timestamp,
    cause: Cause,
}

/// Whether the rest of a site answers: what Google asks after a long outage of robots.txt alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Site {
    /// Pages come.
    Available,
    /// They do not.
    Unavailable,
    /// Nobody has tried; counts as unavailable.
    #[default]
    Unknown,
}

impl Entry {
    /// Knows nothing yet.
    #[must_use]
    pub fn new() -> Entry {
        Entry::default()
    }

    /// The same, with the jitter of this origin; see [`Profile::jitter_percent`].
    #[must_use]
    pub fn for_origin(origin: &Origin) -> Entry {
        Entry {
            key: origin.partition_key(),
            ..Entry::default()
        }
    }

    /// Takes what a round gave. `robots_txt` of [`Outcome::Parsed`] should have been read in the profile's dialect.
    pub fn handle(&mut self, outcome: Outcome, profile: &Profile, now: Timestamp) {
        if self.is_from_the_future(now) {
            self.fresh_until = Timestamp::EPOCH;
        }
        if let Some(outage) = &mut self.outage {
            outage.since = outage.since.min(now);
        }
        self.robots_date = Some(now);
        match outcome {
            Outcome::Parsed {
                robots_txt,
                freshness,
                validators,
                end: _,
            } => {
                self.validators = validators;
                self.succeed(Some(Answer::of(robots_txt)), freshness, profile, now);
            }
            Outcome::NotModified(freshness) if matches!(self.answer, Some(Answer::File(_))) => {
                self.succeed(None, freshness, profile, now);
            }
            Outcome::NotModified(_) => self.fail(Cause::Status(304), None, profile, now),
            Outcome::Unavailable(cause) => {
                self.validators = Validators::default();
                self.succeed(
                    Some(Answer::Allow(cause)),
                    Freshness::default(),
                    profile,
                    now,
                );
            }
            Outcome::Forbidden(cause) => {
                self.validators = Validators::default();
                self.succeed(
                    Some(Answer::Disallow(cause)),
                    Freshness::default(),
                    profile,
                    now,
                );
            }
            Outcome::Unreachable { cause, retry_after } => {
                let until = retry_after
                    .map(|asked| asked.until_inside(Clock::at(now), profile.max_retry_after));
                self.fail(cause, until, profile, now);
            }
        }
    }

    fn succeed(
        &mut self,
        answer: Option<Answer>,
        freshness: Freshness,
        profile: &Profile,
        now: Timestamp,
    ) {
        let ttl = time_to_live(freshness, profile);
        let percent = u32::from(profile.refresh_percent.min(100));
        let refresh = ttl.checked_mul(percent).map_or(ttl, |part| part / 100);
        if answer.is_some() {
            self.answer = answer;
        }
        self.answered = now;
        self.fresh_until = now.saturating_add(ttl);
        self.next_fetch = now.saturating_add(refresh);
        self.outage = None;
        self.failures = 0;
    }

    fn fail(
        &mut self,
        cause: Cause,
        not_before: Option<Timestamp>,
        profile: &Profile,
        now: Timestamp,
    ) {
        let since = self.outage.map_or(now, |outage| outage.since);
        self.outage = Some(Outage { since, cause });
        let wait = if now.saturating_since(since) < profile.outage_stop {
            let first = match cause {
                Cause::Status(503) => profile.retry_first_503,
                _ => profile.retry_first,
            };
            // Doubled 31 times, a second is 68 years.
            first
                .saturating_mul(1 << self.failures.min(31))
                .min(profile.retry_max)
        } else {
            profile.retry_late
        };
        self.failures = self.failures.saturating_add(1);
        let wait = later(wait, profile.jitter_percent, self.key, self.failures);
        self.next_fetch = now.saturating_add(wait).max(not_before.unwrap_or_default());
    }

    /// What applies now: the rules of the file, or a blanket value with its cause. Depends on nothing but the entry and
    /// the arguments.
    #[must_use]
    pub fn robots_txt(&self, profile: &Profile, site: Site, now: Timestamp) -> RobotsTxt {
        self.access(profile, site, now).robots_txt()
    }

    pub(crate) fn access(&self, profile: &Profile, site: Site, now: Timestamp) -> Access<'_> {
        if profile.obedience == Obedience::Ignore {
            return Access::Allow(Cause::Configured);
        }
        let answer = self.last_answer();
        let is_fresh = now < self.fresh_until && !self.is_from_the_future(now);
        let Some(outage) = &self.outage else {
            // An answer that is too old without anybody having asked again is none.
            return answer
                .filter(|_| is_fresh)
                .unwrap_or(Access::Disallow(Cause::NotFetched));
        };
        if self.has_given_up(profile) {
            return Access::Disallow(Cause::GaveUp);
        }
        if let Some(answer) = answer.filter(|_| is_fresh) {
            return answer;
        }
        // "There was no file" is no copy of a file.
        let copy = answer.filter(|answer| !matches!(answer, Access::Allow(_)));
        let age = now.saturating_since(outage.since);
        let closed = Access::Disallow(outage.cause);
        if age < profile.outage_stop {
            return closed;
        }
        if age < profile.long_outage {
            return match (copy, profile.stale_copy, profile.no_copy) {
                (Some(copy), StaleCopy::Use, _) => copy,
                (None, _, NoCopy::Allow) => Access::Allow(Cause::NoCopy),
                (Some(_), StaleCopy::Disallow, _) | (None, _, NoCopy::Disallow) => closed,
            };
        }
        match (profile.after_long_outage, site) {
            (LongOutage::CopyOrAllow, _) => copy.unwrap_or(Access::Allow(Cause::GaveUp)),
            (LongOutage::AllowIfSiteAvailable, Site::Available) => Access::Allow(Cause::GaveUp),
            (LongOutage::AllowIfSiteAvailable, Site::Unavailable | Site::Unknown)
            | (LongOutage::Disallow, _) => closed,
        }
    }

    /// What the site said last, be its lifetime over or not.
    pub(crate) fn last_answer(&self) -> Option<Access<'_>> {
        self.answer.as_ref().map(Answer::access)
    }

    /// Until when that may count for a page which has waited for it since; not once a later round failed.
    pub(crate) fn held_until(&self, profile: &Profile, now: Timestamp) -> Option<Timestamp> {
        let is_sound = self.outage.is_none() && !self.is_from_the_future(now);
        let most = profile.default_ttl.min(profile.max_ttl);
        let until = self.answered.saturating_add(most);
        (is_sound && self.answer.is_some()).then_some(until)
    }

    /// Whether what was noted last cannot have happened yet: the clock was ahead then and has gone back since. How old
    /// the answer is, nobody knows. An outage that began later than now counts as a new one, and that keeps it closed.
    fn is_from_the_future(&self, now: Timestamp) -> bool {
        let date = self.robots_date;
        date.is_some_and(|date| date > latest_believed(now))
    }

    fn has_given_up(&self, profile: &Profile) -> bool {
        profile
            .max_failures
            .is_some_and(|most| self.failures >= most.max(1))
    }

    /// When to begin the next round.
    #[must_use]
    pub fn next_fetch(&self, profile: &Profile, now: Timestamp) -> NextFetch {
        let is_due = self.robots_date.is_none() || now >= self.next_fetch;
        if profile.obedience == Obedience::Ignore || self.has_given_up(profile) {
            NextFetch::Never
        } else if is_due || self.is_from_the_future(now) {
            NextFetch::Now
        } else {
            NextFetch::At(self.next_fetch)
        }
    }

    /// Failed rounds in a row (IBM's robots failure count).
    #[must_use]
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// When the last round ended, well or not (IBM's robots date).
    #[must_use]
    pub fn robots_date(&self) -> Option<Timestamp> {
        self.robots_date
    }

    /// Until when the last answer counts, whatever later rounds give.
    #[must_use]
    pub fn fresh_until(&self) -> Option<Timestamp> {
        self.answer.as_ref().map(|_| self.fresh_until)
    }

    /// What a conditional request of the next round compares with.
    #[must_use]
    pub fn validators(&self) -> &Validators {
        &self.validators
    }

    /// The size of the file at hand.
    pub(crate) fn octets(&self) -> usize {
        match &self.answer {
            Some(Answer::File(file)) => file.as_bytes().len(),
            Some(Answer::Allow(_) | Answer::Disallow(_)) | None => 0,
        }
    }

    /// Forgets the failures, so that a site that was given up is asked again at once. The last answer stays as it is.
    pub fn reset(&mut self) {
        self.failures = 0;
        self.next_fetch = Timestamp::EPOCH;
    }

    /// Why [`Entry::robots_txt`] is what it is: since when, until when, and when the next fetch is.
    pub fn explain(&self, profile: &Profile, site: Site, now: Timestamp) -> impl fmt::Display {
        let access = self.access(profile, site, now);
        let outage_since = self.outage.as_ref().map(|outage| outage.since);
        let changes = outage_since.map_or([self.fresh_until; 3], |since| {
            let stop = since.saturating_add(profile.outage_stop);
            let long = since.saturating_add(profile.long_outage);
            [self.fresh_until, stop, long]
        });
        let is_change = |moment: &Timestamp| {
            *moment > now
                && *moment < Timestamp::MAX
                && !access.is_same(self.access(profile, site, *moment))
        };
        // What expired or is ignored is not what applies since it came.
        let is_answer = self
            .last_answer()
            .is_some_and(|answer| access.is_same(answer));
        Explanation {
            access,
            answered: is_answer.then_some(self.answered),
            expired: self.fresh_until().filter(|until| *until <= now),
            outage_since,
            failures: self.failures,
            until: changes.into_iter().filter(is_change).min(),
            next: self.next_fetch(profile, now),
        }
    }
}

impl Answer {
    fn of(robots_txt: RobotsTxt) -> Answer {
        match blanket(&robots_txt) {
            Some(Access::Allow(cause)) => Answer::Allow(cause),
            Some(Access::Disallow(cause)) => Answer::Disallow(cause),
            Some(Access::File(_)) | None => Answer::File(robots_txt),
        }
    }

    fn access(&self) -> Access<'_> {
        match self {
            Answer::File(file) => Access::File(file),
            Answer::Allow(cause) => Access::Allow(*cause),
            Answer::Disallow(cause) => Access::Disallow(*cause),
        }
    }
}

/// A value that was not read from a file: saved as its empty octets, "no access" would come back as "no rules".
fn blanket(robots_txt: &RobotsTxt) -> Option<Access<'_>> {
    if !robots_txt.as_bytes().is_empty() {
        return None;
    }
    let robot = robots_txt.robot("*").ok()?;
    let verdict = robot.check("/");
    match verdict.reason() {
        Reason::Blanket(cause) if verdict.is_allowed() => Some(Access::Allow(cause)),
        Reason::Blanket(cause) => Some(Access::Disallow(cause)),
        _ => None,
    }
}

fn time_to_live(freshness: Freshness, profile: &Profile) -> Duration {
    match (profile.http_freshness, freshness.lifetime()) {
        (HttpFreshness::Ignore, _) => profile.default_ttl,
        (HttpFreshness::Obey, lifetime) => lifetime
            .unwrap_or(profile.default_ttl)
            .max(profile.min_ttl)
            .min(profile.max_ttl),
    }
}

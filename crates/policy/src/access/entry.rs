//! The memory of one origin's robots.txt, and what applies by it at a given time.

use core::fmt;
use core::time::Duration;

use polite_robots::{Access, Cause, RobotsTxt};

use crate::access::explain::{Explanation, NextFetch};
use crate::access::freshness::Freshness;
use crate::access::outcome::{Outcome, Validators};
use crate::jitter::later;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::settings::access::{
    AccessSettings, FreshnessPolicy, LongOutagePolicy, NoCopyPolicy, Obedience, StaleCopyPolicy,
};
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
    /// The last answer of the site: its file, or a blanket value if there was none.
    answer: Option<RobotsTxt>,
    validators: Validators,
    /// When the answer came or was confirmed.
    answered: Timestamp,
    fresh_until: Timestamp,
    outage: Option<Outage>,
    failures: u32,
    robots_date: Option<Timestamp>,
    next_fetch: Timestamp,
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

    /// The same, with the jitter of this origin; see [`AccessSettings::jitter_percent`](crate::AccessSettings::jitter_percent).
    #[must_use]
    pub fn for_origin(origin: &Origin) -> Entry {
        Entry {
            key: origin.partition_key(),
            ..Entry::default()
        }
    }

    /// Takes what a round gave. `robots_txt` of [`Outcome::Parsed`] should have been read in the profile's dialect.
    pub fn handle(&mut self, outcome: Outcome, profile: &Profile, now: Timestamp) {
        self.take(outcome, &profile.access, now);
    }

    pub(crate) fn take(&mut self, outcome: Outcome, settings: &AccessSettings, now: Timestamp) {
        if self.is_from_the_future(now) {
            self.fresh_until = Timestamp::EPOCH;
        }
        if let Some(outage) = &mut self.outage {
            outage.since = outage.since.min(now);
        }
        self.robots_date = Some(now);
        match outcome {
            Outcome::Local => self.next_fetch = now.saturating_add(settings.retry_local),
            Outcome::Parsed {
                robots_txt,
                freshness,
                validators,
                end: _,
            } => {
                self.validators = validators;
                self.succeed(Some(robots_txt), freshness, settings, now);
            }
            Outcome::NotModified(freshness) if self.has_file() => {
                self.succeed(None, freshness, settings, now);
            }
            Outcome::NotModified(_) => self.fail(Cause::Status(304), None, settings, now),
            Outcome::Unavailable(cause) => {
                self.validators = Validators::default();
                self.succeed(
                    Some(RobotsTxt::allow_all(cause)),
                    Freshness::default(),
                    settings,
                    now,
                );
            }
            Outcome::Forbidden(cause) => {
                self.validators = Validators::default();
                self.succeed(
                    Some(RobotsTxt::disallow_all(cause)),
                    Freshness::default(),
                    settings,
                    now,
                );
            }
            Outcome::Unreachable { cause, retry_after } => {
                let until = retry_after
                    .map(|asked| asked.until_inside(Clock::at(now), settings.max_retry_after));
                self.fail(cause, until, settings, now);
            }
        }
    }

    fn succeed(
        &mut self,
        answer: Option<RobotsTxt>,
        freshness: Freshness,
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        let ttl = time_to_live(freshness, settings);
        let percent = u32::from(settings.refresh_percent.min(100));
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
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        let since = self.outage.map_or(now, |outage| outage.since);
        self.outage = Some(Outage { since, cause });
        let wait = if now.saturating_since(since) < settings.outage_stop {
            let first = match cause {
                Cause::Status(503) => settings.retry_first_503,
                _ => settings.retry_first,
            };
            // Doubled 31 times, a second is 68 years.
            first
                .saturating_mul(1 << self.failures.min(31))
                .min(settings.retry_max)
        } else {
            settings.retry_late
        };
        self.failures = self.failures.saturating_add(1);
        let wait = later(wait, settings.jitter_percent, self.key, self.failures);
        self.next_fetch = now.saturating_add(wait).max(not_before.unwrap_or_default());
    }

    /// What applies now: the rules of the file, or a blanket value with its cause. Depends on nothing but the entry and
    /// the arguments.
    #[must_use]
    pub fn robots_txt(&self, profile: &Profile, site: Site, now: Timestamp) -> RobotsTxt {
        self.in_force(&profile.access, site, now)
    }

    pub(crate) fn in_force(
        &self,
        settings: &AccessSettings,
        site: Site,
        now: Timestamp,
    ) -> RobotsTxt {
        if settings.obedience == Obedience::Ignore {
            return RobotsTxt::allow_all(Cause::Configured);
        }
        let answer = self.last_answer();
        let is_fresh = now < self.fresh_until && !self.is_from_the_future(now);
        let fresh = answer.filter(|_| is_fresh);
        let Some(outage) = &self.outage else {
            // An expired answer that was not refreshed does not count.
            return fresh
                .cloned()
                .unwrap_or_else(|| RobotsTxt::disallow_all(Cause::NotFetched));
        };
        if self.has_given_up(settings) {
            return RobotsTxt::disallow_all(Cause::GaveUp);
        }
        if let Some(answer) = fresh {
            return answer.clone();
        }
        // "There was no file" is no copy of a file.
        let copy = answer.filter(|answer| !is_open(answer));
        let age = now.saturating_since(outage.since);
        let closed = || RobotsTxt::disallow_all(outage.cause);
        if age < settings.outage_stop {
            return closed();
        }
        if age < settings.long_outage {
            return match (copy, settings.stale_copy, settings.no_copy) {
                (Some(copy), StaleCopyPolicy::Use, _) => copy.clone(),
                (None, _, NoCopyPolicy::Allow) => RobotsTxt::allow_all(Cause::NoCopy),
                (Some(_), StaleCopyPolicy::Disallow, _) | (None, _, NoCopyPolicy::Disallow) => {
                    closed()
                }
            };
        }
        let open = || RobotsTxt::allow_all(Cause::GaveUp);
        match (settings.after_long_outage, site) {
            (LongOutagePolicy::CopyOrAllow, _) => copy.cloned().unwrap_or_else(open),
            (LongOutagePolicy::AllowIfSiteAvailable, Site::Available) => open(),
            (LongOutagePolicy::AllowIfSiteAvailable, Site::Unavailable | Site::Unknown)
            | (LongOutagePolicy::Disallow, _) => closed(),
        }
    }

    /// The last answer of the site, expired or not.
    pub(crate) fn last_answer(&self) -> Option<&RobotsTxt> {
        self.answer.as_ref()
    }

    fn has_file(&self) -> bool {
        self.last_answer()
            .is_some_and(|answer| answer.blanket().is_none())
    }

    /// Until when that may count for a page which has waited for it since; not once a later round failed.
    pub(crate) fn held_until(
        &self,
        settings: &AccessSettings,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let is_sound = self.outage.is_none() && !self.is_from_the_future(now);
        let most = settings.default_ttl.min(settings.max_ttl);
        let until = self.answered.saturating_add(most);
        (is_sound && self.answer.is_some()).then_some(until)
    }

    /// Whether what was noted last cannot have happened yet: the clock was ahead then and has gone back since. How old
    /// the answer is, nobody knows. An outage that began later than now counts as a new one, and that keeps it closed.
    fn is_from_the_future(&self, now: Timestamp) -> bool {
        let date = self.robots_date;
        date.is_some_and(|date| date > latest_believed(now))
    }

    fn has_given_up(&self, settings: &AccessSettings) -> bool {
        settings
            .max_failures
            .is_some_and(|most| self.failures >= most.max(1))
    }

    /// When to begin the next round.
    #[must_use]
    pub fn next_fetch(&self, profile: &Profile, now: Timestamp) -> NextFetch {
        self.next_round(&profile.access, now)
    }

    pub(crate) fn next_round(&self, settings: &AccessSettings, now: Timestamp) -> NextFetch {
        let is_due = self.robots_date.is_none() || now >= self.next_fetch;
        if settings.obedience == Obedience::Ignore || self.has_given_up(settings) {
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
    pub(crate) fn bytes(&self) -> usize {
        self.last_answer()
            .map_or(0, |answer| answer.as_bytes().len())
    }

    /// Forgets the failures, so that a site that was given up is asked again at once. The last answer stays as it is.
    pub fn reset(&mut self) {
        self.failures = 0;
        self.next_fetch = Timestamp::EPOCH;
    }

    /// Why [`Entry::robots_txt`] is what it is: since when, until when, and when the next fetch is.
    pub fn explain(&self, profile: &Profile, site: Site, now: Timestamp) -> impl fmt::Display {
        let settings = &profile.access;
        let in_force = self.in_force(settings, site, now);
        let outage_since = self.outage.as_ref().map(|outage| outage.since);
        let changes = outage_since.map_or([self.fresh_until; 3], |since| {
            let stop = since.saturating_add(settings.outage_stop);
            let long = since.saturating_add(settings.long_outage);
            [self.fresh_until, stop, long]
        });
        let is_change = |moment: &Timestamp| {
            *moment > now
                && *moment < Timestamp::MAX
                && self.in_force(settings, site, *moment) != in_force
        };
        // "Since" is shown only while the answer itself is in force.
        let is_answer = self.last_answer() == Some(&in_force);
        let until = changes.into_iter().filter(is_change).min();
        Explanation {
            in_force,
            answered: is_answer.then_some(self.answered),
            expired: self.fresh_until().filter(|until| *until <= now),
            outage_since,
            failures: self.failures,
            until,
            next: self.next_round(settings, now),
        }
    }
}

/// Whether a blanket value allows everything: there was no file.
fn is_open(robots_txt: &RobotsTxt) -> bool {
    matches!(robots_txt.blanket(), Some((Access::Allow, _)))
}

fn time_to_live(freshness: Freshness, settings: &AccessSettings) -> Duration {
    match (settings.http_freshness, freshness.lifetime()) {
        (FreshnessPolicy::Ignore, _) => settings.default_ttl,
        (FreshnessPolicy::Obey, lifetime) => lifetime
            .unwrap_or(settings.default_ttl)
            .max(settings.min_ttl)
            .min(settings.max_ttl),
    }
}

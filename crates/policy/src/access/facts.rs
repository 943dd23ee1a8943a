//! The facts about one origin's robots.txt without its content, and what each round changes about
//! them.

use alloc::boxed::Box;
use core::time::Duration;

use polite_robots::{Access, Cause, RobotsTxt};

use crate::access::explain::NextFetch;
use crate::access::freshness::Freshness;
use crate::access::outage::{Outage, Site};
use crate::access::outcome::{Outcome, Validators};
use crate::jitter::later;
use crate::settings::access::{AccessSettings, FreshnessPolicy};
use crate::time::{Clock, Timestamp, latest_believed};

/// The last answer of a site, the outage since, and when to ask again.
///
/// The content of a file is kept by the owner: [`Entry`](crate::Entry) has the document,
/// [`Cache`](crate::Cache) the compiled rules.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Facts {
    pub(super) answer: Option<Answer>,
    /// Boxed, as most answers have none.
    pub(super) validators: Option<Box<Validators>>,
    /// When the answer came or was confirmed.
    pub(super) answered: Timestamp,
    pub(super) fresh_until: Timestamp,
    /// Boxed, as most sites have none.
    pub(super) outage: Option<Box<Outage>>,
    pub(super) failures: u32,
    pub(super) robots_date: Option<Timestamp>,
    pub(super) next_fetch: Timestamp,
}

/// The last answer of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Answer {
    /// A file with records of a robots.txt.
    File,
    /// A file without any, such as a page of HTML.
    FileWithoutRecords,
    /// A file whose content was forgotten since.
    ForgottenFile,
    /// No file: one access for the whole site.
    Blanket(Access, Cause),
}

impl Facts {
    /// Takes the outcome of a round. The caller keeps the content of a file. `key` is the key of
    /// the jitter.
    pub(crate) fn take(
        &mut self,
        outcome: &Outcome,
        key: u64,
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        self.believe(now);
        self.robots_date = Some(now);
        match outcome {
            Outcome::Parsed {
                robots_txt,
                freshness,
                validators,
                end: _,
            } => {
                self.answer = Some(Answer::of_file(robots_txt));
                self.succeed(validators, *freshness, settings, now);
            }
            Outcome::NotModified(freshness) if self.has_file() => {
                let validators = self.validators().clone();
                self.succeed(&validators, *freshness, settings, now);
            }
            Outcome::NotModified(_) => self.fail(Cause::Status(304), None, key, settings, now),
            Outcome::Unavailable(cause) => {
                let freshness = Freshness::default();
                self.succeed_without_file(Access::Allow, *cause, freshness, settings, now);
            }
            Outcome::Forbidden(cause) => {
                let freshness = Freshness::default();
                self.succeed_without_file(Access::Disallow, *cause, freshness, settings, now);
            }
            Outcome::Blanket {
                access,
                cause,
                freshness,
            } => {
                self.succeed_without_file(*access, *cause, *freshness, settings, now);
            }
            Outcome::Unreachable { cause, retry_after } => {
                let until = retry_after
                    .map(|asked| asked.until_inside(Clock::at(now), settings.max_retry_after));
                self.fail(*cause, until, key, settings, now);
            }
            Outcome::Local => {
                let not_before = self.outage.as_ref().map(|outage| outage.not_before);
                let retry = now.saturating_add(settings.retry_local);
                self.next_fetch = retry.max(not_before.unwrap_or_default());
            }
        }
    }

    /// Corrects facts that were noted while the clock was ahead.
    fn believe(&mut self, now: Timestamp) {
        if self.is_from_the_future(now) {
            self.fresh_until = Timestamp::EPOCH;
        }
        if let Some(outage) = &mut self.outage {
            outage.since = outage.since.min(now);
            outage.last = outage.last.min(now);
        }
    }

    fn succeed_without_file(
        &mut self,
        access: Access,
        cause: Cause,
        freshness: Freshness,
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        self.answer = Some(Answer::Blanket(access, cause));
        self.succeed(&NO_VALIDATORS, freshness, settings, now);
    }

    fn succeed(
        &mut self,
        validators: &Validators,
        freshness: Freshness,
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        let ttl = time_to_live(freshness, settings);
        let percent = u32::from(settings.refresh_percent.min(100));
        let refresh = ttl.checked_mul(percent).map_or(ttl, |part| part / 100);
        self.validators = (!validators.is_empty()).then(|| Box::new(validators.clone()));
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
        key: u64,
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        let mut outage = Outage::after_failure(self.outage.as_deref(), cause, settings, now);
        let may_be_early = settings.retry_early > Duration::ZERO && is_often_over_soon(cause);
        let wait = if may_be_early && self.failures == 0 && not_before.is_none() {
            later(settings.retry_early, EARLY_JITTER_PERCENT, key, 0)
        } else {
            let wait = if now.saturating_since(outage.since) < settings.outage_stop {
                let first = match cause {
                    Cause::Status(503) => settings.retry_first_503,
                    _ => settings.retry_first,
                };
                let doubled = self.failures.saturating_sub(u32::from(may_be_early));
                // A second that is doubled 31 times is 68 years.
                let wait = first.saturating_mul(1 << doubled.min(31));
                wait.min(settings.retry_max)
            } else {
                settings.retry_late
            };
            later(
                wait,
                settings.jitter_percent,
                key,
                self.failures.saturating_add(1),
            )
        };
        self.failures = self.failures.saturating_add(1);
        outage.not_before = not_before.unwrap_or_default();
        outage.retry = now.saturating_add(wait).max(outage.not_before);
        self.next_fetch = outage.retry;
        self.outage = Some(Box::new(outage));
    }

    pub(crate) fn is_in_outage(&self) -> bool {
        self.outage.is_some()
    }

    /// Notes whether a page of the site came. In an outage, a page that came makes robots.txt due,
    /// because the site is back; but not within [`AccessSettings::retry_first`] of the last round,
    /// and never before the end of a `Retry-After`.
    pub(crate) fn set_site(&mut self, site: Site, settings: &AccessSettings, now: Timestamp) {
        let since_round = self
            .robots_date
            .map_or(Duration::MAX, |date| now.saturating_since(date));
        let Some(outage) = &mut self.outage else {
            return;
        };
        outage.site = site;
        outage.site_tried = now;
        if site == Site::Available && since_round >= settings.retry_first {
            self.next_fetch = self.next_fetch.min(now.max(outage.not_before));
        }
    }

    /// Forgets the failures and makes robots.txt due. The last answer stays as it is.
    pub(crate) fn reset(&mut self) {
        if let Some(outage) = &mut self.outage {
            outage.rounds = 0;
            outage.not_before = Timestamp::EPOCH;
        }
        self.failures = 0;
        self.next_fetch = Timestamp::EPOCH;
    }

    /// Whether the last answer was a file, and its content is still kept.
    pub(crate) fn has_file(&self) -> bool {
        matches!(self.answer, Some(Answer::File | Answer::FileWithoutRecords))
    }

    /// Notes that the content of the file is gone: it has to be fetched again, and whole.
    pub(crate) fn lose_file(&mut self) {
        if self.has_file() {
            self.answer = Some(Answer::ForgottenFile);
            self.validators = None;
            self.fresh_until = Timestamp::EPOCH;
            if self.outage.is_none() {
                self.next_fetch = Timestamp::EPOCH;
            }
        }
    }

    /// Whether the last round ended at a time that has not come yet: the clock was ahead then and
    /// has gone back since. The age of the answer is unknown. An outage that began later than now
    /// counts as a new one, and that keeps it closed.
    pub(super) fn is_from_the_future(&self, now: Timestamp) -> bool {
        let date = self.robots_date;
        date.is_some_and(|date| date > latest_believed(now))
    }

    pub(super) fn has_given_up(&self, settings: &AccessSettings) -> bool {
        settings
            .max_failures
            .is_some_and(|most| self.failures >= most.max(1))
    }

    /// When to begin the next round, if robots.txt counts at all.
    pub(crate) fn next_round(&self, settings: &AccessSettings, now: Timestamp) -> NextFetch {
        let is_due = self.robots_date.is_none() || now >= self.next_fetch;
        if self.has_given_up(settings) {
            NextFetch::Never
        } else if is_due || self.is_from_the_future(now) {
            NextFetch::Now
        } else {
            NextFetch::At(self.next_fetch)
        }
    }

    /// When to begin the next round of a host with this gap between its turns. A page gets the last
    /// turn before the answer expires: an early refresh would take that turn, and would leave none
    /// for a second try.
    pub(crate) fn next_round_in_turns(
        &self,
        settings: &AccessSettings,
        gap: Duration,
        now: Timestamp,
    ) -> NextFetch {
        let next = self.next_round(settings, now);
        let is_refresh = next == NextFetch::Now && self.outage.is_none() && self.answer.is_some();
        let is_last_turn = self.next_fetch.saturating_add(gap) >= self.fresh_until;
        let is_fresh = now < self.fresh_until && !self.is_from_the_future(now);
        if is_refresh && is_fresh && is_last_turn && gap > Duration::ZERO {
            NextFetch::At(self.fresh_until)
        } else {
            next
        }
    }

    pub(crate) fn failures(&self) -> u32 {
        self.failures
    }

    pub(crate) fn robots_date(&self) -> Option<Timestamp> {
        self.robots_date
    }

    pub(crate) fn fresh_until(&self) -> Option<Timestamp> {
        self.answer.map(|_| self.fresh_until)
    }

    pub(crate) fn validators(&self) -> &Validators {
        self.validators.as_deref().unwrap_or(&NO_VALIDATORS)
    }

    /// The beginning of the outage, or else the last try.
    pub(crate) fn closed_since(&self, now: Timestamp) -> Timestamp {
        let outage = self.outage.as_ref().map(|outage| outage.since);
        outage.or(self.robots_date).unwrap_or(now).min(now)
    }

    /// The bytes of memory that its pointers own.
    pub(crate) fn heap_bytes(&self) -> usize {
        let outage = self.outage.as_ref().map_or(0, |_| size_of::<Outage>());
        let validators = self.validators.as_ref().map_or(0, |validators| {
            size_of::<Validators>().saturating_add(validators.bytes())
        });
        outage.saturating_add(validators)
    }
}

impl Answer {
    /// The caller may pass a document for a whole site in place of a parsed one.
    fn of_file(robots_txt: &RobotsTxt) -> Answer {
        match robots_txt.blanket() {
            Some((access, cause)) => Answer::Blanket(access, cause),
            None if holds_no_record(robots_txt) => Answer::FileWithoutRecords,
            None => Answer::File,
        }
    }
}

/// Whether a second request soon after the failure often succeeds: the server restarted, or the
/// connection broke. A 429 asks for the contrary.
fn is_often_over_soon(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Unreachable | Cause::Truncated | Cause::Status(500 | 502..=504)
    )
}

/// Whether a file is not empty and never was a robots.txt: a page of HTML, most likely.
fn holds_no_record(robots_txt: &RobotsTxt) -> bool {
    !robots_txt.as_bytes().trim_ascii().is_empty()
        && robots_txt.groups().next().is_none()
        && robots_txt.extensions().next().is_none()
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

/// The most by which the early retry is delayed: hosts that failed together, as after a failure of
/// one network, must not return in one moment.
const EARLY_JITTER_PERCENT: u8 = 50;

static NO_VALIDATORS: Validators = Validators {
    etag: None,
    last_modified: None,
};

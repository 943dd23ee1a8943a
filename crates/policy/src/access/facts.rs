//! The facts about one origin's robots.txt without its content, and what applies by them at a given time.

use alloc::boxed::Box;
use core::time::Duration;

use polite_robots::{Access, Cause, RobotsTxt};

use crate::access::explain::{Explanation, NextFetch};
use crate::access::freshness::Freshness;
use crate::access::outage::{Outage, Site};
use crate::access::outcome::{Outcome, Validators};
use crate::jitter::later;
use crate::settings::access::{
    AccessSettings, FreshnessPolicy, LongOutagePolicy, NoCopyPolicy, StaleCopyPolicy,
};
use crate::time::{Clock, Timestamp, latest_believed};

/// The last answer of a site, the outage since, and when to ask again.
///
/// The content of a file is kept by the owner: [`Entry`](crate::Entry) has the document, [`Cache`](crate::Cache) the
/// compiled rules.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Facts {
    answer: Option<Answer>,
    /// Boxed, as most answers have none.
    validators: Option<Box<Validators>>,
    /// When the answer came or was confirmed.
    answered: Timestamp,
    fresh_until: Timestamp,
    /// Boxed, as most sites have none.
    outage: Option<Box<Outage>>,
    failures: u32,
    robots_date: Option<Timestamp>,
    next_fetch: Timestamp,
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

/// The access to an origin at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// The rules of the file at hand.
    Rules,
    /// One access for the whole site, by its own answer or because the profile permits it.
    Blanket(Access, Cause),
    /// Nothing may be fetched, although neither the site nor the operator said so.
    Closed(Cause),
}

/// The part of the facts that outlasts a forgotten origin. 48 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Remains {
    since: Timestamp,
    last: Timestamp,
    retry: Timestamp,
    site_tried: Timestamp,
    failures: u32,
    /// `None` if there was no outage.
    cause: Option<Cause>,
    rounds: u8,
    site: Site,
    copy: LostCopy,
}

/// Whether an origin that is forgotten had something that closed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LostCopy {
    /// It had a file, or an answer that disallowed everything.
    Lost,
    /// It had none.
    None,
}

impl Facts {
    /// Takes the outcome of a round. The content of a file is for the caller to keep. `key` is the one of the jitter.
    pub(crate) fn take(
        &mut self,
        outcome: &Outcome,
        key: u64,
        settings: &AccessSettings,
        now: Timestamp,
    ) {
        if self.is_from_the_future(now) {
            self.fresh_until = Timestamp::EPOCH;
        }
        if let Some(outage) = &mut self.outage {
            outage.since = outage.since.min(now);
            outage.last = outage.last.min(now);
        }
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
                self.succeed_without_file(
                    Access::Allow,
                    *cause,
                    Freshness::default(),
                    settings,
                    now,
                );
            }
            Outcome::Forbidden(cause) => {
                self.succeed_without_file(
                    Access::Disallow,
                    *cause,
                    Freshness::default(),
                    settings,
                    now,
                );
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
        let wait = if now.saturating_since(outage.since) < settings.outage_stop {
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
        let wait = later(wait, settings.jitter_percent, key, self.failures);
        outage.not_before = not_before.unwrap_or_default();
        outage.retry = now.saturating_add(wait).max(outage.not_before);
        self.next_fetch = outage.retry;
        self.outage = Some(Box::new(outage));
    }

    pub(crate) fn is_in_outage(&self) -> bool {
        self.outage.is_some()
    }

    /// Notes whether a page of the site came. One that did, in an outage, makes robots.txt due: the site is back. But
    /// not within [`AccessSettings::retry_first`] of the last round, and never before the end of a `Retry-After`.
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

    /// The access now, if robots.txt counts at all. `site` replaces the noted one unless it is unknown.
    pub(crate) fn ruling(&self, settings: &AccessSettings, site: Site, now: Timestamp) -> Ruling {
        if let Some(settled) = self.settled_ruling(settings, now) {
            return settled;
        }
        let Some(outage) = self.outage.as_deref() else {
            // An expired answer that was not refreshed does not count.
            return Ruling::Closed(Cause::NotFetched);
        };
        if self.is_retry_due(outage, now) {
            return Ruling::Closed(outage.cause);
        }
        self.ruling_at_age(outage, outage.age(settings, now), settings, site, now)
    }

    /// The access by a fresh answer, or after the last try.
    fn settled_ruling(&self, settings: &AccessSettings, now: Timestamp) -> Option<Ruling> {
        if self.outage.is_some() && self.has_given_up(settings) {
            return Some(Ruling::Closed(Cause::GaveUp));
        }
        let is_fresh = now < self.fresh_until && !self.is_from_the_future(now);
        self.last_ruling().filter(|_| is_fresh)
    }

    /// The access at some age of an outage, with no retry overdue.
    fn ruling_at_age(
        &self,
        outage: &Outage,
        age: Duration,
        settings: &AccessSettings,
        site: Site,
        now: Timestamp,
    ) -> Ruling {
        let closed = Ruling::Closed(outage.cause);
        let copy = match self.answer {
            Some(Answer::File | Answer::FileWithoutRecords) => Some(Ruling::Rules),
            Some(Answer::Blanket(Access::Disallow, cause)) => {
                Some(Ruling::Blanket(Access::Disallow, cause))
            }
            // The rules are lost, and no reason to go without them.
            Some(Answer::ForgottenFile) => Some(closed),
            // "There was no file" is no copy of a file.
            Some(Answer::Blanket(Access::Allow, _)) | None => None,
        };
        if age < settings.outage_stop {
            return closed;
        }
        if age < settings.long_outage {
            return match (copy, settings.stale_copy, settings.no_copy) {
                (Some(copy), StaleCopyPolicy::Use, _) => copy,
                (None, _, NoCopyPolicy::Allow) => Ruling::Blanket(Access::Allow, Cause::NoCopy),
                (Some(_), StaleCopyPolicy::Disallow, _) | (None, _, NoCopyPolicy::Disallow) => {
                    closed
                }
            };
        }
        let site = match site {
            Site::Unknown => outage.site(settings, now),
            known => known,
        };
        let open = Ruling::Blanket(Access::Allow, Cause::GaveUp);
        match (settings.after_long_outage, site) {
            (LongOutagePolicy::CopyOrAllow, _) => copy.unwrap_or(open),
            (LongOutagePolicy::AllowIfSiteAvailable, Site::Available) => open,
            (LongOutagePolicy::AllowIfSiteAvailable, Site::Unavailable | Site::Unknown)
            | (LongOutagePolicy::Disallow, _) => closed,
        }
    }

    /// The access by the last answer, expired or not.
    pub(crate) fn last_ruling(&self) -> Option<Ruling> {
        match self.answer? {
            Answer::File | Answer::FileWithoutRecords => Some(Ruling::Rules),
            Answer::ForgottenFile => None,
            Answer::Blanket(access, cause) => Some(Ruling::Blanket(access, cause)),
        }
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

    /// The end of the time for which the answer may count for a page that has waited for it; none once a later round
    /// failed.
    pub(crate) fn held_until(
        &self,
        settings: &AccessSettings,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let is_sound = self.outage.is_none() && !self.is_from_the_future(now);
        let most = settings.default_ttl.min(settings.max_ttl);
        let until = self.answered.saturating_add(most);
        (is_sound && self.last_ruling().is_some()).then_some(until)
    }

    /// Whether the last round ended at a time that has not come yet: the clock was ahead then and has gone back since.
    /// The age of the answer is unknown. An outage that began later than now counts as a new one, and that keeps it
    /// closed.
    fn is_from_the_future(&self, now: Timestamp) -> bool {
        let date = self.robots_date;
        date.is_some_and(|date| date > latest_believed(now))
    }

    fn has_given_up(&self, settings: &AccessSettings) -> bool {
        settings
            .max_failures
            .is_some_and(|most| self.failures >= most.max(1))
    }

    /// Whether the evidence of an outage waits for a retry. A round that failed by the crawler's own fault moves
    /// `next_fetch` and is none.
    fn is_retry_due(&self, outage: &Outage, now: Timestamp) -> bool {
        now >= self.next_fetch.min(outage.retry) || self.is_from_the_future(now)
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

    /// The bytes of memory behind the pointers.
    pub(crate) fn heap_bytes(&self) -> usize {
        let outage = self.outage.as_ref().map_or(0, |_| size_of::<Outage>());
        let validators = self.validators.as_ref().map_or(0, |validators| {
            size_of::<Validators>().saturating_add(validators.bytes())
        });
        outage.saturating_add(validators)
    }

    /// The part that must outlast the origin in memory, so that to forget it neither opens it nor forgives it; `None` if
    /// there is none.
    pub(crate) fn remains(&self) -> Option<Remains> {
        let copy = match self.answer {
            None | Some(Answer::Blanket(Access::Allow, _)) => LostCopy::None,
            Some(_) => LostCopy::Lost,
        };
        let outage = self.outage.as_deref();
        if outage.is_none() && copy == LostCopy::None {
            return None;
        }
        Some(Remains {
            since: outage.map_or(Timestamp::EPOCH, |outage| outage.since),
            last: outage.map_or(Timestamp::EPOCH, |outage| outage.last),
            retry: outage.map_or(Timestamp::EPOCH, |outage| outage.retry),
            site_tried: outage.map_or(Timestamp::EPOCH, |outage| outage.site_tried),
            failures: self.failures,
            cause: outage.map(|outage| outage.cause),
            rounds: outage.map_or(0, |outage| u8::try_from(outage.rounds).unwrap_or(u8::MAX)),
            site: outage.map_or(Site::Unknown, |outage| outage.site),
            copy,
        })
    }

    /// The facts of an origin that comes back.
    pub(crate) fn revived(remains: &Remains) -> Facts {
        let outage = remains.cause.map(|cause| {
            Box::new(Outage {
                since: remains.since,
                last: remains.last,
                rounds: u32::from(remains.rounds),
                cause,
                retry: remains.retry,
                // Which part of the wait the server asked for is not kept.
                not_before: remains.retry,
                site: remains.site,
                site_tried: remains.site_tried,
            })
        });
        Facts {
            answer: (remains.copy == LostCopy::Lost).then_some(Answer::ForgottenFile),
            robots_date: outage.as_ref().map(|outage| outage.last),
            next_fetch: remains.retry,
            failures: remains.failures,
            outage,
            ..Facts::default()
        }
    }

    /// The facts behind the ruling.
    pub(crate) fn explanation(
        &self,
        settings: &AccessSettings,
        site: Site,
        now: Timestamp,
    ) -> Explanation {
        let ruling = self.ruling(settings, site, now);
        let outage = self.outage.as_deref();
        let changes = outage.map_or([self.fresh_until; 3], |outage| {
            let stop = outage.since.saturating_add(settings.outage_stop);
            let long = outage.since.saturating_add(settings.long_outage);
            [self.fresh_until, stop, long]
        });
        let is_change = |moment: &Timestamp| {
            *moment > now
                && *moment < Timestamp::MAX
                && self.ruling_if_retries_fail(settings, site, now, *moment) != ruling
        };
        // "Since" is shown only while the answer itself is in force.
        let is_answer = self.last_ruling() == Some(ruling);
        Explanation {
            in_force: match ruling {
                Ruling::Rules => None,
                Ruling::Blanket(access, cause) => Some((access, cause)),
                Ruling::Closed(cause) => Some((Access::Disallow, cause)),
            },
            has_records: self.answer != Some(Answer::FileWithoutRecords),
            answered: is_answer.then_some(self.answered),
            expired: self.fresh_until().filter(|until| *until <= now),
            outage_since: outage.map(|outage| outage.since),
            failures: self.failures,
            until: changes.into_iter().filter(is_change).min(),
            next: self.next_round(settings, now),
        }
    }

    /// The access at a later moment if each retry until then is made and fails.
    fn ruling_if_retries_fail(
        &self,
        settings: &AccessSettings,
        site: Site,
        now: Timestamp,
        moment: Timestamp,
    ) -> Ruling {
        if let Some(settled) = self.settled_ruling(settings, moment) {
            return settled;
        }
        match self.outage.as_deref() {
            None => Ruling::Closed(Cause::NotFetched),
            Some(outage) if outage.is_interrupted(settings, now) => Ruling::Closed(outage.cause),
            Some(outage) => {
                let age = moment.saturating_since(outage.since);
                self.ruling_at_age(outage, age, settings, site, moment)
            }
        }
    }
}

impl Remains {
    pub(crate) fn has_outage(&self) -> bool {
        self.cause.is_some()
    }
}

impl Answer {
    /// The caller may hand in a blanket document in place of a parsed one.
    fn of_file(robots_txt: &RobotsTxt) -> Answer {
        match robots_txt.blanket() {
            Some((access, cause)) => Answer::Blanket(access, cause),
            None if holds_no_record(robots_txt) => Answer::FileWithoutRecords,
            None => Answer::File,
        }
    }
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

static NO_VALIDATORS: Validators = Validators {
    etag: None,
    last_modified: None,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tombstone_is_small() {
        assert!(size_of::<Remains>() <= 48, "{}", size_of::<Remains>());
    }
}

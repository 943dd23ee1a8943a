//! The access that follows from the facts about one origin's robots.txt at a given time.

use core::time::Duration;

use polite_robots::{Access, Cause};

use crate::access::explain::Explanation;
use crate::access::facts::{Answer, Facts};
use crate::access::outage::{Outage, Site};
use crate::settings::access::{AccessSettings, LongOutagePolicy, NoCopyPolicy, StaleCopyPolicy};
use crate::time::Timestamp;

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

impl Facts {
    /// The access now, if robots.txt counts at all. `site` replaces the noted one unless it is
    /// unknown.
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
            // The rules are lost, which is no reason to go without them.
            Some(Answer::ForgottenFile) => Some(closed),
            // "There was no file" is no copy of a file.
            Some(Answer::Blanket(Access::Allow, _)) | None => None,
        };
        if outage.is_encoded() {
            return copy.unwrap_or(closed);
        }
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

    /// The time until which a page that has waited for the answer may use it, on a host whose turns
    /// are `gap` apart. `None` if a later round failed.
    pub(crate) fn held_until(
        &self,
        settings: &AccessSettings,
        gap: Duration,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let is_sound = self.outage.is_none() && !self.is_from_the_future(now);
        let most = settings.default_ttl.min(settings.max_ttl);
        let until = self.answered.saturating_add(most).saturating_add(gap);
        (is_sound && self.last_ruling().is_some()).then_some(until)
    }

    /// The facts from which the ruling follows.
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

    /// Whether the evidence of an outage waits for a retry. A round that failed by the crawler's
    /// own fault moves `next_fetch`, but is no retry.
    fn is_retry_due(&self, outage: &Outage, now: Timestamp) -> bool {
        now >= self.next_fetch.min(outage.retry) || self.is_from_the_future(now)
    }
}

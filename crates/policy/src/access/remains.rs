//! The part of the facts about an origin that outlasts the origin in memory.

use alloc::boxed::Box;

use polite_robots::{Access, Cause};

use crate::access::facts::{Answer, Facts};
use crate::access::outage::{Outage, Site};
use crate::settings::access::AccessSettings;
use crate::time::Timestamp;

/// The part of the facts that outlasts a forgotten origin. 56 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Remains {
    since: Timestamp,
    last: Timestamp,
    retry: Timestamp,
    site_tried: Timestamp,
    /// The last round, whatever its end.
    date: Timestamp,
    failures: u32,
    /// `None` if there was no outage.
    cause: Option<Cause>,
    rounds: u8,
    site: Site,
    copy: LostCopy,
}

/// Whether a forgotten origin had a file or an answer that closed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum LostCopy {
    /// It had a file, or an answer that disallowed everything.
    Lost,
    /// It had none.
    None,
}

impl Remains {
    pub(crate) fn has_outage(&self) -> bool {
        self.cause.is_some()
    }

    /// Whether the origin had a file, or an answer that disallowed everything.
    pub(crate) fn has_lost_file(&self) -> bool {
        self.copy == LostCopy::Lost
    }

    /// The time until which the origin must not be asked, which is what its stone promises;
    /// [`Timestamp::MAX`] if it was given up.
    pub(crate) fn promised_until(&self, settings: &AccessSettings) -> Timestamp {
        let is_given_up = settings
            .max_failures
            .is_some_and(|most| self.failures >= most.max(1));
        if self.cause.is_some() && is_given_up {
            return Timestamp::MAX;
        }
        self.retry.max(self.date.saturating_add(settings.min_ttl))
    }
}

impl Facts {
    /// The facts that must outlast the origin in memory; `None` if there are none. With them,
    /// forgetting an origin neither opens it nor forgives its failures, and its robots.txt is not
    /// asked for sooner.
    pub(crate) fn remains(&self, settings: &AccessSettings, now: Timestamp) -> Option<Remains> {
        let copy = match self.answer {
            None | Some(Answer::Blanket(Access::Allow, _)) => LostCopy::None,
            Some(_) => LostCopy::Lost,
        };
        let outage = self.outage.as_deref();
        let is_young = |date: Timestamp| date.saturating_add(settings.min_ttl) > now;
        let is_young = self.robots_date.is_some_and(is_young);
        if outage.is_none() && copy == LostCopy::None && !is_young {
            return None;
        }
        Some(Remains {
            since: outage.map_or(Timestamp::EPOCH, |outage| outage.since),
            last: outage.map_or(Timestamp::EPOCH, |outage| outage.last),
            retry: outage.map_or(Timestamp::EPOCH, |outage| outage.retry),
            site_tried: outage.map_or(Timestamp::EPOCH, |outage| outage.site_tried),
            date: self.robots_date.unwrap_or_default(),
            failures: self.failures,
            cause: outage.map(|outage| outage.cause),
            rounds: outage.map_or(0, |outage| u8::try_from(outage.rounds).unwrap_or(u8::MAX)),
            site: outage.map_or(Site::Unknown, |outage| outage.site),
            copy,
        })
    }

    /// The facts of an origin that had a file; nothing else is known.
    pub(crate) fn of_lost_file() -> Facts {
        Facts {
            answer: Some(Answer::ForgottenFile),
            ..Facts::default()
        }
    }

    /// The facts of an origin that comes back. It is not asked again before the answer that was
    /// forgotten is [`AccessSettings::min_ttl`] old.
    pub(crate) fn revived(remains: &Remains, settings: &AccessSettings) -> Facts {
        let outage = remains.cause.map(|cause| {
            Box::new(Outage {
                since: remains.since,
                last: remains.last,
                rounds: u32::from(remains.rounds),
                cause,
                retry: remains.retry,
                // The remains do not say which part of the wait the server asked for.
                not_before: remains.retry,
                site: remains.site,
                site_tried: remains.site_tried,
            })
        });
        Facts {
            answer: (remains.copy == LostCopy::Lost).then_some(Answer::ForgottenFile),
            robots_date: (remains.date != Timestamp::EPOCH).then_some(remains.date),
            next_fetch: match remains.cause {
                Some(_) => remains.retry,
                None => remains.date.saturating_add(settings.min_ttl),
            },
            failures: remains.failures,
            outage,
            ..Facts::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tombstone_is_small() {
        assert!(size_of::<Remains>() <= 56, "{}", size_of::<Remains>());
    }
}

//! The part of the facts about an origin that outlasts the origin in memory.

use alloc::boxed::Box;

use polite_robots::{Access, Cause};

use crate::access::facts::{Answer, Facts};
use crate::access::outage::{Outage, Site};
use crate::time::Timestamp;

/// The part of the facts that outlasts a forgotten origin. 48 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
}

impl Facts {
    /// The part that must outlast the origin in memory, so that to forget it neither opens it nor
    /// forgives it; `None` if there is none.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tombstone_is_small() {
        assert!(size_of::<Remains>() <= 48, "{}", size_of::<Remains>());
    }
}

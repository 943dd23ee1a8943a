//! The patient pages of closed sites.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use core::time::Duration;

use crate::access::explain::NextFetch;
use crate::crawl::Step;
use crate::crawl::page::{Page, Refusal};
use crate::time::Timestamp;

/// The least time until a closed site is asked again.
const LEAST_REST: Duration = Duration::from_secs(1);

/// Pages that wait until their closed sites may be asked again. They stand in no line: their hosts
/// need no turn meanwhile, and robots.txt may be forgotten.
#[derive(Debug, Default)]
pub(super) struct Resting {
    pages: BTreeMap<u32, (Duration, Box<Page>)>,
    /// The ends of their rests by the steady clock, with their numbers.
    ends: BTreeSet<(Duration, u32)>,
}

impl Resting {
    /// Keeps the page of a step that refuses a patient page whose site may be asked again in time;
    /// all other steps are given back.
    pub(super) fn take_in(&mut self, step: Step, steady: Duration, now: Timestamp) -> Option<Step> {
        let until = match &step {
            Step::Refused(page, Refusal::Closed(closed)) if page.is_patient => {
                let retry = match closed.retry {
                    NextFetch::At(time) => time.saturating_since(now),
                    NextFetch::Now => Duration::ZERO,
                    NextFetch::Never => return Some(step),
                };
                steady.saturating_add(retry.max(LEAST_REST))
            }
            _ => return Some(step),
        };
        match step {
            Step::Refused(page, _) if until <= page.until => {
                self.ends.insert((until, page.number));
                self.pages.insert(page.number, (until, page));
                None
            }
            step => Some(step),
        }
    }

    /// The steady time at which the first rest is over.
    pub(super) fn first_end(&self) -> Option<Duration> {
        self.ends.first().map(|(until, _)| *until)
    }

    /// A page whose rest is over.
    pub(super) fn take_due(&mut self, steady: Duration) -> Option<Box<Page>> {
        let (until, number) = *self.ends.first()?;
        self.remove((until <= steady).then_some(number)?)
    }

    pub(super) fn remove(&mut self, number: u32) -> Option<Box<Page>> {
        let (until, page) = self.pages.remove(&number)?;
        self.ends.remove(&(until, number));
        Some(page)
    }
}

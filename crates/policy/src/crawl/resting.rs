//! The patient pages of closed sites.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use core::time::Duration;

use crate::access::explain::NextFetch;
use crate::crawl::page::Page;
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
    /// Takes a patient page, if its site may be asked again in time; any other one is given back.
    pub(super) fn take_in(
        &mut self,
        page: Box<Page>,
        retry: NextFetch,
        steady: Duration,
        now: Timestamp,
    ) -> Option<Box<Page>> {
        let rest = match retry {
            NextFetch::At(time) => time.saturating_since(now).max(LEAST_REST),
            NextFetch::Now => LEAST_REST,
            NextFetch::Never => return Some(page),
        };
        let until = steady.saturating_add(rest);
        if !page.is_patient || until > page.until {
            return Some(page);
        }
        self.ends.insert((until, page.number));
        self.pages.insert(page.number, (until, page));
        None
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

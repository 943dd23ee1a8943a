//! The lines in which pages and rounds wait for the turns of their hosts.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::time::Duration;

use crate::crawl::page::Page;
use crate::origin::Origin;
use crate::pace::scheduler::host_id::HostId;

/// The place of a page in its line. A page that had its turn already goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    First,
    Last,
}

/// The numbers of the rounds and pages that wait for one host. Rounds go first: a page may wait for
/// one of them, even for the round of another site whose redirect leads to this host.
#[derive(Debug, Default)]
struct Line {
    rounds: VecDeque<u32>,
    pages: VecDeque<u32>,
}

/// The lines of all hosts that have one.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// By the slots of their hosts; `None` where nothing waits.
    lines: Vec<Option<Box<Line>>>,
    /// The number of hosts that have a line.
    hosts: usize,
    /// By their numbers, and so in the order in which they came.
    pages: BTreeMap<u32, Box<Page>>,
    /// The ends of the waits of their callers, by the steady clock, with the numbers.
    deadlines: BTreeSet<(Duration, u32)>,
    /// The number of pages of each origin that has any.
    origins: BTreeMap<Origin, u32>,
}

impl Lines {
    pub(super) fn are_empty(&self) -> bool {
        self.hosts == 0
    }

    pub(super) fn is_empty(&self, host: HostId) -> bool {
        self.line(host).is_none()
    }

    /// The number of pages that wait for a host.
    pub(super) fn pages(&self, host: HostId) -> usize {
        self.line(host).map_or(0, |line| line.pages.len())
    }

    pub(super) fn has_pages_of(&self, origin: &Origin) -> bool {
        self.origins.contains_key(origin)
    }

    /// The pages of an origin in the line of its host.
    pub(super) fn pages_of(&self, host: HostId, origin: &Origin) -> Vec<u32> {
        let pages = self.line(host).into_iter().flat_map(|line| &line.pages);
        let is_of = |number: &u32| {
            self.page(*number)
                .is_some_and(|page| page.origin == *origin)
        };
        pages.copied().filter(is_of).collect()
    }

    pub(super) fn page(&self, number: u32) -> Option<&Page> {
        self.pages.get(&number).map(Box::as_ref)
    }

    /// The time by the steady clock at which the first caller stops waiting.
    pub(super) fn first_deadline(&self) -> Option<Duration> {
        self.deadlines.first().map(|(until, _)| *until)
    }

    pub(super) fn put_page(&mut self, page: Box<Page>, place: Place) {
        self.change(page.host, |line| match place {
            Place::First => line.pages.push_front(page.number),
            Place::Last => line.pages.push_back(page.number),
        });
        match self.origins.get_mut(&page.origin) {
            Some(pages) => *pages += 1,
            None => drop(self.origins.insert(page.origin.clone(), 1)),
        }
        self.deadlines.insert((page.until, page.number));
        self.pages.insert(page.number, page);
    }

    pub(super) fn put_round(&mut self, host: HostId, round: u32) {
        self.change(host, |line| line.rounds.push_back(round));
    }

    pub(super) fn first_round(&self, host: HostId) -> Option<u32> {
        self.line(host)?.rounds.front().copied()
    }

    /// Whether the round waited for the host.
    pub(super) fn take_round(&mut self, host: HostId, round: u32) -> bool {
        let mut place = None;
        self.change(host, |line| {
            place = line.rounds.iter().position(|other| *other == round);
            place.and_then(|place| line.rounds.remove(place));
        });
        place.is_some()
    }

    pub(super) fn take_first_page(&mut self, host: HostId) -> Option<Box<Page>> {
        let number = *self.line(host)?.pages.front()?;
        self.take_page(number)
    }

    /// A page whose caller has waited for long enough.
    pub(super) fn take_late(&mut self, steady: Duration) -> Option<Box<Page>> {
        let (until, number) = *self.deadlines.first()?;
        self.take_page((until <= steady).then_some(number)?)
    }

    pub(super) fn take_page(&mut self, number: u32) -> Option<Box<Page>> {
        let page = self.pages.remove(&number)?;
        self.deadlines.remove(&(page.until, number));
        self.change(page.host, |line| {
            // The first one, mostly.
            let place = line.pages.iter().position(|other| *other == number);
            place.and_then(|place| line.pages.remove(place));
        });
        if let Some(pages) = self.origins.get_mut(&page.origin) {
            *pages -= 1;
            if *pages == 0 {
                self.origins.remove(&page.origin);
            }
        }
        Some(page)
    }

    fn line(&self, host: HostId) -> Option<&Line> {
        self.lines.get(host.index())?.as_deref()
    }

    fn change(&mut self, host: HostId, change: impl FnOnce(&mut Line)) {
        let slots = self.lines.len().max(host.index() + 1);
        self.lines.resize_with(slots, || None);
        let Some(place) = self.lines.get_mut(host.index()) else {
            return;
        };
        self.hosts -= usize::from(place.is_some());
        let mut line = place.take().unwrap_or_default();
        change(&mut line);
        if !line.rounds.is_empty() || !line.pages.is_empty() {
            *place = Some(line);
            self.hosts += 1;
        }
    }
}

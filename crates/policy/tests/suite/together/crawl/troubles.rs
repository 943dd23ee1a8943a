//! The accidents of a crawler: dropped tasks, its own network, restarts, and clocks that jump.

use std::collections::BTreeSet;

use polite_robots_policy::{Cache, Entry, Origin, Scheduler, Timestamp};

use super::super::judge::Reply;
use super::{Crawl, Flight, Purpose, QueueState};

/// An accident. Numbers choose among the tasks that are under way.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trouble {
    /// The task that fetches a robots.txt is dropped.
    DropRound(usize, Guard),
    /// The task that fetches a page is dropped, and the page is queued again.
    DropPage(usize, Guard),
    /// The network of the crawler is down for this many milliseconds.
    NetworkDown(u64),
    /// The process is replaced by one that reads the saved scheduler and entries.
    Restart,
    ClockBack(u64),
    ClockAhead(u64),
}

/// Whether the machines hear of a dropped task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    Reports,
    Forgets,
    /// The machines do not hear of it, and the task keeps its ticket for ever.
    Hangs,
}

impl Crawl<'_> {
    pub(crate) fn suffer(&mut self, trouble: Trouble) {
        match trouble {
            Trouble::DropRound(number, guard) => self.drop_round(number, guard),
            Trouble::DropPage(number, guard) => self.drop_page(number, guard),
            Trouble::NetworkDown(duration) => self.down_until = self.now + duration,
            Trouble::Restart => self.restart(),
            Trouble::ClockBack(step) => {
                // The clock does not go back before the start of the crawl.
                let step = step.min(self.now + self.ahead - self.back);
                self.back += step;
                self.steps_back.push((self.fair(), step));
            }
            Trouble::ClockAhead(step) => self.ahead += step,
        }
    }

    fn drop_round(&mut self, number: usize, guard: Guard) {
        let Some(number) = nth(self.rounds.keys(), number) else {
            return;
        };
        let Some(round) = self.rounds.remove(&number) else {
            return;
        };
        let mut flights = self.flights.iter();
        let flight = flights.find(|(_, flight)| flight.purpose == Purpose::Round(number));
        if let Some(flight) = flight.map(|(flight, _)| *flight) {
            self.drop_flight(flight, guard);
        }
        self.given_up
            .push((round.site, round.authority, self.fair()));
        match guard {
            Guard::Reports => self.cache.give_back(round.ticket, self.wall()),
            Guard::Forgets => drop(round.ticket),
            Guard::Hangs => self.hung.push(round.ticket),
        }
        self.forget_round(round.site, round.authority, number);
    }

    fn drop_page(&mut self, number: usize, guard: Guard) {
        let pages = self.flights.iter();
        let pages = pages.filter(|(_, flight)| matches!(flight.purpose, Purpose::Page(_)));
        let pages: Vec<u64> = pages.map(|(flight, _)| *flight).collect();
        if let Some(flight) = nth(pages.iter(), number) {
            self.drop_flight(flight, guard);
        }
    }

    /// The connection is closed; a page is queued again.
    fn drop_flight(&mut self, number: u64, guard: Guard) {
        let Some(flight) = self.flights.remove(&number) else {
            return;
        };
        self.close_connection(&flight);
        if guard == Guard::Reports {
            self.scheduler.handle_cancelled(flight.id, self.wall());
        }
        self.wake(flight.site);
    }

    fn close_connection(&mut self, flight: &Flight) {
        self.note(flight, Reply::Dropped);
        if let Purpose::Page(page) = flight.purpose {
            let queue = &mut self.hosts[flight.site].queues[usize::from(flight.authority)];
            queue.in_flight -= 1;
            queue.pages.push_back(page);
        }
    }

    /// Notes the origins that were known until the restart and found no room in the new cache:
    /// their robots.txt is asked for again.
    fn note_forgotten(&mut self, known: &[(Origin, Entry)]) {
        let now = self.fair();
        let known: BTreeSet<&Origin> = known.iter().map(|(origin, _)| origin).collect();
        for (site, host) in self.hosts.iter().enumerate() {
            for (queue, authority) in host.queues.iter().zip(0..) {
                if known.contains(&queue.origin) && self.cache.entry(&queue.origin).is_none() {
                    self.given_up.push((site, authority, now));
                }
            }
        }
    }

    fn restart(&mut self) {
        self.tally.restarts += 1;
        // When the scheduler is read back, its requests end at the newest time that it knows.
        self.scheduler.next_ready(self.wall());
        let scheduler = postcard::to_allocvec(&self.scheduler).unwrap();
        let saved = save(&self.cache);

        // The old process ends, and so do all of its connections.
        for flight in std::mem::take(&mut self.flights).into_values() {
            self.close_connection(&flight);
        }
        for round in std::mem::take(&mut self.rounds).into_values() {
            self.given_up
                .push((round.site, round.authority, self.fair()));
        }
        self.events.clear();

        let scheduler: Scheduler = postcard::from_bytes(&scheduler).unwrap();
        self.scheduler = scheduler;
        for site in 0..self.hosts.len() {
            if let Some(id) = self.scheduler.find(&self.world.sites[site].host) {
                self.own(id, site);
            }
        }
        self.cache = self.setup.new_cache();
        let wall = self.wall();
        let entries = load(&mut self.cache, &saved, wall);
        self.note_forgotten(&entries);
        // A queue that waited for room tries again, and is admitted anew.
        self.room.clear();
        self.is_room_planned = false;
        for site in 0..self.hosts.len() {
            let host = &mut self.hosts[site];
            host.hops.clear();
            for queue in &mut host.queues {
                queue.round = None;
                match queue.state {
                    QueueState::Admitted => self.cache.hold(&queue.origin),
                    QueueState::WaitsForRoom | QueueState::Called => queue.state = QueueState::New,
                    QueueState::New | QueueState::Finished => {}
                }
            }
            let name = &self.world.sites[site].host;
            if self.scheduler.find(name).is_some() || !self.is_done(site) {
                self.wake(site);
            }
        }
    }
}

/// The entries and the tombstones of a cache, as bytes.
pub(crate) fn save(cache: &Cache) -> [Vec<u8>; 2] {
    let entries = cache
        .entries()
        .map(|(origin, entry)| (origin.clone(), entry));
    let entries: Vec<(Origin, Entry)> = entries.collect();
    let tombstones = postcard::to_allocvec(cache.tombstones()).unwrap();
    [postcard::to_allocvec(&entries).unwrap(), tombstones]
}

/// Puts the saved entries and tombstones into a new cache.
pub(crate) fn load(
    cache: &mut Cache,
    [entries, tombstones]: &[Vec<u8>; 2],
    now: Timestamp,
) -> Vec<(Origin, Entry)> {
    cache.insert_tombstones(postcard::from_bytes(tombstones).unwrap());
    let entries: Vec<(Origin, Entry)> = postcard::from_bytes(entries).unwrap();
    for (origin, entry) in &entries {
        cache.insert(origin, entry.clone(), now);
    }
    entries
}

fn nth<'n>(numbers: impl ExactSizeIterator<Item = &'n u64>, number: usize) -> Option<u64> {
    let count = numbers.len();
    let number = number.checked_rem(count)?;
    numbers.into_iter().nth(number).copied()
}

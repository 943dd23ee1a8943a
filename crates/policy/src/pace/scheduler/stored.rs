//! The stored form of a scheduler: reading it back ends its requests, derives the rest, and gives
//! each waiting host a place, as a file that was changed may lack one.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::pace::scheduler::groups::Groups;
use crate::pace::scheduler::host::{Goal, Host, NO_GROUP, Queue};
use crate::pace::scheduler::hosts::Hosts;
use crate::pace::scheduler::queues::Queues;
use crate::pace::scheduler::timer_queue::{Timer, TimerQueue};
use crate::settings::pace::PaceSettings;
use crate::time::{Clock, Timestamp};

#[derive(serde::Deserialize)]
struct Stored {
    settings: PaceSettings,
    clock: Clock,
    hosts: Hosts,
    groups: Groups,
    timed: TimerQueue,
    opening: TimerQueue,
    generations: u32,
}

impl<'de> serde::Deserialize<'de> for Queues {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Queues, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        Queues::try_from(stored).map_err(serde::de::Error::custom)
    }
}

impl TryFrom<Stored> for Queues {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Queues, &'static str> {
        let mut queues = Queues {
            clock: stored.clock,
            hosts: stored.hosts,
            groups: stored.groups,
            generations: stored.generations,
            ..Queues::new(stored.settings)
        };
        queues.count([&stored.timed, &stored.opening])?;
        queues.end_requests();
        queues.place_hosts(stored.timed);
        queues.place_groups(stored.opening);
        Ok(queues)
    }
}

impl Queues {
    fn count(&mut self, queues: [&TimerQueue; 2]) -> Result<(), &'static str> {
        for number in self.hosts.numbers() {
            let Some(host) = self.hosts.get(number) else {
                continue;
            };
            if host.group != NO_GROUP {
                let group = self.groups.get_mut(host.group);
                let group = group.ok_or("a host of a group that is not there")?;
                group.members = group.members.saturating_add(1);
            }
            self.removals += u32::from(host.goal == Goal::Removal);
            self.generations = self.generations.max(host.generation);
        }
        let (hosts, groups) = (self.hosts.numbers(), self.groups.numbers());
        let of_hosts = hosts.filter_map(|number| Some(self.hosts.get(number)?.stamp));
        let of_groups = groups.filter_map(|number| Some(self.groups.get(number)?.stamp));
        let of_places = queues.into_iter().flat_map(TimerQueue::stamps);
        let stamps = of_hosts.chain(of_groups).chain(of_places);
        self.stamps = stamps.max().unwrap_or(0);
        Ok(())
    }

    /// Ends the requests of the saved scheduler: their process is gone.
    fn end_requests(&mut self) {
        let (settings, now) = (&self.settings, self.clock.now());
        for number in self.hosts.numbers() {
            if let Some(host) = self.hosts.get_mut(number) {
                let place =
                    |host: &Host| (host.due(settings, now), host.pace.turn_from(settings, now));
                let before = place(host);
                host.pace.end_all(Some(now));
                if host.queue == Queue::Timed && place(host) != before {
                    host.queue = Queue::Nowhere;
                }
            }
        }
    }

    fn place_hosts(&mut self, timed: TimerQueue) {
        let (settings, now) = (&self.settings, self.clock.now());
        let mut placed = BTreeSet::new();
        self.timed = checked(timed, now, &mut placed, |timer| {
            let host = self.hosts.get(timer.number)?;
            let turn = host.pace.turn_from(settings, now);
            host.is_in(Queue::Timed, timer.stamp).then_some(turn)
        });
        for number in self.groups.numbers() {
            if let Some(group) = self.groups.get_mut(number) {
                group.keep_waiting(|waiting, stamp| {
                    let host = self.hosts.get(waiting);
                    let host = host.filter(|host| host.is_in(Queue::InGroup, stamp));
                    host.is_some_and(|host| host.group == number) && placed.insert(waiting)
                });
            }
        }
        let rest = self.hosts.numbers();
        for number in rest.filter(|number| !placed.contains(number)) {
            if let Some(host) = self.hosts.get_mut(number) {
                host.queue = Queue::Nowhere;
                self.settle(number);
            }
        }
    }

    fn place_groups(&mut self, opening: TimerQueue) {
        let (settings, now) = (&self.settings, self.clock.now());
        let mut placed = BTreeSet::new();
        self.opening = checked(opening, now, &mut placed, |timer| {
            let group = self.groups.get(timer.number)?;
            let turn = match group.members {
                0 => group.remembered_until(settings),
                _ => group.open_at(settings),
            };
            (group.is_queued && group.stamp == timer.stamp).then_some(turn)
        });
        let rest = self.groups.numbers();
        for number in rest.filter(|number| !placed.contains(number)) {
            if let Some(group) = self.groups.get_mut(number) {
                group.is_queued = false;
                if group.members == 0 || group.first_waiting().is_some() {
                    self.queue_group(number);
                }
            }
        }
    }
}

/// The queue with one entry for each live host or group, no later than its turn or `now`: a changed
/// file could otherwise park a host. Stale entries stay, so that the wake-ups equal those of a
/// scheduler that was not saved.
fn checked(
    places: TimerQueue,
    now: Timestamp,
    placed: &mut BTreeSet<u32>,
    turn: impl Fn(&Timer) -> Option<Timestamp>,
) -> TimerQueue {
    let places = Vec::from(places).into_iter();
    let checked = places.filter_map(|timer| match turn(&timer) {
        None => Some(timer),
        Some(turn) => placed.insert(timer.number).then_some(Timer {
            at: timer.at.min(turn.max(now)),
            ..timer
        }),
    });
    TimerQueue::from(checked.collect::<Vec<Timer>>())
}

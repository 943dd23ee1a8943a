//! The stored form of a scheduler. What follows from the rest is worked out anew, and who waits gets a place: a file
//! that was changed may let one wait for ever.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::Scheduler;
use crate::pace::hosts::{Goal, Groups, Hosts, NO_GROUP, Queue};
use crate::pace::timer_queue::{Timer, TimerQueue};
use crate::settings::pace::PaceSettings;
use crate::time::{Clock, Timestamp};

#[derive(serde::Deserialize)]
pub(super) struct Stored {
    settings: PaceSettings,
    clock: Clock,
    hosts: Hosts,
    groups: Groups,
    timed: TimerQueue,
    opening: TimerQueue,
}

impl TryFrom<Stored> for Scheduler {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Scheduler, &'static str> {
        let mut scheduler = Scheduler {
            clock: stored.clock,
            hosts: stored.hosts,
            groups: stored.groups,
            ..Scheduler::of_settings(stored.settings)
        };
        scheduler.count([&stored.timed, &stored.opening])?;
        scheduler.place_hosts(stored.timed);
        scheduler.place_groups(stored.opening);
        Ok(scheduler)
    }
}

impl Scheduler {
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
            self.removals += u32::from(host.wish == Goal::Removal);
        }
        let (hosts, groups) = (self.hosts.numbers(), self.groups.numbers());
        let of_hosts = hosts.filter_map(|number| Some(self.hosts.get(number)?.stamp));
        let of_groups = groups.filter_map(|number| Some(self.groups.get(number)?.stamp));
        let of_places = queues.into_iter().flat_map(TimerQueue::stamps);
        let stamps = of_hosts.chain(of_groups).chain(of_places);
        self.stamps = stamps.max().unwrap_or(0);
        Ok(())
    }

    fn place_hosts(&mut self, timed: TimerQueue) {
        let (settings, now) = (&self.settings, self.clock.now());
        let mut placed = BTreeSet::new();
        self.timed = checked(timed, now, &mut placed, |due| {
            let host = self.hosts.get(due.number)?;
            let turn = host.pace.not_before(settings, host.crawl_delay, now);
            host.is_at(Queue::Timed, due.stamp).then_some(turn)
        });
        for number in self.groups.numbers() {
            if let Some(group) = self.groups.get_mut(number) {
                group.keep_waiting(|waiting, stamp| {
                    let host = self.hosts.get(waiting);
                    let host = host.filter(|host| host.is_at(Queue::InGroup, stamp));
                    host.is_some_and(|host| host.group == number) && placed.insert(waiting)
                });
            }
        }
        let rest = self.hosts.numbers();
        for number in rest.filter(|number| !placed.contains(number)) {
            if let Some(host) = self.hosts.get_mut(number) {
                host.place = Queue::Nowhere;
                self.settle(number);
            }
        }
    }

    fn place_groups(&mut self, opening: TimerQueue) {
        let (settings, now) = (&self.settings, self.clock.now());
        let mut placed = BTreeSet::new();
        self.opening = checked(opening, now, &mut placed, |due| {
            let group = self.groups.get(due.number)?;
            let turn = match group.members {
                0 => group.remembered_until(settings),
                _ => group.open_at(settings),
            };
            (group.is_queued && group.stamp == due.stamp).then_some(turn)
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

/// The places of those that have a turn, one for each; later than it or `now` they would sleep too long. Places that
/// are no longer valid stay: until they come up and are passed over they wake the caller, as without the halt.
fn checked(
    places: TimerQueue,
    now: Timestamp,
    placed: &mut BTreeSet<u32>,
    turn: impl Fn(&Timer) -> Option<Timestamp>,
) -> TimerQueue {
    let places = Vec::from(places).into_iter();
    let checked = places.filter_map(|due| match turn(&due) {
        None => Some(due),
        Some(turn) => placed.insert(due.number).then_some(Timer {
            at: due.at.min(turn.max(now)),
            ..due
        }),
    });
    TimerQueue::from(checked.collect::<Vec<Timer>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace::reply::Reply;
    use crate::profile::Profile;

    /// It is not valid any more, and must not become so again when its number and its stamp are given once more.
    #[test]
    fn no_stamp_is_given_that_the_place_of_a_forgotten_host_has() {
        let start = Timestamp::from_millis(1_767_225_600_000);
        let mut profile = Profile::rfc9309();
        profile.pace.min_delay = core::time::Duration::ZERO;
        let mut scheduler = Scheduler::new(profile);
        let host = scheduler.insert("example.com", None);
        scheduler.handle_start(host, start);
        scheduler.remove(host);
        scheduler.handle_reply(host, Reply::new(Ok(200), start), start);
        let left = scheduler.timed.first().unwrap();
        assert!(scheduler.hosts.get(left.number).is_none(), "forgotten");
        let stored = serde_json::to_vec(&scheduler).unwrap();
        let mut read: Scheduler = serde_json::from_slice(&stored).unwrap();
        let next = read.insert("example.org", None);
        assert_eq!(next, host, "a number given again");
        assert!(read.hosts.get(next.0).unwrap().stamp > left.stamp);
    }
}

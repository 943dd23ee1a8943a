//! The queues of a scheduler: where its hosts and groups wait, how they come there and leave, and which is ready.

use crate::pace::host_pace::Permission;
use crate::pace::scheduler::groups::Groups;
use crate::pace::scheduler::host::{Goal, NO_GROUP, Queue};
use crate::pace::scheduler::hosts::Hosts;
use crate::pace::scheduler::ip_group::IpGroup;
use crate::pace::scheduler::timer_queue::{Timer, TimerQueue};
use crate::settings::pace::PaceSettings;
use crate::time::{Clock, Timestamp};

/// The hosts and groups of a scheduler, and two queues of their timers.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Queues {
    pub(super) settings: PaceSettings,
    pub(super) clock: Clock,
    pub(super) hosts: Hosts,
    pub(super) groups: Groups,
    /// Hosts by the time of their turn: no later than it, and exact once it has come.
    pub(super) timed: TimerQueue,
    /// Groups with hosts in line, by the time at which they open; and such as can be forgotten then.
    pub(super) opening: TimerQueue,
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    pub(super) removals: u32,
    /// Last stamp issued. Host numbers are used again; the stamp tells a stale entry from a live one.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    pub(super) stamps: u32,
}

impl Queues {
    pub(super) fn new(settings: PaceSettings) -> Queues {
        Queues {
            settings,
            clock: Clock::default(),
            hosts: Hosts::NEW,
            groups: Groups::NEW,
            timed: TimerQueue::NEW,
            opening: TimerQueue::NEW,
            removals: 0,
            stamps: 0,
        }
    }

    /// The number of a host that is ready and waits for its turn.
    pub(super) fn next_ready(&mut self, now: Timestamp) -> Option<u32> {
        let now = self.clock.advance(now);
        loop {
            let timed = self.timed.first().filter(|timer| timer.at <= now);
            let opening = self.opening.first().filter(|timer| timer.at <= now);
            let ready = match (timed, opening) {
                (None, None) => return None,
                // Who is in line has waited for longer.
                (Some(timed), Some(opening)) if opening.at <= timed.at => {
                    self.ready_of_group(opening, now)
                }
                (None, Some(opening)) => self.ready_of_group(opening, now),
                (Some(timed), _) => self.ready_by_time(timed, now),
            };
            if ready.is_some() {
                return ready;
            }
        }
    }

    /// The earliest timer, in the caller's time.
    pub(super) fn next_wakeup(&self) -> Option<Timestamp> {
        let first = [self.timed.first(), self.opening.first()];
        let at = first.into_iter().flatten().map(|timer| timer.at).min()?;
        Some(self.clock.outside(at))
    }

    /// The host of the first place by time, if it is ready; otherwise that place is dropped or put off.
    fn ready_by_time(&mut self, timer: Timer, now: Timestamp) -> Option<u32> {
        let host = self.hosts.get_mut(timer.number);
        let Some(host) = host.filter(|host| host.is_in(Queue::Timed, timer.stamp)) else {
            self.timed.drop_first();
            return None;
        };
        let permission = match host.goal {
            Goal::Turn => host.pace.permission(&self.settings, host.crawl_delay, now),
            Goal::Removal if !host.pace.is_in_flight() => {
                Permission::From(host.pace.not_before(&self.settings, host.crawl_delay, now))
            }
            Goal::Removal | Goal::Nothing => Permission::Busy,
        };
        match permission {
            Permission::Busy | Permission::Skip => {
                host.queue = Queue::Nowhere;
                self.timed.drop_first();
                None
            }
            Permission::From(from) if from > now => {
                self.timed.put_off_first(from);
                None
            }
            Permission::From(_) if host.goal == Goal::Removal => {
                self.timed.drop_first();
                self.forget(timer.number);
                None
            }
            Permission::From(_) => {
                let Some(group) = self.groups.get_mut(host.group) else {
                    return Some(timer.number);
                };
                if !group.is_queued && group.open_at(&self.settings) <= now {
                    return Some(timer.number);
                }
                self.timed.drop_first();
                host.queue = Queue::InGroup;
                let number = host.group;
                group.push_waiting(timer.number, host.stamp);
                let hosts = &self.hosts;
                group.tidy_waiting(|number, stamp| hosts.is_in(number, Queue::InGroup, stamp));
                self.queue_group(number);
                None
            }
        }
    }

    /// The host that is first in the line of a group, if the group is open and the host ready.
    fn ready_of_group(&mut self, timer: Timer, now: Timestamp) -> Option<u32> {
        let group = self.groups.get_mut(timer.number);
        let Some(group) = group.filter(|group| group.is_queued && group.stamp == timer.stamp)
        else {
            self.opening.drop_first();
            return None;
        };
        let waiting = loop {
            let Some((number, stamp)) = group.first_waiting() else {
                break None;
            };
            let host = self.hosts.get_mut(number);
            match host.filter(|host| host.is_in(Queue::InGroup, stamp)) {
                Some(host) => break Some((number, host)),
                None => group.drop_first_waiting(),
            }
        };
        let Some((number, host)) = waiting else {
            if group.is_over(&self.settings, now) {
                self.opening.drop_first();
                self.groups.remove(timer.number);
            } else if group.members == 0 {
                let until = group.remembered_until(&self.settings);
                self.opening.put_off_first(until);
            } else {
                group.is_queued = false;
                self.opening.drop_first();
            }
            return None;
        };
        let open_at = group.open_at(&self.settings);
        if open_at > now {
            self.opening.put_off_first(open_at);
            return None;
        }
        let is_ready = host.goal == Goal::Turn
            && matches!(
                host.pace.permission(&self.settings, host.crawl_delay, now),
                Permission::From(from) if from <= now
            );
        if is_ready {
            return Some(number);
        }
        group.drop_first_waiting();
        host.queue = Queue::Nowhere;
        self.settle(number);
        None
    }

    pub(super) fn set_goal(&mut self, number: u32, goal: Goal) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        match (host.goal, goal) {
            (Goal::Removal, Goal::Turn | Goal::Nothing) => {
                self.removals = self.removals.saturating_sub(1);
            }
            (Goal::Turn | Goal::Nothing, Goal::Removal) => {
                self.removals = self.removals.saturating_add(1);
            }
            _ => {}
        }
        host.goal = goal;
        match (host.queue, goal) {
            (Queue::InGroup, Goal::Removal) => {
                host.queue = Queue::Nowhere;
                self.settle(number);
            }
            (Queue::Nowhere, Goal::Turn | Goal::Removal) => self.settle(number),
            _ => {}
        }
    }

    pub(super) fn regroup(&mut self, number: u32, group: Option<IpGroup>) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        let old = host.group;
        if self.groups.get(old).map(|old| old.key) == group {
            return;
        }
        host.group = match group {
            None => NO_GROUP,
            Some(key) => {
                let new = self.groups.find_or_insert(key);
                if let Some(group) = self.groups.get_mut(new) {
                    group.join(host.crawl_delay.gap(&self.settings));
                }
                new
            }
        };
        if host.queue == Queue::InGroup {
            host.queue = Queue::Nowhere;
            self.settle(number);
        }
        self.leave(old);
    }

    fn leave(&mut self, group: u32) {
        let Some(left) = self.groups.get_mut(group) else {
            return;
        };
        left.members = left.members.saturating_sub(1);
        if left.members == 0 {
            self.queue_group(group);
        }
    }

    /// Forgets a host.
    pub(super) fn forget(&mut self, number: u32) {
        if let Some(host) = self.hosts.remove(number) {
            if host.goal == Goal::Removal {
                self.removals = self.removals.saturating_sub(1);
            }
            self.leave(host.group);
        }
    }

    /// Lets a group come up when it opens, unless it does already.
    pub(super) fn queue_group(&mut self, number: u32) {
        let Some(group) = self.groups.get_mut(number) else {
            return;
        };
        if group.is_queued {
            return;
        }
        group.is_queued = true;
        self.stamps = self.stamps.wrapping_add(1);
        group.stamp = self.stamps;
        self.opening.push(Timer {
            at: group.open_at(&self.settings),
            number,
            stamp: group.stamp,
        });
        let groups = &self.groups;
        self.opening.tidy(groups.len(), |timer| {
            let group = groups.get(timer.number);
            group.is_some_and(|group| group.is_queued && group.stamp == timer.stamp)
        });
    }

    /// Finds a place again for a host whose turn may have moved.
    pub(super) fn resettle(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        // In line for its address, it is looked at when it comes up.
        if host.queue != Queue::InGroup {
            host.queue = Queue::Nowhere;
            self.settle(number);
        }
    }

    /// Finds a place for a host that is nowhere.
    pub(super) fn settle(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        let at = match (
            host.goal,
            host.pace
                .permission(&self.settings, host.crawl_delay, self.clock.now()),
        ) {
            (Goal::Turn, Permission::From(from)) => from,
            (Goal::Removal, _) if !host.pace.is_in_flight() => {
                let from = host
                    .pace
                    .not_before(&self.settings, host.crawl_delay, self.clock.now());
                // A pace from elsewhere may know a later time than this clock has read; what it says counts then.
                if from <= self.clock.now() && !host.pace.is_ahead_of(self.clock.now()) {
                    return self.forget(number);
                }
                from
            }
            _ => return,
        };
        host.queue = Queue::Timed;
        self.stamps = self.stamps.wrapping_add(1);
        host.stamp = self.stamps;
        self.timed.push(Timer {
            // Who begins to wait now comes behind those who have waited, or new hosts would push the old ones back.
            at: at.max(self.clock.now()),
            number,
            stamp: host.stamp,
        });
        let hosts = &self.hosts;
        self.timed.tidy(hosts.len(), |timer| {
            hosts.is_in(timer.number, Queue::Timed, timer.stamp)
        });
    }
}

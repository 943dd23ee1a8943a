//! Where hosts and groups wait, and how they come there and leave.

use super::Scheduler;
use crate::pace::group::IpGroup;
use crate::pace::host_pace::Permission;
use crate::pace::hosts::{Goal, NO_GROUP, Queue};
use crate::pace::timer_queue::Timer;

impl Scheduler {
    pub(super) fn set_wish(&mut self, number: u32, wish: Goal) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        match (host.wish, wish) {
            (Goal::Removal, Goal::Turn | Goal::Nothing) => {
                self.removals = self.removals.saturating_sub(1);
            }
            (Goal::Turn | Goal::Nothing, Goal::Removal) => {
                self.removals = self.removals.saturating_add(1);
            }
            _ => {}
        }
        host.wish = wish;
        match (host.place, wish) {
            (Queue::InGroup, Goal::Removal) => {
                host.place = Queue::Nowhere;
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
        if host.place == Queue::InGroup {
            host.place = Queue::Nowhere;
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
            if host.wish == Goal::Removal {
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
        self.opening.tidy(groups.len(), |due| {
            let group = groups.get(due.number);
            group.is_some_and(|group| group.is_queued && group.stamp == due.stamp)
        });
    }

    /// Finds a place again for a host whose turn may have moved.
    pub(super) fn resettle(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        // In line for its address, it is looked at when it comes up.
        if host.place != Queue::InGroup {
            host.place = Queue::Nowhere;
            self.settle(number);
        }
    }

    /// Finds a place for a host that is nowhere.
    pub(super) fn settle(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        let at = match (
            host.wish,
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
        host.place = Queue::Timed;
        self.stamps = self.stamps.wrapping_add(1);
        host.stamp = self.stamps;
        self.timed.push(Timer {
            // Who begins to wait now comes behind those who have waited, or new hosts would push the old ones back.
            at: at.max(self.clock.now()),
            number,
            stamp: host.stamp,
        });
        let hosts = &self.hosts;
        self.timed.tidy(hosts.len(), |due| {
            hosts.is_at(due.number, Queue::Timed, due.stamp)
        });
    }
}

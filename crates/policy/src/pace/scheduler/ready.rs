//! Which host is ready: the first by time, or the first in the line of an address that is open.

use super::{HostId, Scheduler};
use crate::pace::host_pace::Permission;
use crate::pace::hosts::{Goal, Queue};
use crate::pace::timer_queue::Timer;
use crate::time::Timestamp;

impl Scheduler {
    /// The host of the first place by time, if it is ready; otherwise that place is dropped or put off.
    pub(super) fn ready_by_time(&mut self, due: Timer, now: Timestamp) -> Option<HostId> {
        let host = self.hosts.get_mut(due.number);
        let Some(host) = host.filter(|host| host.is_at(Queue::Timed, due.stamp)) else {
            self.timed.drop_first();
            return None;
        };
        let permission = match host.wish {
            Goal::Turn => host.pace.permission(&self.settings, host.crawl_delay, now),
            Goal::Removal if !host.pace.is_in_flight() => {
                Permission::From(host.pace.not_before(&self.settings, host.crawl_delay, now))
            }
            Goal::Removal | Goal::Nothing => Permission::Busy,
        };
        match permission {
            Permission::Busy | Permission::Skip => {
                host.place = Queue::Nowhere;
                self.timed.drop_first();
                None
            }
            Permission::From(from) if from > now => {
                self.timed.put_off_first(from);
                None
            }
            Permission::From(_) if host.wish == Goal::Removal => {
                self.timed.drop_first();
                self.forget(due.number);
                None
            }
            Permission::From(_) => {
                let Some(group) = self.groups.get_mut(host.group) else {
                    return Some(HostId(due.number));
                };
                if !group.is_queued && group.open_at(&self.settings) <= now {
                    return Some(HostId(due.number));
                }
                self.timed.drop_first();
                host.place = Queue::InGroup;
                let number = host.group;
                group.push_waiting(due.number, host.stamp);
                let hosts = &self.hosts;
                group.tidy_waiting(|number, stamp| hosts.is_at(number, Queue::InGroup, stamp));
                self.queue_group(number);
                None
            }
        }
    }

    /// The host that is first in the line of a group, if the group is open and the host ready.
    pub(super) fn ready_of_group(&mut self, due: Timer, now: Timestamp) -> Option<HostId> {
        let group = self.groups.get_mut(due.number);
        let Some(group) = group.filter(|group| group.is_queued && group.stamp == due.stamp) else {
            self.opening.drop_first();
            return None;
        };
        let waiting = loop {
            let Some((number, stamp)) = group.first_waiting() else {
                break None;
            };
            let host = self.hosts.get_mut(number);
            match host.filter(|host| host.is_at(Queue::InGroup, stamp)) {
                Some(host) => break Some((number, host)),
                None => group.drop_first_waiting(),
            }
        };
        let Some((number, host)) = waiting else {
            if group.is_over(&self.settings, now) {
                self.opening.drop_first();
                self.groups.remove(due.number);
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
        let is_ready = host.wish == Goal::Turn
            && matches!(
                host.pace.permission(&self.settings, host.crawl_delay, now),
                Permission::From(from) if from <= now
            );
        if is_ready {
            return Some(HostId(number));
        }
        group.drop_first_waiting();
        host.place = Queue::Nowhere;
        self.settle(number);
        None
    }
}

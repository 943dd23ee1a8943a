//! The queues of a scheduler: where its hosts and groups wait, how they come there and leave, and
//! which is ready.

use alloc::vec::Vec;
use core::time::Duration;

use crate::pace::host_pace::{Pace, lease};
use crate::pace::scheduler::groups::Groups;
use crate::pace::scheduler::host::{Goal, Host, NO_GROUP, Queue};
use crate::pace::scheduler::hosts::Hosts;
use crate::pace::scheduler::ip_group::IpGroup;
use crate::pace::scheduler::leases::Leases;
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
    /// Groups with hosts in line, by the time at which they open, and groups that can be forgotten
    /// then.
    pub(super) opening: TimerQueue,
    /// The requests under way; a scheduler that is read back has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    pub(super) leases: Leases,
    /// Last generation issued.
    pub(super) generations: u32,
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    pub(super) removals: u32,
    /// Last stamp issued. Host numbers are used again; the stamp separates a stale entry from a
    /// live one.
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
            leases: Leases::NEW,
            generations: 0,
            removals: 0,
            stamps: 0,
        }
    }

    /// The number of a host that is ready and waits for its turn.
    pub(super) fn next_ready(&mut self, now: Timestamp) -> Option<u32> {
        let now = self.read(now);
        self.end_leases(now);
        loop {
            let timed = self.timed.first().filter(|timer| timer.at <= now);
            let opening = self.opening.first().filter(|timer| timer.at <= now);
            let ready = match (timed, opening) {
                (None, None) => return None,
                // A host in line has waited for longer.
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
        let timers = [self.timed.first(), self.opening.first()];
        let timers = timers.map(|timer| timer.map(|timer| timer.at));
        let lease = self.leases.first_end().map(|end| {
            let latest = self.clock.now().saturating_add(LONGEST_STEP);
            end.min(latest)
        });
        let at = timers.into_iter().chain([lease]).flatten().min()?;
        Some(self.clock.outside(at))
    }

    /// Reads the clock. After a long step the clock was set or nobody looked at it, so the leases
    /// are put off; otherwise requests under way would seem to have ended.
    pub(super) fn read(&mut self, now: Timestamp) -> Timestamp {
        let before = self.clock.now();
        let now = self.clock.advance(now);
        let excess = now.saturating_since(before).saturating_sub(LONGEST_STEP);
        if before != Timestamp::EPOCH && excess > Duration::ZERO {
            self.leases.put_off(excess);
        }
        now
    }

    /// Ends the requests whose lease is over, so that their hosts wait for a turn again.
    fn end_leases(&mut self, now: Timestamp) {
        while let Some((number, start)) = self.leases.take_ended(now, &self.hosts) {
            if let Some(host) = self.hosts.get_mut(number) {
                host.pace.expire_start(start);
            }
            self.resettle(number);
        }
    }

    /// Notes that a request to the host was started. `now` has been read from the clock.
    pub(super) fn start(&mut self, number: u32, now: Timestamp) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        host.pace.start(now);
        if let Some(group) = self.groups.get_mut(host.group) {
            group.start(&self.settings, now);
        }
        host.queue = Queue::Nowhere;
        let end = now.saturating_add(lease(&self.settings));
        self.leases.push(number, now, end, &self.hosts);
        self.leases.drop_stale(&self.hosts);
        self.settle(number);
    }

    /// Changes the pace of a host, and finds its place anew.
    pub(super) fn change(&mut self, number: u32, change: impl FnOnce(&mut Pace, &PaceSettings)) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        let (settings, now) = (&self.settings, self.clock.now());
        // A host that waits for a URL keeps its timer, so its turn counts too.
        let place = |host: &Host| (host.due(settings, now), host.pace.turn_from(settings, now));
        let before = (host.queue != Queue::Nowhere).then(|| place(host));
        change(&mut host.pace, settings);
        let is_moved = before.is_none_or(|before| before != place(host));
        if let Some(group) = self.groups.get_mut(host.group) {
            group.slow_down(host.pace.asked_gap(&self.settings));
        }
        // A call that changes no turn must not cost the host its place: a crawler sets the same
        // `Crawl-delay` at each page.
        if is_moved {
            self.resettle(number);
        }
        self.leases.drop_stale(&self.hosts);
    }

    /// Adds a host whose name is new.
    pub(super) fn insert(&mut self, name: &str, pace: Pace) -> u32 {
        self.generations = self.generations.wrapping_add(1);
        let number = self.hosts.insert(Host {
            name: name.into(),
            pace,
            group: NO_GROUP,
            generation: self.generations,
            stamp: 0,
            queue: Queue::Nowhere,
            goal: Goal::Turn,
        });
        let host = self.hosts.get(number);
        let starts = host.map(|host| host.pace.starts().collect::<Vec<Timestamp>>());
        self.lease(number, starts.unwrap_or_default());
        number
    }

    /// Adds the pace of another machine to that of a host.
    pub(super) fn join(&mut self, number: u32, other: &Pace) {
        let now = self.clock.now();
        self.change(number, |pace, settings| pace.join(other, settings, now));
        self.lease(number, other.starts());
    }

    fn lease(&mut self, number: u32, starts: impl IntoIterator<Item = Timestamp>) {
        for start in starts {
            let end = start.saturating_add(lease(&self.settings));
            self.leases.push(number, start, end, &self.hosts);
        }
    }

    /// The host of the first place by time, if it is ready; otherwise that place is dropped or put
    /// off.
    fn ready_by_time(&mut self, timer: Timer, now: Timestamp) -> Option<u32> {
        let host = self.hosts.get_mut(timer.number);
        let Some(host) = host.filter(|host| host.is_in(Queue::Timed, timer.stamp)) else {
            self.timed.drop_first();
            return None;
        };
        match host.due(&self.settings, now) {
            None => {
                host.queue = Queue::Nowhere;
                self.timed.drop_first();
                None
            }
            Some(due) if due > now => {
                self.timed.put_off_first(due);
                None
            }
            Some(_) if host.goal == Goal::Removal => {
                self.timed.drop_first();
                self.forget(timer.number);
                None
            }
            Some(_) => {
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
        let due = host.due(&self.settings, now);
        if host.goal == Goal::Turn && due.is_some_and(|due| due <= now) {
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
        let mut is_earlier = false;
        if goal == Goal::Removal {
            let (settings, now) = (&self.settings, self.clock.now());
            let before = host.pace.turn_from(settings, now);
            // The plan was for the URLs that the host had.
            host.pace.rare.defer(Timestamp::EPOCH);
            is_earlier = host.pace.turn_from(settings, now) < before;
        }
        match (host.queue, goal) {
            (Queue::Timed, Goal::Removal) if is_earlier => {
                host.queue = Queue::Nowhere;
                self.settle(number);
            }
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
                    group.join(host.pace.asked_gap(&self.settings));
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

    /// Puts a group in the queue for the time at which it opens, unless it is there.
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
        // A host in the line of its address is looked at when it comes up.
        if host.queue != Queue::InGroup {
            host.queue = Queue::Nowhere;
            self.settle(number);
        }
    }

    /// Finds a place for a host that is in no queue.
    pub(super) fn settle(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        let now = self.clock.now();
        let Some(due) = host.due(&self.settings, now) else {
            return;
        };
        // A pace from elsewhere may know a later time than this clock has read; its gap counts
        // then.
        if host.goal == Goal::Removal && due <= now && !host.pace.is_ahead_of(now) {
            return self.forget(number);
        }
        host.queue = Queue::Timed;
        self.stamps = self.stamps.wrapping_add(1);
        host.stamp = self.stamps;
        self.timed.push(Timer {
            // A host that begins to wait now comes after those that have waited, or new hosts would
            // push the old ones back.
            at: due.max(now),
            number,
            stamp: host.stamp,
        });
        let hosts = &self.hosts;
        self.timed.tidy(hosts.len(), |timer| {
            hosts.is_in(timer.number, Queue::Timed, timer.stamp)
        });
    }
}

/// The longest step of the clock that counts for the leases. While requests are under way, the
/// caller is woken at least this often.
const LONGEST_STEP: Duration = Duration::from_secs(60);

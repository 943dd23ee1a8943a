use core::time::Duration;

use crate::policy::group::IpGroup;
use crate::policy::hosts::{Groups, Host, Hosts, NO_GROUP, Place, Wish};
use crate::policy::pace::{AskedDelay, Pace, Permission};
use crate::policy::pacer::Pacer;
use crate::policy::profile::Profile;
use crate::policy::reply::{Reply, Turn};
use crate::policy::time::{Clock, Timestamp};
use crate::policy::timetable::{Due, Timetable};

#[cfg(feature = "serde")]
mod stored;

/// The paces of many hosts, and which of them is next. It holds hosts, never URLs: those wait in the caller's queues.
///
/// The unit is the host, as in Mercator: one request at a time, and a gap. Hosts that share an address share its limit
/// too; they wait in line for it, in the order in which they came to be ready, and cost nothing meanwhile. Every call
/// takes O(log n), [`Scheduler::next_ready`] on average over the calls; a million hosts take less than 250 octets each.
///
/// ```
/// use polite_robots::policy::{Profile, Reply, Scheduler, Timestamp};
///
/// let mut scheduler = Scheduler::new(Profile::rfc9309());
/// let example = scheduler.insert("example.com", None);
/// let other = scheduler.insert("example.org", None);
///
/// let start = Timestamp::from_millis(1_767_225_600_000);
/// while let Some(host) = scheduler.next_ready(start) {
///     // Take a URL of scheduler.host(host), and begin.
///     scheduler.handle_start(host, start);
/// }
/// let end = Timestamp::from_millis(start.as_millis() + 300);
/// scheduler.handle_reply(example, Reply::new(Ok(200), start), end);
/// scheduler.handle_reply(other, Reply::new(Ok(200), start), end);
/// scheduler.set_waiting(other, false);
///
/// let next = scheduler.next_wakeup().unwrap();
/// assert_eq!(next.saturating_since(end).as_secs(), 1);
/// assert_eq!(scheduler.next_ready(next), Some(example));
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "stored::Stored"))]
pub struct Scheduler {
    profile: Profile,
    clock: Clock,
    hosts: Hosts,
    groups: Groups,
    /// Hosts by the time of their turn: no later than it, and exact once it has come.
    timed: Timetable,
    /// Groups with hosts in line, by the time at which they open; and such as can be forgotten then.
    opening: Timetable,
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    removals: u32,
    /// The last that was given. One counter for all: numbers come again, and what a host or a group left behind in a
    /// queue must not be taken for a place of the next with its number.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    stamps: u32,
}

/// The number of a host in its [`Scheduler`]; another host may get it once this one is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HostId(u32);

impl Scheduler {
    /// Without hosts.
    #[must_use]
    pub fn new(profile: Profile) -> Scheduler {
        Scheduler {
            profile,
            clock: Clock::default(),
            hosts: Hosts::NEW,
            groups: Groups::NEW,
            timed: Timetable::NEW,
            opening: Timetable::NEW,
            removals: 0,
            stamps: 0,
        }
    }

    /// The profile of all hosts.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How many hosts are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hosts.len().saturating_sub(self.removals as usize)
    }

    /// Whether no host is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a host that was never asked and has a URL. `host` is [`Origin::host`](crate::policy::Origin::host), or a
    /// name that several hosts share if they are to share a pace.
    ///
    /// A host that is there already keeps its pace, gets the group, and waits for its turn.
    pub fn insert(&mut self, host: &str, group: Option<IpGroup>) -> HostId {
        let new = (Pace::NEW, AskedDelay::NONE);
        self.insert_parts(host, group, |_| new)
    }

    /// Adds a host with the pace that [`Scheduler::pacer`] gave elsewhere, or with [`Pacer::after_gap`] if it is lost. A
    /// host that is there already keeps its own.
    pub fn insert_with(&mut self, host: &str, group: Option<IpGroup>, pacer: Pacer) -> HostId {
        self.insert_parts(host, group, |clock| pacer.into_parts(clock))
    }

    fn insert_parts(
        &mut self,
        host: &str,
        group: Option<IpGroup>,
        parts: impl FnOnce(Clock) -> (Pace, AskedDelay),
    ) -> HostId {
        let number = match self.hosts.find(host) {
            Some(number) => number,
            None => {
                let (pace, crawl_delay) = parts(self.clock);
                self.hosts.insert(Host {
                    name: host.into(),
                    pace,
                    crawl_delay,
                    group: NO_GROUP,
                    stamp: 0,
                    place: Place::Nowhere,
                    wish: Wish::Turn,
                })
            }
        };
        self.regroup(number, group);
        self.set_wish(number, Wish::Turn);
        HostId(number)
    }

    /// What is known of the host's pace, to take it to another scheduler. Requests on their way count as such there
    /// too, so wait for them first.
    #[must_use]
    pub fn pacer(&self, host: HostId) -> Option<Pacer> {
        let host = self.hosts.get(host.0)?;
        let pace = host.pace.clone();
        Some(Pacer::of_parts(
            self.clock,
            pace,
            host.crawl_delay,
            host.key(),
        ))
    }

    /// The name of the host; empty once it is removed.
    #[must_use]
    pub fn host(&self, host: HostId) -> &str {
        self.present(host).map_or("", |host| &host.name)
    }

    /// A host that is not removed, be it remembered or not.
    fn present(&self, host: HostId) -> Option<&Host> {
        let found = self.hosts.get(host.0);
        found.filter(|host| host.wish != Wish::Removal)
    }

    /// Whether this one host may be asked; never once it is removed. Changes nothing.
    #[must_use]
    pub fn turn(&self, host: HostId, now: Timestamp) -> Turn {
        let clock = self.clock.read(now);
        let Some(host) = self.present(host) else {
            return Turn::NotBefore(Timestamp::MAX);
        };
        let from = match host
            .pace
            .permission(&self.profile, host.crawl_delay, clock.now())
        {
            Permission::Skip => return Turn::Skip,
            Permission::Busy => return Turn::Busy,
            Permission::From(from) => from.max(self.group_opens_at(host)),
        };
        if from <= clock.now() {
            Turn::Ready
        } else {
            Turn::NotBefore(clock.outside(from))
        }
    }

    fn group_opens_at(&self, host: &Host) -> Timestamp {
        let group = self.groups.get(host.group);
        group.map_or(Timestamp::EPOCH, |group| group.open_at(&self.profile))
    }

    /// A host that may be asked now and waits for it; `None` if there is none before [`Scheduler::next_wakeup`].
    ///
    /// The same one again until [`Scheduler::handle_start`] is called for it, or [`Scheduler::set_waiting`] with
    /// `false`.
    pub fn next_ready(&mut self, now: Timestamp) -> Option<HostId> {
        let now = self.clock.advance(now);
        loop {
            let timed = self.timed.first().filter(|due| due.at <= now);
            let opening = self.opening.first().filter(|due| due.at <= now);
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

    /// The host of the first place by time, if it is ready; otherwise that place is dropped or put off.
    fn ready_by_time(&mut self, due: Due, now: Timestamp) -> Option<HostId> {
        let host = self.hosts.get_mut(due.number);
        let Some(host) = host.filter(|host| host.is_at(Place::Timed, due.stamp)) else {
            self.timed.drop_first();
            return None;
        };
        let permission = match host.wish {
            Wish::Turn => host.pace.permission(&self.profile, host.crawl_delay, now),
            Wish::Removal if !host.pace.is_in_flight() => {
                Permission::From(host.pace.not_before(&self.profile, host.crawl_delay, now))
            }
            Wish::Removal | Wish::Nothing => Permission::Busy,
        };
        match permission {
            Permission::Busy | Permission::Skip => {
                host.place = Place::Nowhere;
                self.timed.drop_first();
                None
            }
            Permission::From(from) if from > now => {
                self.timed.put_off_first(from);
                None
            }
            Permission::From(_) if host.wish == Wish::Removal => {
                self.timed.drop_first();
                self.forget(due.number);
                None
            }
            Permission::From(_) => {
                let Some(group) = self.groups.get_mut(host.group) else {
                    return Some(HostId(due.number));
                };
                if !group.is_queued && group.open_at(&self.profile) <= now {
                    return Some(HostId(due.number));
                }
                self.timed.drop_first();
                host.place = Place::InGroup;
                let number = host.group;
                group.push_waiting(due.number, host.stamp);
                let hosts = &self.hosts;
                group.tidy_waiting(|number, stamp| hosts.is_at(number, Place::InGroup, stamp));
                self.queue_group(number);
                None
            }
        }
    }

    /// The host that is first in the line of a group, if the group is open and the host ready.
    fn ready_of_group(&mut self, due: Due, now: Timestamp) -> Option<HostId> {
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
            match host.filter(|host| host.is_at(Place::InGroup, stamp)) {
                Some(host) => break Some((number, host)),
                None => group.drop_first_waiting(),
            }
        };
        let Some((number, host)) = waiting else {
            if group.is_over(&self.profile, now) {
                self.opening.drop_first();
                self.groups.remove(due.number);
            } else if group.members == 0 {
                let until = group.remembered_until(&self.profile);
                self.opening.put_off_first(until);
            } else {
                group.is_queued = false;
                self.opening.drop_first();
            }
            return None;
        };
        let open_at = group.open_at(&self.profile);
        if open_at > now {
            self.opening.put_off_first(open_at);
            return None;
        }
        let is_ready = host.wish == Wish::Turn
            && matches!(
                host.pace.permission(&self.profile, host.crawl_delay, now),
                Permission::From(from) if from <= now
            );
        if is_ready {
            return Some(HostId(number));
        }
        group.drop_first_waiting();
        host.place = Place::Nowhere;
        self.settle(number);
        None
    }

    /// The earliest time at which [`Scheduler::next_ready`] may have a host again: sleep until then, or until a reply.
    /// After a call that gave `None` it lies ahead. `None` if no host will be ready without a call of another kind.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        let first = [self.timed.first(), self.opening.first()];
        let at = first.into_iter().flatten().map(|due| due.at).min()?;
        Some(self.clock.outside(at))
    }

    /// A request to the host was started. Also one that was not this scheduler's idea.
    pub fn handle_start(&mut self, host: HostId, now: Timestamp) {
        let now = self.clock.advance(now);
        let Some(found) = self.hosts.get_mut(host.0) else {
            return;
        };
        found.pace.start(now);
        if let Some(group) = self.groups.get_mut(found.group) {
            group.start(&self.profile, now);
        }
        found.place = Place::Nowhere;
        self.settle(host.0);
    }

    /// A request to the host came to its end.
    pub fn handle_reply(&mut self, host: HostId, reply: Reply, now: Timestamp) {
        let now = self.clock.advance(now);
        let Some(found) = self.hosts.get_mut(host.0) else {
            return;
        };
        let key = found.key();
        found.pace.reply(&reply, &self.profile, key, self.clock);
        if let Some(group) = self.groups.get_mut(found.group) {
            let started = self.clock.inside(reply.started).min(now);
            group.reply(&reply, started, &self.profile, now);
        }
        self.resettle(host.0);
    }

    /// What the host's robots.txt asks for; see [`Pacer::set_crawl_delay`].
    pub fn set_crawl_delay(&mut self, host: HostId, delay: Option<Duration>) {
        let Some(found) = self.hosts.get_mut(host.0) else {
            return;
        };
        found.crawl_delay = AskedDelay::new(delay);
        if let Some(group) = self.groups.get_mut(found.group) {
            group.slow_down(found.crawl_delay.gap(&self.profile));
        }
        self.resettle(host.0);
    }

    /// Whether the host has a URL and so waits for its turn. A new one does.
    pub fn set_waiting(&mut self, host: HostId, waiting: bool) {
        let wish = if waiting { Wish::Turn } else { Wish::Nothing };
        let is_leaving = |host: &Host| host.wish == Wish::Removal;
        if !self.hosts.get(host.0).is_some_and(is_leaving) {
            self.set_wish(host.0, wish);
        }
    }

    /// Takes the host out. It is remembered until its requests have ended and its gap is over, so that to insert it
    /// again does not shorten the gap.
    pub fn remove(&mut self, host: HostId) {
        self.set_wish(host.0, Wish::Removal);
    }

    /// How many requests the host will take within `horizon`, counted from the last time that was seen, if nothing
    /// changes: how many URLs of it are worth having at hand. Of a shared address an equal share.
    #[must_use]
    pub fn capacity(&self, host: HostId, horizon: Duration) -> usize {
        let Some(host) = self.present(host) else {
            return 0;
        };
        let now = self.clock.now();
        let own = host
            .pace
            .capacity(&self.profile, host.crawl_delay, now, horizon);
        let share = self.groups.get(host.group).map_or(u64::MAX, |group| {
            group
                .capacity(&self.profile, now, horizon)
                .div_ceil(u64::from(group.members.max(1)))
        });
        usize::try_from(own.min(share)).unwrap_or(usize::MAX)
    }

    fn set_wish(&mut self, number: u32, wish: Wish) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        match (host.wish, wish) {
            (Wish::Removal, Wish::Turn | Wish::Nothing) => {
                self.removals = self.removals.saturating_sub(1);
            }
            (Wish::Turn | Wish::Nothing, Wish::Removal) => {
                self.removals = self.removals.saturating_add(1);
            }
            _ => {}
        }
        host.wish = wish;
        match (host.place, wish) {
            (Place::InGroup, Wish::Removal) => {
                host.place = Place::Nowhere;
                self.settle(number);
            }
            (Place::Nowhere, Wish::Turn | Wish::Removal) => self.settle(number),
            _ => {}
        }
    }

    fn regroup(&mut self, number: u32, group: Option<IpGroup>) {
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
                    group.join(host.crawl_delay.gap(&self.profile));
                }
                new
            }
        };
        if host.place == Place::InGroup {
            host.place = Place::Nowhere;
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
    fn forget(&mut self, number: u32) {
        if let Some(host) = self.hosts.remove(number) {
            if host.wish == Wish::Removal {
                self.removals = self.removals.saturating_sub(1);
            }
            self.leave(host.group);
        }
    }

    /// Lets a group come up when it opens, unless it does already.
    fn queue_group(&mut self, number: u32) {
        let Some(group) = self.groups.get_mut(number) else {
            return;
        };
        if group.is_queued {
            return;
        }
        group.is_queued = true;
        self.stamps = self.stamps.wrapping_add(1);
        group.stamp = self.stamps;
        self.opening.push(Due {
            at: group.open_at(&self.profile),
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
    fn resettle(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        // In line for its address, it is looked at when it comes up.
        if host.place != Place::InGroup {
            host.place = Place::Nowhere;
            self.settle(number);
        }
    }

    /// Finds a place for a host that is nowhere.
    fn settle(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        let at = match (
            host.wish,
            host.pace
                .permission(&self.profile, host.crawl_delay, self.clock.now()),
        ) {
            (Wish::Turn, Permission::From(from)) => from,
            (Wish::Removal, _) if !host.pace.is_in_flight() => {
                let from = host
                    .pace
                    .not_before(&self.profile, host.crawl_delay, self.clock.now());
                // A pace from elsewhere may know a later time than this clock has read; what it says counts then.
                if from <= self.clock.now() && !host.pace.is_ahead_of(self.clock.now()) {
                    return self.forget(number);
                }
                from
            }
            _ => return,
        };
        host.place = Place::Timed;
        self.stamps = self.stamps.wrapping_add(1);
        host.stamp = self.stamps;
        self.timed.push(Due {
            // Who begins to wait now comes behind those who have waited, or new hosts would push the old ones back.
            at: at.max(self.clock.now()),
            number,
            stamp: host.stamp,
        });
        let hosts = &self.hosts;
        self.timed.tidy(hosts.len(), |due| {
            hosts.is_at(due.number, Place::Timed, due.stamp)
        });
    }
}

impl HostId {
    /// As a number below the most hosts that the scheduler has held, to index the caller's own tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

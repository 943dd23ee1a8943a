//! The scheduler of many hosts: the public calls, over the queues in which the hosts wait.

use core::time::Duration;

use crate::pace::host_pace::{AskedDelay, Pace, Permission};
use crate::pace::pacer::Pacer;
use crate::pace::reply::{Reply, Turn};
use crate::pace::scheduler::host::{Goal, Host, NO_GROUP, Queue};
use crate::pace::scheduler::host_id::HostId;
use crate::pace::scheduler::ip_group::IpGroup;
use crate::pace::scheduler::queues::Queues;
use crate::profile::Profile;
use crate::settings::pace::PaceSettings;
use crate::time::{Clock, Timestamp};

mod group;
mod groups;
mod host;
pub(crate) mod host_id;
mod hosts;
pub(crate) mod ip_group;
mod queues;
mod slab;
#[cfg(feature = "serde")]
mod stored;
mod timer_queue;

/// The paces of many hosts, and which of them is next. It holds hosts, never URLs: those wait in the caller's queues.
///
/// The unit is the host, as in Mercator: one request at a time, and a gap. Hosts that share an address share its limit
/// too; they wait in line for it, in the order in which they came to be ready, and cost nothing meanwhile. Every call
/// takes O(log n), [`Scheduler::next_ready`] on average over the calls; a million hosts take less than 250 bytes each.
///
/// ```
/// use polite_robots_policy::{Profile, Reply, Scheduler, Timestamp};
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
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Scheduler {
    queues: Queues,
}

impl Scheduler {
    /// Without hosts.
    #[must_use]
    pub fn new(profile: Profile) -> Scheduler {
        Scheduler {
            queues: Queues::new(profile.pace),
        }
    }

    /// The settings of all hosts, which are [`Profile::pace`].
    #[must_use]
    pub fn settings(&self) -> &PaceSettings {
        &self.queues.settings
    }

    /// How many hosts are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queues
            .hosts
            .len()
            .saturating_sub(self.queues.removals as usize)
    }

    /// Whether no host is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a host that was never asked and has a URL. `host` is [`Origin::host`](crate::Origin::host), or a
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
        let number = match self.queues.hosts.find(host) {
            Some(number) => number,
            None => {
                let (pace, crawl_delay) = parts(self.queues.clock);
                self.queues.hosts.insert(Host {
                    name: host.into(),
                    pace,
                    crawl_delay,
                    group: NO_GROUP,
                    stamp: 0,
                    queue: Queue::Nowhere,
                    goal: Goal::Turn,
                })
            }
        };
        self.queues.regroup(number, group);
        self.queues.set_goal(number, Goal::Turn);
        HostId(number)
    }

    /// What is known of the host's pace, to take it to another scheduler. Requests on their way count as such there
    /// too, so wait for them first.
    #[must_use]
    pub fn pacer(&self, host: HostId) -> Option<Pacer> {
        let host = self.queues.hosts.get(host.0)?;
        let pace = host.pace.clone();
        Some(Pacer::of_parts(
            self.queues.clock,
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
        let found = self.queues.hosts.get(host.0);
        found.filter(|host| host.goal != Goal::Removal)
    }

    /// Whether this one host may be asked; never once it is removed. Changes nothing.
    #[must_use]
    pub fn turn(&self, host: HostId, now: Timestamp) -> Turn {
        let clock = self.queues.clock.read(now);
        let Some(host) = self.present(host) else {
            return Turn::NotBefore(Timestamp::MAX);
        };
        let from = match host
            .pace
            .permission(&self.queues.settings, host.crawl_delay, clock.now())
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
        let group = self.queues.groups.get(host.group);
        group.map_or(Timestamp::EPOCH, |group| {
            group.open_at(&self.queues.settings)
        })
    }

    /// A host that may be asked now and waits for it; `None` if there is none before [`Scheduler::next_wakeup`].
    ///
    /// The same one again until [`Scheduler::handle_start`] is called for it, or [`Scheduler::set_waiting`] with
    /// `false`.
    pub fn next_ready(&mut self, now: Timestamp) -> Option<HostId> {
        self.queues.next_ready(now).map(HostId)
    }

    /// The earliest time at which [`Scheduler::next_ready`] may have a host again: sleep until then, or until a reply.
    /// After a call that gave `None` it lies ahead. `None` if no host will be ready without a call of another kind.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        self.queues.next_wakeup()
    }

    /// A request to the host was started. Also one that was not this scheduler's idea.
    pub fn handle_start(&mut self, host: HostId, now: Timestamp) {
        let now = self.queues.clock.advance(now);
        let Some(found) = self.queues.hosts.get_mut(host.0) else {
            return;
        };
        found.pace.start(now);
        if let Some(group) = self.queues.groups.get_mut(found.group) {
            group.start(&self.queues.settings, now);
        }
        found.queue = Queue::Nowhere;
        self.queues.settle(host.0);
    }

    /// A request to the host came to its end.
    pub fn handle_reply(&mut self, host: HostId, reply: Reply, now: Timestamp) {
        let now = self.queues.clock.advance(now);
        let Some(found) = self.queues.hosts.get_mut(host.0) else {
            return;
        };
        let key = found.key();
        found
            .pace
            .reply(&reply, &self.queues.settings, key, self.queues.clock);
        if let Some(group) = self.queues.groups.get_mut(found.group) {
            let started = self.queues.clock.inside(reply.started).min(now);
            group.reply(&reply, started, &self.queues.settings, now);
        }
        self.queues.resettle(host.0);
    }

    /// What the host's robots.txt asks for; see [`Pacer::set_crawl_delay`].
    pub fn set_crawl_delay(&mut self, host: HostId, delay: Option<Duration>) {
        let Some(found) = self.queues.hosts.get_mut(host.0) else {
            return;
        };
        found.crawl_delay = AskedDelay::new(delay);
        if let Some(group) = self.queues.groups.get_mut(found.group) {
            group.slow_down(found.crawl_delay.gap(&self.queues.settings));
        }
        self.queues.resettle(host.0);
    }

    /// Whether the host has a URL and so waits for its turn. A new one does.
    pub fn set_waiting(&mut self, host: HostId, waiting: bool) {
        let goal = if waiting { Goal::Turn } else { Goal::Nothing };
        let is_leaving = |host: &Host| host.goal == Goal::Removal;
        if !self.queues.hosts.get(host.0).is_some_and(is_leaving) {
            self.queues.set_goal(host.0, goal);
        }
    }

    /// Takes the host out. It is remembered until its requests have ended and its gap is over, so that to insert it
    /// again does not shorten the gap.
    pub fn remove(&mut self, host: HostId) {
        self.queues.set_goal(host.0, Goal::Removal);
    }

    /// How many requests the host will take within `horizon`, counted from the last time that was seen, if nothing
    /// changes: how many URLs of it are worth having at hand. Of a shared address an equal share.
    #[must_use]
    pub fn capacity(&self, host: HostId, horizon: Duration) -> usize {
        let Some(host) = self.present(host) else {
            return 0;
        };
        let now = self.queues.clock.now();
        let own = host
            .pace
            .capacity(&self.queues.settings, host.crawl_delay, now, horizon);
        let share = self
            .queues
            .groups
            .get(host.group)
            .map_or(u64::MAX, |group| {
                group
                    .capacity(&self.queues.settings, now, horizon)
                    .div_ceil(u64::from(group.members.max(1)))
            });
        usize::try_from(own.min(share)).unwrap_or(usize::MAX)
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    /// It is not valid any more, and must not become so again when its number and its stamp are given once more.
    #[test]
    fn no_stamp_is_given_that_the_place_of_a_forgotten_host_has() {
        let start = Timestamp::from_millis(1_767_225_600_000);
        let mut profile = Profile::rfc9309();
        profile.pace.min_delay = Duration::ZERO;
        let mut scheduler = Scheduler::new(profile);
        let host = scheduler.insert("example.com", None);
        scheduler.handle_start(host, start);
        scheduler.remove(host);
        scheduler.handle_reply(host, Reply::new(Ok(200), start), start);
        let left = scheduler.queues.timed.first().unwrap();
        assert!(
            scheduler.queues.hosts.get(left.number).is_none(),
            "forgotten"
        );
        let stored = serde_json::to_vec(&scheduler).unwrap();
        let mut read: Scheduler = serde_json::from_slice(&stored).unwrap();
        let next = read.insert("example.org", None);
        assert_eq!(next, host, "a number given again");
        assert!(read.queues.hosts.get(next.0).unwrap().stamp > left.stamp);
    }
}

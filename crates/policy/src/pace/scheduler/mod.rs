//! The scheduler of many hosts: the public calls, over the queues in which the hosts wait.

use core::time::Duration;

use crate::host_rule::HostRule;
use crate::origin::Origin;
use crate::pace::crawl_delay::{AskedDelay, DelaySource};
use crate::pace::host_pace::Pace;
use crate::pace::pacer::Pacer;
use crate::pace::permission::Permission;
use crate::pace::reply::{Reply, Turn};
use crate::pace::scheduler::host::{Goal, Host};
use crate::pace::scheduler::host_id::HostId;
use crate::pace::scheduler::ip_group::IpGroup;
use crate::pace::scheduler::queues::Queues;
use crate::profile::Profile;
use crate::settings::pace::PaceSettings;
use crate::time::Timestamp;

mod group;
mod groups;
mod host;
pub(crate) mod host_id;
mod hosts;
pub(crate) mod ip_group;
mod leases;
mod queues;
mod slab;
#[cfg(feature = "serde")]
mod stored;
mod timer_queue;

/// The paces of many hosts, and which of them is next. A scheduler holds hosts, never URLs: those
/// wait in the caller's queues.
///
/// The unit is the host, as in Mercator: one request at a time, and a gap. Hosts that share an
/// address share its limit too; they wait in line for it, in the order in which they became ready,
/// and cost nothing meanwhile. Every call takes O(log n), [`Scheduler::next_ready`] on average over
/// the calls; a million hosts take less than 250 bytes each.
///
/// A request ends with [`Scheduler::handle_reply`] or [`Scheduler::handle_cancelled`]. If neither
/// is called, it stops counting as under way after [`PaceSettings::request_lease`], so a task that
/// hangs never costs a host for good. A step of the clock by more than a minute counts as a minute
/// of the lease, so that a clock set ahead ends no requests. A scheduler that is read back with
/// `serde` has no requests under way: those of the saved one end at the newest time that it had
/// seen, and their gap is kept.
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
/// scheduler.set_idle(other);
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
    /// A scheduler without hosts.
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

    /// The number of hosts in the scheduler.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queues
            .hosts
            .len()
            .saturating_sub(self.queues.removals as usize)
    }

    /// Whether the scheduler has no host.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a host that was never asked and has a URL. `host` is [`Origin::host`], or a name that
    /// several hosts share if they are to share a pace.
    ///
    /// A host that is there already keeps its pace and waits for its turn. It gets the group, if
    /// there is one, and keeps its own otherwise; [`Scheduler::set_group`] takes it away.
    pub fn insert(&mut self, host: &str, group: Option<IpGroup>) -> HostId {
        let number = match self.queues.hosts.find(host) {
            Some(number) => number,
            None => self.queues.insert(host, Pace::NEW),
        };
        self.begin_to_wait(number, group)
    }

    /// Adds a host with the pace that [`Scheduler::pacer`] gave elsewhere, or with
    /// [`Pacer::after_gap`] if it is lost. If the host is there already, the pace is merged as by
    /// [`Scheduler::join`].
    pub fn insert_with(&mut self, host: &str, group: Option<IpGroup>, pacer: Pacer) -> HostId {
        let pace = pacer.into_pace(self.queues.clock);
        let number = match self.queues.hosts.find(host) {
            Some(number) => {
                self.queues.join(number, &pace);
                number
            }
            None => self.queues.insert(host, pace),
        };
        self.begin_to_wait(number, group)
    }

    /// Merges the pace that another crawler had for the host. A host that is taken over may be
    /// known already, as redirects led to it. The more patient value counts, for each of the time
    /// of the last request, the blocks, the `Crawl-delay`, and the back-off level.
    ///
    /// ```
    /// use polite_robots_policy::{Profile, Reply, Scheduler, Timestamp};
    ///
    /// let profile = Profile::rfc9309();
    /// let [mut old, mut new] = [Scheduler::new(profile), Scheduler::new(profile)];
    /// let start = Timestamp::from_millis(1_767_225_600_000);
    /// let given = old.insert("example.com", None);
    /// old.handle_start(given, start);
    /// old.handle_reply(given, Reply::new(Ok(429), start), start);
    ///
    /// let known = new.insert("example.com", None);
    /// new.join(known, old.pacer(given).unwrap());
    /// assert_eq!(new.pacer(known).unwrap().level(&profile), 3);
    /// ```
    pub fn join(&mut self, host: HostId, pacer: Pacer) {
        let pace = pacer.into_pace(self.queues.clock);
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.join(number, &pace);
        }
    }

    fn begin_to_wait(&mut self, number: u32, group: Option<IpGroup>) -> HostId {
        if group.is_some() {
            self.queues.regroup(number, group);
        }
        self.queues.set_goal(number, Goal::Turn);
        // The host is there, so the default is never used; it would be stale.
        self.queues.hosts.id(number).unwrap_or(HostId {
            index: number,
            generation: 0,
        })
    }

    /// The host of this name, if it is in the scheduler. Changes nothing.
    #[must_use]
    pub fn find(&self, host: &str) -> Option<HostId> {
        let id = self.queues.hosts.id(self.queues.hosts.find(host)?)?;
        self.contains(id).then_some(id)
    }

    /// All hosts in the scheduler, in no order.
    pub fn hosts(&self) -> impl Iterator<Item = HostId> {
        let ids = self.queues.hosts.numbers();
        let ids = ids.filter_map(|number| self.queues.hosts.id(number));
        ids.filter(|id| self.contains(*id))
    }

    /// Whether the host is in the scheduler; not once it is removed.
    #[must_use]
    pub fn contains(&self, host: HostId) -> bool {
        self.present(host).is_some()
    }

    /// Moves the host to a group, or out of its group.
    pub fn set_group(&mut self, host: HostId, group: Option<IpGroup>) {
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.regroup(number, group);
        }
    }

    /// The pace of the host, to take it to another scheduler, also with its [`Scheduler::block`].
    /// The rule and the deferral are left out. Requests under way count there too, until the pacer
    /// is stored or their lease is over.
    #[must_use]
    pub fn pacer(&self, host: HostId) -> Option<Pacer> {
        let host = self.queues.hosts.get(self.queues.hosts.number(host)?)?;
        let pace = host.pace.clone().portable();
        Some(Pacer::of_pace(self.queues.clock, pace, host.key()))
    }

    /// The name of the host; empty once it is removed.
    #[must_use]
    pub fn host(&self, host: HostId) -> &str {
        self.present(host).map_or("", |host| &host.name)
    }

    /// A host that is not removed, though a removed one may be remembered.
    fn present(&self, host: HostId) -> Option<&Host> {
        let number = self.queues.hosts.number(host)?;
        let found = self.queues.hosts.get(number);
        found.filter(|host| host.goal != Goal::Removal)
    }

    /// Whether this one host may be asked; never once it is removed. Changes nothing.
    #[must_use]
    pub fn turn(&self, host: HostId, now: Timestamp) -> Turn {
        let clock = self.queues.clock.read(now);
        let Some(host) = self.present(host) else {
            return Turn::NotBefore(Timestamp::MAX);
        };
        let from = match host.pace.permission(&self.queues.settings, clock.now()) {
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

    /// A host that may be asked now and waits for it; `None` if there is none before
    /// [`Scheduler::next_wakeup`].
    ///
    /// The same host comes again until [`Scheduler::handle_start`] is called for it,
    /// [`Scheduler::set_idle`] or [`Scheduler::defer`].
    pub fn next_ready(&mut self, now: Timestamp) -> Option<HostId> {
        let number = self.queues.next_ready(now)?;
        self.queues.hosts.id(number)
    }

    /// The earliest time at which [`Scheduler::next_ready`] may have a host again: sleep until
    /// then, or until a reply. After a call that gave `None` it lies ahead. `None` if no host will
    /// be ready without a call of another kind.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        self.queues.next_wakeup()
    }

    /// Notes that a request to the host was started, even one that this scheduler did not propose.
    pub fn handle_start(&mut self, host: HostId, now: Timestamp) {
        let now = self.queues.read(now);
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.start(number, now);
        }
    }

    /// Notes the end of a request to the host. [`Reply::started`] says which, if several are under
    /// way.
    pub fn handle_reply(&mut self, host: HostId, reply: Reply, now: Timestamp) {
        let now = self.queues.read(now);
        let clock = self.queues.clock;
        let Some(number) = self.queues.hosts.number(host) else {
            return;
        };
        let Some(found) = self.queues.hosts.get(number) else {
            return;
        };
        let key = found.key();
        if let Some(group) = self.queues.groups.get_mut(found.group) {
            let started = clock.inside(reply.started).min(now);
            group.reply(&reply, started, &self.queues.settings, now);
        }
        self.queues.change(number, |pace, settings| {
            pace.reply(&reply, settings, key, clock);
        });
    }

    /// Ends a request to the host that the crawler gave up or never sent. The gap is kept, and the
    /// host is not to blame: neither its level nor its latency changes.
    ///
    /// If several requests are under way it is the oldest; if the lease of one is over, that one
    /// has ended now. Without a request under way nothing changes, so a guard may call this
    /// whenever it is dropped.
    pub fn handle_cancelled(&mut self, host: HostId, now: Timestamp) {
        let now = self.queues.read(now);
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.change(number, |pace, _| pace.cancel(None, now));
        }
    }

    /// Sets the `Crawl-delay` of one robots.txt
    /// ([`Robot::crawl_delay`](polite_robots::Robot::crawl_delay)), or `None` if it has none. A
    /// robots.txt belongs to an origin and a pace to a host: the longest delay of the host's
    /// origins counts. More than 86,400 s count as that. Beyond 64 origins only the longest delays
    /// are kept apart.
    pub fn set_crawl_delay(&mut self, host: HostId, origin: &Origin, delay: Option<Duration>) {
        let Some(number) = self.queues.hosts.number(host) else {
            return;
        };
        let delay = AskedDelay::new(delay);
        let host = self.queues.hosts.get(number);
        // A crawler calls this at each page, and few files have a delay.
        if host.is_some_and(|host| host.pace.has_no_crawl_delay()) && delay == AskedDelay::NONE {
            return;
        }
        let source = DelaySource::of(origin);
        self.queues.change(number, |pace, _| {
            pace.set_crawl_delay(source, delay);
        });
    }

    /// Gives the host no turn before a time, as the crawler has nothing to ask there: its
    /// robots.txt is in an outage, say. A later call may shorten it, and a time that is past ends
    /// it; so does [`Scheduler::remove`]. The pace stays as it is.
    pub fn defer(&mut self, host: HostId, until: Timestamp) {
        let until = self.queues.clock.wait_inside(until);
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.change(number, |pace, _| pace.rare.defer(until));
        }
    }

    /// Stops asking the host until a time, by the operator's will; [`Timestamp::MAX`] is for ever.
    /// An earlier time does not shorten a block, [`Scheduler::unblock`] ends it. A host that is
    /// removed is remembered as long as its block lasts.
    ///
    /// Other crawlers call it `blockDomain`.
    pub fn block(&mut self, host: HostId, until: Timestamp) {
        let until = self.queues.clock.inside(until);
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.change(number, |pace, _| pace.rare.block(until));
        }
    }

    /// Ends the block by the operator. The host's own `Retry-After` and the gap still count.
    pub fn unblock(&mut self, host: HostId) {
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.change(number, |pace, _| pace.rare.unblock());
        }
    }

    /// Sets the operator's exceptions for the host; [`HostRule::new`] ends them. They last as long
    /// as the host is remembered, so set them each time that it is inserted.
    pub fn set_rule(&mut self, host: HostId, rule: HostRule) {
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues
                .change(number, |pace, _| pace.rare.set_rule(rule));
        }
    }

    /// The operator's exceptions for the host.
    #[must_use]
    pub fn rule(&self, host: HostId) -> HostRule {
        self.present(host)
            .map_or(HostRule::new(), |host| host.pace.rare.rule())
    }

    /// Lets the host wait for its turn, because it has a URL. A new one waits.
    pub fn set_waiting(&mut self, host: HostId) {
        self.set_goal(host, Goal::Turn);
    }

    /// Gives the host no turn, because it has no URL at hand, until [`Scheduler::set_waiting`].
    pub fn set_idle(&mut self, host: HostId) {
        self.set_goal(host, Goal::Nothing);
    }

    fn set_goal(&mut self, host: HostId, goal: Goal) {
        let number = self.queues.hosts.number(host);
        if let Some(number) = number.filter(|_| self.contains(host)) {
            self.queues.set_goal(number, goal);
        }
    }

    /// Takes the host out. It is remembered until its requests have ended and its gap and blocks
    /// are over, so that to insert it again does not shorten them.
    pub fn remove(&mut self, host: HostId) {
        if let Some(number) = self.queues.hosts.number(host) {
            self.queues.set_goal(number, Goal::Removal);
        }
    }

    /// Whether the host may be forgotten: inserted again as a new one, with the same rule and
    /// group, it would get no turn earlier than if it had stayed, now and whatever comes. See
    /// [`Pacer::is_as_new`]. Not once it is removed.
    ///
    /// A host without URLs for which it is `true` costs memory for nothing; [`Scheduler::remove`]
    /// takes it out.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::{Profile, Reply, Scheduler, Timestamp};
    ///
    /// let mut scheduler = Scheduler::new(Profile::rfc9309());
    /// let host = scheduler.insert("example.com", None);
    /// let start = Timestamp::from_millis(1_767_225_600_000);
    /// scheduler.handle_start(host, start);
    /// scheduler.handle_reply(host, Reply::new(Ok(200), start), start);
    /// assert!(!scheduler.is_as_new(host, start));
    /// let later = start.saturating_add(Duration::from_secs(60));
    /// if scheduler.is_as_new(host, later) {
    ///     scheduler.remove(host);
    /// }
    /// assert!(scheduler.is_empty());
    /// ```
    #[must_use]
    pub fn is_as_new(&self, host: HostId, now: Timestamp) -> bool {
        let now = self.queues.clock.read(now).now();
        self.present(host)
            .is_some_and(|host| host.pace.is_as_new(&self.queues.settings, now))
    }

    /// The number of requests that the host will take within `horizon`, counted from the last time
    /// that was seen, if nothing changes: the number of its URLs worth having at hand. For a shared
    /// address it is an equal share.
    #[must_use]
    pub fn capacity(&self, host: HostId, horizon: Duration) -> usize {
        let Some(host) = self.present(host) else {
            return 0;
        };
        let now = self.queues.clock.now();
        let own = host.pace.capacity(&self.queues.settings, now, horizon);
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

    /// A stale entry must not become live when its number is given to another host.
    #[test]
    fn no_stamp_is_issued_that_a_stale_entry_has() {
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
        assert_eq!(next.index(), host.index(), "a number given again");
        assert_ne!(next, host);
        assert!(read.queues.hosts.get(next.index).unwrap().stamp > left.stamp);
    }
}

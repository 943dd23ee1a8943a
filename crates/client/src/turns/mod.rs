//! The turns of all hosts: the decision which caller may send a request now.

use std::collections::hash_map::Entry;
use std::sync::{Arc, Weak};
use std::time::Duration;

use polite_robots_policy::{
    HostId, HostRule, IpGroup, Pacer, Profile, Reply, Scheduler, Timestamp, Turn,
};
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use crate::hosts::progress::WaitCause;
use crate::metrics::Metrics;
use crate::trace::PaceChange;
use crate::turns::group_locks::GroupLocks;
use crate::turns::leases::{LeasePhase, LeaseStatus, LeaseTable};
use crate::turns::queues::{Grant, HostQueues, Position, QueueError};
use crate::turns::start_windows::StartWindows;
use crate::turns::turn_guard::{Keeper, TurnEnd, TurnGuard, TurnId};

pub(crate) mod group_locks;
pub(crate) mod leases;
pub(crate) mod places;
pub(crate) mod queues;
pub(crate) mod start_windows;
pub(crate) mod turn_guard;

/// Grants turns: has the pace of the hosts, the callers that wait for them, and the turns under
/// way.
#[derive(Debug)]
pub(crate) struct Dispatcher {
    pub(crate) scheduler: Scheduler,
    /// The object that the guards report to; `None` before [`Dispatcher::set_keeper`].
    keeper: Option<Weak<dyn Keeper>>,
    queues: HostQueues,
    groups: GroupLocks,
    /// Hosts whose next request goes to another address than that of their group.
    detours: FxHashMap<HostId, Detour>,
    /// The last starts of the groups; `None` if nothing is saved.
    windows: Option<StartWindows>,
    /// The leases of turns that are granted and not over.
    leases: LeaseTable,
    /// The time at which the driver wakes by itself; `None` if it waits to be woken.
    driver_wakeup: Option<Timestamp>,
    cancelled: u64,
    expired: u64,
    gave_way: u64,
}

/// A host whose next request goes to another address.
#[derive(Debug)]
struct Detour {
    /// The group of its own address.
    home: Option<IpGroup>,
    /// The number of rounds that go there.
    rounds: usize,
}

impl Dispatcher {
    pub(crate) fn new(scheduler: Scheduler, max_running: usize, max_queue: usize) -> Dispatcher {
        let request_lease = scheduler.settings().request_lease;
        Dispatcher {
            scheduler,
            keeper: None,
            queues: HostQueues::new(max_queue),
            groups: GroupLocks::default(),
            detours: FxHashMap::default(),
            windows: None,
            leases: LeaseTable::new(max_running, request_lease),
            driver_wakeup: None,
            cancelled: 0,
            expired: 0,
            gave_way: 0,
        }
    }

    /// Sets the object that the guards report to. Without one no turn is granted.
    pub(crate) fn set_keeper(&mut self, keeper: Weak<dyn Keeper>) {
        self.keeper = Some(keeper);
    }

    /// Counts the starts of the groups from now on, so that they can be saved.
    pub(crate) fn count_starts(&mut self, now: Timestamp) {
        self.windows = Some(StartWindows::new(self.scheduler.settings(), now));
    }

    /// Whether starts of the group in an earlier run may count and are not known yet.
    pub(crate) fn is_unknown(&self, group: IpGroup, now: Timestamp) -> bool {
        let windows = self.windows.as_ref();
        windows.is_some_and(|windows| windows.is_unknown(group, now))
    }

    /// Adds the starts of a group in an earlier run.
    pub(crate) fn recall(&mut self, group: IpGroup, earlier: Vec<Timestamp>, now: Timestamp) {
        if let Some(windows) = &mut self.windows {
            windows.recall(group, earlier, now);
        }
    }

    /// The starts of a group, to save them.
    pub(crate) fn starts(&self, group: IpGroup) -> Vec<Timestamp> {
        let windows = self.windows.as_ref();
        windows.map_or_else(Vec::new, |windows| windows.starts(group))
    }

    /// The group that the host is in.
    pub(crate) fn group(&self, host: HostId) -> Option<IpGroup> {
        self.groups.group_of(host)
    }

    /// The time before which the host gets no turn because of starts in an earlier run.
    fn blocked_until(&self, host: HostId, now: Timestamp) -> Option<Timestamp> {
        let windows = self.windows.as_ref()?;
        windows.blocked_until(self.groups.group_of(host)?, now)
    }

    /// Makes a new host known, with the rule of the operator and the pace of an earlier run, if
    /// there is one.
    pub(crate) fn insert(&mut self, name: &str, rule: HostRule, pacer: Option<Pacer>) -> HostId {
        let host = match pacer {
            Some(pacer) => self.scheduler.insert_with(name, None, pacer),
            None => self.scheduler.insert(name, None),
        };
        self.scheduler.set_rule(host, rule);
        self.scheduler.set_idle(host);
        host
    }

    /// Moves the host to the group of its address, or out of its group.
    pub(crate) fn set_group(&mut self, host: HostId, group: Option<IpGroup>) {
        if !self.scheduler.contains(host) {
            // It was forgotten while its address was looked up.
            return;
        }
        match self.detours.get_mut(&host) {
            Some(detour) => detour.home = group,
            None => self.regroup(host, group),
        }
    }

    /// Lets the next request of the host count to the group of another address, until
    /// [`Dispatcher::end_detour`].
    pub(crate) fn begin_detour(&mut self, host: HostId, group: Option<IpGroup>) {
        let home = self.groups.group_of(host);
        let detour = self
            .detours
            .entry(host)
            .or_insert(Detour { home, rounds: 0 });
        detour.rounds += 1;
        self.regroup(host, group);
    }

    /// Moves the host to the address of this round again, as another round may have moved it since.
    /// A turn that was granted for the other address is returned.
    pub(crate) fn keep_detour(&mut self, host: HostId, group: Option<IpGroup>) {
        self.regroup(host, group);
    }

    /// Returns the host to its own group after the last of its detours.
    pub(crate) fn end_detour(&mut self, host: HostId) {
        let Entry::Occupied(mut detour) = self.detours.entry(host) else {
            return;
        };
        detour.get_mut().rounds -= 1;
        if detour.get().rounds == 0 {
            let home = detour.remove().home;
            self.regroup(host, home);
        }
    }

    /// Moves the host to another group. A turn whose request is not sent yet is given back, as the
    /// new group is not locked for it; its caller gets another one.
    fn regroup(&mut self, host: HostId, group: Option<IpGroup>) {
        if self.groups.group_of(host) == group {
            return;
        }
        if let Some(number) = self.queues.granted(host) {
            self.leases.end(number);
            self.ungrant(host, number);
        }
        self.scheduler.set_group(host, group);
        for parked in self.groups.set_group(host, group) {
            self.update(parked);
        }
        if self.windows.is_some() {
            // Ends the wait for the group that it leaves.
            self.scheduler.defer(host, Timestamp::EPOCH);
        }
        // It may be parked for a turn of the group that it leaves.
        self.update(host);
    }

    /// Whether a caller waits for the host, or the guard of a turn lives.
    pub(crate) fn is_needed(&self, host: HostId) -> bool {
        self.queues.is_needed(host)
    }

    /// Forgets a host.
    pub(crate) fn forget(&mut self, host: HostId) {
        self.detours.remove(&host);
        self.regroup(host, None);
        self.leases.places.forget(host);
        self.queues.forget(host);
        self.scheduler.remove(host);
    }

    /// Removes the callers that wait for the host. Returns its pace, unless a turn of it is under
    /// way.
    pub(crate) fn idle_pacer(&mut self, host: HostId, now: Timestamp) -> Option<Pacer> {
        self.queues.clear(host);
        self.end_leases(now);
        self.update(host);
        // The guard of a response that nobody reads may live for ever; its lease does not.
        match self.leases.has(host) {
            true => None,
            false => self.scheduler.pacer(host),
        }
    }

    /// The number of turns that are granted and of requests under way.
    pub(crate) fn running(&self) -> usize {
        self.leases.len()
    }

    /// Adds the figures of the turns to the counters.
    pub(crate) fn count(&self, counts: &mut Metrics) {
        counts.cancelled = self.cancelled;
        counts.expired = self.expired;
        counts.gave_way = self.gave_way;
        counts.hosts_waiting = self.queues.waiting_hosts();
        counts.in_flight = self.leases.len();
        counts.hosts = self.scheduler.len();
    }

    /// Adds a caller to the queue of the host.
    pub(crate) fn queue(
        &mut self,
        host: HostId,
        position: Position,
        until: Timestamp,
    ) -> Result<oneshot::Receiver<Grant>, QueueError> {
        if !self.scheduler.contains(host) {
            return Err(QueueError::Forgotten);
        }
        let turn = self.queues.push(host, position, until)?;
        self.update(host);
        Ok(turn)
    }

    /// Whether the host may be asked now, and a new caller would overtake no other.
    pub(crate) fn is_ready(&self, host: HostId, now: Timestamp) -> bool {
        self.has_place(host)
            && self.queues.is_free(host)
            && self.scheduler.turn(host, now) == Turn::Ready
    }

    /// Whether the host has a place and takes it from no other that waits.
    fn has_place(&self, host: HostId) -> bool {
        let places = &self.leases.places;
        let standing = places.standing(host);
        places.has_place(standing) && places.is_first(standing)
    }

    /// Starts a request to a host that [is ready](Dispatcher::is_ready), after all turns that are
    /// due are granted. `None` if they leave no place for it.
    pub(crate) fn start_now(&mut self, host: HostId, now: Timestamp) -> Option<TurnGuard> {
        if !self.queues.is_empty() {
            self.grant(now);
        }
        // A host in a group needs the lock of the group as well.
        if !self.has_place(host) || self.groups.group_of(host).is_some() {
            return None;
        }
        let keeper = self.keeper()?;
        let (number, way) = self.leases.grant_sent(host, now);
        self.queues.start(host);
        self.scheduler.handle_start(host, now);
        Some(TurnGuard::sent(keeper, TurnId { host, number }, way))
    }

    /// Lets a request that this client does not send keep its place.
    pub(crate) fn lend(&mut self, turn: TurnId) {
        self.leases.lend(turn.number);
    }

    fn keeper(&self) -> Option<Arc<dyn Keeper>> {
        self.keeper.as_ref()?.upgrade()
    }

    /// Notes the time at which the driver wakes by itself; `None` if it waits to be woken.
    pub(crate) fn set_driver_wakeup(&mut self, wakeup: Option<Timestamp>) {
        self.driver_wakeup = wakeup;
    }

    /// Grants the turns that a change made free. Returns whether the driver would wake too late for
    /// the next turn.
    pub(crate) fn dispatch(&mut self, now: Timestamp) -> bool {
        let next = self.grant(now);
        next.is_some_and(|next| self.driver_wakeup.is_none_or(|planned| next < planned))
    }

    /// Does the same after the end of a request, which frees turns only for callers that wait.
    pub(crate) fn dispatch_after_end(&mut self, now: Timestamp) -> bool {
        !self.queues.is_empty() && self.dispatch(now)
    }

    /// Does the same after [`Dispatcher::start_now`], after which the driver has only the new lease
    /// to wake for.
    pub(crate) fn dispatch_after_start(&mut self, now: Timestamp) -> bool {
        let lease = self.leases.request_lease().min(LOOK_AT_CLOCK);
        let lease_end = now.saturating_add(lease);
        self.driver_wakeup.is_none_or(|planned| planned > lease_end) && self.dispatch(now)
    }

    /// Grants every turn that may be granted now. Returns the time at which to look again.
    pub(crate) fn grant(&mut self, now: Timestamp) -> Option<Timestamp> {
        self.end_leases(now);
        let look = now.saturating_add(LOOK_AT_CLOCK);
        let look_again = self.make_way(now);
        loop {
            while let Some(host) = self.leases.places.next() {
                // It may have lost its callers or its turn meanwhile.
                if self.queues.wants_turn(host) && self.scheduler.turn(host, now) == Turn::Ready {
                    self.grant_host(host, now)?;
                } else {
                    self.update(host);
                }
            }
            if self.leases.places.is_full() {
                break;
            }
            let Some(host) = self.scheduler.next_ready(now) else {
                let look = (self.leases.len() > 0).then_some(look);
                let next = [
                    self.scheduler.next_wakeup(),
                    self.leases.next_expiry(),
                    look_again,
                    self.look_at_line(now),
                    look,
                ];
                return next.into_iter().flatten().min();
            };
            if self.has_place(host) {
                self.grant_host(host, now)?;
            } else {
                self.leases.places.wait(host);
                self.scheduler.set_idle(host);
            }
        }
        // No place is free: the end of a request dispatches again. The scheduler must see the clock
        // meanwhile, as it takes a long step for a clock that was set, and extends its leases.
        while let Some(host) = self.scheduler.next_ready(now) {
            // It waits in the line of its kind, so that a slow request gives way to it.
            self.leases.places.wait(host);
            self.scheduler.set_idle(host);
        }
        let next = [
            self.leases.next_expiry(),
            look_again,
            self.look_at_line(now),
            Some(look),
        ];
        next.into_iter().flatten().min()
    }

    /// When to look at the requests under way again, if hosts wait for a place.
    fn look_at_line(&self, now: Timestamp) -> Option<Timestamp> {
        let has_line = self.leases.places.has_line();
        has_line.then(|| now.saturating_add(LOOK_AT_LINE))
    }

    /// Makes the requests end that have to give way. Returns when to look again.
    fn make_way(&mut self, now: Timestamp) -> Option<Timestamp> {
        let (given, next) = self.leases.make_way(now);
        for (number, host) in given {
            self.gave_way += 1;
            self.ungrant(host, number);
        }
        next
    }

    /// Grants the turn of a host that has a place, unless its group has none. `None` without a
    /// keeper: the client is gone, and nobody sends a request.
    fn grant_host(&mut self, host: HostId, now: Timestamp) -> Option<()> {
        if let Some(until) = self.blocked_until(host, now) {
            self.update(host);
            self.scheduler.defer(host, until);
            return Some(());
        }
        if self.groups.park(host) {
            self.scheduler.set_idle(host);
            return Some(());
        }
        while let Some(waiter) = self.queues.pop_waiter(host) {
            let turn = self.grant_to(host, now)?;
            let Err(turn) = waiter.grant(turn) else {
                break;
            };
            self.take_back(turn);
        }
        self.update(host);
        Some(())
    }

    /// Grants a turn of a host that is free now to a caller that was given one before and used it
    /// too late: it has waited its time.
    pub(crate) fn grant_at_once(&mut self, host: HostId, now: Timestamp) -> Option<TurnGuard> {
        self.end_leases(now);
        let is_granted = self.queues.granted(host).is_some();
        let is_ready = self.scheduler.turn(host, now) == Turn::Ready
            && self.blocked_until(host, now).is_none();
        let has_place = self
            .leases
            .places
            .has_place(self.leases.places.standing(host));
        if is_granted || !has_place || !is_ready || self.groups.park(host) {
            return None;
        }
        let turn = self.grant_to(host, now);
        self.update(host);
        turn
    }

    fn grant_to(&mut self, host: HostId, now: Timestamp) -> Option<TurnGuard> {
        let keeper = self.keeper()?;
        let (number, way) = self.leases.grant(host, now);
        self.groups.lock(host);
        self.queues.grant(host, number);
        Some(TurnGuard::new(keeper, TurnId { host, number }, way))
    }

    /// Takes back a turn whose caller went away.
    fn take_back(&mut self, turn: TurnGuard) {
        let TurnId { host, number } = turn.id();
        turn.revoke();
        self.leases.end(number);
        self.queues.end(host);
        self.queues.ungrant(host, number);
        self.end_turn_of_group(host);
    }

    /// Ends the leases that have expired, of turns that nobody used and of requests. For requests
    /// the scheduler has leases of its own, which it ends by itself.
    fn end_leases(&mut self, now: Timestamp) {
        while let Some((number, lease)) = self.leases.take_expired(now) {
            if lease.phase == LeasePhase::Granted {
                self.expired += 1;
            }
            self.ungrant(lease.host, number);
        }
    }

    /// Reports to the scheduler whether a caller waits for the host, and removes a queue that
    /// nobody needs.
    fn update(&mut self, host: HostId) {
        match self.queues.wants_turn(host) {
            true => self.scheduler.set_waiting(host),
            false => self.scheduler.set_idle(host),
        }
    }

    /// Notes that a turn is no longer granted.
    fn ungrant(&mut self, host: HostId, number: u64) {
        if self.queues.ungrant(host, number) {
            self.end_turn_of_group(host);
        }
        self.update(host);
    }

    /// Releases the lock of the group, so that its other hosts may have a turn.
    fn end_turn_of_group(&mut self, host: HostId) {
        for parked in self.groups.unlock(host) {
            self.update(parked);
        }
    }

    /// Records the start of the request of a turn, unless the turn has gone to another caller.
    pub(crate) fn start(&mut self, turn: TurnId, now: Timestamp) -> LeaseStatus {
        let lease = self.leases.start(turn.number, now);
        if lease == LeaseStatus::Live {
            if let (Some(windows), Some(group)) =
                (&mut self.windows, self.groups.group_of(turn.host))
            {
                windows.record(group, now);
            }
            self.scheduler.handle_start(turn.host, now);
            self.ungrant(turn.host, turn.number);
        }
        lease
    }

    /// Records the end of a turn.
    pub(crate) fn end(&mut self, turn: TurnId, end: TurnEnd, now: Timestamp) {
        let host = turn.host;
        let lease = match end {
            TurnEnd::Answered(_) => self.leases.end_answered(turn.number, now),
            TurnEnd::Unsent | TurnEnd::Broken => self.leases.end(turn.number),
        };
        self.queues.end(host);
        match end {
            // The turn went to the next caller before.
            TurnEnd::Unsent if lease == LeaseStatus::Expired => {}
            TurnEnd::Unsent => self.cancelled += 1,
            TurnEnd::Broken => {
                self.cancelled += 1;
                self.scheduler.handle_cancelled(host, now);
            }
            TurnEnd::Answered(reply) => {
                let pace = PaceChange::of(&self.scheduler, host);
                self.scheduler.handle_reply(host, reply, now);
                pace.report(&self.scheduler, host, &reply, now);
                self.release_late(host, now);
            }
        }
        self.ungrant(host, turn.number);
    }

    /// Answers the callers whose time ends before the next turn of the host, which may have moved.
    pub(crate) fn release_late(&mut self, host: HostId, now: Timestamp) {
        if let Turn::NotBefore(turn) = self.scheduler.turn(host, now) {
            self.queues.release_late(host, turn);
            self.update(host);
        }
    }

    /// Notes that the request of the last turn of the host is one for a robots.txt.
    pub(crate) fn note_robots_txt(&mut self, host: HostId) {
        self.queues.note_robots_txt(host);
    }

    /// The time at which a page that joins the queue of the host now has its turn, if nothing
    /// changes; `None` if that is never.
    pub(crate) fn turn_after_queue(&self, host: HostId, now: Timestamp) -> Option<Timestamp> {
        let first = match self.scheduler.turn(host, now) {
            Turn::Ready | Turn::Busy => now,
            Turn::NotBefore(turn) => turn,
            _ => return None,
        };
        let pages = self.queues.pages(host);
        if pages == 0 {
            return Some(first);
        }
        // The number of turns within a time shows the time of a turn. The time is counted from the
        // first turn, or a host that rests would seem to have no turns.
        let horizon = first.saturating_since(now).saturating_add(DAY);
        let turns = u32::try_from(self.scheduler.capacity(host, horizon)).unwrap_or(u32::MAX);
        let each = DAY / turns.saturating_sub(1).max(1);
        let pages = u32::try_from(pages).unwrap_or(u32::MAX);
        Some(first.saturating_add(each.saturating_mul(pages)))
    }

    /// The cause for which the host has its next turn at `until`.
    pub(crate) fn pace_cause(&self, host: HostId, until: Timestamp, now: Timestamp) -> WaitCause {
        let Some(pacer) = self.scheduler.pacer(host) else {
            return WaitCause::Gap;
        };
        let profile = self.profile_of(host);
        let own_turn = pacer.poll(&profile, now);
        let is_of_group = match own_turn {
            Turn::NotBefore(own) => own < until,
            own => own == Turn::Ready,
        };
        match is_of_group && self.groups.group_of(host).is_some() {
            true => WaitCause::Address,
            false if pacer.level(&profile) > 0 => WaitCause::Backoff,
            false => WaitCause::Gap,
        }
    }

    /// The profile with the rule of the operator for the host: a pacer has none, as it may move to
    /// another scheduler.
    fn profile_of(&self, host: HostId) -> Profile {
        let rule = self.scheduler.rule(host);
        let mut profile = Profile::rfc9309();
        profile.pace = *self.scheduler.settings();
        profile.pace.min_delay = rule.min_delay.unwrap_or(profile.pace.min_delay);
        profile.pace.crawl_delay = rule.crawl_delay.unwrap_or(profile.pace.crawl_delay);
        profile
    }

    /// The time from which the host may be asked again, if `reply` were the answer to its request
    /// under way.
    pub(crate) fn turn_after(&self, host: HostId, reply: &Reply, now: Timestamp) -> Timestamp {
        let Some(mut pacer) = self.scheduler.pacer(host) else {
            return now;
        };
        let profile = self.profile_of(host);
        pacer.handle_reply(*reply, &profile, now);
        match pacer.poll(&profile, now) {
            Turn::NotBefore(until) => until,
            Turn::Skip => Timestamp::MAX,
            _ => now,
        }
    }
}

/// The longest time between two looks of the scheduler at the clock. It takes a longer step for a
/// clock that was set.
const LOOK_AT_CLOCK: Duration = Duration::from_secs(30);

/// The time between two looks at the requests under way while hosts wait for a place.
const LOOK_AT_LINE: Duration = Duration::from_millis(250);

const DAY: Duration = Duration::from_secs(86_400);

#[cfg(test)]
mod tests;

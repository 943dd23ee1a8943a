//! The turns of all hosts: who may send a request now.

use std::collections::hash_map::Entry;
use std::sync::{Arc, Weak};
use std::time::Duration;

use polite_robots_policy::{
    HostId, HostRule, IpGroup, Pacer, Profile, Reply, Scheduler, Timestamp, Turn,
};
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use crate::metrics::Metrics;
use crate::trace::PaceChange;
use crate::turns::group_locks::GroupLocks;
use crate::turns::leases::{LeasePhase, LeaseStatus, LeaseTable};
use crate::turns::queues::{HostQueues, Position, QueueError};
use crate::turns::start_windows::StartWindows;
use crate::turns::turn_guard::{Keeper, TurnEnd, TurnGuard, TurnId};

pub(crate) mod group_locks;
pub(crate) mod leases;
pub(crate) mod queues;
pub(crate) mod start_windows;
pub(crate) mod turn_guard;

/// The pace of the hosts, the callers in line for them, and the turns that are granted.
#[derive(Debug)]
pub(crate) struct Dispatcher {
    pub(crate) scheduler: Scheduler,
    /// The object that the turns report to; `None` until it is there.
    keeper: Option<Weak<dyn Keeper>>,
    queues: HostQueues,
    groups: GroupLocks,
    /// Hosts whose next request goes to another address than that of their group.
    detours: FxHashMap<HostId, Detour>,
    /// The starts of the groups before a restart; `None` if nothing is saved.
    windows: Option<StartWindows>,
    /// Turns that are granted and not over.
    leases: LeaseTable,
    /// The time at which the driver looks again; `None` if it waits to be woken.
    driver_wakeup: Option<Timestamp>,
    cancelled: u64,
    expired: u64,
}

/// A host whose next request goes to another address.
#[derive(Debug)]
struct Detour {
    home: Option<IpGroup>,
    /// The rounds that have it go there.
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
        }
    }

    /// Sets the object that the turns report to. Without one no turn is granted.
    pub(crate) fn set_keeper(&mut self, keeper: Weak<dyn Keeper>) {
        self.keeper = Some(keeper);
    }

    /// Counts the starts of the groups, to save them, in a life that begins now.
    pub(crate) fn count_starts(&mut self, now: Timestamp) {
        self.windows = Some(StartWindows::new(self.scheduler.settings(), now));
    }

    /// Whether the group may have starts of an earlier life that are not known.
    pub(crate) fn is_unknown(&self, group: IpGroup, now: Timestamp) -> bool {
        let windows = self.windows.as_ref();
        windows.is_some_and(|windows| windows.is_unknown(group, now))
    }

    /// Takes the starts of a group in an earlier life.
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

    /// The time before which a restart must not give the host a turn.
    fn blocked_until(&self, host: HostId, now: Timestamp) -> Option<Timestamp> {
        let windows = self.windows.as_ref()?;
        windows.blocked_until(self.groups.group_of(host)?, now)
    }

    /// Makes a new host known, with the rule of the operator and the pace of an earlier life.
    pub(crate) fn insert(&mut self, name: &str, rule: HostRule, pacer: Option<Pacer>) -> HostId {
        let host = match pacer {
            Some(pacer) => self.scheduler.insert_with(name, None, pacer),
            None => self.scheduler.insert(name, None),
        };
        self.scheduler.set_rule(host, rule);
        self.scheduler.set_waiting(host, false);
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

    /// Keeps the host at the address of one round, if several have it go away. A turn that was
    /// granted elsewhere goes back.
    pub(crate) fn keep_detour(&mut self, host: HostId, group: Option<IpGroup>) {
        self.regroup(host, group);
    }

    /// Takes the host back to its own group after the last of its rounds.
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

    /// A turn whose request is not sent yet goes back: the other hosts of the new group were not
    /// told to wait for it. Its caller gets another one.
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
            // The rest of the group that it leaves.
            self.scheduler.defer(host, Timestamp::EPOCH);
        }
        // It may have been passed over for a turn of the group that it leaves.
        self.update(host);
    }

    /// Whether somebody is in line for the host, or the guard of a turn lives.
    pub(crate) fn is_needed(&self, host: HostId) -> bool {
        self.queues.is_needed(host)
    }

    /// Forgets a host.
    pub(crate) fn forget(&mut self, host: HostId) {
        self.detours.remove(&host);
        self.regroup(host, None);
        self.queues.forget(host);
        self.scheduler.remove(host);
    }

    /// Sends the callers in line away. The pace of the host, unless a turn of it is under way.
    pub(crate) fn idle_pacer(&mut self, host: HostId, now: Timestamp) -> Option<Pacer> {
        self.queues.clear(host);
        self.end_leases(now);
        self.update(host);
        // The guard of a turn may live for ever, as that of a response that nobody reads; its lease
        // does not.
        match self.leases.has(host) {
            true => None,
            false => self.scheduler.pacer(host),
        }
    }

    /// Turns that are granted, and requests under way.
    pub(crate) fn running(&self) -> usize {
        self.leases.len()
    }

    /// Adds the figures of the turns to the counters.
    pub(crate) fn count(&self, counts: &mut Metrics) {
        counts.cancelled = self.cancelled;
        counts.expired = self.expired;
        counts.hosts_waiting = self.queues.waiting_hosts();
        counts.in_flight = self.leases.len();
        counts.hosts = self.scheduler.len();
    }

    /// Puts a caller in line.
    pub(crate) fn queue(
        &mut self,
        host: HostId,
        position: Position,
    ) -> Result<oneshot::Receiver<TurnGuard>, QueueError> {
        if !self.scheduler.contains(host) {
            return Err(QueueError::Forgotten);
        }
        let turn = self.queues.push(host, position)?;
        self.update(host);
        Ok(turn)
    }

    /// Whether a caller that comes now would overtake nobody in line for the host, and the host may
    /// be asked.
    pub(crate) fn is_ready(&self, host: HostId, now: Timestamp) -> bool {
        !self.leases.is_full()
            && self.queues.is_free(host)
            && self.scheduler.turn(host, now) == Turn::Ready
    }

    /// Starts a request of a host that [is ready](Dispatcher::is_ready), after those whose time has
    /// come. `None` if they leave no place for it.
    pub(crate) fn start_now(&mut self, host: HostId, now: Timestamp) -> Option<TurnGuard> {
        if !self.queues.is_empty() {
            self.grant(now);
        }
        // The turn of a group has its own rules.
        if self.leases.is_full() || self.groups.group_of(host).is_some() {
            return None;
        }
        let keeper = self.keeper()?;
        let number = self.leases.grant_sent(host, now);
        self.queues.start(host);
        self.scheduler.handle_start(host, now);
        Some(TurnGuard::sent(keeper, TurnId { host, number }))
    }

    fn keeper(&self) -> Option<Arc<dyn Keeper>> {
        self.keeper.as_ref()?.upgrade()
    }

    /// Notes the time at which the driver looks again; `None` if it waits to be woken.
    pub(crate) fn set_driver_wakeup(&mut self, wakeup: Option<Timestamp>) {
        self.driver_wakeup = wakeup;
    }

    /// Grants the turns that a change made free. Whether the driver is about to look later than it
    /// has to for the next.
    pub(crate) fn dispatch(&mut self, now: Timestamp) -> bool {
        let next = self.grant(now);
        next.is_some_and(|next| self.driver_wakeup.is_none_or(|planned| next < planned))
    }

    /// The same after the end of a request, which calls nobody but those in line.
    pub(crate) fn dispatch_after_end(&mut self, now: Timestamp) -> bool {
        !self.queues.is_empty() && self.dispatch(now)
    }

    /// The same after the start of a request by [`Dispatcher::start_now`], after which there is
    /// only its lease to look at.
    pub(crate) fn dispatch_after_start(&mut self, now: Timestamp) -> bool {
        let lease = self.leases.request_lease().min(LOOK_AT_CLOCK);
        let lease_end = now.saturating_add(lease);
        self.driver_wakeup.is_none_or(|planned| planned > lease_end) && self.dispatch(now)
    }

    /// Grants every turn that may be granted now, and says when the next may be.
    pub(crate) fn grant(&mut self, now: Timestamp) -> Option<Timestamp> {
        self.end_leases(now);
        let look = now.saturating_add(LOOK_AT_CLOCK);
        while !self.leases.is_full() {
            let Some(host) = self.scheduler.next_ready(now) else {
                let look = (self.leases.len() > 0).then_some(look);
                let next = [
                    self.scheduler.next_wakeup(),
                    self.leases.next_expiry(),
                    look,
                ];
                return next.into_iter().flatten().min();
            };
            if let Some(until) = self.blocked_until(host, now) {
                self.scheduler.defer(host, until);
                continue;
            }
            if self.groups.park(host) {
                self.scheduler.set_waiting(host, false);
                continue;
            }
            while let Some(waiter) = self.queues.pop_waiter(host) {
                // Nobody is left to send a request.
                let turn = self.grant_to(host, now)?;
                let Err(turn) = waiter.send(turn) else {
                    break;
                };
                self.take_back(turn);
            }
            self.update(host);
        }
        // The end of a request asks again. The scheduler reads the clock meanwhile: it takes a long
        // step for a clock that was set, and puts its leases off.
        let _ = self.scheduler.next_ready(now);
        Some(
            self.leases
                .next_expiry()
                .map_or(look, |next| next.min(look)),
        )
    }

    /// The turn of a host that is free now, for a caller that was given one before and came too
    /// late for it: it has waited its time.
    pub(crate) fn grant_at_once(&mut self, host: HostId, now: Timestamp) -> Option<TurnGuard> {
        self.end_leases(now);
        let is_granted = self.queues.granted(host).is_some();
        let is_ready = self.scheduler.turn(host, now) == Turn::Ready
            && self.blocked_until(host, now).is_none();
        if is_granted || self.leases.is_full() || !is_ready || self.groups.park(host) {
            return None;
        }
        let turn = self.grant_to(host, now);
        self.update(host);
        turn
    }

    fn grant_to(&mut self, host: HostId, now: Timestamp) -> Option<TurnGuard> {
        let keeper = self.keeper()?;
        let number = self.leases.grant(host, now);
        self.groups.lock(host);
        self.queues.grant(host, number);
        Some(TurnGuard::new(keeper, TurnId { host, number }))
    }

    /// Takes a turn back that nobody waits for.
    fn take_back(&mut self, turn: TurnGuard) {
        let TurnId { host, number } = turn.id();
        turn.revoke();
        self.leases.end(number);
        self.queues.end(host);
        self.queues.ungrant(host, number);
        self.end_turn_of_group(host);
    }

    /// Takes the places of turns that nobody used, and of requests whose lease is over. The
    /// scheduler ends the leases of the latter by itself.
    fn end_leases(&mut self, now: Timestamp) {
        while let Some((number, lease)) = self.leases.take_expired(now) {
            if lease.phase == LeasePhase::Granted {
                self.expired += 1;
            }
            self.ungrant(lease.host, number);
        }
    }

    /// Tells the scheduler whether the host waits for a turn, and forgets a line that nobody needs.
    fn update(&mut self, host: HostId) {
        let is_waiting = self.queues.wants_turn(host);
        self.scheduler.set_waiting(host, is_waiting);
    }

    /// Notes that a turn is granted no more.
    fn ungrant(&mut self, host: HostId, number: u64) {
        if self.queues.ungrant(host, number) {
            self.end_turn_of_group(host);
        }
        self.update(host);
    }

    /// Lets the other hosts of the group have its next turn.
    fn end_turn_of_group(&mut self, host: HostId) {
        for parked in self.groups.unlock(host) {
            self.update(parked);
        }
    }

    /// Takes the start of the request of a turn, unless the turn has gone to another caller.
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

    /// Takes the end of a turn.
    pub(crate) fn end(&mut self, turn: TurnId, end: TurnEnd, now: Timestamp) {
        let host = turn.host;
        let lease = self.leases.end(turn.number);
        self.queues.end(host);
        match end {
            // It went to the next caller before.
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
            }
        }
        self.ungrant(host, turn.number);
    }

    /// The time from which the host may be asked again, if `reply` were the answer to its request
    /// under way.
    pub(crate) fn turn_after(
        &self,
        host: HostId,
        reply: &Reply,
        profile: &Profile,
        now: Timestamp,
    ) -> Timestamp {
        let Some(mut pacer) = self.scheduler.pacer(host) else {
            return now;
        };
        // The pacer has no rule, as it could go to another scheduler.
        let rule = self.scheduler.rule(host);
        let mut profile = *profile;
        profile.pace.min_delay = rule.min_delay.unwrap_or(profile.pace.min_delay);
        profile.pace.crawl_delay = rule.crawl_delay.unwrap_or(profile.pace.crawl_delay);
        pacer.handle_reply(*reply, &profile, now);
        match pacer.poll(&profile, now) {
            Turn::NotBefore(until) => until,
            Turn::Skip => Timestamp::MAX,
            _ => now,
        }
    }
}

/// Shorter than the step of the clock that the scheduler takes for one that was set.
const LOOK_AT_CLOCK: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);
    const ONE: Option<IpGroup> = Some(IpGroup(1));
    const TWO: Option<IpGroup> = Some(IpGroup(2));

    #[derive(Debug)]
    struct Deaf;

    impl Keeper for Deaf {
        fn sent(&self, _: TurnId) -> Option<Timestamp> {
            None
        }

        fn ended(&self, _: TurnId, _: TurnEnd) {}
    }

    fn after(seconds: u64) -> Timestamp {
        START.saturating_add(Duration::from_secs(seconds))
    }

    /// Turns of hosts whose groups start one request a minute.
    fn dispatcher(keeper: &Arc<Deaf>) -> Dispatcher {
        let mut profile = Profile::rfc9309();
        profile.pace.group_starts = 1;
        let mut dispatcher = Dispatcher::new(Scheduler::new(profile), 8, 8);
        let keeper: Weak<dyn Keeper> = Arc::<Deaf>::downgrade(keeper);
        dispatcher.set_keeper(keeper);
        dispatcher
    }

    fn insert(dispatcher: &mut Dispatcher, name: &str, group: Option<IpGroup>) -> HostId {
        let host = dispatcher.insert(name, HostRule::new(), None);
        dispatcher.set_group(host, group);
        host
    }

    fn ask(dispatcher: &mut Dispatcher, host: HostId) -> oneshot::Receiver<TurnGuard> {
        dispatcher.queue(host, Position::Back).unwrap()
    }

    #[test]
    fn a_host_that_moves_takes_no_turn_of_its_old_group_along() {
        let keeper = Arc::new(Deaf);
        let mut dispatcher = dispatcher(&keeper);
        let moves = insert(&mut dispatcher, "moves.example", ONE);
        let other = insert(&mut dispatcher, "other.example", TWO);
        let (mut first, mut second) = (ask(&mut dispatcher, moves), ask(&mut dispatcher, other));
        dispatcher.grant(START);
        let (first, second) = (first.try_recv().unwrap(), second.try_recv().unwrap());
        dispatcher.set_group(moves, TWO);
        assert_eq!(dispatcher.start(first.id(), START), LeaseStatus::Expired);
        assert_eq!(dispatcher.start(second.id(), START), LeaseStatus::Live);
        // It waits for the new group.
        let mut again = ask(&mut dispatcher, moves);
        let next = dispatcher.grant(START);
        assert!(next > Some(START) && again.try_recv().is_err());
        dispatcher.end(second.id(), TurnEnd::Broken, START);
        dispatcher.grant(after(60));
        let again = again.try_recv().unwrap();
        assert_eq!(dispatcher.start(again.id(), after(60)), LeaseStatus::Live);
        assert_eq!((dispatcher.expired, dispatcher.running()), (0, 1));
    }

    #[test]
    fn a_host_that_moves_waits_no_longer_for_its_old_group() {
        let keeper = Arc::new(Deaf);
        let mut dispatcher = dispatcher(&keeper);
        let [slow, moves] =
            ["slow.example", "moves.example"].map(|name| insert(&mut dispatcher, name, ONE));
        let (_slow, mut moved) = (ask(&mut dispatcher, slow), ask(&mut dispatcher, moves));
        dispatcher.grant(START);
        assert!(
            moved.try_recv().is_err(),
            "the turn of the group is not sent yet"
        );
        dispatcher.set_group(moves, None);
        dispatcher.grant(START);
        assert!(moved.try_recv().is_ok());
    }

    #[test]
    fn a_request_to_another_address_counts_there() {
        let keeper = Arc::new(Deaf);
        let mut dispatcher = dispatcher(&keeper);
        let host = insert(&mut dispatcher, "host.example", ONE);
        let [near, far] = [("near.example", ONE), ("far.example", TWO)]
            .map(|(name, group)| insert(&mut dispatcher, name, group));
        dispatcher.begin_detour(host, TWO);
        // News about its own address do not count yet.
        dispatcher.set_group(host, ONE);
        let mut round = ask(&mut dispatcher, host);
        dispatcher.grant(START);
        let round = round.try_recv().unwrap();
        assert_eq!(dispatcher.start(round.id(), START), LeaseStatus::Live);
        dispatcher.end_detour(host);
        assert_eq!(dispatcher.groups.group_of(host), ONE);
        let (mut near, mut far) = (ask(&mut dispatcher, near), ask(&mut dispatcher, far));
        dispatcher.grant(START);
        assert!(near.try_recv().is_ok() && far.try_recv().is_err());
    }

    #[test]
    fn rounds_at_two_addresses_of_a_host_count_to_each_its_own() {
        let keeper = Arc::new(Deaf);
        let mut dispatcher = dispatcher(&keeper);
        let host = insert(&mut dispatcher, "host.example", ONE);
        dispatcher.begin_detour(host, TWO);
        let mut first = ask(&mut dispatcher, host);
        dispatcher.grant(START);
        let first = first.try_recv().unwrap();
        dispatcher.begin_detour(host, None);
        // The turn was one of the second group.
        assert_eq!(dispatcher.start(first.id(), START), LeaseStatus::Expired);
        dispatcher.end_detour(host);
        assert_eq!(
            dispatcher.groups.group_of(host),
            None,
            "the first round is there still"
        );
        dispatcher.keep_detour(host, TWO);
        dispatcher.end_detour(host);
        assert_eq!(dispatcher.groups.group_of(host), ONE);
        dispatcher.end_detour(host);
        assert_eq!(dispatcher.groups.group_of(host), ONE);
    }

    #[test]
    fn the_pace_of_a_host_is_free_when_the_lease_of_its_request_is_over() {
        let keeper = Arc::new(Deaf);
        let mut dispatcher = dispatcher(&keeper);
        let host = insert(&mut dispatcher, "example.com", None);
        assert!(dispatcher.is_ready(host, START));
        let leaked = dispatcher.start_now(host, START).unwrap();
        assert!(!dispatcher.is_ready(host, START));
        assert!(dispatcher.idle_pacer(host, after(599)).is_none());
        assert!(dispatcher.idle_pacer(host, after(600)).is_some());
        dispatcher.forget(host);
        dispatcher.end(leaked.id(), TurnEnd::Broken, after(700));
        leaked.revoke();
        assert!(!dispatcher.is_needed(host));
        assert_eq!(dispatcher.running(), 0);
    }
}

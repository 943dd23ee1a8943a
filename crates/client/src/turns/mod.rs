//! The turns of all hosts: who may send a request now.

use std::collections::hash_map::Entry;
use std::sync::{Arc, Weak};
use std::time::Duration;

use polite_robots_policy::{
    HostId, HostRule, IpGroup, Pacer, Profile, Reply, Scheduler, Timestamp, Turn as HostTurn,
};
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use crate::metrics::Metrics;
use crate::trace::PaceChange;
use crate::turns::group_locks::GroupTurns;
use crate::turns::leases::{InFlight, Lease, Phase};
use crate::turns::queues::{Lines, NoPlace, Place};
use crate::turns::start_windows::GroupStarts;
use crate::turns::turn_guard::{End, Keeper, Turn, TurnId};

pub(crate) mod group_locks;
pub(crate) mod leases;
pub(crate) mod queues;
pub(crate) mod start_windows;
pub(crate) mod turn_guard;

/// The pace of the hosts, the callers in line for them, and the turns that are granted.
#[derive(Debug)]
pub(crate) struct Turns {
    pub(crate) scheduler: Scheduler,
    /// The object that the turns report to; `None` until it is there.
    keeper: Option<Weak<dyn Keeper>>,
    lines: Lines,
    groups: GroupTurns,
    /// Hosts whose next request goes to another address than that of their group.
    away: FxHashMap<HostId, Away>,
    /// The starts of the groups before a restart; `None` if nothing is saved.
    starts: Option<GroupStarts>,
    /// Turns that are granted and not over.
    in_flight: InFlight,
    /// The time at which the driver looks again; `None` if it waits to be woken.
    driver_looks_at: Option<Timestamp>,
    cancelled: u64,
    expired: u64,
}

/// A host whose next request goes to another address.
#[derive(Debug)]
struct Away {
    home: Option<IpGroup>,
    /// The rounds that have it go there.
    rounds: usize,
}

impl Turns {
    pub(crate) fn new(scheduler: Scheduler, max_running: usize, max_line: usize) -> Turns {
        let request_lease = scheduler.settings().request_lease;
        Turns {
            scheduler,
            keeper: None,
            lines: Lines::new(max_line),
            groups: GroupTurns::default(),
            away: FxHashMap::default(),
            starts: None,
            in_flight: InFlight::new(max_running, request_lease),
            driver_looks_at: None,
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
        self.starts = Some(GroupStarts::new(self.scheduler.settings(), now));
    }

    /// Whether the group may have starts of an earlier life that are not known.
    pub(crate) fn is_unknown(&self, group: IpGroup, now: Timestamp) -> bool {
        let starts = self.starts.as_ref();
        starts.is_some_and(|starts| starts.is_unknown(group, now))
    }

    /// Takes the starts of a group in an earlier life.
    pub(crate) fn recall(&mut self, group: IpGroup, earlier: Vec<Timestamp>, now: Timestamp) {
        if let Some(starts) = &mut self.starts {
            starts.recall(group, earlier, now);
        }
    }

    /// The starts of a group, to save them.
    pub(crate) fn starts(&self, group: IpGroup) -> Vec<Timestamp> {
        let starts = self.starts.as_ref();
        starts.map_or_else(Vec::new, |starts| starts.of(group))
    }

    /// The group that the host is in.
    pub(crate) fn group(&self, host: HostId) -> Option<IpGroup> {
        self.groups.of(host)
    }

    /// The time before which a restart must not give the host a turn.
    fn rests_until(&self, host: HostId, now: Timestamp) -> Option<Timestamp> {
        let starts = self.starts.as_ref()?;
        starts.rests_until(self.groups.of(host)?, now)
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
        match self.away.get_mut(&host) {
            Some(away) => away.home = group,
            None => self.regroup(host, group),
        }
    }

    /// Lets the next request of the host count to the group of another address, until [`Turns::go_home`].
    pub(crate) fn go_away(&mut self, host: HostId, group: Option<IpGroup>) {
        let home = self.groups.of(host);
        let away = self.away.entry(host).or_insert(Away { home, rounds: 0 });
        away.rounds += 1;
        self.regroup(host, group);
    }

    /// Keeps the host at the address of one round, if several have it go away. A turn that was granted elsewhere goes back.
    pub(crate) fn stay_away(&mut self, host: HostId, group: Option<IpGroup>) {
        self.regroup(host, group);
    }

    /// Takes the host back to its own group after the last of its rounds.
    pub(crate) fn go_home(&mut self, host: HostId) {
        let Entry::Occupied(mut away) = self.away.entry(host) else {
            return;
        };
        away.get_mut().rounds -= 1;
        if away.get().rounds == 0 {
            let home = away.remove().home;
            self.regroup(host, home);
        }
    }

    /// A turn whose request is not sent yet goes back: the other hosts of the new group were not told to wait for it. Its
    /// caller gets another one.
    fn regroup(&mut self, host: HostId, group: Option<IpGroup>) {
        if self.groups.of(host) == group {
            return;
        }
        if let Some(number) = self.lines.granted(host) {
            self.in_flight.end(number);
            self.ungrant(host, number);
        }
        self.scheduler.set_group(host, group);
        for passed_over in self.groups.set_group(host, group) {
            self.update(passed_over);
        }
        if self.starts.is_some() {
            // The rest of the group that it leaves.
            self.scheduler.defer(host, Timestamp::EPOCH);
        }
        // It may have been passed over for a turn of the group that it leaves.
        self.update(host);
    }

    /// Whether somebody is in line for the host, or the guard of a turn lives.
    pub(crate) fn is_needed(&self, host: HostId) -> bool {
        self.lines.is_needed(host)
    }

    /// Forgets a host.
    pub(crate) fn forget(&mut self, host: HostId) {
        self.away.remove(&host);
        self.regroup(host, None);
        self.lines.forget(host);
        self.scheduler.remove(host);
    }

    /// Sends the callers in line away. The pace of the host, unless a turn of it is under way.
    pub(crate) fn idle_pacer(&mut self, host: HostId, now: Timestamp) -> Option<Pacer> {
        self.lines.clear(host);
        self.end_leases(now);
        self.update(host);
        // The guard of a turn may live for ever, as that of a response that nobody reads; its lease does not.
        match self.in_flight.has(host) {
            true => None,
            false => self.scheduler.pacer(host),
        }
    }

    /// Turns that are granted, and requests under way.
    pub(crate) fn running(&self) -> usize {
        self.in_flight.len()
    }

    /// Adds the figures of the turns to the counters.
    pub(crate) fn count(&self, counts: &mut Metrics) {
        counts.cancelled = self.cancelled;
        counts.expired = self.expired;
        counts.hosts_waiting = self.lines.waiting();
        counts.in_flight = self.in_flight.len();
        counts.hosts = self.scheduler.len();
    }

    /// Puts a caller in line.
    pub(crate) fn queue(
        &mut self,
        host: HostId,
        place: Place,
    ) -> Result<oneshot::Receiver<Turn>, NoPlace> {
        if !self.scheduler.contains(host) {
            return Err(NoPlace::Forgotten);
        }
        let turn = self.lines.join(host, place)?;
        self.update(host);
        Ok(turn)
    }

    /// Whether a caller that comes now would overtake nobody in line for the host, and the host may be asked.
    pub(crate) fn is_ready(&self, host: HostId, now: Timestamp) -> bool {
        !self.in_flight.is_full()
            && self.lines.is_free(host)
            && self.scheduler.turn(host, now) == HostTurn::Ready
    }

    /// Starts a request of a host that [is ready](Turns::is_ready), after those whose time has come. `None` if they leave no
    /// place for it.
    pub(crate) fn start_now(&mut self, host: HostId, now: Timestamp) -> Option<Turn> {
        if !self.lines.are_empty() {
            self.grant(now);
        }
        // The turn of a group has its own rules.
        if self.in_flight.is_full() || self.groups.of(host).is_some() {
            return None;
        }
        let keeper = self.keeper()?;
        let number = self.in_flight.grant_sent(host, now);
        self.lines.start(host);
        self.scheduler.handle_start(host, now);
        Some(Turn::sent(keeper, TurnId { host, number }))
    }

    fn keeper(&self) -> Option<Arc<dyn Keeper>> {
        self.keeper.as_ref()?.upgrade()
    }

    /// Notes the time at which the driver looks again; `None` if it waits to be woken.
    pub(crate) fn note_driver(&mut self, looks_at: Option<Timestamp>) {
        self.driver_looks_at = looks_at;
    }

    /// Grants the turns that a change made free. Whether the driver is about to look later than it has to for the next.
    pub(crate) fn go_on(&mut self, now: Timestamp) -> bool {
        let next = self.grant(now);
        next.is_some_and(|next| self.driver_looks_at.is_none_or(|planned| next < planned))
    }

    /// The same after the end of a request, which calls nobody but those in line.
    pub(crate) fn go_on_after_end(&mut self, now: Timestamp) -> bool {
        !self.lines.are_empty() && self.go_on(now)
    }

    /// The same after the start of a request by [`Turns::start_now`], after which there is only its lease to look at.
    pub(crate) fn go_on_after_start(&mut self, now: Timestamp) -> bool {
        let lease = self.in_flight.request_lease().min(LOOK_AT_CLOCK);
        let lease_end = now.saturating_add(lease);
        self.driver_looks_at
            .is_none_or(|planned| planned > lease_end)
            && self.go_on(now)
    }

    /// Grants every turn that may be granted now, and says when the next may be.
    pub(crate) fn grant(&mut self, now: Timestamp) -> Option<Timestamp> {
        self.end_leases(now);
        let look = now.saturating_add(LOOK_AT_CLOCK);
        while !self.in_flight.is_full() {
            let Some(host) = self.scheduler.next_ready(now) else {
                let look = (self.in_flight.len() > 0).then_some(look);
                let next = [
                    self.scheduler.next_wakeup(),
                    self.in_flight.next_end(),
                    look,
                ];
                return next.into_iter().flatten().min();
            };
            if let Some(until) = self.rests_until(host, now) {
                self.scheduler.defer(host, until);
                continue;
            }
            if self.groups.pass_over(host) {
                self.scheduler.set_waiting(host, false);
                continue;
            }
            while let Some(waiter) = self.lines.next_waiter(host) {
                // Nobody is left to send a request.
                let turn = self.grant_to(host, now)?;
                let Err(turn) = waiter.send(turn) else {
                    break;
                };
                self.take_back(turn);
            }
            self.update(host);
        }
        // The end of a request asks again. The scheduler reads the clock meanwhile: it takes a long step for a clock that was
        // set, and puts its leases off.
        let _ = self.scheduler.next_ready(now);
        Some(
            self.in_flight
                .next_end()
                .map_or(look, |next| next.min(look)),
        )
    }

    /// The turn of a host that is free now, for a caller that was given one before and came too late for it: it has
    /// waited its time.
    pub(crate) fn grant_at_once(&mut self, host: HostId, now: Timestamp) -> Option<Turn> {
        self.end_leases(now);
        let is_granted = self.lines.granted(host).is_some();
        let is_ready = self.scheduler.turn(host, now) == HostTurn::Ready
            && self.rests_until(host, now).is_none();
        if is_granted || self.in_flight.is_full() || !is_ready || self.groups.pass_over(host) {
            return None;
        }
        let turn = self.grant_to(host, now);
        self.update(host);
        turn
    }

    fn grant_to(&mut self, host: HostId, now: Timestamp) -> Option<Turn> {
        let keeper = self.keeper()?;
        let number = self.in_flight.grant(host, now);
        self.groups.begin(host);
        self.lines.grant(host, number);
        Some(Turn::new(keeper, TurnId { host, number }))
    }

    /// Takes a turn back that nobody waits for.
    fn take_back(&mut self, turn: Turn) {
        let TurnId { host, number } = turn.id();
        turn.revoke();
        self.in_flight.end(number);
        self.lines.end(host);
        self.lines.ungrant(host, number);
        self.end_turn_of_group(host);
    }

    /// Takes the places of turns that nobody used, and of requests whose lease is over. The scheduler ends the leases of
    /// the latter by itself.
    fn end_leases(&mut self, now: Timestamp) {
        while let Some((number, held)) = self.in_flight.take_back(now) {
            if held.phase == Phase::Granted {
                self.expired += 1;
            }
            self.ungrant(held.host, number);
        }
    }

    /// Tells the scheduler whether the host waits for a turn, and forgets a line that nobody needs.
    fn update(&mut self, host: HostId) {
        let is_waiting = self.lines.wants_turn(host);
        self.scheduler.set_waiting(host, is_waiting);
    }

    /// Notes that a turn is granted no more.
    fn ungrant(&mut self, host: HostId, number: u64) {
        if self.lines.ungrant(host, number) {
            self.end_turn_of_group(host);
        }
        self.update(host);
    }

    /// Lets the other hosts of the group have its next turn.
    fn end_turn_of_group(&mut self, host: HostId) {
        for passed_over in self.groups.end(host) {
            self.update(passed_over);
        }
    }

    /// Takes the start of the request of a turn, unless the turn has gone to another caller.
    pub(crate) fn start(&mut self, turn: TurnId, now: Timestamp) -> Lease {
        let lease = self.in_flight.start(turn.number, now);
        if lease == Lease::Live {
            if let (Some(starts), Some(group)) = (&mut self.starts, self.groups.of(turn.host)) {
                starts.note(group, now);
            }
            self.scheduler.handle_start(turn.host, now);
            self.ungrant(turn.host, turn.number);
        }
        lease
    }

    /// Takes the end of a turn.
    pub(crate) fn end(&mut self, turn: TurnId, end: End, now: Timestamp) {
        let host = turn.host;
        let lease = self.in_flight.end(turn.number);
        self.lines.end(host);
        match end {
            // It went to the next caller before.
            End::Unsent if lease == Lease::Expired => {}
            End::Unsent => self.cancelled += 1,
            End::Broken => {
                self.cancelled += 1;
                self.scheduler.handle_cancelled(host, now);
            }
            End::Answered(reply) => {
                let pace = PaceChange::of(&self.scheduler, host);
                self.scheduler.handle_reply(host, reply, now);
                pace.report(&self.scheduler, host, &reply, now);
            }
        }
        self.ungrant(host, turn.number);
    }

    /// The time from which the host may be asked again, if `reply` were the answer to its request under way.
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
            HostTurn::NotBefore(until) => until,
            HostTurn::Skip => Timestamp::MAX,
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

        fn ended(&self, _: TurnId, _: End) {}
    }

    fn after(seconds: u64) -> Timestamp {
        START.saturating_add(Duration::from_secs(seconds))
    }

    /// Turns of hosts whose groups start one request a minute.
    fn turns(keeper: &Arc<Deaf>) -> Turns {
        let mut profile = Profile::rfc9309();
        profile.pace.group_starts = 1;
        let mut turns = Turns::new(Scheduler::new(profile), 8, 8);
        let keeper: Weak<dyn Keeper> = Arc::<Deaf>::downgrade(keeper);
        turns.set_keeper(keeper);
        turns
    }

    fn insert(turns: &mut Turns, name: &str, group: Option<IpGroup>) -> HostId {
        let host = turns.insert(name, HostRule::new(), None);
        turns.set_group(host, group);
        host
    }

    fn ask(turns: &mut Turns, host: HostId) -> oneshot::Receiver<Turn> {
        turns.queue(host, Place::Last).unwrap()
    }

    #[test]
    fn a_host_that_moves_takes_no_turn_of_its_old_group_along() {
        let keeper = Arc::new(Deaf);
        let mut turns = turns(&keeper);
        let moves = insert(&mut turns, "moves.example", ONE);
        let other = insert(&mut turns, "other.example", TWO);
        let (mut first, mut second) = (ask(&mut turns, moves), ask(&mut turns, other));
        turns.grant(START);
        let (first, second) = (first.try_recv().unwrap(), second.try_recv().unwrap());
        turns.set_group(moves, TWO);
        assert_eq!(turns.start(first.id(), START), Lease::Expired);
        assert_eq!(turns.start(second.id(), START), Lease::Live);
        // It waits for the new group.
        let mut again = ask(&mut turns, moves);
        let next = turns.grant(START);
        assert!(next > Some(START) && again.try_recv().is_err());
        turns.end(second.id(), End::Broken, START);
        turns.grant(after(60));
        let again = again.try_recv().unwrap();
        assert_eq!(turns.start(again.id(), after(60)), Lease::Live);
        assert_eq!((turns.expired, turns.running()), (0, 1));
    }

    #[test]
    fn a_host_that_moves_waits_no_longer_for_its_old_group() {
        let keeper = Arc::new(Deaf);
        let mut turns = turns(&keeper);
        let [slow, moves] =
            ["slow.example", "moves.example"].map(|name| insert(&mut turns, name, ONE));
        let (_slow, mut moved) = (ask(&mut turns, slow), ask(&mut turns, moves));
        turns.grant(START);
        assert!(
            moved.try_recv().is_err(),
            "the turn of the group is not sent yet"
        );
        turns.set_group(moves, None);
        turns.grant(START);
        assert!(moved.try_recv().is_ok());
    }

    #[test]
    fn a_request_to_another_address_counts_there() {
        let keeper = Arc::new(Deaf);
        let mut turns = turns(&keeper);
        let host = insert(&mut turns, "host.example", ONE);
        let [near, far] = [("near.example", ONE), ("far.example", TWO)]
            .map(|(name, group)| insert(&mut turns, name, group));
        turns.go_away(host, TWO);
        // News about its own address do not count yet.
        turns.set_group(host, ONE);
        let mut round = ask(&mut turns, host);
        turns.grant(START);
        let round = round.try_recv().unwrap();
        assert_eq!(turns.start(round.id(), START), Lease::Live);
        turns.go_home(host);
        assert_eq!(turns.groups.of(host), ONE);
        let (mut near, mut far) = (ask(&mut turns, near), ask(&mut turns, far));
        turns.grant(START);
        assert!(near.try_recv().is_ok() && far.try_recv().is_err());
    }

    #[test]
    fn rounds_at_two_addresses_of_a_host_count_to_each_its_own() {
        let keeper = Arc::new(Deaf);
        let mut turns = turns(&keeper);
        let host = insert(&mut turns, "host.example", ONE);
        turns.go_away(host, TWO);
        let mut first = ask(&mut turns, host);
        turns.grant(START);
        let first = first.try_recv().unwrap();
        turns.go_away(host, None);
        // The turn was one of the second group.
        assert_eq!(turns.start(first.id(), START), Lease::Expired);
        turns.go_home(host);
        assert_eq!(
            turns.groups.of(host),
            None,
            "the first round is there still"
        );
        turns.stay_away(host, TWO);
        turns.go_home(host);
        assert_eq!(turns.groups.of(host), ONE);
        turns.go_home(host);
        assert_eq!(turns.groups.of(host), ONE);
    }

    #[test]
    fn the_pace_of_a_host_is_free_when_the_lease_of_its_request_is_over() {
        let keeper = Arc::new(Deaf);
        let mut turns = turns(&keeper);
        let host = insert(&mut turns, "example.com", None);
        assert!(turns.is_ready(host, START));
        let leaked = turns.start_now(host, START).unwrap();
        assert!(!turns.is_ready(host, START));
        assert!(turns.idle_pacer(host, after(599)).is_none());
        assert!(turns.idle_pacer(host, after(600)).is_some());
        turns.forget(host);
        turns.end(leaked.id(), End::Broken, after(700));
        leaked.revoke();
        assert!(!turns.is_needed(host));
        assert_eq!(turns.running(), 0);
    }
}

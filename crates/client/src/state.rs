//! Everything that the client decides, behind one lock: the turns of the hosts and the rules of the origins.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use polite_robots::Robot;
use polite_robots_policy::{
    Cache, HostId, HostRule, IpGroup, Lookup, Origin, Pacer, Profile, Reply, Scheduler, Timestamp,
    Turn as HostTurn,
};
use rustc_hash::FxHashMap;
use tokio::sync::{oneshot, watch};

use crate::group_turns::GroupTurns;
use crate::in_flight::{InFlight, Lease, Phase};
use crate::metrics::Metrics;
use crate::room::Room;
use crate::rota::Rota;
use crate::trace::PaceChange;
use crate::turn::{End, Keeper, Turn, TurnId};

/// The machines of the policy, and who waits for them.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) scheduler: Scheduler,
    pub(crate) cache: Cache,
    /// Callers in line for a turn, by host.
    lines: FxHashMap<HostId, Line>,
    groups: GroupTurns,
    /// Callers that wait for the rules of an origin.
    interests: HashMap<Origin, Interest>,
    room: Room,
    /// Turns that are granted and not over.
    in_flight: InFlight,
    rota: Rota,
    max_line: usize,
    /// The number of rounds that have ended: rules that were read before may be others now.
    edition: u64,
    /// The time at which the driver looks again; `None` if it waits to be woken.
    driver_looks_at: Option<Timestamp>,
    pub(crate) counts: Metrics,
}

#[derive(Debug, Default)]
struct Line {
    waiters: VecDeque<oneshot::Sender<Turn>>,
    /// The number of a turn that is granted and whose request is not sent yet. The next is granted after it is, or it
    /// would not keep its distance from that request.
    granted: Option<u64>,
    /// Guards that live, those without a place too.
    turns: usize,
}

#[derive(Debug)]
struct Interest {
    callers: usize,
    /// Changes when a round for the origin has ended, and when there may be room for the origin.
    rounds: watch::Sender<u64>,
    /// The number in the line for room.
    place: Option<u64>,
}

/// Where a request stands in the line of its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A page: after those that wait.
    Last,
    /// A robots.txt, which pages of the host wait for.
    First,
}

/// The reason why a caller cannot stand in the line of a host.
#[derive(Debug)]
pub(crate) enum NoPlace {
    /// It is as long as it may be.
    Full { waiters: usize },
    /// The host was forgotten since: make it known again.
    Forgotten,
}

/// When a page asks for its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// It is sent now, or not at all.
    InTurn,
    /// It waits for a turn next. The answer that was fetched for it counts until then, as a gap may be longer than the
    /// lifetime of a robots.txt.
    Ahead,
}

/// How a host that is forgotten could come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    /// As a new one: there is no store.
    None,
    /// With its pace, which is saved.
    Saved,
    /// Not yet with its pace: it is to be saved.
    Unsaved,
}

impl State {
    pub(crate) fn new(
        scheduler: Scheduler,
        cache: Cache,
        max_running: usize,
        max_line: usize,
    ) -> State {
        let request_lease = scheduler.settings().request_lease;
        State {
            scheduler,
            cache,
            lines: FxHashMap::default(),
            groups: GroupTurns::default(),
            interests: HashMap::new(),
            room: Room::default(),
            in_flight: InFlight::new(max_running, request_lease),
            rota: Rota::default(),
            max_line: max_line.max(1),
            edition: 0,
            driver_looks_at: None,
            counts: Metrics::default(),
        }
    }

    /// The host, which is made known with the rule of the operator and the pace of an earlier life if it is not.
    pub(crate) fn host(&mut self, name: &str, rule: HostRule, pacer: Option<Pacer>) -> HostId {
        if let Some(host) = self.scheduler.find(name) {
            return host;
        }
        let host = match pacer {
            Some(pacer) => self.scheduler.insert_with(name, None, pacer),
            None => self.scheduler.insert(name, None),
        };
        self.scheduler.set_rule(host, rule);
        if let Some(obedience) = rule.obedience {
            self.cache.set_obedience(name, obedience);
        }
        self.scheduler.set_waiting(host, false);
        self.rota.add(host);
        host
    }

    /// Moves the host to the group of its address, or out of its group.
    pub(crate) fn set_group(&mut self, host: HostId, group: Option<IpGroup>) {
        if !self.scheduler.contains(host) {
            // It was forgotten while its address was looked up.
            return;
        }
        self.scheduler.set_group(host, group);
        for passed_over in self.groups.set_group(host, group) {
            self.update(passed_over);
        }
    }

    /// Forgets hosts that say nothing, a few at a time, and says when to look again. `memory` says how a host could come
    /// back: without a store only a host is forgotten that would be no earlier as a new one.
    pub(crate) fn forget_idle(
        &mut self,
        now: Timestamp,
        memory: impl Fn(HostId) -> Memory,
    ) -> Option<Timestamp> {
        for host in self.rota.take_due(now) {
            let is_over = !self.lines.contains_key(&host)
                && match memory(host) {
                    Memory::None => self.scheduler.is_as_new(host, now),
                    // A gap or a block that is not over would stay in memory all the same.
                    Memory::Saved => matches!(
                        self.scheduler.turn(host, now),
                        HostTurn::Ready | HostTurn::Skip
                    ),
                    Memory::Unsaved => false,
                };
            if is_over {
                self.forget(host);
            } else if self.scheduler.contains(host) {
                self.rota.look_later(host, now);
            }
        }
        self.rota.next_look()
    }

    /// Forgets a host and everything that is kept for it.
    fn forget(&mut self, host: HostId) {
        if self.scheduler.rule(host).obedience.is_some() {
            let obedience = self.cache.settings().obedience;
            self.cache
                .set_obedience(self.scheduler.host(host), obedience);
        }
        self.rota.forget(host);
        self.set_group(host, None);
        self.scheduler.remove(host);
    }

    /// Ends the line of a host. Takes its pace out and forgets it, unless something of it is under way.
    pub(crate) fn take_out(&mut self, host: HostId) -> Option<Pacer> {
        if let Some(line) = self.lines.get_mut(&host) {
            line.waiters.clear();
            self.update(host);
        }
        if self.lines.contains_key(&host) {
            return None;
        }
        let pacer = self.scheduler.pacer(host)?;
        self.forget(host);
        Some(pacer)
    }

    /// Turns that are granted, and requests under way.
    pub(crate) fn running(&self) -> usize {
        self.in_flight.len()
    }

    /// The counters, with the figures of the moment.
    pub(crate) fn metrics(&self) -> Metrics {
        Metrics {
            hosts_waiting: self
                .lines
                .values()
                .filter(|line| !line.waiters.is_empty())
                .count(),
            in_flight: self.in_flight.len(),
            hosts: self.scheduler.len(),
            origins: self.cache.len(),
            forgotten: self.cache.forgotten(),
            robots_bytes: self.cache.bytes(),
            ..self.counts
        }
    }

    /// Puts a caller in line. A caller that goes away drops the receiver and is passed over.
    pub(crate) fn queue(
        &mut self,
        host: HostId,
        place: Place,
    ) -> Result<oneshot::Receiver<Turn>, NoPlace> {
        if !self.scheduler.contains(host) {
            return Err(NoPlace::Forgotten);
        }
        let line = self.lines.entry(host).or_default();
        if place == Place::Last && line.waiters.len() >= self.max_line {
            line.waiters.retain(|waiter| !waiter.is_closed());
            if line.waiters.len() >= self.max_line {
                return Err(NoPlace::Full {
                    waiters: self.max_line,
                });
            }
        }
        let (waiter, turn) = oneshot::channel();
        match place {
            Place::First => line.waiters.push_front(waiter),
            Place::Last => line.waiters.push_back(waiter),
        }
        self.update(host);
        Ok(turn)
    }

    /// The rules of a page whose host is known and has no line, with their edition.
    pub(crate) fn rules_at_hand(
        &mut self,
        origin: &Origin,
        now: Timestamp,
    ) -> Option<(HostId, Robot, u64)> {
        let host = self.scheduler.find(origin.host())?;
        // An origin that is not known yet may be in the store. Without a turn now, to ask would use an answer up.
        if !self.has_no_line(host)
            || self.scheduler.turn(host, now) != HostTurn::Ready
            || !self.cache.contains(origin)
        {
            return None;
        }
        match self.look_up(host, origin, Asks::InTurn, now)? {
            Lookup::Ready(robot) => Some((host, robot, self.edition)),
            // The caller is about to ask again, and to wait for the round.
            Lookup::Fetch(ticket) => {
                self.cache.give_back(ticket, now);
                None
            }
            _ => None,
        }
    }

    /// Notes that a page has the answer that it asked for ahead, and is not sent: the answer waits for no turn of it.
    pub(crate) fn note_asked(&mut self, origin: &Origin, now: Timestamp) {
        if let Lookup::Fetch(ticket) = self.cache.poll(origin, now) {
            self.cache.give_back(ticket, now);
        }
    }

    /// Grants a turn at once, if nobody is overtaken by it and the rules are of that edition still.
    pub(crate) fn turn_now(
        &mut self,
        keeper: &Arc<dyn Keeper>,
        host: HostId,
        edition: u64,
        now: Timestamp,
    ) -> Option<Turn> {
        // A host in line whose time has come goes first, even if the driver has not seen it yet.
        let is_first = self.has_no_line(host)
            && self.scheduler.turn(host, now) == HostTurn::Ready
            && self.scheduler.next_ready(now).is_none();
        if !is_first || self.edition != edition {
            return None;
        }
        Some(self.grant_to(host, keeper, now))
    }

    /// Whether there is a place for a request, and nobody is in line for the host.
    fn has_no_line(&self, host: HostId) -> bool {
        let line = self.lines.get(&host);
        !self.in_flight.is_full()
            && line.is_none_or(|line| line.granted.is_none() && line.waiters.is_empty())
    }

    /// Notes the time at which the driver looks again; `None` if it waits to be woken.
    pub(crate) fn note_driver(&mut self, looks_at: Option<Timestamp>) {
        self.driver_looks_at = looks_at;
    }

    /// Whether the driver has a turn to grant, or has to look earlier than it is about to.
    pub(crate) fn needs_driver(&mut self, now: Timestamp) -> bool {
        // Without a place the end of a request asks again.
        let is_full = self.in_flight.is_full();
        if self.scheduler.next_ready(now).is_some() && !is_full {
            return true;
        }
        let next = self.scheduler.next_wakeup().filter(|_| !is_full);
        let next = next.into_iter().chain(self.in_flight.next_end()).min();
        next.is_some_and(|next| self.driver_looks_at.is_none_or(|planned| next < planned))
    }

    /// Grants every turn that may be granted now, and says when the next may be.
    pub(crate) fn grant(&mut self, keeper: &Arc<dyn Keeper>, now: Timestamp) -> Option<Timestamp> {
        self.end_leases(now);
        while !self.in_flight.is_full() {
            let Some(host) = self.scheduler.next_ready(now) else {
                let next = [self.scheduler.next_wakeup(), self.in_flight.next_end()];
                return next.into_iter().flatten().min();
            };
            if self.groups.pass_over(host) {
                self.scheduler.set_waiting(host, false);
                continue;
            }
            while let Some(waiter) = self.next_waiter(host) {
                let turn = self.grant_to(host, keeper, now);
                let Err(turn) = waiter.send(turn) else {
                    break;
                };
                self.take_back(turn);
            }
            self.update(host);
        }
        // The end of a request wakes the driver. The scheduler reads the clock meanwhile: it takes a long step for a clock
        // that was set, and puts its leases off.
        let _ = self.scheduler.next_ready(now);
        let look = now.saturating_add(LOOK_AT_CLOCK);
        Some(
            self.in_flight
                .next_end()
                .map_or(look, |next| next.min(look)),
        )
    }

    /// The first in line that has not gone away.
    fn next_waiter(&mut self, host: HostId) -> Option<oneshot::Sender<Turn>> {
        let line = self.lines.get_mut(&host)?;
        while let Some(waiter) = line.waiters.pop_front() {
            if !waiter.is_closed() {
                return Some(waiter);
            }
        }
        None
    }

    /// The turn of a host that is free now, for a caller that was given one before and came too late for it: it has
    /// waited its time.
    pub(crate) fn grant_at_once(
        &mut self,
        host: HostId,
        keeper: &Arc<dyn Keeper>,
        now: Timestamp,
    ) -> Option<Turn> {
        self.end_leases(now);
        let line = self.lines.get(&host);
        let is_granted = line.is_some_and(|line| line.granted.is_some());
        let is_ready = self.scheduler.turn(host, now) == HostTurn::Ready;
        if is_granted || self.in_flight.is_full() || !is_ready || self.groups.pass_over(host) {
            return None;
        }
        let turn = self.grant_to(host, keeper, now);
        self.update(host);
        Some(turn)
    }

    fn grant_to(&mut self, host: HostId, keeper: &Arc<dyn Keeper>, now: Timestamp) -> Turn {
        let number = self.in_flight.grant(host, now);
        self.groups.begin(host);
        let line = self.lines.entry(host).or_default();
        line.granted = Some(number);
        line.turns += 1;
        Turn::new(Arc::clone(keeper), TurnId { host, number })
    }

    /// Takes a turn back that nobody waits for.
    fn take_back(&mut self, turn: Turn) {
        let TurnId { host, number } = turn.id();
        turn.revoke();
        self.in_flight.end(number);
        if let Some(line) = self.lines.get_mut(&host) {
            line.granted = None;
            line.turns = line.turns.saturating_sub(1);
        }
        self.end_turn_of_group(host);
    }

    /// Takes the places of turns that nobody used, and of requests whose lease is over. The scheduler ends the leases of
    /// the latter by itself.
    fn end_leases(&mut self, now: Timestamp) {
        while let Some((number, held)) = self.in_flight.take_back(now) {
            if held.phase == Phase::Granted {
                self.counts.expired += 1;
            }
            self.ungrant(held.host, number);
        }
    }

    /// Tells the scheduler whether the host waits for a turn, and forgets a line that nobody needs.
    fn update(&mut self, host: HostId) {
        let Entry::Occupied(line) = self.lines.entry(host) else {
            self.scheduler.set_waiting(host, false);
            return;
        };
        let is_waiting = !line.get().waiters.is_empty();
        let is_granted = line.get().granted.is_some();
        self.scheduler.set_waiting(host, is_waiting && !is_granted);
        if !is_waiting && !is_granted && line.get().turns == 0 {
            line.remove();
        }
    }

    /// Notes that a turn is granted no more.
    fn ungrant(&mut self, host: HostId, number: u64) {
        if let Some(line) = self.lines.get_mut(&host)
            && line.granted == Some(number)
        {
            line.granted = None;
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
            self.rota.note_use(turn.host);
            self.scheduler.handle_start(turn.host, now);
            self.ungrant(turn.host, turn.number);
        }
        lease
    }

    /// Takes the end of a turn.
    pub(crate) fn end(&mut self, turn: TurnId, end: End, now: Timestamp) {
        let host = turn.host;
        let lease = self.in_flight.end(turn.number);
        if let Some(line) = self.lines.get_mut(&host) {
            line.turns = line.turns.saturating_sub(1);
        }
        match end {
            // It went to the next caller before.
            End::Unsent if lease == Lease::Expired => {}
            End::Unsent => self.counts.cancelled += 1,
            End::Broken => {
                self.counts.cancelled += 1;
                self.scheduler.handle_cancelled(host, now);
            }
            End::Answered(reply) => {
                let pace = PaceChange::of(&self.scheduler, host);
                self.scheduler.handle_reply(host, *reply, now);
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

    /// Notes that a caller has a page of the origin: its rules stay in the cache as long.
    pub(crate) fn begin_interest(&mut self, origin: &Origin) {
        let interest = self
            .interests
            .entry(origin.clone())
            .or_insert_with(|| Interest {
                callers: 0,
                rounds: watch::Sender::new(0),
                place: None,
            });
        interest.callers += 1;
    }

    pub(crate) fn end_interest(&mut self, origin: &Origin, now: Timestamp) {
        let Entry::Occupied(mut interest) = self.interests.entry(origin.clone()) else {
            return;
        };
        interest.get_mut().callers = interest.get().callers.saturating_sub(1);
        if interest.get().callers == 0 {
            let interest = interest.remove();
            if let Some(place) = interest.place {
                self.room.leave(place);
            }
            if self.cache.contains(origin) && !self.waits_long(origin, now) {
                self.note_asked(origin, now);
            }
            self.cache.release(origin);
            self.call_first();
        }
    }

    /// Whether the next turn of the host comes later than an answer that was asked for counts. Its callers come back
    /// then, so the answer waits for them; any other would only take room.
    fn waits_long(&self, origin: &Origin, now: Timestamp) -> bool {
        let counts_until = now.saturating_add(self.cache.settings().min_ttl);
        let host = self.scheduler.find(origin.host());
        let turn = host.map(|host| self.scheduler.turn(host, now));
        matches!(turn, Some(HostTurn::NotBefore(from)) if from >= counts_until)
    }

    /// Resolves when a round that is under way has ended, or there may be room for the origin. Subscribed under the lock, so
    /// none is missed.
    pub(crate) fn rounds(&self, origin: &Origin) -> Option<watch::Receiver<u64>> {
        let interest = self.interests.get(origin);
        interest.map(|interest| interest.rounds.subscribe())
    }

    pub(crate) fn round_ended(&mut self, origin: &Origin) {
        self.edition = self.edition.wrapping_add(1);
        self.call(origin);
        self.call_first();
    }

    /// Wakes the callers of an origin.
    fn call(&self, origin: &Origin) {
        if let Some(interest) = self.interests.get(origin) {
            interest
                .rounds
                .send_modify(|rounds| *rounds = rounds.wrapping_add(1));
        }
    }

    /// Wakes the callers of the origin that is first in the line for room: there may be some.
    fn call_first(&self) {
        if let Some(first) = self.room.first() {
            self.call(first);
        }
    }

    /// Whether the origin is the first that room is for.
    pub(crate) fn is_first_for_room(&self, origin: &Origin) -> bool {
        self.room.first() == Some(origin)
    }

    /// Whether no other origin has waited for room for longer.
    pub(crate) fn may_enter(&self, origin: &Origin) -> bool {
        self.room.first().is_none_or(|first| first == origin)
    }

    /// The cache's answer, with the crawl delay of the rules told to the host's pace; `None` if the host was forgotten since.
    ///
    /// [`Lookup::Full`] puts the origin in the line for room. A new origin goes to its end without a look whether there
    /// is room, as others have waited for longer.
    pub(crate) fn look_up(
        &mut self,
        host: HostId,
        origin: &Origin,
        asks: Asks,
        now: Timestamp,
    ) -> Option<Lookup> {
        if !self.scheduler.contains(host) {
            return None;
        }
        if !self.may_enter(origin) && !self.cache.contains(origin) {
            self.wait_for_room(origin);
            return Some(Lookup::Full);
        }
        let lookup = match asks {
            Asks::InTurn => self.cache.poll(origin, now),
            Asks::Ahead => self.cache.poll_ahead(origin, now),
        };
        if matches!(lookup, Lookup::Full) {
            self.wait_for_room(origin);
            return Some(lookup);
        }
        // An origin is known from its first poll on; before, there was nothing to hold.
        if let Some(interest) = self.interests.get_mut(origin) {
            let place = interest.place.take();
            self.cache.hold(origin);
            if let Some(place) = place {
                self.room.leave(place);
                // There may be room for more than one.
                self.call_first();
            }
        }
        if let Lookup::Ready(robot) = &lookup {
            self.scheduler
                .set_crawl_delay(host, origin, robot.crawl_delay());
        }
        Some(lookup)
    }

    fn wait_for_room(&mut self, origin: &Origin) {
        // A caller without an interest is not in line: nobody would take it out again.
        if let Some(interest) = self.interests.get_mut(origin)
            && interest.place.is_none()
        {
            interest.place = Some(self.room.join(origin));
        }
    }
}

/// Shorter than the step of the clock that the scheduler takes for one that was set.
const LOOK_AT_CLOCK: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use polite_robots::Cause;
    use polite_robots_policy::{Outcome, Ticket};

    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

    fn origin(name: &str) -> Origin {
        Origin::of(&format!("https://{name}.example")).unwrap()
    }

    /// A state with room for the fetch of one robots.txt and for a few that are known.
    fn state() -> State {
        let mut profile = Profile::rfc9309();
        profile.access.min_ttl = Duration::from_secs(1);
        let cache = Cache::new(profile, &["ExampleBot"], 5_500).unwrap();
        State::new(Scheduler::new(profile), cache, 8, 8)
    }

    fn look_up(state: &mut State, name: &str) -> Lookup {
        let origin = origin(name);
        let host = state.host(origin.host(), HostRule::new(), None);
        state.look_up(host, &origin, Asks::InTurn, START).unwrap()
    }

    fn ticket(lookup: Lookup) -> Ticket {
        match lookup {
            Lookup::Fetch(ticket) => ticket,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn room_goes_to_the_first_in_line_and_wakes_nobody_else() {
        let mut state = state();
        let names = ["a", "b", "c", "d", "late"];
        let mut calls = HashMap::new();
        for name in names {
            state.begin_interest(&origin(name));
            calls.insert(name, state.rounds(&origin(name)).unwrap());
        }
        let mut called = |names: [&str; 5]| -> Vec<String> {
            let is_called =
                |name: &&str| calls.get_mut(*name).unwrap().has_changed().unwrap_or(false);
            let called: Vec<String> = names
                .into_iter()
                .filter(is_called)
                .map(str::to_owned)
                .collect();
            calls
                .values_mut()
                .for_each(|call| drop(call.borrow_and_update()));
            called
        };
        let first = ticket(look_up(&mut state, "a"));
        for name in ["b", "c", "d"] {
            assert!(matches!(look_up(&mut state, name), Lookup::Full), "{name}");
        }
        state
            .cache
            .handle(first, Outcome::Unavailable(Cause::Status(404)), START);
        state.round_ended(&origin("a"));
        assert_eq!(called(names), ["a", "b"]);
        // There is room now, and it is not for one who has just come.
        assert!(matches!(look_up(&mut state, "late"), Lookup::Full));
        assert!(matches!(look_up(&mut state, "c"), Lookup::Full));
        // A known origin needs none.
        assert!(matches!(look_up(&mut state, "a"), Lookup::Ready(_)));
        let second = ticket(look_up(&mut state, "b"));
        assert_eq!(called(names), ["c"], "there may be room for more than one");
        assert!(matches!(look_up(&mut state, "c"), Lookup::Full));
        assert!(state.is_first_for_room(&origin("c")));
        // The callers of the first one go away.
        state.end_interest(&origin("c"), START);
        assert_eq!(called(["a", "b", "d", "late", "d"]), ["d", "d"]);
        state
            .cache
            .handle(second, Outcome::Unavailable(Cause::Status(404)), START);
        assert!(matches!(look_up(&mut state, "late"), Lookup::Full));
        let _third = ticket(look_up(&mut state, "d"));
        assert!(state.is_first_for_room(&origin("late")));
    }

    #[test]
    fn a_stale_host_stands_in_no_line() {
        let mut state = state();
        let host = state.host("a.example", HostRule::new(), None);
        let later = START.saturating_add(Duration::from_secs(120));
        state.forget_idle(START, |_| Memory::None);
        state.forget_idle(later, |_| Memory::Unsaved);
        assert_eq!(state.metrics().hosts, 1, "it is not saved yet");
        let later = later.saturating_add(Duration::from_secs(120));
        state.forget_idle(later, |_| Memory::None);
        assert_eq!(state.metrics().hosts, 0);
        assert!(matches!(
            state.queue(host, Place::Last),
            Err(NoPlace::Forgotten)
        ));
        assert!(
            state
                .look_up(host, &origin("a"), Asks::Ahead, later)
                .is_none()
        );
    }
}

//! Everything that the client decides, behind one lock: the turns of the hosts and the rules of the origins.

use polite_robots::Robot;
use polite_robots_policy::{
    Cache, HostId, HostRule, Lookup, Origin, Pacer, Scheduler, Timestamp, Turn as HostTurn,
};

use crate::metrics::Metrics;
use crate::state::idle_sweep::Rota;
use crate::state::rule_waiters::Interests;
use crate::turns::Turns;
use crate::turns::leases::Lease;
use crate::turns::turn_guard::{Turn, TurnId};

pub(crate) mod idle_sweep;
pub(crate) mod memory_queue;
pub(crate) mod rule_waiters;

/// The machines of the policy, and who waits for them.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) turns: Turns,
    pub(crate) cache: Cache,
    /// Callers that wait for the rules of an origin.
    pub(crate) interests: Interests,
    rota: Rota,
    /// The number of rounds that have ended: rules that were read before may be others now.
    edition: u64,
    /// The times that the lock was taken to change something.
    visits: u64,
    pub(crate) counts: Metrics,
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

/// The rules of a page whose host may be asked now.
#[derive(Debug)]
pub(crate) struct AtHand {
    host: HostId,
    pub(crate) robot: Robot,
    edition: u64,
    visit: u64,
}

impl State {
    pub(crate) fn new(
        scheduler: Scheduler,
        cache: Cache,
        max_running: usize,
        max_line: usize,
    ) -> State {
        State {
            turns: Turns::new(scheduler, max_running, max_line),
            cache,
            interests: Interests::default(),
            rota: Rota::default(),
            edition: 0,
            visits: 0,
            counts: Metrics::default(),
        }
    }

    /// Notes that the lock was taken.
    pub(crate) fn note_visit(&mut self) {
        self.visits = self.visits.wrapping_add(1);
    }

    /// The host, which is made known with the rule of the operator and the pace of an earlier life if it is not.
    pub(crate) fn host(&mut self, name: &str, rule: HostRule, pacer: Option<Pacer>) -> HostId {
        if let Some(host) = self.turns.scheduler.find(name) {
            return host;
        }
        let host = self.turns.insert(name, rule, pacer);
        if let Some(obedience) = rule.obedience {
            self.cache.set_obedience(name, obedience);
        }
        self.rota.add(host);
        host
    }

    /// Forgets hosts that say nothing, a few at a time, and says when to look again. `memory` says how a host could come
    /// back: without a store only a host is forgotten that would be no earlier as a new one.
    pub(crate) fn forget_idle(
        &mut self,
        now: Timestamp,
        memory: impl Fn(HostId) -> Memory,
    ) -> Option<Timestamp> {
        for host in self.rota.take_due(now) {
            let scheduler = &self.turns.scheduler;
            let is_over = !self.turns.is_needed(host)
                && match memory(host) {
                    Memory::None => scheduler.is_as_new(host, now),
                    // A gap or a block that is not over would stay in memory all the same.
                    Memory::Saved => {
                        matches!(scheduler.turn(host, now), HostTurn::Ready | HostTurn::Skip)
                    }
                    Memory::Unsaved => false,
                };
            if is_over {
                self.forget(host);
            } else if self.turns.scheduler.contains(host) {
                self.rota.look_later(host, now);
            }
        }
        self.rota.next_look()
    }

    /// Forgets a host and everything that is kept for it.
    fn forget(&mut self, host: HostId) {
        let scheduler = &self.turns.scheduler;
        if scheduler.rule(host).obedience.is_some() {
            let obedience = self.cache.settings().obedience;
            self.cache.set_obedience(scheduler.host(host), obedience);
        }
        self.rota.forget(host);
        self.turns.forget(host);
    }

    /// Ends the line of a host. Takes its pace out and forgets it, unless something of it is under way.
    pub(crate) fn take_out(&mut self, host: HostId, now: Timestamp) -> Option<Pacer> {
        let pacer = self.turns.idle_pacer(host, now)?;
        self.forget(host);
        Some(pacer)
    }

    /// The counters, with the figures of the moment.
    pub(crate) fn metrics(&self) -> Metrics {
        let mut counts = Metrics {
            origins: self.cache.len(),
            forgotten: self.cache.forgotten(),
            robots_bytes: self.cache.bytes(),
            ..self.counts
        };
        self.turns.count(&mut counts);
        counts
    }

    /// The rules of a page whose host is known and may be asked now.
    pub(crate) fn rules_at_hand(&mut self, origin: &Origin, now: Timestamp) -> Option<AtHand> {
        let host = self.turns.scheduler.find(origin.host())?;
        // An origin that is not known yet may be in the store. Without a turn now, to ask would use an answer up.
        if !self.turns.is_ready(host, now) || !self.cache.contains(origin) {
            return None;
        }
        match self.look_up(host, origin, Asks::InTurn, now)? {
            // The crawl delay may be news.
            Lookup::Ready(robot)
                if robot.crawl_delay().is_some() && !self.turns.is_ready(host, now) =>
            {
                None
            }
            Lookup::Ready(robot) => Some(AtHand {
                host,
                robot,
                edition: self.edition,
                visit: self.visits,
            }),
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

    /// Starts the request of a page at once, if nobody is overtaken by it and its rules are in force still.
    pub(crate) fn start_now(&mut self, at_hand: &AtHand, now: Timestamp) -> Option<Turn> {
        // In general nobody had the lock since.
        let is_unchanged = self.visits == at_hand.visit.wrapping_add(1);
        if self.edition != at_hand.edition
            || !(is_unchanged || self.turns.is_ready(at_hand.host, now))
        {
            return None;
        }
        let turn = self.turns.start_now(at_hand.host, now)?;
        self.rota.note_use(at_hand.host);
        Some(turn)
    }

    /// Takes the start of the request of a turn, unless the turn has gone to another caller.
    pub(crate) fn start(&mut self, turn: TurnId, now: Timestamp) -> Lease {
        let lease = self.turns.start(turn, now);
        if lease == Lease::Live {
            self.rota.note_use(turn.host);
        }
        lease
    }

    /// Notes that a caller of the origin has gone away.
    pub(crate) fn end_interest(&mut self, origin: &Origin, now: Timestamp) {
        if self.interests.end(origin) {
            if self.cache.contains(origin) && !self.waits_long(origin, now) {
                self.note_asked(origin, now);
            }
            self.cache.release(origin);
            self.interests.call_first();
        }
    }

    /// Whether the next turn of the host comes later than an answer that was asked for counts. Its callers come back
    /// then, so the answer waits for them; any other would only take room.
    fn waits_long(&self, origin: &Origin, now: Timestamp) -> bool {
        let counts_until = now.saturating_add(self.cache.settings().min_ttl);
        let scheduler = &self.turns.scheduler;
        let host = scheduler.find(origin.host());
        let turn = host.map(|host| scheduler.turn(host, now));
        matches!(turn, Some(HostTurn::NotBefore(from)) if from >= counts_until)
    }

    pub(crate) fn round_ended(&mut self, origin: &Origin) {
        self.edition = self.edition.wrapping_add(1);
        self.interests.call(origin);
        self.interests.call_first();
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
        if !self.turns.scheduler.contains(host) {
            return None;
        }
        if !self.interests.may_enter(origin) && !self.cache.contains(origin) {
            self.interests.wait_for_room(origin);
            return Some(Lookup::Full);
        }
        let lookup = match asks {
            Asks::InTurn => self.cache.poll(origin, now),
            Asks::Ahead => self.cache.poll_ahead(origin, now),
        };
        if matches!(lookup, Lookup::Full) {
            self.interests.wait_for_room(origin);
            return Some(lookup);
        }
        // An origin is known from its first poll on; before, there was nothing to hold.
        if self.interests.enter(origin) {
            self.cache.hold(origin);
        }
        if let Lookup::Ready(robot) = &lookup {
            self.turns
                .scheduler
                .set_crawl_delay(host, origin, robot.crawl_delay());
        }
        Some(lookup)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use polite_robots::{Cause, RobotsTxt};
    use polite_robots_policy::{BodyEnd, Freshness, Outcome, Profile, Reply, Ticket, Validators};

    use super::*;
    use crate::turns::queues::{NoPlace, Place};

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
            state.interests.begin(&origin(name));
            calls.insert(name, state.interests.rounds(&origin(name)).unwrap());
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
        assert!(state.interests.is_first_for_room(&origin("c")));
        // The callers of the first one go away.
        state.end_interest(&origin("c"), START);
        assert_eq!(called(["a", "b", "d", "late", "d"]), ["d", "d"]);
        state
            .cache
            .handle(second, Outcome::Unavailable(Cause::Status(404)), START);
        assert!(matches!(look_up(&mut state, "late"), Lookup::Full));
        let _third = ticket(look_up(&mut state, "d"));
        assert!(state.interests.is_first_for_room(&origin("late")));
    }

    #[test]
    fn a_crawl_delay_that_is_news_counts_at_once() {
        let mut state = state();
        let origin = origin("a");
        let host = state.host(origin.host(), HostRule::new(), None);
        state.note_visit();
        let ticket = ticket(look_up(&mut state, "a"));
        let outcome = Outcome::Parsed {
            robots_txt: RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 9"),
            freshness: Freshness::default(),
            validators: Validators::default(),
            end: BodyEnd::Complete,
        };
        state.cache.handle(ticket, outcome, START);
        state.turns.scheduler.handle_start(host, START);
        let reply = Reply::new(Ok(200), START);
        state.turns.scheduler.handle_reply(host, reply, START);
        let after = |seconds| START.saturating_add(Duration::from_secs(seconds));
        // By the gap alone it could be asked.
        assert!(state.turns.is_ready(host, after(2)));
        assert!(state.rules_at_hand(&origin, after(2)).is_none());
        assert!(state.rules_at_hand(&origin, after(9)).is_some());
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
            state.turns.queue(host, Place::Last),
            Err(NoPlace::Forgotten)
        ));
        assert!(
            state
                .look_up(host, &origin("a"), Asks::Ahead, later)
                .is_none()
        );
    }
}

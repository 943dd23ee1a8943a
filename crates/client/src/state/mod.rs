//! The state under the one lock of the client: the turns of the hosts and the rules of the origins.

use polite_robots::Robot;
use polite_robots_policy::{
    Cache, HostId, HostRule, Lookup, Origin, Pacer, Scheduler, Timestamp, Turn,
};

use crate::metrics::Metrics;
use crate::state::idle_sweep::IdleSweep;
use crate::state::rule_waiters::RuleWaiters;
use crate::turns::Dispatcher;
use crate::turns::leases::LeaseStatus;
use crate::turns::turn_guard::{TurnGuard, TurnId};

pub(crate) mod idle_sweep;
pub(crate) mod memory_queue;
pub(crate) mod rule_waiters;
mod waiting;

/// The machines of the policy, and the callers that wait for them.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) dispatcher: Dispatcher,
    pub(crate) cache: Cache,
    /// Callers that wait for the rules of an origin.
    pub(crate) waiters: RuleWaiters,
    sweep: IdleSweep,
    /// The number of rounds that have ended. Rules that were read before the last one may have
    /// changed.
    edition: u64,
    /// The number of times that the lock was taken.
    lock_count: u64,
    pub(crate) counts: Metrics,
}

/// The moment at which a page asks for its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PollMode {
    /// In its turn: the page is sent now, or not at all.
    InTurn,
    /// Ahead of its turn. An answer that was fetched for the page counts until that turn, as a gap
    /// may be longer than the lifetime of a robots.txt.
    Ahead,
}

/// The state of a host's pace in the store, by which a forgotten host would come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoredPace {
    /// There is no store: the host would come back as a new one.
    NoStore,
    /// The pace is saved: the host would come back with it.
    Current,
    /// The pace has changed since it was saved, so the host cannot be forgotten yet.
    Stale,
}

/// The rules for a page whose host may be asked now, with the counters that show whether they may
/// have changed since.
#[derive(Debug)]
pub(crate) struct RulesSnapshot {
    host: HostId,
    pub(crate) robot: Robot,
    edition: u64,
    lock_count: u64,
}

impl State {
    pub(crate) fn new(
        scheduler: Scheduler,
        cache: Cache,
        max_running: usize,
        max_queue: usize,
    ) -> State {
        State {
            dispatcher: Dispatcher::new(scheduler, max_running, max_queue),
            cache,
            waiters: RuleWaiters::default(),
            sweep: IdleSweep::default(),
            edition: 0,
            lock_count: 0,
            counts: Metrics::default(),
        }
    }

    /// Counts that the lock was taken.
    pub(crate) fn count_lock(&mut self) {
        self.lock_count = self.lock_count.wrapping_add(1);
    }

    /// The number of a host. An unknown host is made known, with the rule of the operator and its
    /// stored pace.
    pub(crate) fn host(&mut self, name: &str, rule: HostRule, pacer: Option<Pacer>) -> HostId {
        if let Some(host) = self.dispatcher.scheduler.find(name) {
            return host;
        }
        let host = self.dispatcher.insert(name, rule, pacer);
        if let Some(obedience) = rule.obedience {
            self.cache.set_obedience(name, obedience);
        }
        self.sweep.add(host);
        host
    }

    /// Forgets idle hosts, a few at a time. Returns the time of the next sweep. Without a store a
    /// host is forgotten only if a new host would get its turn no earlier.
    pub(crate) fn forget_idle(
        &mut self,
        now: Timestamp,
        stored_pace: impl Fn(HostId) -> StoredPace,
    ) -> Option<Timestamp> {
        for host in self.sweep.take_due(now) {
            let scheduler = &self.dispatcher.scheduler;
            let is_over = !self.dispatcher.is_needed(host)
                && match stored_pace(host) {
                    StoredPace::NoStore => scheduler.is_as_new(host, now),
                    // A gap or a block that is not over would stay in memory all the same.
                    StoredPace::Current => {
                        matches!(scheduler.turn(host, now), Turn::Ready | Turn::Skip)
                    }
                    StoredPace::Stale => false,
                };
            if is_over {
                self.forget(host);
            } else if self.dispatcher.scheduler.contains(host) {
                self.sweep.defer(host, now);
            }
        }
        self.sweep.next_due()
    }

    /// Forgets a host and all data about it.
    fn forget(&mut self, host: HostId) {
        let scheduler = &self.dispatcher.scheduler;
        if scheduler.rule(host).obedience.is_some() {
            let obedience = self.cache.settings().obedience;
            self.cache.set_obedience(scheduler.host(host), obedience);
        }
        self.sweep.remove(host);
        self.dispatcher.forget(host);
    }

    /// Removes the callers that wait for a host. Forgets the host and returns its pace, unless a
    /// request to it is under way.
    pub(crate) fn take_pacer(&mut self, host: HostId, now: Timestamp) -> Option<Pacer> {
        let pacer = self.dispatcher.idle_pacer(host, now)?;
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
        self.dispatcher.count(&mut counts);
        counts
    }

    /// The rules of a page whose host is known and may be asked now.
    pub(crate) fn snapshot_rules(
        &mut self,
        origin: &Origin,
        now: Timestamp,
    ) -> Option<RulesSnapshot> {
        let host = self.dispatcher.scheduler.find(origin.host())?;
        // An unknown origin may be in the store. Without a turn now, asking would use up an answer.
        if !self.dispatcher.is_ready(host, now) || !self.cache.contains(origin) {
            return None;
        }
        match self.look_up(host, origin, PollMode::InTurn, now)? {
            // The crawl delay may be new to the pace.
            Lookup::Ready(robot)
                if robot.crawl_delay().is_some() && !self.dispatcher.is_ready(host, now) =>
            {
                None
            }
            Lookup::Ready(robot) => Some(RulesSnapshot {
                host,
                robot,
                edition: self.edition,
                lock_count: self.lock_count,
            }),
            // The caller is about to ask again, and to wait for the round.
            Lookup::Fetch(ticket) => {
                self.cache.give_back(ticket, now);
                None
            }
            _ => None,
        }
    }

    /// Releases the answer that a page asked for ahead of its turn: the page is not sent, so no
    /// turn will use the answer.
    pub(crate) fn release_answer(&mut self, origin: &Origin, now: Timestamp) {
        self.cache.forgo(origin, now);
    }

    /// Starts the request of a page at once, if it overtakes nobody and its rules are still in
    /// force.
    pub(crate) fn start_now(
        &mut self,
        snapshot: &RulesSnapshot,
        now: Timestamp,
    ) -> Option<TurnGuard> {
        // Usually nobody has taken the lock since.
        let is_unchanged = self.lock_count == snapshot.lock_count.wrapping_add(1);
        if self.edition != snapshot.edition
            || !(is_unchanged || self.dispatcher.is_ready(snapshot.host, now))
        {
            return None;
        }
        let turn = self.dispatcher.start_now(snapshot.host, now)?;
        self.sweep.note_use(snapshot.host);
        Some(turn)
    }

    /// Records the start of the request of a turn, unless the turn has gone to another caller.
    pub(crate) fn start(&mut self, turn: TurnId, now: Timestamp) -> LeaseStatus {
        let lease = self.dispatcher.start(turn, now);
        if lease == LeaseStatus::Live {
            self.sweep.note_use(turn.host);
        }
        lease
    }

    /// Removes a caller of the origin that has gone away.
    pub(crate) fn remove_waiter(&mut self, origin: &Origin, now: Timestamp) {
        if self.waiters.remove(origin) {
            if self.cache.contains(origin) && !self.waits_long(origin, now) {
                self.release_answer(origin, now);
            }
            self.cache.release(origin);
            self.waiters.wake_first();
        }
    }

    /// Whether the next turn of the host comes after an answer of now has expired. The callers come
    /// back at that turn, so the answer is kept for them; any other answer would only take memory.
    fn waits_long(&self, origin: &Origin, now: Timestamp) -> bool {
        let counts_until = now.saturating_add(self.cache.settings().min_ttl);
        let scheduler = &self.dispatcher.scheduler;
        let host = scheduler.find(origin.host());
        let turn = host.map(|host| scheduler.turn(host, now));
        matches!(turn, Some(Turn::NotBefore(from)) if from >= counts_until)
    }

    /// Wakes the callers that wait for the round of an origin, which has ended.
    pub(crate) fn end_round(&mut self, origin: &Origin) {
        self.edition = self.edition.wrapping_add(1);
        self.waiters.wake(origin);
        self.waiters.wake_first();
    }

    /// The answer of the cache, whose crawl delay is passed to the pace of the host; `None` if the
    /// host was forgotten since.
    ///
    /// [`Lookup::Full`] adds the origin to the memory queue. While other origins wait there, a new
    /// one joins them without asking the cache, as they have waited for longer.
    pub(crate) fn look_up(
        &mut self,
        host: HostId,
        origin: &Origin,
        mode: PollMode,
        now: Timestamp,
    ) -> Option<Lookup> {
        if !self.dispatcher.scheduler.contains(host) {
            return None;
        }
        if !self.waiters.may_enter(origin) && !self.cache.contains(origin) {
            self.waiters.wait_for_memory(origin);
            return Some(Lookup::Full);
        }
        let lookup = match mode {
            PollMode::InTurn => self.cache.poll(origin, now),
            PollMode::Ahead => self.cache.poll_ahead(origin, now),
        };
        if matches!(lookup, Lookup::Full) {
            self.waiters.wait_for_memory(origin);
            return Some(lookup);
        }
        // An origin is known from its first poll on; before, there was nothing to hold.
        if self.waiters.enter(origin) {
            self.cache.hold(origin);
        }
        if let Lookup::Ready(robot) = &lookup {
            let delay = robot.crawl_delay();
            let scheduler = &mut self.dispatcher.scheduler;
            scheduler.set_crawl_delay(host, origin, delay);
            if delay.is_some() {
                self.dispatcher.release_late(host, now);
            }
        }
        Some(lookup)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use polite_robots::{Cause, RobotsTxt};
    use polite_robots_policy::cache::Ticket;
    use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
    use polite_robots_policy::{Outcome, Profile, Reply};

    use super::*;
    use crate::turns::queues::{Position, QueueError};

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

    fn origin(name: &str) -> Origin {
        Origin::of(&format!("https://{name}.example")).unwrap()
    }

    /// A state with memory for the fetch of one robots.txt and for a few that are known.
    fn state() -> State {
        let mut profile = Profile::rfc9309();
        profile.access.min_ttl = Duration::from_secs(1);
        let cache = Cache::new(profile, &["ExampleBot"], 5_500).unwrap();
        State::new(Scheduler::new(profile), cache, 8, 8)
    }

    fn look_up(state: &mut State, name: &str) -> Lookup {
        let origin = origin(name);
        let host = state.host(origin.host(), HostRule::new(), None);
        state
            .look_up(host, &origin, PollMode::InTurn, START)
            .unwrap()
    }

    fn ticket(lookup: Lookup) -> Ticket {
        match lookup {
            Lookup::Fetch(ticket) => ticket,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn memory_goes_to_the_first_in_the_queue_and_wakes_nobody_else() {
        let mut state = state();
        let names = ["a", "b", "c", "d", "late"];
        let mut calls = HashMap::new();
        for name in names {
            state.waiters.add(&origin(name));
            calls.insert(name, state.waiters.subscribe(&origin(name)).unwrap());
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
        state.end_round(&origin("a"));
        assert_eq!(called(names), ["a", "b"]);
        // Memory is free now, but not for an origin that has just come.
        assert!(matches!(look_up(&mut state, "late"), Lookup::Full));
        assert!(matches!(look_up(&mut state, "c"), Lookup::Full));
        // A known origin needs none.
        assert!(matches!(look_up(&mut state, "a"), Lookup::Ready(_)));
        let second = ticket(look_up(&mut state, "b"));
        assert_eq!(called(names), ["c"], "memory may be free for more than one");
        assert!(matches!(look_up(&mut state, "c"), Lookup::Full));
        assert!(state.waiters.is_first_for_memory(&origin("c")));
        // The callers of the first one go away.
        state.remove_waiter(&origin("c"), START);
        assert_eq!(called(["a", "b", "d", "late", "d"]), ["d", "d"]);
        state
            .cache
            .handle(second, Outcome::Unavailable(Cause::Status(404)), START);
        assert!(matches!(look_up(&mut state, "late"), Lookup::Full));
        let _third = ticket(look_up(&mut state, "d"));
        assert!(state.waiters.is_first_for_memory(&origin("late")));
    }

    #[test]
    fn a_new_crawl_delay_counts_at_once() {
        let mut state = state();
        let origin = origin("a");
        let host = state.host(origin.host(), HostRule::new(), None);
        state.count_lock();
        let ticket = ticket(look_up(&mut state, "a"));
        let outcome = Outcome::Parsed {
            robots_txt: RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 9"),
            freshness: Freshness::default(),
            validators: Validators::default(),
            end: BodyEnd::Complete,
        };
        state.cache.handle(ticket, outcome, START);
        state.dispatcher.scheduler.handle_start(host, START);
        let reply = Reply::new(Ok(200), START);
        state.dispatcher.scheduler.handle_reply(host, reply, START);
        let after = |seconds| START.saturating_add(Duration::from_secs(seconds));
        // By its gap alone the host could be asked.
        assert!(state.dispatcher.is_ready(host, after(2)));
        assert!(state.snapshot_rules(&origin, after(2)).is_none());
        assert!(state.snapshot_rules(&origin, after(9)).is_some());
    }

    #[test]
    fn a_forgotten_host_is_in_no_queue() {
        let mut state = state();
        let host = state.host("a.example", HostRule::new(), None);
        let later = START.saturating_add(Duration::from_secs(120));
        state.forget_idle(START, |_| StoredPace::NoStore);
        state.forget_idle(later, |_| StoredPace::Stale);
        assert_eq!(state.metrics().hosts, 1, "it is not saved yet");
        let later = later.saturating_add(Duration::from_secs(120));
        state.forget_idle(later, |_| StoredPace::NoStore);
        assert_eq!(state.metrics().hosts, 0);
        assert!(matches!(
            state.dispatcher.queue(host, Position::Back, later),
            Err(QueueError::Forgotten)
        ));
        assert!(
            state
                .look_up(host, &origin("a"), PollMode::Ahead, later)
                .is_none()
        );
    }
}

//! Everything that the client decides, behind one lock: the turns of the hosts and the rules of the origins.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use polite_robots::Robot;
use polite_robots_policy::{
    Cache, HostId, HostRule, Lookup, Origin, Pacer, Scheduler, Timestamp, Turn as HostTurn,
};
use tokio::sync::{oneshot, watch};

use crate::metrics::Metrics;
use crate::turn::{End, Keeper, Turn};

/// The machines of the policy, and who waits for them.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) scheduler: Scheduler,
    pub(crate) cache: Cache,
    /// Callers in line for a turn, by host.
    lines: HashMap<HostId, Line>,
    /// Callers that wait for the rules of an origin.
    interests: HashMap<Origin, Interest>,
    /// Turns that are granted and not over.
    running: usize,
    max_running: usize,
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
    /// Whether a turn is granted whose request is not sent yet. The next is granted after it is, or it would not keep
    /// its distance from that request.
    is_granted: bool,
}

#[derive(Debug)]
struct Interest {
    callers: usize,
    /// Changes when a round for the origin has ended.
    rounds: watch::Sender<u64>,
}

/// Where a request stands in the line of its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A page: after those that wait.
    Last,
    /// A robots.txt, which pages of the host wait for.
    First,
}

/// The line of a host is as long as it may be.
#[derive(Debug)]
pub(crate) struct LineIsFull {
    pub(crate) waiters: usize,
}

impl State {
    pub(crate) fn new(
        scheduler: Scheduler,
        cache: Cache,
        max_running: usize,
        max_line: usize,
    ) -> State {
        State {
            scheduler,
            cache,
            lines: HashMap::new(),
            interests: HashMap::new(),
            running: 0,
            max_running: max_running.max(1),
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
        host
    }

    /// Turns that are granted, and requests under way.
    pub(crate) fn running(&self) -> usize {
        self.running
    }

    /// The counters, with the figures of the moment.
    pub(crate) fn metrics(&self) -> Metrics {
        Metrics {
            hosts_waiting: self
                .lines
                .values()
                .filter(|line| !line.waiters.is_empty())
                .count(),
            in_flight: self.running,
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
    ) -> Result<oneshot::Receiver<Turn>, LineIsFull> {
        let line = self.lines.entry(host).or_default();
        if place == Place::Last && line.waiters.len() >= self.max_line {
            line.waiters.retain(|waiter| !waiter.is_closed());
            if line.waiters.len() >= self.max_line {
                return Err(LineIsFull {
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

    /// The rules of a page whose host is known and may be asked now, with their edition.
    pub(crate) fn rules_at_hand(
        &mut self,
        origin: &Origin,
        now: Timestamp,
    ) -> Option<(HostId, Robot, u64)> {
        let host = self.scheduler.find(origin.host())?;
        // An origin that is not known yet may be in the store.
        if !self.is_free(host, now) || !self.cache.contains(origin) {
            return None;
        }
        match self.look_up(host, origin, now) {
            Lookup::Ready(robot) => Some((host, robot, self.edition)),
            // The caller is about to ask again, and to wait for the round.
            Lookup::Fetch(ticket) => {
                self.cache.give_back(ticket, now);
                None
            }
            _ => None,
        }
    }

    /// Grants a turn at once, if nobody is overtaken by it and the rules are of that edition still.
    pub(crate) fn turn_now(
        &mut self,
        keeper: Arc<dyn Keeper>,
        host: HostId,
        edition: u64,
        now: Timestamp,
    ) -> Option<Turn> {
        // A host in line whose time has come goes first, even if the driver has not seen it yet.
        let is_first = self.is_free(host, now) && self.scheduler.next_ready(now).is_none();
        if !is_first || self.edition != edition {
            return None;
        }
        self.lines.entry(host).or_default().is_granted = true;
        self.running += 1;
        Some(Turn::new(keeper, host))
    }

    /// Whether the host may be asked now and nobody is in line for it.
    fn is_free(&self, host: HostId, now: Timestamp) -> bool {
        self.running < self.max_running
            && !self.lines.contains_key(&host)
            && self.scheduler.turn(host, now) == HostTurn::Ready
    }

    /// Whether the driver has a turn to grant, or has to look earlier than it is about to.
    pub(crate) fn needs_driver(&mut self, now: Timestamp) -> bool {
        if self.running >= self.max_running {
            // The end of a request asks again.
            return false;
        }
        if self.scheduler.next_ready(now).is_some() {
            return true;
        }
        let next = self.scheduler.next_wakeup();
        next.is_some_and(|next| self.driver_looks_at.is_none_or(|planned| next < planned))
    }

    /// Grants every turn that may be granted now, and says when the next may be.
    pub(crate) fn grant(&mut self, keeper: &Arc<dyn Keeper>, now: Timestamp) -> Option<Timestamp> {
        self.driver_looks_at = self.grant_all(keeper, now);
        self.driver_looks_at
    }

    fn grant_all(&mut self, keeper: &Arc<dyn Keeper>, now: Timestamp) -> Option<Timestamp> {
        while self.running < self.max_running {
            let Some(host) = self.scheduler.next_ready(now) else {
                return self.scheduler.next_wakeup();
            };
            if let Some(line) = self.lines.get_mut(&host) {
                while let Some(waiter) = line.waiters.pop_front() {
                    match waiter.send(Turn::new(Arc::clone(keeper), host)) {
                        Ok(()) => {
                            line.is_granted = true;
                            self.running += 1;
                            break;
                        }
                        Err(turn) => turn.revoke(),
                    }
                }
            }
            self.update(host);
        }
        // The end of a request wakes the driver.
        None
    }

    /// Tells the scheduler whether the host waits for a turn, and forgets a line that nobody needs.
    fn update(&mut self, host: HostId) {
        let Entry::Occupied(line) = self.lines.entry(host) else {
            self.scheduler.set_waiting(host, false);
            return;
        };
        let is_waiting = !line.get().waiters.is_empty();
        self.scheduler
            .set_waiting(host, is_waiting && !line.get().is_granted);
        if !is_waiting && !line.get().is_granted {
            line.remove();
        }
    }

    fn ungrant(&mut self, host: HostId) {
        if let Some(line) = self.lines.get_mut(&host) {
            line.is_granted = false;
        }
        self.update(host);
    }

    pub(crate) fn start(&mut self, host: HostId, now: Timestamp) {
        self.scheduler.handle_start(host, now);
        self.ungrant(host);
    }

    /// Takes the end of a turn.
    pub(crate) fn end(&mut self, host: HostId, end: End, now: Timestamp) {
        self.running = self.running.saturating_sub(1);
        match end {
            End::Unsent => {
                self.counts.cancelled += 1;
                self.ungrant(host);
            }
            End::Broken => {
                self.counts.cancelled += 1;
                self.scheduler.handle_cancelled(host, now);
            }
            End::Answered(reply) => self.scheduler.handle_reply(host, *reply, now),
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
            });
        interest.callers += 1;
    }

    pub(crate) fn end_interest(&mut self, origin: &Origin) {
        let Entry::Occupied(mut interest) = self.interests.entry(origin.clone()) else {
            return;
        };
        interest.get_mut().callers = interest.get().callers.saturating_sub(1);
        if interest.get().callers == 0 {
            interest.remove();
            self.cache.release(origin);
        }
    }

    /// Resolves when a round that is under way has ended. Subscribed under the lock, so none is missed.
    pub(crate) fn rounds(&self, origin: &Origin) -> Option<watch::Receiver<u64>> {
        let interest = self.interests.get(origin);
        interest.map(|interest| interest.rounds.subscribe())
    }

    pub(crate) fn round_ended(&self, origin: &Origin) {
        if let Some(interest) = self.interests.get(origin) {
            interest
                .rounds
                .send_modify(|rounds| *rounds = rounds.wrapping_add(1));
        }
    }

    /// The cache's answer, with the crawl delay of the rules told to the host's pace.
    pub(crate) fn look_up(&mut self, host: HostId, origin: &Origin, now: Timestamp) -> Lookup {
        let lookup = self.cache.poll(origin, now);
        // An origin is known from its first poll on, unless the cache is full; before, there was nothing to hold.
        if !matches!(lookup, Lookup::Full) && self.interests.contains_key(origin) {
            self.cache.hold(origin);
        }
        if let Lookup::Ready(robot) = &lookup {
            self.scheduler
                .set_crawl_delay(host, origin, robot.crawl_delay());
        }
        lookup
    }
}

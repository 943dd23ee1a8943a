//! The machine of a crawl, without I/O: pages wait for their robots.txt and for the turns of their
//! hosts, and each poll says what the client does next.

mod class;
mod idle;
mod lines;
mod page;
mod round;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use polite_robots::{InvalidToken, InvalidUrl};
use polite_robots_policy::cache::{SavedCache, Site, Ticket};
use polite_robots_policy::fetch::{BodyEnd, Event, Step as RoundStep};
use polite_robots_policy::{
    Cache, HostId, Lookup, NetError, Origin, Pacer, Profile, Reply, Scheduler, Timestamp, Turn,
};

use self::idle::Sweep;
use self::lines::{Lines, Place};
pub(crate) use self::page::{Page, Refusal};
use self::round::{Round, Rounds};
use crate::reply::response_reply;

/// The time until a page whose robots.txt waits for another host, or for memory, is looked at
/// again.
const RETRY: Duration = Duration::from_secs(1);

/// The next action of the client.
#[derive(Debug)]
pub(crate) enum Step {
    /// The request of this page has begun: send it, and report its end.
    Turn(u32),
    /// The page is not fetched.
    Refused(Box<Page>, Refusal),
    /// The request of this round has begun: send it, and report its end.
    Get(u32),
    /// Nothing before this time, or another call.
    Wait(Option<Timestamp>),
}

/// The limits of the callers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// The time that a page waits for its turn, if its caller names no other.
    pub(crate) wait: Duration,
    /// Requests that are under way.
    pub(crate) in_flight: usize,
    /// Pages in the line of a host.
    pub(crate) line: usize,
}

/// Pages and rounds that wait for the turns of their hosts.
#[derive(Debug)]
pub(crate) struct Crawl {
    pub(crate) cache: Cache,
    pub(crate) scheduler: Scheduler,
    /// The time by a clock that nobody sets, by which callers wait.
    steady: Duration,
    limits: Limits,
    lines: Lines,
    /// The pages whose requests are under way, by their numbers.
    sent: BTreeMap<u32, Box<Page>>,
    rounds: Rounds,
    /// Steps that no poll has given yet.
    steps: VecDeque<Step>,
    /// Requests that are under way, without those of other clients.
    running: usize,
    /// The number that was given last to a page or a round.
    last: u32,
    sweep: Sweep,
    /// The time at which the memory of an earlier crawl was loaded, which may lack its last
    /// requests.
    loaded: Option<Timestamp>,
}

impl Crawl {
    pub(crate) fn new(
        profile: Profile,
        agents: &[&str],
        capacity: usize,
        limits: Limits,
    ) -> Result<Crawl, InvalidToken> {
        Ok(Crawl {
            cache: Cache::new(profile, agents, capacity)?,
            scheduler: Scheduler::new(profile),
            steady: Duration::ZERO,
            limits,
            lines: Lines::default(),
            sent: BTreeMap::new(),
            rounds: Rounds::default(),
            steps: VecDeque::new(),
            running: 0,
            last: 0,
            sweep: Sweep::default(),
            loaded: None,
        })
    }

    /// Adds a page, whose number the steps have. `lent` is for a request that another client sends:
    /// it does not count among those that are under way.
    pub(crate) fn enter(
        &mut self,
        url: &str,
        asked: Option<String>,
        lent: bool,
        wait: Option<Duration>,
        now: Timestamp,
    ) -> Result<u32, InvalidUrl> {
        let origin = Origin::of(url)?;
        let host = self.host(origin.host());
        let page = Box::new(Page {
            number: self.next_number(),
            url: url.into(),
            asked,
            origin,
            host,
            until: self.steady.saturating_add(wait.unwrap_or(self.limits.wait)),
            lent,
            started: None,
        });
        let number = page.number;
        if self.lines.pages(host) >= self.limits.line {
            let reason = format!("{} requests wait for it", self.limits.line);
            self.refuse_as_busy(page, reason, now);
        } else {
            let lookup = self.cache.poll_ahead(&page.origin, now);
            self.decide(page, lookup, Place::Last, now);
        }
        Ok(number)
    }

    /// Ends a page whose caller does not wait any more, or whose request was broken off.
    pub(crate) fn leave(&mut self, number: u32, now: Timestamp) {
        if let Some(page) = self.lines.take_page(number) {
            self.tidy(&page, now);
        }
        self.finish(number, None, now);
    }

    /// Ends the request of a page; without a reply it was broken off.
    pub(crate) fn finish(&mut self, number: u32, reply: Option<Reply>, now: Timestamp) {
        let Some(page) = self.sent.remove(&number) else {
            return;
        };
        let site = match reply.map(|reply| reply.result) {
            None | Some(Err(NetError::Local)) => None,
            Some(Ok(_)) => Some(Site::Available),
            Some(Err(_)) => Some(Site::Unavailable),
        };
        if let Some(site) = site {
            self.cache.set_site(&page.origin, site, now);
        }
        self.end_request(page.host, page.started, reply, now);
        self.running -= usize::from(!page.lent);
    }

    /// Takes the response to the request of a round, or its failure.
    pub(crate) fn handle(&mut self, number: u32, event: Event<'_>, now: Timestamp) {
        let Some((mut round, started)) = self.rounds.take_sent(number) else {
            return;
        };
        let host = round.host;
        round.fetch.handle(event, now);
        self.advance(round, now);
        self.end_request(host, Some(started), Some(reply_of(&event, now)), now);
        self.running -= 1;
    }

    /// The pages that wait for the robots.txt of a round.
    pub(crate) fn pages_of(&self, number: u32) -> Vec<u32> {
        let origin = self.rounds.get(number).map(|round| round.ticket.origin());
        origin.map_or_else(Vec::new, |origin| self.pages_in_line(origin))
    }

    fn pages_in_line(&self, origin: &Origin) -> Vec<u32> {
        let host = self.scheduler.find(origin.host());
        host.map_or_else(Vec::new, |host| self.lines.pages_of(host, origin))
    }

    /// The next step. Send each request before the next poll.
    pub(crate) fn poll(&mut self, now: Timestamp) -> Step {
        while let Some(page) = self.lines.take_late(self.steady) {
            self.refuse_as_busy(page, "its turn did not come in time".into(), now);
        }
        while self.steps.is_empty() && self.running < self.limits.in_flight {
            let Some(host) = self.scheduler.next_ready(now) else {
                break;
            };
            self.grant(host, now);
        }
        if let Some(step) = self.steps.pop_front() {
            return step;
        }
        self.sweep.forget(&mut self.scheduler, &self.lines, now);
        let is_awaited = self.running < self.limits.in_flight && !self.lines.are_empty();
        let turn = self.scheduler.next_wakeup().filter(|_| is_awaited);
        let deadline = self.lines.first_deadline();
        let deadline = deadline.map(|until| self.by_wall(until, now));
        let next = turn.into_iter().chain(deadline).min();
        // A host that is blocked for ever needs no alarm, and a caller may wait as long.
        Step::Wait(next.filter(|next| *next != Timestamp::MAX))
    }

    /// The time `until` of the steady clock by the other one, which may jump.
    fn by_wall(&self, until: Duration, now: Timestamp) -> Timestamp {
        now.saturating_add(until.saturating_sub(self.steady))
    }

    /// The request of a round whose turn it is.
    pub(crate) fn round(&self, number: u32) -> Option<&Round> {
        self.rounds.get(number)
    }

    /// Takes the memory of an earlier crawl. Its last requests may be missing, so each host waits
    /// for one gap, also one that is not in it.
    pub(crate) fn load(&mut self, cache: SavedCache, scheduler: &Scheduler, now: Timestamp) {
        self.cache.load(cache, now);
        self.loaded = Some(now);
        for known in scheduler.hosts() {
            if let Some(pacer) = scheduler.pacer(known) {
                let name = scheduler.host(known);
                let host = self.scheduler.insert_with(name, None, pacer);
                self.scheduler.join(host, Pacer::after_gap(now));
                self.regard(host);
            }
        }
    }

    /// The host of this name.
    fn host(&mut self, name: &str) -> HostId {
        match self.loaded {
            Some(loaded) if self.scheduler.find(name).is_none() => {
                self.scheduler
                    .insert_with(name, None, Pacer::after_gap(loaded))
            }
            _ => self.scheduler.insert(name, None),
        }
    }

    fn next_number(&mut self) -> u32 {
        self.last = self.last.wrapping_add(1);
        self.last
    }

    /// Gives the turn of a host to the first that waits for it.
    fn grant(&mut self, host: HostId, now: Timestamp) {
        if let Some(number) = self.lines.first_round(host) {
            self.lines.take_round(host, number);
            self.start_round(number, now);
        } else if let Some(page) = self.lines.take_first_page(host) {
            let lookup = self.cache.poll(&page.origin, now);
            self.decide(page, lookup, Place::First, now);
        }
        self.regard(host);
    }

    /// Lets the host wait for a turn if anything in its line does.
    fn regard(&mut self, host: HostId) {
        if self.lines.is_empty(host) {
            self.scheduler.set_idle(host);
        } else {
            self.scheduler.set_waiting(host);
        }
    }

    /// Goes on with a page by the access to its origin: `First` with one that has its turn.
    fn decide(&mut self, page: Box<Page>, lookup: Lookup, place: Place, now: Timestamp) {
        match lookup {
            Lookup::Closed(closed) => self.refuse(page, Refusal::Closed(closed), now),
            Lookup::Ready(robot) => {
                let delay = robot.crawl_delay();
                self.scheduler
                    .set_crawl_delay(page.host, &page.origin, delay);
                if page.disallowed_by(&robot).is_some() {
                    self.refuse(page, Refusal::Disallowed(robot), now);
                } else if place == Place::First
                    && self.scheduler.turn(page.host, now) == Turn::Ready
                {
                    self.start(page, now);
                } else {
                    // The `Crawl-delay` may be new.
                    self.wait(page, place, now);
                }
            }
            Lookup::Fetch(ticket) => {
                let origin = page.origin.clone();
                if self.wait(page, place, now) {
                    self.begin(ticket, origin, now);
                }
            }
            // `Pending`, or `Full`: hosts that are known come first.
            _ => {
                if let Some(round) = self.rounds.newest(&page.origin) {
                    self.cache.renew(&round.ticket, now);
                }
                if place == Place::First {
                    let until = now.saturating_add(RETRY);
                    self.scheduler.defer(page.host, until);
                }
                self.wait(page, place, now);
            }
        }
    }

    /// Lets the page wait, if its turn comes in time.
    fn wait(&mut self, page: Box<Page>, place: Place, now: Timestamp) -> bool {
        let reason = match self.scheduler.turn(page.host, now) {
            Turn::Skip => "its Crawl-delay is too long",
            Turn::NotBefore(turn) if turn > self.by_wall(page.until, now) => {
                "its turn comes too late"
            }
            _ => {
                self.cache.hold(&page.origin);
                self.scheduler.set_waiting(page.host);
                self.lines.put_page(page, place);
                return true;
            }
        };
        self.refuse_as_busy(page, reason.into(), now);
        false
    }

    fn start(&mut self, mut page: Box<Page>, now: Timestamp) {
        self.scheduler.handle_start(page.host, now);
        self.running += usize::from(!page.lent);
        page.started = Some(now);
        if !self.lines.has_pages_of(&page.origin) {
            self.cache.release(&page.origin);
        }
        self.steps.push_back(Step::Turn(page.number));
        self.sent.insert(page.number, page);
    }

    fn refuse_as_busy(&mut self, page: Box<Page>, reason: String, now: Timestamp) {
        let retry = match self.scheduler.turn(page.host, now) {
            Turn::NotBefore(turn) => Some(turn).filter(|turn| *turn != Timestamp::MAX),
            Turn::Skip => None,
            // The next turn of a host that is asked now is near.
            _ => Some(now.saturating_add(RETRY)),
        };
        self.refuse(page, Refusal::Busy { reason, retry }, now);
    }

    fn refuse(&mut self, page: Box<Page>, refusal: Refusal, now: Timestamp) {
        self.tidy(&page, now);
        self.steps.push_back(Step::Refused(page, refusal));
    }

    /// After the last page of an origin nobody asks for its robots.txt.
    fn tidy(&mut self, page: &Page, now: Timestamp) {
        if !self.lines.has_pages_of(&page.origin) {
            self.cache.forgo(&page.origin, now);
            self.cache.release(&page.origin);
            let round = self.rounds.newest(&page.origin);
            // One whose first request was sent goes on, or robots.txt would be asked for twice.
            if let Some(number) = round
                .filter(|round| !round.is_begun)
                .map(|round| round.number)
            {
                self.give_up(number, now);
            }
        }
        self.regard(page.host);
    }

    fn begin(&mut self, mut ticket: Ticket, origin: Origin, now: Timestamp) {
        // Its lease was over.
        if let Some(number) = self.rounds.newest(&origin).map(|round| round.number) {
            self.give_up(number, now);
        }
        let fetch = self.cache.begin(&mut ticket, now);
        let number = self.next_number();
        let host = self.host(origin.host());
        let round = Box::new(Round {
            number,
            ticket,
            fetch,
            host,
            is_begun: false,
            started: None,
        });
        self.rounds.set_newest(&round);
        self.advance(round, now);
    }

    /// Ends a round that waits for a turn.
    fn give_up(&mut self, number: u32, now: Timestamp) {
        let host = self.rounds.get(number).map(|round| round.host);
        let host = host.filter(|host| self.lines.take_round(*host, number));
        if let (Some(host), Some(round)) = (host, self.rounds.take(number)) {
            self.end(round, now);
            self.regard(host);
        }
    }

    /// The steps of a round that are no requests.
    fn advance(&mut self, mut round: Box<Round>, now: Timestamp) {
        loop {
            let (name, until) = match round.fetch.poll(now) {
                RoundStep::Get(request) => (request.host.to_owned(), now),
                RoundStep::Wait(until) => (round.ticket.origin().host().to_owned(), until),
                // The client looks names up by itself.
                RoundStep::Resolve(_) => {
                    round.fetch.handle(Event::ByName, now);
                    continue;
                }
                // `Done`; there are no others.
                _ => return self.end(round, now),
            };
            round.host = self.host(&name);
            self.scheduler.defer(round.host, until);
            self.lines.put_round(round.host, round.number);
            self.rounds.put(round);
            return;
        }
    }

    /// Notes the outcome of a round, or that it was given up, and refuses pages in line by it.
    fn end(&mut self, round: Box<Round>, now: Timestamp) {
        self.rounds.forget(&round);
        let origin = round.ticket.origin().clone();
        self.cache.end(round.ticket, round.fetch, now);
        if let Some(home) = self.scheduler.find(origin.host()) {
            self.scheduler.defer(home, now);
        }
        self.refuse_in_line(&origin, now);
    }

    /// Refuses the pages of an origin that is closed or disallows them, wherever they are in their
    /// line: a `Retry-After` may be longer than their callers wait.
    fn refuse_in_line(&mut self, origin: &Origin, now: Timestamp) {
        let pages = self.pages_in_line(origin);
        if pages.is_empty() {
            return;
        }
        let lookup = self.cache.poll_ahead(origin, now);
        for number in pages {
            let refusal = match (&lookup, self.lines.page(number)) {
                (Lookup::Closed(closed), _) => Refusal::Closed(closed.clone()),
                (Lookup::Ready(robot), Some(page)) if page.disallowed_by(robot).is_some() => {
                    Refusal::Disallowed(robot.clone())
                }
                _ => continue,
            };
            if let Some(page) = self.lines.take_page(number) {
                self.refuse(page, refusal, now);
            }
        }
    }

    fn start_round(&mut self, number: u32, now: Timestamp) {
        let Some(mut round) = self.rounds.take(number) else {
            return;
        };
        if !round.asks(self.scheduler.host(round.host), now) {
            return self.advance(round, now);
        }
        self.scheduler.handle_start(round.host, now);
        self.running += 1;
        round.is_begun = true;
        round.started = Some(now);
        self.rounds.put(round);
        self.steps.push_back(Step::Get(number));
    }

    fn end_request(
        &mut self,
        host: HostId,
        started: Option<Timestamp>,
        reply: Option<Reply>,
        now: Timestamp,
    ) {
        match (reply, started) {
            (Some(mut reply), Some(started)) => {
                reply.started = started;
                self.scheduler.handle_reply(host, reply, now);
            }
            _ => self.scheduler.handle_cancelled(host, now),
        }
    }
}

/// The end of a request for robots.txt as the pace of its host sees it.
fn reply_of(event: &Event<'_>, now: Timestamp) -> Reply {
    match event {
        Event::Response(response) if response.end == BodyEnd::CutShort => {
            Reply::new(Err(NetError::Read), now)
        }
        Event::Response(response) => response_reply(response.status, &response.headers, now),
        Event::Failed(error) => Reply::new(Err(*error), now),
        // The client sends all that it is asked to.
        _ => Reply::new(Err(NetError::Local), now),
    }
}

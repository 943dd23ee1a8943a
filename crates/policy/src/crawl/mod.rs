//! The machine of a crawl, without I/O: pages wait for their robots.txt and for the turns of their
//! hosts, and each poll says what the client does next.
//!
//! It joins a [`Cache`] and a [`Scheduler`] for clients that have one caller for each page: callers
//! [enter](Crawl::enter) their pages, and the client takes the steps of [`Crawl::poll`] after each
//! call of another method, and when the time of a [`Step::Wait`] has come.
//! [`RobotsCache::wait`](crate::RobotsCache::wait) is built on it. A crawler with queues of its own
//! is better served by [the driving loop](crate#the-driving-loop).

mod idle;
mod lines;
pub(crate) mod page;
mod resting;
mod round;

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::time::Duration;

use polite_robots::{InvalidUrl, Robot};

use crate::access::cache::saving::SavedCache;
use crate::access::cache::{Cache, Lookup, Ticket};
use crate::access::fetch::{Event, RobotsRequest, Step as RoundStep};
use crate::access::outage::Site;
use crate::access::response::body_end::BodyEnd;
use crate::crawl::idle::Sweep;
use crate::crawl::lines::{Lines, Place};
pub use crate::crawl::page::{Busy, Page, PageRequest, Refusal};
use crate::crawl::resting::Resting;
use crate::crawl::round::{Round, Rounds};
use crate::host_rule::HostRule;
use crate::net_error::NetError;
use crate::origin::Origin;
use crate::pace::pacer::Pacer;
use crate::pace::reply::{Reply, Turn};
use crate::pace::scheduler::Scheduler;
use crate::pace::scheduler::host_id::HostId;
use crate::time::Timestamp;

/// The time until a page whose robots.txt waits for another host, or for memory, is looked at
/// again.
const RETRY: Duration = Duration::from_secs(1);

/// The next action of the client.
#[derive(Debug)]
#[non_exhaustive]
pub enum Step {
    /// The request of the page with this number has begun: send it, and report its end by
    /// [`Crawl::finish`] or [`Crawl::leave`]. The robot has the rules that let it through.
    Turn(u32, Robot),
    /// The page is not fetched, and the machine has forgotten it. A
    /// [patient](PageRequest::with_patience) page of a closed site comes here only if the site
    /// stays closed until the end of its wait.
    Refused(Box<Page>, Refusal),
    /// The request of the round with this number has begun: send [`Crawl::request`], and report its
    /// end by [`Crawl::handle`] or [`Crawl::break_off`].
    Get(u32),
    /// Nothing before this time, or before another call.
    Wait(Option<Timestamp>),
}

/// The limits of the callers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// The time that a page waits for its turn, if its [`PageRequest`] names no other.
    pub wait: Duration,
    /// The requests that are under way, to all hosts together.
    pub in_flight: usize,
    /// The pages that wait for one host.
    pub line: usize,
}

/// Pages and rounds for robots.txt that wait for the turns of their hosts.
///
/// A page waits until its robots.txt is known and its host has a turn, or until there is a reason
/// not to fetch it. Rounds have turns too, before pages. `steady` is the time by a clock that
/// nobody sets, such as the time since the start of the program: callers wait by it.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::crawl::{Crawl, Limits, PageRequest, Refusal, Step};
/// use polite_robots_policy::fetch::{BodyEnd, Event, Headers, RawResponse};
/// use polite_robots_policy::{Cache, Profile, Reply, Timestamp};
///
/// let cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20)?;
/// let limits = Limits { wait: Duration::from_secs(300), in_flight: 100, line: 1_000 };
/// let mut crawl = Crawl::over(cache, limits);
/// let start = Timestamp::from_millis(1_767_225_600_000);
/// let steady = Duration::ZERO;
///
/// let page = crawl.enter(PageRequest::new("https://example.com/page"), steady, start)?;
/// let private = crawl.enter(PageRequest::new("https://example.com/private"), steady, start)?;
/// // robots.txt comes first, once for both.
/// let Step::Get(round) = crawl.poll(steady, start) else { panic!() };
/// assert_eq!(crawl.request(round, start).unwrap().url, "https://example.com/robots.txt");
/// let (headers, body) = (Headers::default(), b"User-agent: *\nDisallow: /private");
/// let response = RawResponse { status: 200, headers, body, end: BodyEnd::Complete };
/// crawl.handle(round, Event::Response(response), start);
///
/// // A rule needs no turn. The page has its turn a second after the end of that request.
/// let Step::Refused(refused, Refusal::Disallowed(_)) = crawl.poll(steady, start) else { panic!() };
/// assert_eq!(refused.number(), private);
/// let Step::Wait(Some(turn)) = crawl.poll(steady, start) else { panic!() };
/// let second = Duration::from_secs(1);
/// assert_eq!(turn, start.saturating_add(second));
/// assert!(matches!(crawl.poll(second, turn), Step::Turn(number, _) if number == page));
/// crawl.finish(page, Reply::new(Ok(200), turn), turn);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crawl {
    cache: Cache,
    scheduler: Scheduler,
    /// The time by a clock that nobody sets, by which callers wait.
    steady: Duration,
    pub(crate) limits: Limits,
    lines: Lines,
    resting: Resting,
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
    /// A crawl without pages, by a cache and its profile.
    #[must_use]
    pub fn over(cache: Cache, limits: Limits) -> Crawl {
        Crawl {
            scheduler: Scheduler::new(cache.profile()),
            cache,
            steady: Duration::ZERO,
            limits,
            lines: Lines::default(),
            resting: Resting::default(),
            sent: BTreeMap::new(),
            rounds: Rounds::default(),
            steps: VecDeque::new(),
            running: 0,
            last: 0,
            sweep: Sweep::default(),
            loaded: None,
        }
    }

    /// The robots.txt of all origins.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The robots.txt of all origins, to make an exception for a host, or to note that a site
    /// answers again.
    pub fn cache_mut(&mut self) -> &mut Cache {
        &mut self.cache
    }

    /// The paces of all hosts. Hosts that nobody asks for are forgotten when they would get no turn
    /// earlier as new ones.
    #[must_use]
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Sets the operator's exceptions for a host, in the pace and in the cache. The pace forgets
    /// them with the host, so set them before each page.
    pub fn set_rule(&mut self, host: &str, rule: HostRule) {
        if let Some(obedience) = rule.obedience {
            self.cache.set_obedience(host, obedience);
        }
        let host = self.host(host);
        self.scheduler.set_rule(host, rule);
        self.regard(host);
    }

    /// The page with this number, if its request is under way.
    #[must_use]
    pub fn page(&self, number: u32) -> Option<&Page> {
        self.sent.get(&number).map(Box::as_ref)
    }

    /// Adds a page and returns its number, by which the steps name it.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub fn enter(
        &mut self,
        request: PageRequest<'_>,
        steady: Duration,
        now: Timestamp,
    ) -> Result<u32, InvalidUrl> {
        self.steady = steady;
        let origin = Origin::of(request.url)?;
        let host = self.host(origin.host());
        let page = Box::new(Page {
            number: self.next_number(),
            url: request.url.into(),
            asked: request.asked,
            target: request.target.map(Box::from),
            origin,
            host,
            until: steady.saturating_add(request.max_wait.unwrap_or(self.limits.wait)),
            is_lent: request.is_lent,
            is_patient: request.is_patient,
            started: None,
        });
        let number = page.number;
        if self.lines.pages(host) >= self.limits.line {
            let reason = Busy::Crowded(self.limits.line);
            self.refuse_as_busy(page, reason, now);
        } else {
            self.ask(page, now);
        }
        Ok(number)
    }

    fn ask(&mut self, page: Box<Page>, now: Timestamp) {
        let lookup = self.cache.poll_ahead(&page.origin, now);
        self.decide(page, lookup, Place::Last, now);
    }

    /// Ends a page whose caller does not wait any more, or whose request was broken off.
    pub fn leave(&mut self, page: u32, now: Timestamp) {
        if let Some(page) = self.lines.take_page(page) {
            self.tidy(&page, false, now);
        }
        self.resting.remove(page);
        // A refusal that no poll has given yet would let a patient page wait on.
        self.steps.retain(|step| match step {
            Step::Turn(number, _) => *number != page,
            Step::Refused(refused, _) => refused.number != page,
            _ => true,
        });
        self.end_page(page, None, now);
    }

    /// Ends the request of a page. [`Reply::started`] does not matter here.
    pub fn finish(&mut self, page: u32, reply: Reply, now: Timestamp) {
        self.end_page(page, Some(reply), now);
    }

    fn end_page(&mut self, number: u32, reply: Option<Reply>, now: Timestamp) {
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
        self.running -= usize::from(!page.is_lent);
    }

    /// The request of a round that has begun.
    #[must_use]
    pub fn request(&self, round: u32, now: Timestamp) -> Option<RobotsRequest<'_>> {
        match self.rounds.get(round)?.fetch.poll(now) {
            RoundStep::Get(request) => Some(request),
            _ => None,
        }
    }

    /// Takes the response to the request of a round, or its failure.
    pub fn handle(&mut self, round: u32, event: Event<'_>, now: Timestamp) {
        let Some((mut round, started)) = self.rounds.take_sent(round) else {
            return;
        };
        let host = round.host;
        round.fetch.handle(event, now);
        round.has_answer = true;
        self.advance(round, now);
        self.end_request(host, Some(started), Some(reply_of(&event, now)), now);
        self.running -= 1;
    }

    /// Ends the request of a round that was broken off. It is sent again in the next turn of its
    /// host, or when the next page asks for the round.
    pub fn break_off(&mut self, round: u32, now: Timestamp) {
        let Some((round, started)) = self.rounds.take_sent(round) else {
            return;
        };
        self.end_request(round.host, Some(started), None, now);
        self.running -= 1;
        self.advance(round, now);
    }

    /// The numbers of the pages that wait for the robots.txt of a round.
    #[must_use]
    pub fn pages_of(&self, round: u32) -> Vec<u32> {
        let origin = self.rounds.get(round).map(|round| round.ticket.origin());
        origin.map_or_else(Vec::new, |origin| self.pages_in_line(origin))
    }

    /// Whether a round for the origin waits for a turn, or has a request under way.
    #[must_use]
    pub fn has_round(&self, origin: &Origin) -> bool {
        self.rounds.newest(origin).is_some()
    }

    /// The access for a caller without turns: [`Cache::poll_and_release`], which here uses up no
    /// answer for which pages wait. Such a caller runs its ticket's round itself, and then calls
    /// [`Crawl::look_again`].
    pub fn poll_alone(&mut self, origin: &Origin, now: Timestamp) -> Lookup {
        if self.lines.has_pages_of(origin) {
            match self.cache.poll_ahead(origin, now) {
                Lookup::Full => {}
                lookup => return lookup,
            }
        }
        self.cache.poll_and_release(origin, now)
    }

    /// Goes on with the pages of an origin after a round for it that was not one of this crawl.
    pub fn look_again(&mut self, origin: &Origin, now: Timestamp) {
        if self.lines.has_pages_of(origin) {
            self.regard_answer(origin, now);
        }
    }

    fn pages_in_line(&self, origin: &Origin) -> Vec<u32> {
        let host = self.scheduler.find(origin.host());
        host.map_or_else(Vec::new, |host| self.lines.pages_of(host, origin))
    }

    /// The next step. Send each request before the next poll.
    pub fn poll(&mut self, steady: Duration, now: Timestamp) -> Step {
        self.steady = steady;
        while let Some(mut page) = self.resting.take_due(steady) {
            // The host may have been forgotten meanwhile.
            page.host = self.host(page.origin.host());
            self.ask(page, now);
        }
        while let Some(step) = self.next_step(now) {
            let Step::Refused(page, Refusal::Closed(closed)) = step else {
                return step;
            };
            let refused = self.resting.take_in(page, closed.retry, steady, now);
            if let Some(page) = refused {
                return Step::Refused(page, Refusal::Closed(closed));
            }
        }
        self.sweep.forget(&mut self.scheduler, &self.lines, now);
        let is_awaited = self.running < self.limits.in_flight && !self.lines.are_empty();
        let turn = self.scheduler.next_wakeup().filter(|_| is_awaited);
        let ends = [self.lines.first_deadline(), self.resting.first_end()];
        let end = ends.into_iter().flatten().min();
        let end = end.map(|until| self.by_wall(until, now));
        let next = turn.into_iter().chain(end).min();
        // A host that is blocked for ever needs no alarm, and a caller may wait as long.
        Step::Wait(next.filter(|next| *next != Timestamp::MAX))
    }

    fn next_step(&mut self, now: Timestamp) -> Option<Step> {
        while self.steps.is_empty() && self.running < self.limits.in_flight {
            let Some(host) = self.scheduler.next_ready(now) else {
                break;
            };
            self.grant(host, now);
        }
        // A turn that is there is given also to a caller that waits for nothing.
        if self.steps.is_empty() {
            let late = self.lines.take_late(self.steady)?;
            self.refuse_as_busy(late, Busy::Overdue, now);
        }
        self.steps.pop_front()
    }

    /// Converts the time `until` of the steady clock to the other clock, which may jump.
    fn by_wall(&self, until: Duration, now: Timestamp) -> Timestamp {
        now.saturating_add(until.saturating_sub(self.steady))
    }

    /// Takes the memory of an earlier crawl. Its last requests may be missing, so each host waits
    /// for one gap, also one that is not in it.
    pub fn load(&mut self, cache: SavedCache, scheduler: &Scheduler, now: Timestamp) {
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

    /// Gives the turn of a host to the first round or page in its line.
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

    /// Lets the host wait for a turn unless its line is empty.
    fn regard(&mut self, host: HostId) {
        if self.lines.is_empty(host) {
            self.scheduler.set_idle(host);
        } else {
            self.scheduler.set_waiting(host);
        }
    }

    /// Goes on with a page by the access to its origin. `place` is `First` for a page that has its
    /// turn.
    fn decide(&mut self, page: Box<Page>, lookup: Lookup, place: Place, now: Timestamp) {
        match lookup {
            Lookup::Closed(closed) => self.refuse(page, Refusal::Closed(closed), now),
            Lookup::Ready(robot) => {
                let delay = robot.crawl_delay();
                self.scheduler
                    .set_crawl_delay(page.host, &page.origin, delay);
                if !page.is_allowed_by(&robot) {
                    self.refuse(page, Refusal::Disallowed(robot), now);
                } else if place == Place::First
                    && self.scheduler.turn(page.host, now) == Turn::Ready
                {
                    self.start(page, robot, now);
                } else {
                    // The `Crawl-delay` may be new.
                    self.wait(page, place, now);
                }
            }
            Lookup::Fetch(ticket) => {
                if self.wait(page, place, now) {
                    self.begin(ticket, now);
                } else {
                    let round = self.round(ticket, now);
                    self.keep(round, now);
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
            Turn::Skip => Busy::Skipped,
            Turn::NotBefore(turn) if turn > self.by_wall(page.until, now) => Busy::TooLate,
            _ => {
                self.cache.hold(&page.origin);
                self.scheduler.set_waiting(page.host);
                self.lines.put_page(page, place);
                return true;
            }
        };
        self.refuse_as_busy(page, reason, now);
        false
    }

    fn start(&mut self, mut page: Box<Page>, robot: Robot, now: Timestamp) {
        self.scheduler.handle_start(page.host, now);
        self.running += usize::from(!page.is_lent);
        page.started = Some(now);
        if !self.lines.has_pages_of(&page.origin) {
            self.cache.release(&page.origin);
        }
        self.steps.push_back(Step::Turn(page.number, robot));
        self.sent.insert(page.number, page);
    }

    fn refuse_as_busy(&mut self, page: Box<Page>, reason: Busy, now: Timestamp) {
        let retry = match self.scheduler.turn(page.host, now) {
            Turn::NotBefore(turn) => Some(turn).filter(|turn| *turn != Timestamp::MAX),
            Turn::Skip => None,
            // The next turn of a host that is asked now is near.
            _ => Some(now.saturating_add(RETRY)),
        };
        self.refuse(page, Refusal::Busy { reason, retry }, now);
    }

    fn refuse(&mut self, page: Box<Page>, refusal: Refusal, now: Timestamp) {
        let is_busy = matches!(refusal, Refusal::Busy { .. });
        self.tidy(&page, is_busy, now);
        self.steps.push_back(Step::Refused(page, refusal));
    }

    /// Releases the origin of a page if none of its pages is left: nobody asks for its robots.txt
    /// then.
    fn tidy(&mut self, page: &Page, may_return: bool, now: Timestamp) {
        if !self.lines.has_pages_of(&page.origin) {
            // The page of a busy host may return for its turn. Where the gap is longer than the
            // lifetime of robots.txt, that would be due again in each turn.
            if !may_return {
                self.cache.forgo(&page.origin, now);
            }
            self.cache.release(&page.origin);
            self.give_up(&page.origin, now);
        }
        self.regard(page.host);
    }

    fn begin(&mut self, ticket: Ticket, now: Timestamp) {
        // The lease of an earlier one is over.
        self.give_up(ticket.origin(), now);
        let round = self.round(ticket, now);
        self.rounds.set_newest(&round);
        self.advance(round, now);
    }

    fn round(&mut self, mut ticket: Ticket, now: Timestamp) -> Box<Round> {
        Box::new(Round {
            number: self.next_number(),
            host: self.host(ticket.origin().host()),
            has_answer: ticket.has_paused(),
            fetch: self.cache.begin(&mut ticket, now),
            ticket,
            started: None,
        })
    }

    /// Ends the round of an origin, if it waits for a turn.
    fn give_up(&mut self, origin: &Origin, now: Timestamp) {
        let newest = self.rounds.newest(origin);
        let Some((number, host)) = newest.map(|round| (round.number, round.host)) else {
            return;
        };
        if !self.lines.take_round(host, number) {
            return;
        }
        if let Some(round) = self.rounds.take(number) {
            self.end(round, now);
            self.regard(host);
        }
    }

    /// Takes the steps of a round that are not requests.
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
                RoundStep::Done(_) => return self.end(round, now),
            };
            if !self.lines.has_pages_of(round.ticket.origin()) {
                return self.end(round, now);
            }
            round.host = self.host(&name);
            self.scheduler.defer(round.host, until);
            self.lines.put_round(round.host, round.number);
            self.rounds.put(round);
            return;
        }
    }

    /// Notes the outcome of a round, and refuses pages in line by it.
    fn end(&mut self, round: Box<Round>, now: Timestamp) {
        self.rounds.forget(&round);
        let origin = round.ticket.origin().clone();
        self.keep(round, now);
        self.regard_answer(&origin, now);
    }

    /// Gives a round to the cache. A round that is not done goes on from its step when the next
    /// page asks for it; otherwise robots.txt would be requested twice.
    #[allow(clippy::boxed_local, reason = "a round is moved by its box")]
    fn keep(&mut self, round: Box<Round>, now: Timestamp) {
        match round.fetch.poll(now) {
            RoundStep::Get(_) if round.has_answer => {
                self.cache.pause(round.ticket, round.fetch, now, now);
            }
            _ => self.cache.end(round.ticket, round.fetch, now),
        }
    }

    /// Goes on with the pages of an origin after the end of a round for it.
    fn regard_answer(&mut self, origin: &Origin, now: Timestamp) {
        if let Some(home) = self.scheduler.find(origin.host()) {
            self.scheduler.defer(home, now);
        }
        self.refuse_in_line(origin, now);
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
                (Lookup::Ready(robot), Some(page)) if !page.is_allowed_by(robot) => {
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
        Event::Response(response) => {
            Reply::of_headers(response.status, &response.headers, now, now)
        }
        Event::Failed(error) => Reply::new(Err(*error), now),
        // The client sends all that it is asked to.
        _ => Reply::new(Err(NetError::Local), now),
    }
}

//! The state that all callers of a cache share: the machine, the callers that wait for its steps,
//! and the timer.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::task::{Poll, Waker};
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use polite_robots::{InvalidUrl, Robot};

use crate::access::cache::{Closed, Lookup, RobotsCheck, Ticket};
use crate::access::fetch::{Event, Fetch};
use crate::crawl::page::{Page, PageRequest, Refusal};
use crate::crawl::{Crawl, Step};
use crate::origin::Origin;
use crate::pace::reply::Reply;
use crate::robots_cache::clock::Clock;
use crate::time::Timestamp;

pub(super) struct Shared {
    state: Mutex<State>,
    /// The timer sleeps here. It is woken when it has to ring sooner.
    sooner: Condvar,
}

pub(super) struct State {
    pub(super) crawl: Crawl,
    pub(super) clock: Clock,
    /// The callers without turns that wait for the round of an origin. Its end wakes them, and they
    /// ask again.
    waiting: HashMap<Origin, Vec<Waker>>,
    /// The origins among them whose round is one of the machine.
    in_turns: Vec<Origin>,
    /// The callers with turns, by the numbers of their pages.
    callers: HashMap<u32, Caller>,
    /// The requests of rounds that no caller has taken yet, with their URLs.
    requests: Vec<(u32, String)>,
    /// The steady time at which the machine has its next step.
    next: Option<Duration>,
    timer: Timer,
    /// Wakers to call when the lock is free: the tasks may want it at once.
    woken: Vec<Waker>,
}

/// The thread that takes the steps whose time has come. It lives while a caller waits.
///
/// It is one of our own, and not the timer of a crate: a `Delay` of futures-timer that fires while
/// it is polled calls its waker within the poll. A waker that takes the steps would want the lock
/// that the poll holds. One that wakes a caller, who takes the steps of all, stops the others if
/// that caller is not polled: a stream that is paused holds such futures.
enum Timer {
    Absent,
    SleepsUntil(Duration),
}

/// A caller whose page waits.
#[derive(Default)]
struct Caller {
    waker: Option<Waker>,
    answer: Option<Answer>,
}

/// The end of a wait.
pub(super) enum Answer {
    /// The request of the page has begun.
    Turn(Robot),
    /// There is no request, by the rules or while the site is closed.
    NoTurn(Result<Robot, Closed>),
    /// There is no request, as the host has no turn in time.
    Busy(RobotsCheck),
}

/// The next action of a caller that waits.
pub(super) enum Task {
    Answer(Answer),
    /// To send the request of a round, to this URL.
    Send(u32, String),
}

impl Shared {
    pub(super) fn new(crawl: Crawl) -> Arc<Shared> {
        Arc::new(Shared {
            state: Mutex::new(State {
                crawl,
                clock: Clock::of_system(),
                waiting: HashMap::new(),
                in_turns: Vec::new(),
                callers: HashMap::new(),
                requests: Vec::new(),
                next: None,
                timer: Timer::Absent,
                woken: Vec::new(),
            }),
            sooner: Condvar::new(),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.lock().clock.now()
    }

    /// Gives the state to a function, and takes the steps that follow.
    pub(super) fn with<T>(
        self: &Arc<Shared>,
        function: impl FnOnce(&mut State, Timestamp) -> T,
    ) -> T {
        let mut state = self.lock();
        let now = state.clock.now();
        let result = function(&mut state, now);
        state.take_steps();
        self.set_timer(&mut state);
        wake(state);
        result
    }

    /// The answer for a caller without turns. While another caller fetches, its end wakes this one.
    pub(super) fn ask(&self, origin: &Origin, waker: &Waker) -> Poll<Lookup> {
        let mut state = self.lock();
        let now = state.clock.now();
        match state.crawl.poll_alone(origin, now) {
            Lookup::Pending => state.wait_for(origin, waker),
            lookup => return Poll::Ready(lookup),
        }
        Poll::Pending
    }

    /// Takes back the round of a caller without turns, at whatever step it is.
    pub(super) fn end_round(self: &Arc<Shared>, ticket: Ticket, fetch: Fetch) {
        self.with(|state, now| {
            let origin = ticket.origin().clone();
            state.crawl.cache_mut().end(ticket, fetch, now);
            state.crawl.look_again(&origin, now);
            state
                .woken
                .extend(state.waiting.remove(&origin).into_iter().flatten());
        });
    }

    /// Puts a page into the line of its host.
    pub(super) fn enter(self: &Arc<Shared>, url: &str) -> Result<Place, InvalidUrl> {
        let page = self.with(|state, now| {
            let (_, steady) = state.clock.both();
            let page = state
                .crawl
                .enter(PageRequest::new(url).with_patience(true), steady, now)?;
            state.callers.insert(page, Caller::default());
            Ok(page)
        })?;
        Ok(Place {
            shared: Arc::clone(self),
            page: Some(page),
        })
    }

    /// Takes the response to the request of a round, or its failure.
    pub(super) fn handle(self: &Arc<Shared>, round: u32, event: Event<'_>) {
        self.with(|state, now| state.crawl.handle(round, event, now));
    }

    pub(super) fn break_off(self: &Arc<Shared>, round: u32) {
        self.with(|state, now| state.crawl.break_off(round, now));
    }

    /// Lets the timer ring at the time of the next step.
    fn set_timer(self: &Arc<Shared>, state: &mut State) {
        match (state.next, &state.timer) {
            (Some(next), Timer::SleepsUntil(until)) if next < *until => self.sooner.notify_one(),
            (Some(next), Timer::Absent) => {
                let shared = Arc::clone(self);
                let thread = thread::Builder::new().name("polite-robots".into());
                match thread.spawn(move || shared.ring()) {
                    Ok(_) => state.timer = Timer::SleepsUntil(next),
                    // No thread can be had: a caller asks again in place of it.
                    Err(_) => {
                        let waker = state
                            .callers
                            .values_mut()
                            .find_map(|caller| caller.waker.take());
                        state.woken.extend(waker);
                    }
                }
            }
            _ => {}
        }
    }

    /// The thread of the timer.
    fn ring(self: Arc<Shared>) {
        let mut state = self.lock();
        while let Some(next) = state.next {
            let (_, steady) = state.clock.both();
            let sleep = next.saturating_sub(steady).min(LONGEST_SLEEP);
            state.timer = Timer::SleepsUntil(next);
            let woken = self.sooner.wait_timeout(state, sleep);
            (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
            state.take_steps();
            if !state.woken.is_empty() {
                wake(state);
                state = self.lock();
            }
        }
        state.timer = Timer::Absent;
    }
}

impl State {
    /// Takes the steps of the machine that are due.
    fn take_steps(&mut self) {
        let (now, steady) = self.clock.both();
        let turn = loop {
            self.break_off_unwanted(now);
            match self.crawl.poll(steady, now) {
                Step::Turn(page, robot) => self.answer(page, Answer::Turn(robot), now),
                Step::Refused(page, refusal) => self.refuse(&page, refusal, now),
                Step::Get(round) => self.offer(round, now),
                Step::Wait(until) => break until,
            }
        };
        self.wake_for_ended_rounds();
        self.next = turn.map(|turn| steady.saturating_add(turn.saturating_since(now)));
    }

    /// Offers the request of a round to the callers that wait for it. One of them sends it: a
    /// caller of another site would have to finish it although its own page has a turn.
    fn offer(&mut self, round: u32, now: Timestamp) {
        let Some(request) = self.crawl.request(round, now) else {
            return self.crawl.break_off(round, now);
        };
        self.requests.push((round, request.url.to_owned()));
        for page in self.crawl.pages_of(round) {
            let caller = self.callers.get_mut(&page);
            self.woken
                .extend(caller.and_then(|caller| caller.waker.take()));
        }
    }

    /// Breaks off the requests that no caller has taken, if none is left that waits for the round.
    fn break_off_unwanted(&mut self, now: Timestamp) {
        let crawl = &mut self.crawl;
        self.requests.retain(|(round, _)| {
            let is_wanted = !crawl.pages_of(*round).is_empty();
            if !is_wanted {
                crawl.break_off(*round, now);
            }
            is_wanted
        });
    }

    /// Ends the wait of a page.
    fn refuse(&mut self, page: &Page, refusal: Refusal, now: Timestamp) {
        let answer = match refusal {
            Refusal::Disallowed(robot) => Answer::NoTurn(Ok(robot)),
            Refusal::Busy { reason, retry } => {
                Answer::Busy(RobotsCheck::of_busy(page.origin().host(), &reason, retry))
            }
            Refusal::Closed(closed) => Answer::NoTurn(Err(closed)),
        };
        self.answer(page.number(), answer, now);
    }

    fn answer(&mut self, page: u32, answer: Answer, now: Timestamp) {
        match self.callers.get_mut(&page) {
            Some(caller) => {
                caller.answer = Some(answer);
                self.woken.extend(caller.waker.take());
            }
            None => self.crawl.leave(page, now),
        }
    }

    /// Wakes the callers without turns whose round was one of the machine that has ended.
    fn wake_for_ended_rounds(&mut self) {
        let State {
            crawl,
            waiting,
            woken,
            ..
        } = self;
        self.in_turns.retain(|origin| {
            let is_running = crawl.has_round(origin);
            if !is_running {
                woken.extend(waiting.remove(origin).into_iter().flatten());
            }
            is_running
        });
    }

    /// Lets a caller without turns wait for the round of an origin.
    fn wait_for(&mut self, origin: &Origin, waker: &Waker) {
        if self.crawl.has_round(origin) && !self.in_turns.contains(origin) {
            self.in_turns.push(origin.clone());
        }
        let waiting = self.waiting.entry(origin.clone()).or_default();
        if !waiting.iter().any(|known| known.will_wake(waker)) {
            waiting.push(waker.clone());
        }
    }

    /// The next action of a caller whose page waits.
    fn task(&mut self, page: u32, waker: &Waker) -> Poll<Task> {
        let Some(caller) = self.callers.get_mut(&page) else {
            return Poll::Pending;
        };
        if let Some(answer) = caller.answer.take() {
            self.callers.remove(&page);
            return Poll::Ready(Task::Answer(answer));
        }
        caller.waker = Some(waker.clone());
        let is_its = |(round, _): &(u32, String)| self.crawl.pages_of(*round).contains(&page);
        match self.requests.iter().position(is_its) {
            Some(place) => {
                let (round, url) = self.requests.swap_remove(place);
                Poll::Ready(Task::Send(round, url))
            }
            None => Poll::Pending,
        }
    }
}

/// Lets go of the lock, and wakes those whom the steps concern.
fn wake(mut state: MutexGuard<'_, State>) {
    let woken = mem::take(&mut state.woken);
    drop(state);
    woken.into_iter().for_each(Waker::wake);
}

/// The place of a page, in the line of its host or with a turn. Its drop gives it back.
pub(super) struct Place {
    shared: Arc<Shared>,
    page: Option<u32>,
}

impl Place {
    /// The next action of the caller.
    pub(super) fn poll(&self, waker: &Waker) -> Poll<Task> {
        let Some(page) = self.page else {
            return Poll::Pending;
        };
        self.shared.with(|state, _| {
            state.take_steps();
            state.task(page, waker)
        })
    }

    /// Ends the request of the page.
    pub(super) fn finish(mut self, reply: impl FnOnce(Timestamp) -> Reply) {
        if let Some(page) = self.page.take() {
            self.shared
                .with(|state, now| state.crawl.finish(page, reply(now), now));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(page) = self.page else {
            return;
        };
        self.shared.with(|state, now| {
            state.callers.remove(&page);
            state.crawl.leave(page, now);
        });
    }
}

/// The longest time until the timer looks at the clock again, which may have been set ahead.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

//! The machine behind its lock: who fetches, who waits for that, and the rounds between two
//! attempts.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::task::{Context, Poll, Waker};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use polite_robots::{Cause, Robot};

use crate::access::cache::{Cache, Lookup, Ticket};
use crate::access::explain::NextFetch;
use crate::access::fetch::{Fetch, Step};
use crate::access::outcome::Validators;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::robots_cache::check::RobotsCheck;
use crate::time::Timestamp;

/// The part of a cache that does not depend on its fetch function.
pub(super) struct Rounds {
    pub(super) clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) cache: Cache,
    /// The round that a caller runs, and the callers that wait for its end.
    running: HashMap<Origin, (u64, Vec<Waker>)>,
    /// The rounds between two attempts; the first call after the pause goes on.
    paused: HashMap<Origin, (Ticket, Box<Fetch>)>,
    last_number: u64,
}

/// The answer of the machine, or the caller's part in getting it.
pub(super) enum Next<'r> {
    Rules(Robot),
    Closed(RobotsCheck),
    Run(Turn<'r>),
    /// For the round of this number.
    Wait(u64),
}

/// A caller's right to run a round. Dropped, it ends the round for all who wait.
pub(super) struct Turn<'r> {
    rounds: &'r Rounds,
    number: u64,
    ticket: Option<Ticket>,
    pub(super) fetch: Box<Fetch>,
}

impl Rounds {
    pub(super) fn new(cache: Cache, clock: Box<dyn Fn() -> Timestamp + Send + Sync>) -> Rounds {
        let state = Mutex::new(State {
            cache,
            running: HashMap::new(),
            paused: HashMap::new(),
            last_number: 0,
        });
        Rounds { clock, state }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next step of a caller.
    pub(super) fn next(&self, origin: &Origin) -> Next<'_> {
        let now = (self.clock)();
        let mut state = self.state();
        let mut soon = now.saturating_add(state.cache.settings().retry_local);
        let mut due = None;
        if let Some((_, fetch)) = state.paused.get(origin) {
            match fetch.poll(now) {
                Step::Wait(until) => soon = until,
                _ => due = state.paused.remove(origin),
            }
        }
        let (ticket, fetch) = match due {
            Some((ticket, fetch)) => {
                state.cache.renew(&ticket, now);
                (ticket, fetch)
            }
            None => match state.cache.poll_and_release(origin, now) {
                Lookup::Ready(robot) => return Next::Rules(robot),
                Lookup::Closed(closed) => {
                    let check = RobotsCheck::closed(Some(closed.cause), closed.retry, now);
                    return Next::Closed(check);
                }
                Lookup::Fetch(ticket) => {
                    let access = *state.cache.settings();
                    let profile = Profile {
                        access,
                        ..Profile::default()
                    };
                    // A function of a URL alone sends no conditions.
                    let fetch = Fetch::new(origin, Validators::default(), &profile, now);
                    (ticket, Box::new(fetch))
                }
                lookup => {
                    if let Some((number, _)) = state.running.get(origin) {
                        return Next::Wait(*number);
                    }
                    let is_full = matches!(lookup, Lookup::Full);
                    let cause = (!is_full).then_some(Cause::NotFetched);
                    return Next::Closed(RobotsCheck::closed(cause, NextFetch::At(soon), now));
                }
            },
        };
        state.last_number += 1;
        let number = state.last_number;
        let earlier = state.running.insert(origin.clone(), (number, Vec::new()));
        drop(state);
        // They wait for a round whose lease is over, and may wait for this one.
        wake(earlier);
        Next::Run(Turn {
            rounds: self,
            number,
            ticket: Some(ticket),
            fetch,
        })
    }

    /// Whether the round of this number is over; if not, its end wakes the caller.
    pub(super) fn poll_end(&self, origin: &Origin, number: u64, context: &Context<'_>) -> Poll<()> {
        let waker = context.waker();
        match self.state().running.get_mut(origin) {
            Some((running, waiting)) if *running == number => {
                if !waiting.iter().any(|known| known.will_wake(waker)) {
                    waiting.push(waker.clone());
                }
                Poll::Pending
            }
            _ => Poll::Ready(()),
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket.take() else {
            return;
        };
        let now = (self.rounds.clock)();
        let origin = ticket.origin().clone();
        let mut state = self.rounds.state();
        match self.fetch.poll(now) {
            Step::Done(outcome) => state.cache.handle(ticket, outcome.clone(), now),
            Step::Wait(_) => state.pause(ticket, self.fetch.clone(), now),
            // The caller is gone, or its function panicked.
            Step::Get(_) | Step::Resolve(_) => state.cache.give_back(ticket, now),
        }
        let is_own = |(number, _): &(u64, _)| *number == self.number;
        let is_own = state.running.get(&origin).is_some_and(is_own);
        let ended = if is_own {
            state.running.remove(&origin)
        } else {
            None
        };
        drop(state);
        wake(ended);
    }
}

impl State {
    fn pause(&mut self, ticket: Ticket, fetch: Box<Fetch>, now: Timestamp) {
        let surplus = self.paused.keys().next().cloned();
        let surplus = surplus.filter(|_| self.paused.len() >= MOST_PAUSED);
        if let Some((ticket, fetch)) = surplus.and_then(|origin| self.paused.remove(&origin)) {
            self.cache.handle(ticket, fetch.into_outcome(), now);
        }
        self.cache.renew(&ticket, now);
        self.paused.insert(ticket.origin().clone(), (ticket, fetch));
    }
}

/// Wakes the callers that waited for a round. Without the lock, which their tasks may want at once.
fn wake(round: Option<(u64, Vec<Waker>)>) {
    round
        .into_iter()
        .flat_map(|(_, waiting)| waiting)
        .for_each(Waker::wake);
}

/// The most rounds that pause at a time, about 1 kB each; beyond that one of them counts as failed.
const MOST_PAUSED: usize = 1_024;

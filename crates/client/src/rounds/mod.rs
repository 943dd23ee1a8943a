//! The rules of an origin, and the rounds by which they are learned.

use std::sync::Arc;
use std::time::Duration;

use polite_robots::{Cause, Robot};
use polite_robots_policy::cache::{Closed, NextFetch};
use polite_robots_policy::{Lookup, Origin};
use tokio::time::Instant;
use url::Url;

use crate::error::{BusyReason, Error};
use crate::net::transport::Failure;
use crate::rounds::busy::{busy, far_turn, too_late};
use crate::rounds::rule_waiter::next_round;
use crate::shared::Shared;
use crate::state::PollMode;
use crate::turns::turn_guard::TurnGuard;

pub(crate) mod busy;
mod round;
pub(crate) mod rule_waiter;

/// The rules in force, or `None` after a wait, when the caller has to ask again. A turn at hand is
/// used for the round that is due.
///
/// No round begins while the next turn of the host is later than the caller waits: nobody would
/// wait for its end.
pub(crate) async fn rules(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    turn: &mut Option<TurnGuard>,
    deadline: Instant,
) -> Result<Option<Robot>, Error> {
    if let Err(Failure::Refused(refusal)) = shared.transport.check(url) {
        return Err(Error::Refused(refusal));
    }
    // A round of a host that was handed over leaves no answer, and nobody may begin the next one.
    shared.settings.ownership.check(origin, url.as_str())?;
    let host = shared.host(origin.host()).await?;
    shared.recall(origin).await?;
    let mode = match turn {
        Some(_) => PollMode::InTurn,
        None => PollMode::Ahead,
    };
    let (lookup, rounds, is_first) = {
        let mut state = shared.state();
        let Some(lookup) = state.look_up(host, origin, mode, shared.clock.now()) else {
            // The host was forgotten in between.
            return Ok(None);
        };
        if matches!(&lookup, Lookup::Ready(robot) if robot.crawl_delay().is_some()) {
            // The crawl delay is a part of the host's pace.
            shared.host_changed(host);
        }
        let is_first = state.waiters.is_first_for_memory(origin);
        (lookup, state.waiters.subscribe(origin), is_first)
    };
    match lookup {
        Lookup::Ready(robot) => return Ok(Some(robot)),
        Lookup::Closed(closed) => return Err(closed_error(shared, origin, url, &closed).await),
        Lookup::Fetch(ticket) => {
            if turn.is_none()
                && let Some(next) = far_turn(shared, host, deadline)
            {
                shared.state().cache.give_back(ticket, shared.clock.now());
                return Err(too_late(shared, origin, next));
            }
            round::begin(shared, ticket, turn.take());
            next_round(rounds).await;
        }
        Lookup::Full => {
            drop(turn.take());
            if is_first {
                let _ = tokio::time::timeout(MEMORY_POLL, next_round(rounds)).await;
            } else {
                next_round(rounds).await;
            }
        }
        // `Pending`: the round of another caller is under way.
        _ => {
            drop(turn.take());
            if let Some(next) = far_turn(shared, host, deadline) {
                return Err(too_late(shared, origin, next));
            }
            next_round(rounds).await;
        }
    }
    Ok(None)
}

async fn closed_error(shared: &Arc<Shared>, origin: &Origin, url: &Url, closed: &Closed) -> Error {
    // A round that failed by our own decision or fault says nothing about the site.
    if closed.cause == Cause::NotFetched {
        if let Some(refusal) = shared.transport.refusal(url).await {
            return Error::Refused(refusal);
        }
        let fault = shared.state().waiters.fault(origin);
        // The last caller that waited has taken the fault with it.
        let why = fault.unwrap_or(BusyReason::RobotsTxt);
        if let NextFetch::At(retry_at) = closed.retry {
            return busy(origin, Some(retry_at), why);
        }
    }
    shared.state().counts.closed += 1;
    Error::Closed {
        origin: origin.clone(),
        cause: closed.cause,
        since: closed.since,
        retry_at: match closed.retry {
            NextFetch::At(retry_at) => Some(retry_at),
            _ => None,
        },
    }
}

/// The pause after which the first origin in the memory queue asks again without an event: rules
/// also become old enough to be forgotten by time alone.
const MEMORY_POLL: Duration = Duration::from_secs(1);

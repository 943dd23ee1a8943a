//! The admission of a page: its check and its turn.

use std::sync::Arc;
use std::time::Duration;

use polite_robots::Robot;
use polite_robots_policy::cache::Evidence;
use polite_robots_policy::{Origin, Timestamp, Turn};
use tokio::time::Instant;
use url::Url;

use crate::error::{BusyReason, Error};
use crate::rounds::busy::{busy, out_of_time, too_late};
use crate::rounds::rule_waiter::RuleWaiter;
use crate::rounds::rules;
use crate::shared::Shared;
use crate::turns::queues::{Grant, Position, QueueError};
use crate::turns::turn_guard::TurnGuard;

/// A turn for a page that its robots.txt allows. Its request counts as sent.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) turn: TurnGuard,
    pub(crate) started: Timestamp,
    pub(crate) robot: Robot,
    pub(crate) waited: Duration,
}

/// Waits until robots.txt allows the page and its host has a turn.
pub(crate) async fn admit(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    deadline: Instant,
) -> Result<Admission, Error> {
    shared.settings.ownership.check(origin, url.as_str())?;
    if let Some(admission) = admit_now(shared, origin, url)? {
        // The ownership may have changed before the turn; a hand-over waits for the end of it.
        shared.settings.ownership.check(origin, url.as_str())?;
        return Ok(admission);
    }
    let waiter = RuleWaiter::new(shared, origin);
    let began = Instant::now();
    // Boxed, as each move of the caller's future would copy it.
    let admitting = Box::pin(admit_in_time(shared, origin, url, deadline));
    let admitted = tokio::time::timeout_at(deadline, admitting).await;
    let admitted = admitted.unwrap_or_else(|_| {
        // The turn may have come at the very end of the wait.
        let admission = admit_now(shared, origin, url)?;
        admission.ok_or_else(|| out_of_time(shared, origin))
    });
    drop(waiter);
    shared.settings.ownership.check(origin, url.as_str())?;
    Ok(Admission {
        waited: began.elapsed(),
        ..admitted?
    })
}

/// Admits a page without a place in the queue, if its rules are at hand and its host may be asked
/// now. `None` if the page has to wait, or fails for another reason than a rule.
fn admit_now(shared: &Arc<Shared>, origin: &Origin, url: &Url) -> Result<Option<Admission>, Error> {
    let now = shared.clock.now();
    // The group of a host may have to be looked up first.
    if shared.has_groups() || shared.transport.check(url).is_err() {
        return Ok(None);
    }
    let Some(snapshot) = shared.state().snapshot_rules(origin, now) else {
        return Ok(None);
    };
    // The check runs without the lock, as a file may be long.
    if !snapshot.robot.allowed(url.as_str()) {
        shared.state().counts.disallowed += 1;
        return Err(Error::Disallowed(evidence(&snapshot.robot, origin, url)));
    }
    let started = shared.start_now(&snapshot);
    Ok(started.map(|(turn, started)| Admission {
        turn,
        started,
        robot: snapshot.robot,
        waited: Duration::ZERO,
    }))
}

/// The evidence about a page. It is made only if it is read, as its strings take time.
pub(crate) fn evidence(robot: &Robot, origin: &Origin, url: &Url) -> Evidence {
    Evidence::new(robot.clone(), url.as_str(), origin.robots_url())
}

/// Asks about a page without a turn for it.
pub(crate) async fn check(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    deadline: Instant,
) -> Result<Evidence, Error> {
    shared.settings.ownership.check(origin, url.as_str())?;
    let waiter = RuleWaiter::new(shared, origin);
    let checking = check_in_time(shared, origin, url, deadline);
    let checked = tokio::time::timeout_at(deadline, checking).await;
    // The time may have ended while the origin still waited in a line.
    let checked = checked.unwrap_or_else(|_| Err(out_of_time(shared, origin)));
    drop(waiter);
    checked
}

async fn check_in_time(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    deadline: Instant,
) -> Result<Evidence, Error> {
    loop {
        if let Some(robot) = rules(shared, origin, url, &mut None, deadline).await? {
            shared.state().release_answer(origin, shared.clock.now());
            return Ok(evidence(&robot, origin, url));
        }
    }
}

/// Admits the page without a time limit, but gives up on a turn that is known to come too late.
async fn admit_in_time(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    deadline: Instant,
) -> Result<Admission, Error> {
    let mut turn: Option<TurnGuard> = None;
    let mut position = Position::Back;
    loop {
        // The rules may have changed while the page waited for its turn.
        let Some(robot) = rules(shared, origin, url, &mut turn, deadline).await? else {
            continue;
        };
        if !robot.allowed(url.as_str()) {
            let mut state = shared.state();
            state.release_answer(origin, shared.clock.now());
            state.counts.disallowed += 1;
            return Err(Error::Disallowed(evidence(&robot, origin, url)));
        }
        // After the round there may be nothing left to wait for. The crawl delay is known by now,
        // so the answer is asked for by a page that is sent.
        if turn.is_none()
            && position == Position::Back
            && let Some(admission) = admit_now(shared, origin, url)?
        {
            return Ok(admission);
        }
        // The crawl delay may be new, and the request for robots.txt went to this host, too.
        let now = shared.clock.now();
        let is_ready = |turn: &TurnGuard| {
            shared.state().dispatcher.scheduler.turn(turn.host(), now) == Turn::Ready
        };
        if let Some(mut turn) = turn.take().filter(is_ready) {
            if let Some(started) = turn.send() {
                return Ok(Admission {
                    turn,
                    started,
                    robot,
                    waited: Duration::ZERO,
                });
            }
            // This task was not polled for so long that the turn went to the next caller. It has
            // waited its time.
            position = Position::Front;
        }
        turn = wait_for_turn(shared, origin, position, deadline).await?;
    }
}

/// Waits for the next turn of the host; `None` if the host was forgotten meanwhile.
async fn wait_for_turn(
    shared: &Arc<Shared>,
    origin: &Origin,
    position: Position,
    deadline: Instant,
) -> Result<Option<TurnGuard>, Error> {
    let host = shared.host(origin.host()).await?;
    if position == Position::Front
        && let Some(turn) = shared.turn_at_once(host)
    {
        return Ok(Some(turn));
    }
    let now = shared.clock.now();
    {
        let state = shared.state();
        let scheduler = &state.dispatcher.scheduler;
        if !scheduler.contains(host) {
            // The host was forgotten in between, and has no turn.
            return Ok(None);
        }
        if scheduler.turn(host, now) == Turn::Skip {
            return Err(busy(origin, None, BusyReason::LongCrawlDelay));
        }
        let turn = match (position, scheduler.turn(host, now)) {
            (Position::Back, _) => state.dispatcher.turn_after_queue(host, now),
            (_, Turn::NotBefore(turn)) => Some(turn),
            _ => None,
        };
        if let Some(turn) = turn.filter(|turn| shared.clock.instant(*turn) > deadline) {
            return Err(too_late(shared, origin, turn));
        }
    }
    match shared.queue(host, position, shared.clock.time(deadline)) {
        Ok(turn) => match turn.await {
            Ok(Grant::Turn(turn)) => Ok(Some(turn)),
            Ok(Grant::TooLate) => Ok(None),
            Err(_) => Err(Error::Stopped),
        },
        Err(QueueError::Full { waiters }) => {
            let turn = shared.state().dispatcher.turn_after_queue(host, now);
            Err(busy(origin, turn, BusyReason::Queue { waiters }))
        }
        Err(QueueError::Forgotten) => Ok(None),
    }
}

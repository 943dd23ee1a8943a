//! One round for a robots.txt, driven with real requests, each in the turn of the host that it goes
//! to.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use polite_robots_policy::cache::Ticket;
use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Step, Validators};
use polite_robots_policy::{NetError, Origin, Outcome, Reply, Timestamp};
use tokio::sync::oneshot;

use crate::error::{BusyReason, Error};
use crate::net::net_error::is_out_of_files;
use crate::net::transport::{Failure, RobotsResponse};
use crate::shared::Shared;
use crate::shared::clock::LONGEST_WAIT;
use crate::trace::RoundEnd;
use crate::turns::queues::{Grant, Position, QueueError};
use crate::turns::turn_guard::TurnGuard;

/// A request of a round, by value: a [`Fetch`] cannot be borrowed across an await.
struct RoundRequest {
    url: String,
    host: String,
    address: Option<IpAddr>,
    max_bytes: usize,
    validators: Validators,
    /// Whether it goes to the host of the round, and not to the target of a redirect.
    is_own_host: bool,
}

enum RoundStep {
    Request(RoundRequest),
    Resolve(String),
    Wait(Timestamp),
    Done,
}

/// Begins a round as a task of its own, so that a caller that goes away does not end it. `turn` is
/// that of the page that found the rules out of date.
pub(crate) fn begin(shared: &Arc<Shared>, ticket: Ticket, turn: Option<TurnGuard>) {
    let round = run(Arc::clone(shared), ticket, turn);
    shared.spawn_round(round);
}

async fn run(shared: Arc<Shared>, ticket: Ticket, mut turn: Option<TurnGuard>) {
    let origin = ticket.origin().clone();
    let profile = &shared.settings.profile;
    let mut fetch = Fetch::new(
        &origin,
        ticket.validators().clone(),
        profile,
        shared.clock.now(),
    );
    loop {
        match next_step(&fetch, &origin, &shared) {
            RoundStep::Done => return end(&shared, ticket, fetch.into_outcome()),
            RoundStep::Wait(until) => tokio::time::sleep_until(shared.clock.instant(until)).await,
            RoundStep::Resolve(host) => {
                let found = shared.transport.resolve(&host).await;
                let event = match &found {
                    Ok(addresses) => Event::Resolved(addresses),
                    Err(Failure::Net(error, _)) => Event::Failed(*error),
                    Err(Failure::Refused(_)) => Event::Refused,
                };
                fetch.handle(event, shared.clock.now());
            }
            RoundStep::Request(wanted) => {
                let Some(turn) = obtain_turn(&shared, &ticket, &wanted, &mut turn).await else {
                    if !shared.settings.ownership.owns(&origin) {
                        break;
                    }
                    // The pace of the host cannot be loaded, or its queue is gone: a fault of ours.
                    fetch.handle(Event::Failed(NetError::Local), shared.clock.now());
                    continue;
                };
                if wanted.is_own_host && !shared.settings.ownership.owns(&origin) {
                    break;
                }
                let (turn, started) = turn;
                let reply = request(&shared, &origin, &wanted, &turn, started, &mut fetch).await;
                // A hand-over waits for the turn, and must take the answer along.
                if let RoundStep::Done = next_step(&fetch, &origin, &shared) {
                    end(&shared, ticket, fetch.into_outcome());
                    return turn.finish(reply);
                }
                turn.finish(reply);
            }
        }
    }
    // The host was handed over meanwhile. The round says nothing about the site, and its next owner
    // must not wait for it.
    let mut state = shared.state();
    state.cache.give_back(ticket, shared.clock.now());
    state.end_round(&origin);
}

/// Notes the answer of the site.
fn end(shared: &Shared, ticket: Ticket, outcome: Outcome) {
    let origin = ticket.origin().clone();
    let now = shared.clock.now();
    let round = {
        let mut state = shared.state();
        let round = RoundEnd::of(&state.cache, &origin, &outcome);
        match &outcome {
            Outcome::Local => state.counts.rounds_local += 1,
            Outcome::Unreachable { .. } => state.counts.rounds_failed += 1,
            _ => state.counts.rounds_answered += 1,
        }
        state.cache.handle(ticket, outcome, now);
        state.end_round(&origin);
        round
    };
    round.report(&origin);
    shared.origin_changed(&origin);
    shared.wake_driver();
}

fn next_step(fetch: &Fetch, origin: &Origin, shared: &Shared) -> RoundStep {
    match fetch.poll(shared.clock.now()) {
        Step::Get(request) => RoundStep::Request(RoundRequest {
            url: request.url.to_string(),
            host: request.host.to_string(),
            address: request.address,
            max_bytes: request.max_bytes,
            validators: request.validators.clone(),
            is_own_host: request.host == origin.host(),
        }),
        Step::Resolve(host) => RoundStep::Resolve(host.to_string()),
        Step::Wait(until) => RoundStep::Wait(until),
        _ => RoundStep::Done,
    }
}

/// A turn of the host whose request is sent now: the one at hand if it is of this host, else the
/// next one.
async fn obtain_turn(
    shared: &Arc<Shared>,
    ticket: &Ticket,
    wanted: &RoundRequest,
    at_hand: &mut Option<TurnGuard>,
) -> Option<(TurnGuard, Timestamp)> {
    loop {
        let host = shared.host(&wanted.host).await.ok()?;
        // A round may go through the addresses of a host, each of which may be another server.
        let detour = match wanted.address {
            Some(address) => shared.detour(host, address).await.ok()?,
            None => None,
        };
        let mut turn = match at_hand.take().filter(|turn| turn.host() == host) {
            Some(turn) => turn,
            None => {
                // Callers that wait for less than this are woken at once if the turn moves.
                let until = shared.clock.now().saturating_add(LEAST_WAIT);
                match shared.queue(host, Position::Round, until) {
                    Ok(turn) => match wait(shared, ticket, turn).await? {
                        Grant::Turn(turn) => turn,
                        Grant::TooLate => {
                            shared.state().waiters.wake(ticket.origin());
                            continue;
                        }
                    },
                    Err(QueueError::Forgotten) => continue,
                    Err(QueueError::Full { .. }) => return None,
                }
            }
        };
        if let Some(detour) = &detour {
            detour.stay();
        }
        // A turn that came too late has gone to another caller.
        if let Some(started) = turn.send() {
            shared.state().dispatcher.note_robots_txt(host);
            return Some((turn, started));
        }
    }
}

/// Waits for the turn, and keeps the ticket alive meanwhile.
async fn wait(
    shared: &Shared,
    ticket: &Ticket,
    mut turn: oneshot::Receiver<Grant>,
) -> Option<Grant> {
    let lease = shared
        .settings
        .profile
        .access
        .ticket_lease
        .min(LONGEST_WAIT);
    loop {
        match tokio::time::timeout(lease / 2, &mut turn).await {
            Ok(granted) => return granted.ok(),
            Err(_) => shared.state().cache.renew(ticket, shared.clock.now()),
        }
    }
}

/// Sends the request and reports its end to the round. Returns the reply for the pace of the host,
/// whose turn the caller ends.
///
/// An address that the client refuses is its own decision and no outage of the site, unless the
/// site redirects there.
async fn request(
    shared: &Shared,
    origin: &Origin,
    wanted: &RoundRequest,
    turn: &TurnGuard,
    started: Timestamp,
    fetch: &mut Fetch,
) -> Reply {
    shared.state().counts.robots_requests += 1;
    let sent = shared.transport.get_robots_txt(
        &wanted.url,
        wanted.address,
        &wanted.validators,
        wanted.max_bytes,
    );
    let sent = turn.way().unless_given(sent);
    let sent = tokio::time::timeout(shared.settings.robots_timeout, sent).await;
    let answer = match sent {
        Ok(Some(answer)) => answer,
        // The request gave way: the client's own decision, which says nothing about the site.
        Ok(None) => Err(Failure::Net(NetError::Local, None)),
        Err(_) => Err(Failure::Net(NetError::Read, None)),
    };
    if let Some(fault) = own_fault(&answer) {
        shared.state().waiters.note_fault(origin, fault);
    }
    let now = shared.clock.now();
    match &answer {
        Ok(received) => fetch.handle(Event::Response(response(received)), now),
        Err(Failure::Net(error, _)) => fetch.handle(Event::Failed(*error), now),
        Err(Failure::Refused(_)) if wanted.is_own_host => {
            fetch.handle(Event::Failed(NetError::Local), now);
        }
        Err(Failure::Refused(_)) => fetch.handle(Event::Refused, now),
    }
    reply(&answer, started, now)
}

/// The reason of a failure that is the client's own.
fn own_fault(answer: &Result<RobotsResponse, Failure>) -> Option<BusyReason> {
    match answer {
        Err(Failure::Net(NetError::Local, None)) => Some(BusyReason::Crowded),
        Err(Failure::Net(NetError::Local, Some(Error::Http(error)))) => {
            Some(match is_out_of_files(error) {
                true => BusyReason::OpenFiles,
                false => BusyReason::Network,
            })
        }
        _ => None,
    }
}

fn reply(answer: &Result<RobotsResponse, Failure>, started: Timestamp, now: Timestamp) -> Reply {
    match answer {
        Ok(received) if received.end == BodyEnd::CutShort => {
            Reply::new(Err(NetError::Read), started)
        }
        Ok(received) => Reply::of_response(received.status, &received.headers, started, now),
        Err(Failure::Net(error, _)) => Reply::new(Err(*error), started),
        Err(Failure::Refused(_)) => Reply::new(Err(NetError::Local), started),
    }
}

fn response(received: &RobotsResponse) -> RawResponse<'_> {
    RawResponse {
        status: received.status.as_u16(),
        headers: Headers::from(&received.headers),
        body: &received.body,
        end: received.end,
    }
}

/// A turn that moves beyond this time wakes the callers of the round, who may wait for less.
const LEAST_WAIT: Duration = Duration::from_secs(10);

//! A page: its check, its turn, its request, and the same again for each URL that it redirects to.

use std::sync::Arc;
use std::time::Duration;

use http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, LOCATION, PROXY_AUTHORIZATION,
};
use http::{HeaderMap, Method, StatusCode};
use polite_robots::{Cause, Robot};
use polite_robots_policy::{
    Closed, HostId, Lookup, NextFetch, Origin, Reply, Site, Timestamp, Turn as HostTurn,
};
use tokio::time::Instant;
use url::Url;

use crate::error::{BusyReason, Error, RedirectProblem};
use crate::request::Request;
use crate::response::Response;
use crate::rounds;
use crate::shared::{Interest, Shared, next_round};
use crate::state::{LineIsFull, Place};
use crate::transport::Failure;
use crate::turn::Turn;
use polite_robots_policy::Evidence;

/// A turn for a page that its robots.txt allows.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) turn: Turn,
    pub(crate) evidence: Evidence,
    pub(crate) waited: Duration,
}

/// Fetches a page and follows its redirects, each as a page of its own.
pub(crate) async fn fetch(shared: &Arc<Shared>, request: Request) -> Result<Response, Error> {
    let deadline = Instant::now() + shared.settings.max_wait;
    let mut request = request;
    let mut hops = Vec::new();
    let mut waited = Duration::ZERO;
    loop {
        let admitted = admit(shared, &request.origin, &request.url, deadline).await;
        let admission = admitted.map_err(|error| redirected(error, &hops))?;
        waited += admission.waited;
        let response = send(shared, &request, admission).await?;
        let Some(location) = redirect(response.status(), response.headers()) else {
            return Ok(response.after(hops, waited));
        };
        let target = request.url.join(location).ok();
        let status = response.status();
        // The body of a redirect is for people, so the turn ends here.
        let with_origin = |target: Url| Some((Origin::of_url(&target).ok()?, target));
        let location = location.to_string();
        drop(response);
        hops.push(request.url.clone());
        let Some((origin, target)) = target.and_then(with_origin) else {
            return Err(redirect_error(
                &hops,
                RedirectProblem::InvalidTarget(location),
            ));
        };
        if hops.contains(&target) {
            return Err(redirect_error(&hops, RedirectProblem::Loop));
        }
        if hops.len() > MOST_REDIRECTS {
            let limit = MOST_REDIRECTS;
            return Err(redirect_error(&hops, RedirectProblem::TooMany { limit }));
        }
        request = request.redirected(status, origin, target);
    }
}

/// Waits until robots.txt allows the page and its host has a turn.
pub(crate) async fn admit(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    deadline: Instant,
) -> Result<Admission, Error> {
    if let Some((turn, evidence)) = admit_now(shared, origin, url)? {
        let waited = Duration::ZERO;
        return Ok(Admission {
            turn,
            evidence,
            waited,
        });
    }
    let interest = Interest::new(shared, origin);
    let began = Instant::now();
    // Boxed, as each move of the caller's future would copy it.
    let admitting = Box::pin(admit_in_time(shared, origin, url));
    let admitted = tokio::time::timeout_at(deadline, admitting).await;
    drop(interest);
    match admitted {
        Ok(Ok((turn, evidence))) => Ok(Admission {
            turn,
            evidence,
            waited: began.elapsed(),
        }),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(busy(shared, origin, too_late(shared))),
    }
}

/// Admits a page whose rules are at hand and whose host may be asked now, which is then not put in line first. `None` if
/// there is something to wait for, or to say about it.
fn admit_now(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
) -> Result<Option<(Turn, Evidence)>, Error> {
    let now = shared.clock.now();
    if shared.transport.check(url).is_err() {
        return Ok(None);
    }
    let Some((host, robot, edition)) = shared.state().rules_at_hand(origin, now) else {
        return Ok(None);
    };
    // Without the lock: a file may be long.
    let evidence = Evidence::new(robot, url.as_str(), origin.robots_url());
    if !evidence.is_allowed() {
        shared.state().counts.disallowed += 1;
        return Err(Error::Disallowed(evidence));
    }
    let turn = shared.turn_now(host, edition, now);
    Ok(turn.map(|turn| (turn, evidence)))
}

/// Asks about a page without a turn for it.
pub(crate) async fn check(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    deadline: Instant,
) -> Result<Evidence, Error> {
    let interest = Interest::new(shared, origin);
    let checked = tokio::time::timeout_at(deadline, check_in_time(shared, origin, url)).await;
    drop(interest);
    checked.unwrap_or_else(|_| Err(busy(shared, origin, too_late(shared))))
}

async fn check_in_time(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
) -> Result<Evidence, Error> {
    loop {
        let host = shared.host(origin.host()).await?;
        if let Some(robot) = rules(shared, host, origin, url, &mut None).await? {
            return Ok(Evidence::new(robot, url.as_str(), origin.robots_url()));
        }
    }
}

/// The same without a limit of the wait.
async fn admit_in_time(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
) -> Result<(Turn, Evidence), Error> {
    let host = shared.host(origin.host()).await?;
    let mut turn: Option<Turn> = None;
    loop {
        // Asked once more in the turn: the rules may have changed while the page was in line.
        let Some(robot) = rules(shared, host, origin, url, &mut turn).await? else {
            continue;
        };
        let evidence = Evidence::new(robot, url.as_str(), origin.robots_url());
        if !evidence.is_allowed() {
            shared.state().counts.disallowed += 1;
            return Err(Error::Disallowed(evidence));
        }
        // The crawl delay may be news, and the request for robots.txt was one to this host, too.
        let now = shared.clock.now();
        let is_ready =
            |turn: &Turn| shared.state().scheduler.turn(turn.host(), now) == HostTurn::Ready;
        match turn.take().filter(is_ready) {
            Some(turn) => return Ok((turn, evidence)),
            None => turn = Some(wait_for_turn(shared, origin, host).await?),
        }
    }
}

/// The rules in force, or `None` after something has changed about them. A turn at hand goes to the round that is due.
async fn rules(
    shared: &Arc<Shared>,
    host: HostId,
    origin: &Origin,
    url: &Url,
    turn: &mut Option<Turn>,
) -> Result<Option<Robot>, Error> {
    if let Err(Failure::Refused(refusal)) = shared.transport.check(url) {
        return Err(Error::Refused(refusal));
    }
    shared.recall(origin).await?;
    // Made before the look, so that no room that comes in between is missed.
    let room = shared.room.notified();
    let (lookup, rounds) = {
        let mut state = shared.state();
        let lookup = state.look_up(host, origin, shared.clock.now());
        (lookup, state.rounds(origin))
    };
    match lookup {
        Lookup::Ready(robot) => return Ok(Some(robot)),
        Lookup::Closed(closed) => {
            // A round that failed by our own decision says nothing about the site.
            if closed.cause == Cause::NotFetched
                && let Some(refusal) = shared.transport.refusal(url).await
            {
                return Err(Error::Refused(refusal));
            }
            shared.state().counts.closed += 1;
            return Err(closed_error(origin, &closed));
        }
        Lookup::Fetch(ticket) => {
            rounds::begin(shared, ticket, turn.take());
            next_round(rounds).await;
        }
        Lookup::Full => {
            drop(turn.take());
            let _ = tokio::time::timeout(LOOK_FOR_ROOM, room).await;
        }
        // `Pending`: the round of another caller is under way.
        _ => {
            drop(turn.take());
            next_round(rounds).await;
        }
    }
    Ok(None)
}

async fn wait_for_turn(shared: &Arc<Shared>, origin: &Origin, host: HostId) -> Result<Turn, Error> {
    let (next, now) = {
        let now = shared.clock.now();
        (shared.state().scheduler.turn(host, now), now)
    };
    let is_too_late = |until: Timestamp| until.saturating_since(now) > shared.settings.max_wait;
    match next {
        HostTurn::Skip => return Err(busy(shared, origin, BusyReason::LongCrawlDelay)),
        HostTurn::NotBefore(until) if is_too_late(until) => {
            return Err(busy(shared, origin, too_late(shared)));
        }
        _ => {}
    }
    let turn = shared.queue(host, Place::Last);
    let turn =
        turn.map_err(|LineIsFull { waiters }| busy(shared, origin, BusyReason::Queue { waiters }))?;
    turn.await.map_err(|_| Error::Stopped)
}

fn busy(shared: &Shared, origin: &Origin, why: BusyReason) -> Error {
    let now = shared.clock.now();
    let state = shared.state();
    let until = match state
        .scheduler
        .find(origin.host())
        .map(|host| state.scheduler.turn(host, now))
    {
        Some(HostTurn::NotBefore(until)) => until,
        _ => now,
    };
    Error::Busy {
        host: origin.host().to_string(),
        until: Some(until),
        why,
    }
}

/// Names the redirects that led to a disallowed URL.
fn redirected(error: Error, hops: &[Url]) -> Error {
    match error {
        Error::Disallowed(evidence) => {
            Error::Disallowed(evidence.with_redirects(hops.iter().map(Url::to_string).collect()))
        }
        other => other,
    }
}

fn network_error(source: Option<reqwest::Error>) -> Error {
    source.map_or(Error::Stopped, Error::Http)
}

fn too_late(shared: &Shared) -> BusyReason {
    BusyReason::Turn {
        max_wait: shared.settings.max_wait,
    }
}

fn closed_error(origin: &Origin, closed: &Closed) -> Error {
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

fn redirect_error(hops: &[Url], why: RedirectProblem) -> Error {
    let chain = hops.iter().map(Url::to_string).collect();
    Error::Redirect { chain, why }
}

async fn send(
    shared: &Arc<Shared>,
    request: &Request,
    admission: Admission,
) -> Result<Response, Error> {
    let Admission {
        mut turn,
        evidence,
        waited: _,
    } = admission;
    let started = turn.send();
    let sent = shared.transport.send(request).await;
    let now = shared.clock.now();
    {
        let mut state = shared.state();
        state.counts.pages += 1;
        // A page that answers in an outage of robots.txt makes robots.txt due.
        let site = match &sent {
            Ok(_) => Site::Available,
            Err(_) => Site::Unavailable,
        };
        state.cache.set_site(&request.origin, site, now);
    }
    match sent {
        Ok(response) => {
            turn.answered(Reply::of_response(
                response.status(),
                response.headers(),
                started,
                now,
            ));
            Ok(Response::new(
                response,
                turn,
                evidence,
                shared.settings.page_limit,
            ))
        }
        Err(Failure::Net(error, source)) => {
            turn.finish(Reply::new(Err(error), started));
            Err(network_error(source))
        }
        Err(Failure::Refused(refused)) => Err(Error::Refused(refused)),
    }
}

/// The target of a redirect (RFC 9110 §15.4); raw UTF-8 in it is read as such.
fn redirect(status: StatusCode, headers: &HeaderMap) -> Option<&str> {
    let is_redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = headers.get(LOCATION).filter(|_| is_redirect)?;
    std::str::from_utf8(location.as_bytes()).ok()
}

impl Request {
    /// The request for the target of a redirect: another method where RFC 9110 §15.4 has it, and no credentials for
    /// another origin.
    fn redirected(mut self, status: StatusCode, origin: Origin, target: Url) -> Request {
        let is_rewritten = match status {
            StatusCode::SEE_OTHER => self.method != Method::HEAD,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::POST,
            _ => false,
        };
        if is_rewritten {
            self.method = Method::GET;
            self.body = None;
            self.headers.remove(CONTENT_LENGTH);
            self.headers.remove(CONTENT_TYPE);
        }
        if self.url.origin() != target.origin() {
            for name in [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION] {
                self.headers.remove(name);
            }
        }
        self.url = without_credentials(target);
        self.origin = origin;
        self
    }
}

/// The site that redirects must not choose who we are.
fn without_credentials(mut url: Url) -> Url {
    // Fails only for URLs without a host, which have no credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// RFC 9309 §2.3.1.2 asks for five in the case of robots.txt; the same for pages.
const MOST_REDIRECTS: usize = 5;

/// Looks again after so long, as rules also become old enough to be forgotten without a call.
const LOOK_FOR_ROOM: Duration = Duration::from_secs(5);

//! A page: its check, its turn, its request, and the same again for each URL that it redirects to.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, LOCATION, PROXY_AUTHORIZATION,
};
use http::{HeaderMap, Method, StatusCode};
use polite_robots::{Cause, Robot};
use polite_robots_policy::{
    Closed, Evidence, Lookup, NetError, NextFetch, Origin, Reply, Site, Timestamp, Turn,
};
use tokio::time::Instant;
use url::Url;

use crate::error::{BusyReason, Error, RedirectProblem};
use crate::net::net_error::net_error;
use crate::net::request::Request;
use crate::net::transport::Failure;
use crate::pages::request_time::{Overdue, RequestTime};
use crate::pages::response::Response;
use crate::rounds::round;
use crate::shared::{RuleWaiter, Shared, next_round};
use crate::state::PollMode;
use crate::trace::PageSpan;
use crate::turns::queues::{Position, QueueError};
use crate::turns::turn_guard::TurnGuard;

pub(crate) mod permit;
pub(crate) mod request_time;
pub(crate) mod response;

/// A turn for a page that its robots.txt allows. Its request counts as sent.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) turn: TurnGuard,
    pub(crate) started: Timestamp,
    pub(crate) robot: Robot,
    pub(crate) waited: Duration,
}

/// The head of a response, with the turn that lasts until its body is read.
#[derive(Debug)]
struct ResponseHead {
    response: reqwest::Response,
    turn: TurnGuard,
    robot: Robot,
    time: RequestTime,
}

/// Fetches a page and follows its redirects, each as a page of its own. A failure that may pass is tried again, in a turn
/// like any other.
///
/// The request is boxed, as each move of the future would copy it.
pub(crate) async fn fetch(shared: &Arc<Shared>, request: Box<Request>) -> Result<Response, Error> {
    let deadline = Instant::now() + shared.settings.max_wait;
    let mut request = request;
    let mut hops = Vec::new();
    let mut waited = Duration::ZERO;
    let mut retries = 0;
    loop {
        let span = PageSpan::new(&request.origin, hops.len());
        let admitted = span.cover(admit(shared, &request.origin, &request.url, deadline));
        let admission = admitted.await.map_err(|error| {
            span.refused(&error);
            redirected(error, &hops)
        })?;
        let evidence = || evidence(&admission.robot, &request.origin, &request.url);
        span.admitted(evidence, admission.waited);
        waited += admission.waited;
        let sent = span.cover(send(shared, &request, admission)).await;
        if retries < shared.settings.retries && may_pass(shared, &request, &sent, deadline) {
            // The answer ends here, and with it the turn, so that the next turn is by its `Retry-After`.
            drop(sent);
            retries += 1;
            shared.state().counts.retries += 1;
            continue;
        }
        let answer = sent?;
        let response = &answer.response;
        let Some(location) = redirect(response.status(), response.headers()) else {
            let ResponseHead {
                response,
                turn,
                robot,
                time,
            } = answer;
            return Ok(Response {
                inner: response,
                turn: Some(turn),
                time,
                robot,
                evidence: OnceLock::new(),
                request,
                hops,
                turn_waited: waited,
                retries,
                limit: shared.settings.page_limit,
                read: 0,
            });
        };
        let target = request.url.join(location).ok().map(plain);
        let status = response.status();
        // The body of a redirect is for people, so the turn ends here.
        let with_origin = |target: Url| Some((Origin::of_url(&target).ok()?, target));
        let location = location.to_string();
        drop(answer);
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
        request.redirect(status, origin, target);
    }
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
        // Asked once more in the turn, whose end a hand-over waits for.
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
        admission.ok_or_else(|| busy(shared, origin, too_late(shared)))
    });
    drop(waiter);
    shared.settings.ownership.check(origin, url.as_str())?;
    Ok(Admission {
        waited: began.elapsed(),
        ..admitted?
    })
}

/// Admits a page whose rules are at hand and whose host may be asked now, which is then not put in line first. `None` if
/// there is something to wait for, or to say about it.
fn admit_now(shared: &Arc<Shared>, origin: &Origin, url: &Url) -> Result<Option<Admission>, Error> {
    let now = shared.clock.now();
    // The group of a host may have to be asked for.
    if shared.has_groups() || shared.transport.check(url).is_err() {
        return Ok(None);
    }
    let Some(snapshot) = shared.state().snapshot_rules(origin, now) else {
        return Ok(None);
    };
    // Without the lock: a file may be long.
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

/// The evidence about a page. Made only for those who look at it, as its strings take time.
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
    let checked = tokio::time::timeout_at(deadline, check_in_time(shared, origin, url)).await;
    drop(waiter);
    checked.unwrap_or_else(|_| Err(busy(shared, origin, too_late(shared))))
}

async fn check_in_time(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
) -> Result<Evidence, Error> {
    loop {
        if let Some(robot) = rules(shared, origin, url, &mut None).await? {
            shared.state().release_answer(origin, shared.clock.now());
            return Ok(evidence(&robot, origin, url));
        }
    }
}

/// The same without an end of the wait but for a turn that is known to come too late.
async fn admit_in_time(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    deadline: Instant,
) -> Result<Admission, Error> {
    let mut turn: Option<TurnGuard> = None;
    let mut position = Position::Back;
    loop {
        // Asked once more in the turn: the rules may have changed while the page was in line.
        let Some(robot) = rules(shared, origin, url, &mut turn).await? else {
            continue;
        };
        if !robot.allowed(url.as_str()) {
            let mut state = shared.state();
            state.release_answer(origin, shared.clock.now());
            state.counts.disallowed += 1;
            return Err(Error::Disallowed(evidence(&robot, origin, url)));
        }
        // After the round nothing may be left to wait for. The crawl delay is known by now, so the answer is asked for by a
        // page that is sent.
        if turn.is_none()
            && position == Position::Back
            && let Some(admission) = admit_now(shared, origin, url)?
        {
            return Ok(admission);
        }
        // The crawl delay may be news, and the request for robots.txt was one to this host, too.
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
            // This task was not polled for so long that the turn went to the next. It has waited its time.
            position = Position::Front;
        }
        turn = wait_for_turn(shared, origin, position, deadline).await?;
    }
}

/// The rules in force, or `None` after something has changed about them. A turn at hand goes to the round that is due.
async fn rules(
    shared: &Arc<Shared>,
    origin: &Origin,
    url: &Url,
    turn: &mut Option<TurnGuard>,
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
            // A part of its pace.
            shared.host_changed(host);
        }
        let is_first = state.waiters.is_first_for_memory(origin);
        (lookup, state.waiters.subscribe(origin), is_first)
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
            next_round(rounds).await;
        }
    }
    Ok(None)
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
    let next = {
        let now = shared.clock.now();
        let state = shared.state();
        if !state.dispatcher.scheduler.contains(host) {
            // Forgotten in between, and then it has no turn at all.
            return Ok(None);
        }
        state.dispatcher.scheduler.turn(host, now)
    };
    match next {
        Turn::Skip => return Err(busy(shared, origin, BusyReason::LongCrawlDelay)),
        Turn::NotBefore(until) if shared.clock.instant(until) > deadline => {
            return Err(busy(shared, origin, too_late(shared)));
        }
        _ => {}
    }
    match shared.queue(host, position) {
        Ok(turn) => turn.await.map(Some).map_err(|_| Error::Stopped),
        Err(QueueError::Full { waiters }) => {
            Err(busy(shared, origin, BusyReason::Queue { waiters }))
        }
        Err(QueueError::Forgotten) => Ok(None),
    }
}

fn busy(shared: &Shared, origin: &Origin, why: BusyReason) -> Error {
    let now = shared.clock.now();
    let state = shared.state();
    let until = match state
        .dispatcher
        .scheduler
        .find(origin.host())
        .map(|host| state.dispatcher.scheduler.turn(host, now))
    {
        Some(Turn::NotBefore(until)) => until,
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

fn network_error(source: Option<Error>) -> Error {
    source.unwrap_or(Error::Stopped)
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
) -> Result<ResponseHead, Error> {
    let Admission {
        mut turn,
        started,
        robot,
        waited: _,
    } = admission;
    let time = RequestTime::start(&shared.settings.profile);
    let sent = time.wait(shared.transport.send(request)).await;
    let sent = sent.unwrap_or_else(|Overdue| {
        Err(Failure::Net(NetError::Read, Some(time.error(&request.url))))
    });
    let now = shared.clock.now();
    {
        let mut state = shared.state();
        state.counts.pages += 1;
        let site = match &sent {
            Ok(_) => Some(Site::Available),
            Err(Failure::Net(error, _)) => site_after(*error),
            Err(Failure::Refused(_)) => None,
        };
        if let Some(site) = site {
            state.cache.set_site(&request.origin, site, now);
        }
    }
    match sent {
        Ok(response) => {
            turn.answered(Reply::of_response(
                response.status(),
                response.headers(),
                started,
                now,
            ));
            Ok(ResponseHead {
                response,
                turn,
                robot,
                time,
            })
        }
        Err(Failure::Net(error, source)) => {
            turn.finish(Reply::new(Err(error), started));
            Err(network_error(source))
        }
        Err(Failure::Refused(refused)) => Err(Error::Refused(refused)),
    }
}

/// The site after a request for a page that failed; `None` if that says nothing about the site. In an outage of robots.txt
/// a page that comes makes robots.txt due.
pub(crate) fn site_after(error: NetError) -> Option<Site> {
    (error != NetError::Local).then_some(Site::Unavailable)
}

/// Whether the same request may do better in a later turn that comes in time.
///
/// 429 and 503 say "not now". A connection that fails or breaks before the answer may not the next time; one that closes
/// without an answer is an invalid response. A name without an address and a wrong certificate say the same again. Only
/// methods that may be repeated count (RFC 9110 §9.2.2) and that a crawler needs. A response that the caller has is not repeated: its body may have been read.
fn may_pass(
    shared: &Shared,
    request: &Request,
    sent: &Result<ResponseHead, Error>,
    deadline: Instant,
) -> bool {
    let now = shared.clock.now();
    let is_repeatable = matches!(request.method, Method::GET | Method::HEAD);
    let next = match sent {
        Ok(ResponseHead { response, turn, .. })
            if matches!(response.status().as_u16(), 429 | 503) =>
        {
            let Some(reply) = turn.reply() else {
                return false;
            };
            let (state, profile) = (shared.state(), &shared.settings.profile);
            state
                .dispatcher
                .turn_after(turn.host(), reply, profile, now)
        }
        Err(Error::Http(error))
            if matches!(
                net_error(error),
                NetError::Connect | NetError::Read | NetError::Reset | NetError::InvalidResponse
            ) =>
        {
            // The request has ended, so the pace knows.
            let state = shared.state();
            let host = state.dispatcher.scheduler.find(request.origin.host());
            match host.map(|host| state.dispatcher.scheduler.turn(host, now)) {
                Some(Turn::NotBefore(until)) => until,
                Some(Turn::Skip) => return false,
                _ => now,
            }
        }
        _ => return false,
    };
    is_repeatable && shared.clock.instant(next) <= deadline
}

/// The target of a redirect (RFC 9110 §15.4); raw UTF-8 in it is read as such.
fn redirect(status: StatusCode, headers: &HeaderMap) -> Option<&str> {
    let is_redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = headers.get(LOCATION).filter(|_| is_redirect)?;
    std::str::from_utf8(location.as_bytes()).ok()
}

impl Request {
    /// Becomes the request for the target of a redirect: another method where RFC 9110 §15.4 has it, and no credentials for
    /// another origin.
    fn redirect(&mut self, status: StatusCode, origin: Origin, target: Url) {
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
        self.url = target;
        self.origin = origin;
    }
}

/// The target of a redirect as a server sees it: without a fragment. The site that redirects must not choose who we are, so
/// without credentials too.
fn plain(mut url: Url) -> Url {
    url.set_fragment(None);
    // Fails only for URLs without a host, which have no credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// RFC 9309 §2.3.1.2 asks for five in the case of robots.txt; the same for pages.
const MOST_REDIRECTS: usize = 5;

/// The first in line for room looks again after so long, as rules also become old enough to be forgotten without an event.
const MEMORY_POLL: Duration = Duration::from_secs(1);

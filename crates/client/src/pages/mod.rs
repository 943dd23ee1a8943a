//! A page: its admission, its request, and the same again for each URL that it redirects to.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::{Method, StatusCode};
use polite_robots::Robot;
use polite_robots_policy::cache::Site;
use polite_robots_policy::{NetError, Origin, Reply, Turn};
use tokio::time::Instant;
use url::Url;

use crate::error::{Error, RedirectProblem};
use crate::net::coded_response::CodedResponse;
use crate::net::net_error::net_error;
use crate::net::request::Request;
use crate::net::transport::Failure;
use crate::pages::admission::{Admission, admit, evidence};
use crate::pages::redirect::{MOST_REDIRECTS, plain, redirect, redirect_error, redirected};
use crate::pages::request_time::{BrokenOff, RequestTime};
use crate::pages::response::Response;
use crate::shared::Shared;
use crate::trace::PageSpan;
use crate::turns::turn_guard::TurnGuard;

pub(crate) mod admission;
pub(crate) mod permit;
mod redirect;
pub(crate) mod request_time;
pub(crate) mod response;

/// The head of a response, with the turn that lasts until its body is read.
#[derive(Debug)]
struct ResponseHead {
    response: CodedResponse,
    turn: TurnGuard,
    robot: Robot,
    time: RequestTime,
}

/// Fetches a page and follows its redirects, each as a page of its own. A failure that may pass is
/// tried again, in a turn like any other.
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
            // The answer ends here, and with it the turn, so that the next turn is by its
            // `Retry-After`.
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
        let (status, location) = (response.status(), location.to_string());
        // The body of a redirect is for people, so the turn ends here.
        drop(answer);
        follow(&mut request, &mut hops, status, location)?;
    }
}

/// Makes the request that of the page to which its own one redirects, which is the next hop.
fn follow(
    request: &mut Request,
    hops: &mut Vec<Url>,
    status: StatusCode,
    location: String,
) -> Result<(), Error> {
    let target = request.url.join(&location).ok().map(plain);
    let with_origin = |target: Url| Some((Origin::of_url(&target).ok()?, target));
    hops.push(request.url.clone());
    let Some((origin, target)) = target.and_then(with_origin) else {
        let problem = RedirectProblem::InvalidTarget(location);
        return Err(redirect_error(hops, problem));
    };
    if hops.contains(&target) {
        return Err(redirect_error(hops, RedirectProblem::Loop));
    }
    if hops.len() > MOST_REDIRECTS {
        let limit = MOST_REDIRECTS;
        return Err(redirect_error(hops, RedirectProblem::TooMany { limit }));
    }
    request.redirect(status, origin, target);
    Ok(())
}

fn network_error(source: Option<Error>) -> Error {
    source.unwrap_or(Error::Stopped)
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
    let time = RequestTime::start(&shared.settings.profile, shared.transport.silence());
    let sent = time.wait(turn.way(), shared.transport.send(request)).await;
    let sent = sent.unwrap_or_else(|why| {
        let error = time.error(&request.url, &why);
        let kind = match why {
            BrokenOff::Overdue | BrokenOff::Silent(_) => NetError::Read,
            // It was the client's own decision, which says nothing about the site.
            BrokenOff::GaveWay => NetError::Local,
        };
        Err(Failure::Net(kind, Some(error)))
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

/// The site's state after a failed request for a page; `None` if the failure says nothing about the
/// site. In an outage of robots.txt a page that comes makes robots.txt due.
pub(crate) fn site_after(error: NetError) -> Option<Site> {
    (error != NetError::Local).then_some(Site::Unavailable)
}

/// Whether the same request may do better in a later turn that comes in time.
///
/// 429 and 503 say "not now". A connection that failed or broke before the answer may work next
/// time; one that closed without an answer is an invalid response. A name without an address and a
/// wrong certificate do not change with time. Only GET and HEAD count: a method must be safe to
/// repeat (RFC 9110 §9.2.2), and crawlers need these. A response that the caller has is not
/// repeated: its body may have been read.
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
            let state = shared.state();
            state.dispatcher.turn_after(turn.host(), reply, now)
        }
        Err(error) if is_of_connection(error) => {
            // The request has ended, so the pace has counted it.
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

/// Whether the connection failed or broke in a way that may pass.
fn is_of_connection(error: &Error) -> bool {
    match error {
        Error::Silent { .. } => true,
        Error::Http(error) => matches!(
            net_error(error),
            NetError::Connect | NetError::Read | NetError::Reset | NetError::InvalidResponse
        ),
        _ => false,
    }
}

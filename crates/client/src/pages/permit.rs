//! A permit: the turn of a host for a request that another program sends, such as a browser.

use std::sync::Arc;

#[cfg(any(feature = "middleware", feature = "tower"))]
use http::{HeaderMap, StatusCode};
use polite_robots::Verdict;
use polite_robots_policy::cache::Evidence;
use polite_robots_policy::cache::Site;
use polite_robots_policy::{NetError, Reply, RetryAfter, Timestamp};

use crate::net::request::Request;
use crate::pages::admission::{Admission, evidence};
use crate::pages::site_after;
use crate::shared::Shared;
use crate::turns::turn_guard::TurnGuard;

/// The right to send one request for one URL now, with whatever client.
///
/// Report the end with [`Permit::finish`] or [`Permit::fail`]. A permit that is dropped counts as a
/// request that the crawler broke off: the gap is kept, and no error is counted. One that is kept
/// for longer than the profile's
/// [`request_lease`](polite_robots_policy::settings::PaceSettings::request_lease), 10 minutes by
/// default, counts as ended.
///
/// A permit does not follow redirects: ask for another one for each target, and let the other
/// client follow none by itself.
#[derive(Debug)]
pub struct Permit {
    turn: TurnGuard,
    started: Timestamp,
    evidence: Evidence,
    request: Request,
    shared: Arc<Shared>,
}

impl Permit {
    pub(crate) fn new(shared: Arc<Shared>, request: Request, admission: Admission) -> Permit {
        let Admission {
            turn,
            started,
            robot,
            waited: _,
        } = admission;
        // Another program sends the request, so it cannot be broken off from here.
        shared.state().dispatcher.lend(turn.id());
        Permit {
            turn,
            started,
            evidence: evidence(&robot, &request.origin, &request.url),
            request,
            shared,
        }
    }

    /// The robots.txt that permits the request.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// The verdict of robots.txt.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'_> {
        self.evidence.verdict()
    }

    /// Reports that the request ended with a response, and the time that the site asked to be left
    /// alone.
    pub fn finish(self, status: u16, retry_after: Option<RetryAfter>) {
        self.note(Site::Available);
        let reply = Reply::new(Ok(status), self.started).with_retry_after(retry_after);
        self.turn.finish(reply);
    }

    /// Notes the answer to a request whose body is on its way. The request ends when the permit is
    /// dropped.
    #[cfg(any(feature = "middleware", feature = "tower"))]
    pub(crate) fn answered(&mut self, status: StatusCode, headers: &HeaderMap) {
        let now = self.note(Site::Available);
        let reply = Reply::of_response(status, headers, self.started, now);
        self.turn.answered(reply);
    }

    /// Reports that the request ended without a response.
    pub fn fail(self, error: NetError) {
        if let Some(site) = site_after(error) {
            self.note(site);
        }
        self.turn.finish(Reply::new(Err(error), self.started));
    }

    /// Notes whether the site is there: a page that comes in an outage of robots.txt makes
    /// robots.txt due. Returns the time.
    fn note(&self, site: Site) -> Timestamp {
        let now = self.shared.clock.now();
        let mut state = self.shared.state();
        state.cache.set_site(&self.request.origin, site, now);
        now
    }
}

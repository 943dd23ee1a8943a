//! A permit: the turn of a host for a request that another program sends, such as a browser.

#[cfg(feature = "middleware")]
use http::{HeaderMap, StatusCode};
use polite_robots::Verdict;
use polite_robots_policy::{NetError, Reply, RetryAfter, Timestamp};

use crate::page::Admission;
use crate::turn::Turn;
use polite_robots_policy::Evidence;

/// The right to send one request for one URL now, with whatever client.
///
/// Report the end with [`Permit::finish`] or [`Permit::fail`]. A permit that is dropped counts as a request that the
/// crawler broke off: the gap is kept, and no error is counted. One that is kept for longer than the profile's
/// [`request_lease`](polite_robots_policy::PaceSettings::request_lease), 10 minutes by default, counts as ended. A permit does not follow redirects: ask for another one
/// for each target, and let the other client follow none by itself.
#[derive(Debug)]
pub struct Permit {
    turn: Turn,
    evidence: Evidence,
    started: Timestamp,
}

impl Permit {
    pub(crate) fn new(admission: Admission) -> Permit {
        let Admission {
            turn,
            started,
            evidence,
            waited: _,
        } = admission;
        Permit {
            turn,
            evidence,
            started,
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

    /// Reports that the request ended with a response, and the time that the site asked to be left alone.
    pub fn finish(self, status: u16, retry_after: Option<RetryAfter>) {
        let reply = Reply::new(Ok(status), self.started).with_retry_after(retry_after);
        self.turn.finish(reply);
    }

    /// Notes the answer to a request whose body is on its way. The request ends when the permit is dropped.
    #[cfg(feature = "middleware")]
    pub(crate) fn answered(&mut self, status: StatusCode, headers: &HeaderMap, now: Timestamp) {
        let reply = Reply::of_response(status, headers, self.started, now);
        self.turn.answered(reply);
    }

    /// Reports that the request ended without a response.
    pub fn fail(self, error: NetError) {
        self.turn.finish(Reply::new(Err(error), self.started));
    }
}

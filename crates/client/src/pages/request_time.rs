//! The time that a request of the client may take, body included.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use polite_robots_policy::Profile;
use tokio::time::Instant;
use url::Url;

use crate::error::Error;
use crate::turns::leases::LONGEST_LEASE;
use crate::turns::turn_guard::Way;

/// The time that a request of the client may take. A server that sends a byte now and then, or one
/// interim response after the other, would otherwise hold a call for ever, and after the lease of
/// the request a second one would run beside it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestTime {
    limit: Duration,
    begun: Instant,
    end: Instant,
}

/// The reason why a request was broken off before its end.
#[derive(Debug)]
pub(crate) enum BrokenOff {
    /// Its time was over.
    Overdue,
    /// It took long, and other hosts waited for its place.
    GaveWay,
}

impl RequestTime {
    /// The time of a request that starts now.
    pub(crate) fn start(profile: &Profile) -> RequestTime {
        let limit = longest_request(profile);
        let begun = Instant::now();
        RequestTime {
            limit,
            begun,
            end: begun + limit,
        }
    }

    /// Waits for a part of the request.
    pub(crate) async fn wait<T>(
        &self,
        way: &Way,
        part: impl Future<Output = T>,
    ) -> Result<T, BrokenOff> {
        let mut part = pin!(part);
        // Most pieces of a body have arrived already, and need no timer.
        let first = poll_fn(|context| Poll::Ready(part.as_mut().poll(context))).await;
        if let Poll::Ready(done) = first {
            return Ok(done);
        }
        let waited = tokio::time::timeout_at(self.end, way.unless_given(part)).await;
        waited
            .map_err(|_| BrokenOff::Overdue)?
            .ok_or(BrokenOff::GaveWay)
    }

    /// The error of the request for `url`.
    pub(crate) fn error(&self, url: &Url, why: &BrokenOff) -> Error {
        let url = url.to_string();
        match why {
            BrokenOff::Overdue => Error::Overdue {
                url,
                limit: self.limit,
            },
            BrokenOff::GaveWay => Error::Crowded {
                url,
                after: self.begun.elapsed(),
            },
        }
    }
}

/// The longest time of a request: a little less than its lease, so that it ends in the eyes of the
/// server before another one may start, and the host keeps its gap from there.
pub(crate) fn longest_request(profile: &Profile) -> Duration {
    let lease = profile.pace.request_lease.min(LONGEST_LEASE);
    lease.saturating_sub(lease / 60)
}

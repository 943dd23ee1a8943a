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
    /// The longest pause, where the HTTP client has no limit of its own.
    silence: Option<Duration>,
}

/// The reason why a request was broken off before its end.
#[derive(Debug)]
pub(crate) enum BrokenOff {
    /// Its time was over.
    Overdue,
    /// The server sent nothing for this time.
    Silent(Duration),
    /// It took long, and other hosts waited for its place.
    GaveWay,
}

impl RequestTime {
    /// The time of a request that starts now.
    pub(crate) fn start(profile: &Profile, silence: Option<Duration>) -> RequestTime {
        let limit = longest_request(profile);
        let begun = Instant::now();
        RequestTime {
            limit,
            begun,
            end: begun + limit,
            silence,
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
        let silence = self.silence.map(|limit| (Instant::now() + limit, limit));
        let (end, why) = match silence {
            Some((end, limit)) if end < self.end => (end, BrokenOff::Silent(limit)),
            _ => (self.end, BrokenOff::Overdue),
        };
        let waited = tokio::time::timeout_at(end, way.unless_given(part)).await;
        waited.map_err(|_| why)?.ok_or(BrokenOff::GaveWay)
    }

    /// The error of the request for `url`.
    pub(crate) fn error(&self, url: &Url, why: &BrokenOff) -> Error {
        let url = url.to_string();
        match why {
            BrokenOff::Overdue => Error::Overdue {
                url,
                limit: self.limit,
            },
            BrokenOff::Silent(limit) => Error::Silent { url, limit: *limit },
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

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_pause_is_as_long_as_its_limit_where_the_request_has_time_for_it() {
        let url = Url::parse("https://example.com/").unwrap();
        let profile = Profile::rfc9309();
        let way = Way::default();
        let wait = async |time: &RequestTime| {
            let begun = Instant::now();
            let why = time.wait(&way, pending::<()>()).await.unwrap_err();
            (begun.elapsed(), time.error(&url, &why))
        };
        let second = Duration::from_secs(1);
        let time = RequestTime::start(&profile, Some(30 * second));
        // Each part alone may take that long.
        for _ in 0..2 {
            let (waited, error) = wait(&time).await;
            assert_eq!(waited, 30 * second);
            assert!(matches!(error, Error::Silent { .. }), "{error}");
        }
        tokio::time::sleep_until(time.end - second).await;
        let (waited, error) = wait(&time).await;
        assert_eq!(waited, second);
        assert!(matches!(error, Error::Overdue { .. }), "{error}");

        let time = RequestTime::start(&profile, None);
        let (waited, _) = wait(&time).await;
        assert_eq!(waited, longest_request(&profile));
    }
}

//! The end of a request as the pace sees it, and the turn of a host.

use crate::headers::Headers;
use crate::net_error::NetError;
use crate::retry_after::RetryAfter;
use crate::time::Timestamp;

/// Whether a host may be asked now.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{Timestamp, Turn};
///
/// /// The time to sleep before the host is worth another question; `None`: until one of its requests has ended.
/// fn sleep(turn: Turn, now: Timestamp) -> Option<Duration> {
///     match turn {
///         Turn::Ready => Some(Duration::ZERO),
///         Turn::NotBefore(time) => Some(time.saturating_since(now)),
///         _ => None,
///     }
/// }
/// let now = Timestamp::from_millis(1_000);
/// assert_eq!(sleep(Turn::NotBefore(Timestamp::from_millis(3_000)), now), Some(Duration::from_secs(2)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Turn {
    /// Start a request now, and say so with `handle_start`.
    Ready,
    /// Not before this time; [`Timestamp::MAX`] never comes.
    NotBefore(Timestamp),
    /// The profile permits no further request until one ends, or its lease does.
    Busy,
    /// The profile leaves this host out, by
    /// [`LongDelayPolicy::SkipHost`](crate::settings::LongDelayPolicy::SkipHost).
    Skip,
}

/// The end of a request for a page or for robots.txt, which the pace of a host follows.
///
/// 401 and 403 do not slow the pace down: leave the page out. A [`Reply::retry_after`] counts with
/// each status but 2xx: RFC 9110 §10.2.3 has it with 503 and redirects, RFC 6585 §4 with 429, and
/// others mean it. With a 2xx only a [`Reply::rate_limit`] counts. [`NetError::Local`] says nothing
/// about the host: the request ends, and its gap is kept.
///
/// ```
/// use polite_robots_policy::{Reply, RetryAfter, Timestamp};
///
/// let started = Timestamp::from_millis(1_000);
/// let reply = Reply::new(Ok(429), started).with_retry_after(RetryAfter::parse("120"));
/// assert!(reply.retry_after.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Reply {
    /// The status, or why there is none.
    pub result: Result<u16, NetError>,
    /// The time that was given to `handle_start`. It names the request among several, gives the
    /// latency, and separates the answer to an old request from that to a new one.
    pub started: Timestamp,
    /// The wait that the response asks for, best by [`RetryAfter::of`].
    pub retry_after: Option<RetryAfter>,
    /// The wait by an exhausted rate limit, best by [`RetryAfter::of_limit`]; it counts with any
    /// status.
    pub rate_limit: Option<RetryAfter>,
    /// A sign in the content, if the caller looks for one.
    pub signal: Option<PageSignal>,
}

impl Reply {
    /// The reply to a response, with the wait that its headers ask for; see [`RetryAfter::of`].
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::{Reply, RetryAfter, Timestamp};
    ///
    /// let mut headers = http::HeaderMap::new();
    /// headers.insert("retry-after", http::HeaderValue::from_static("120"));
    /// let started = Timestamp::from_millis(1_767_225_600_000);
    /// let now = started.saturating_add(Duration::from_millis(300));
    /// let reply = Reply::of_response(http::StatusCode::TOO_MANY_REQUESTS, &headers, started, now);
    /// assert_eq!(reply.result, Ok(429));
    /// assert_eq!(reply.retry_after, Some(RetryAfter::Delay(Duration::from_secs(120))));
    /// ```
    #[cfg(feature = "http")]
    #[must_use]
    pub fn of_response(
        status: http::StatusCode,
        headers: &http::HeaderMap,
        started: Timestamp,
        now: Timestamp,
    ) -> Reply {
        let [retry_after, rate_limit] = RetryAfter::of_map(headers, now);
        Reply::new(Ok(status.as_u16()), started)
            .with_retry_after(retry_after)
            .with_rate_limit(rate_limit)
    }

    /// Like `Reply::of_response`, for the headers of any client.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::fetch::Headers;
    /// use polite_robots_policy::{Reply, RetryAfter, Timestamp};
    ///
    /// let mut headers = Headers::default();
    /// headers.insert("Retry-After", "120");
    /// let started = Timestamp::from_millis(1_767_225_600_000);
    /// let reply = Reply::of_headers(429, &headers, started, started);
    /// assert_eq!(reply.retry_after, Some(RetryAfter::Delay(Duration::from_secs(120))));
    /// ```
    #[must_use]
    pub fn of_headers(
        status: u16,
        headers: &Headers<'_>,
        started: Timestamp,
        now: Timestamp,
    ) -> Reply {
        Reply::new(Ok(status), started)
            .with_retry_after(RetryAfter::of(headers, now))
            .with_rate_limit(RetryAfter::of_limit(headers, now))
    }

    /// A reply without a wait or a signal.
    #[must_use]
    pub const fn new(result: Result<u16, NetError>, started: Timestamp) -> Reply {
        Reply {
            result,
            started,
            retry_after: None,
            rate_limit: None,
            signal: None,
        }
    }

    /// Sets [`Reply::retry_after`].
    #[must_use]
    pub const fn with_retry_after(mut self, retry_after: Option<RetryAfter>) -> Reply {
        self.retry_after = retry_after;
        self
    }

    /// Sets [`Reply::rate_limit`].
    #[must_use]
    pub const fn with_rate_limit(mut self, rate_limit: Option<RetryAfter>) -> Reply {
        self.rate_limit = rate_limit;
        self
    }

    /// Sets [`Reply::signal`].
    #[must_use]
    pub const fn with_signal(mut self, signal: Option<PageSignal>) -> Reply {
        self.signal = signal;
        self
    }
}

/// Signs that a site does not want the crawler, which only its content shows. The caller has to
/// look for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageSignal {
    /// A test whether the visitor is human. The host rests; never solve it.
    Challenge,
    /// A valid response with content that is made up for robots. The host is asked far less often.
    SoftBlock,
    /// Links that only a crawler sees. The pace stays; leave such links out.
    Honeypot,
}

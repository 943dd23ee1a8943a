//! The end of a request as the pace sees it, and the turn of a host.

use crate::net_error::NetError;
use crate::retry_after::RetryAfter;
use crate::time::Timestamp;

/// Whether a host may be asked now.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{Timestamp, Turn};
///
/// /// How long to sleep before the host may be worth another question; `None`: until one of its requests has ended.
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
    /// As many requests are on their way as the profile permits; one has to end first.
    Busy,
    /// The profile leaves this host out, by [`LongDelayPolicy::SkipHost`](crate::LongDelayPolicy::SkipHost).
    Skip,
}

/// How a request ended, of a page or of robots.txt: what the pace of a host follows.
///
/// 401 and 403 do not change the pace: leave the page out. A `Retry-After` counts with a 429 and a 503.
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
    /// When the request began: gives the latency, and tells an answer to an old request from news.
    pub started: Timestamp,
    /// The `Retry-After` of the response.
    pub retry_after: Option<RetryAfter>,
    /// What the content says, if the caller looks.
    pub signal: Option<PageSignal>,
}

impl Reply {
    /// Without a `Retry-After` and a signal.
    #[must_use]
    pub const fn new(result: Result<u16, NetError>, started: Timestamp) -> Reply {
        Reply {
            result,
            started,
            retry_after: None,
            signal: None,
        }
    }

    /// Sets [`Reply::retry_after`].
    #[must_use]
    pub const fn with_retry_after(mut self, retry_after: Option<RetryAfter>) -> Reply {
        self.retry_after = retry_after;
        self
    }

    /// Sets [`Reply::signal`].
    #[must_use]
    pub const fn with_signal(mut self, signal: Option<PageSignal>) -> Reply {
        self.signal = signal;
        self
    }
}

/// Signs that a site does not want the crawler, which only its content shows. To see them is the caller's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageSignal {
    /// A test that one is human. The host rests; never solve it.
    Challenge,
    /// A valid response with content that is made up for robots. The host is asked far less often.
    SoftBlock,
    /// Links that only a crawler sees. The pace stays; leave such links out.
    Honeypot,
}

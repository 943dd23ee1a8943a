//! The reasons why a request gives no response, each with what a caller needs to go on.

use std::fmt;
use std::iter;
use std::time::{Duration, SystemTime};

use polite_robots::{Cause, InvalidUrl};
use polite_robots_policy::cache::Evidence;
use polite_robots_policy::{Origin, Timestamp};

use crate::egress::Refusal;
#[cfg(feature = "sign")]
use crate::identity::sign::sign_error::SignError;
use crate::store::store_error::StoreError;

pub(crate) mod build_error;

pub use self::build_error::BuildError;

/// The reason why a request gives no response.
///
/// | error | cause | what a crawler does with the URL |
/// |---|---|---|
/// | [`Error::Disallowed`] | a rule of the site | drops it |
/// | [`Error::Closed`] | an outage of robots.txt, not a rule | keeps it until [`Error::retry_at`] |
/// | [`Error::Busy`] | the host's pace | keeps it until [`Error::retry_at`] |
/// | [`Error::Refused`] | the client's own [`Egress`](crate::Egress) | drops it |
/// | [`Error::Redirect`], [`Error::TooLarge`], [`Error::Undecodable`] | the response | drops it |
/// | [`Error::Crowded`] | a slow response while many hosts wait | tries a few times |
/// | [`Error::Http`], [`Error::Overdue`], [`Error::Silent`] | the connection | tries a few times |
/// | [`Error::InvalidUrl`] | the URL | drops it |
/// | [`Error::NotOwned`] | the division of hosts among machines | sends it to the owner |
/// | [`Error::Store`] | the store | tries again when the store is back |
/// | [`Error::Stopped`] | the client was dropped | keeps it |
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The rules of the site disallow the URL, or the target of a redirect.
    #[error("{0}")]
    Disallowed(Evidence),
    /// The robots.txt of the site cannot be fetched, so that nothing of the site may be.
    #[error("{origin} is closed since {since}: {cause}; {}", Retry(*retry_at))]
    Closed {
        /// The site.
        origin: Origin,
        /// The reason why robots.txt is not known.
        cause: Cause,
        /// The first round that failed.
        since: Timestamp,
        /// The next round; `None` if the site was given up.
        retry_at: Option<Timestamp>,
    },
    /// The host cannot be asked within the time that the caller waits.
    #[error("{host} is busy: {why}; {}", Retry(*until))]
    Busy {
        /// The host.
        host: String,
        /// The first moment at which a request might start; `None` if it is not known.
        until: Option<Timestamp>,
        /// The reason.
        why: BusyReason,
    },
    /// The address of the host is one that the client must not connect to.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A redirect that cannot be followed.
    #[error("{}: {why}", Chain(chain))]
    Redirect {
        /// The URLs that were asked for, in order; the last one gave the redirect.
        chain: Vec<String>,
        /// The reason.
        why: RedirectProblem,
    },
    /// The body is longer than the client reads.
    #[error("{url} is longer than {limit} bytes")]
    TooLarge {
        /// The URL of the response.
        url: String,
        /// The limit in bytes, after decoding.
        limit: u64,
    },
    /// The body is not in the coding that its `Content-Encoding` names, ends before its coding
    /// does, or needs more memory than its decoder may take.
    #[error("{url} has a body that is not in its content coding")]
    Undecodable {
        /// The URL of the response.
        url: String,
    },
    /// The response did not come to its end in the time of a request, the profile's
    /// [`request_lease`](polite_robots_policy::settings::PaceSettings::request_lease). The client
    /// broke it off.
    #[error("{url} did not end within {limit:?}")]
    Overdue {
        /// The URL of the request.
        url: String,
        /// The longest time of a request.
        limit: Duration,
    },
    /// The server sent nothing for the time `limit`, before its response or within it. The client
    /// broke it off. An HTTP client with a `read_timeout` of its own ends with [`Error::Http`]
    /// instead.
    #[error("{url} sent nothing for {limit:?}")]
    Silent {
        /// The URL of the request.
        url: String,
        /// The longest pause.
        limit: Duration,
    },
    /// The response took long, all places of the client were taken, and other hosts waited, so the
    /// client broke it off; see
    /// [`PoliteClientBuilder::max_in_flight`](crate::PoliteClientBuilder::max_in_flight). The host
    /// has shown itself slow or large, and its next request waits for a place among its like.
    #[error("{url} was broken off after {after:?}, as other hosts waited for its place")]
    Crowded {
        /// The URL of the request.
        url: String,
        /// The time that it had.
        after: Duration,
    },
    /// The request failed in the HTTP client. `From` makes it of an error of reqwest, unless that
    /// one holds a [`Refusal`].
    #[error(transparent)]
    Http(reqwest::Error),
    /// The URL is not valid, or of a kind that has no robots.txt, such as `mailto:`.
    #[error(transparent)]
    InvalidUrl(#[from] InvalidUrl),
    /// The URL cannot be parsed.
    #[error("{url:?} is no URL: {why}")]
    UnreadableUrl {
        /// The URL as it was given.
        url: String,
        /// The reason.
        why: url::ParseError,
    },
    /// The host of the URL is another client's: it was handed over, or is not of the part that
    /// [`PoliteClientBuilder::part`](crate::PoliteClientBuilder::part) gives. The URL may be the
    /// target of a redirect.
    #[error("{url} belongs to another client")]
    NotOwned {
        /// The URL, which the other client has to fetch.
        url: String,
    },
    /// The store failed, so that the pace of the host is not known.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The request cannot be signed. Nothing was sent.
    #[cfg(feature = "sign")]
    #[error(transparent)]
    Sign(#[from] SignError),
    /// The client cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The client was shut down while the request waited.
    #[error("the client was shut down before the request was sent")]
    Stopped,
}

/// The reason why a host cannot be asked in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BusyReason {
    /// The turn of the host comes later than the caller waits, because of its gap, its back-off or
    /// its `Retry-After`.
    Turn {
        /// The longest time that the caller waits.
        max_wait: Duration,
    },
    /// The queue of callers that wait for the host is full.
    Queue {
        /// The number of callers.
        waiters: usize,
    },
    /// The `Crawl-delay` of the host is longer than the profile takes.
    LongCrawlDelay,
    /// No memory was free for the robots.txt of the site; see
    /// [`PoliteClientBuilder::robots_capacity`](crate::PoliteClientBuilder::robots_capacity).
    Memory,
    /// The robots.txt of the site did not come in time.
    RobotsTxt,
    /// The host could be asked, but its other requests or those that hold all places of the client
    /// did not end in time; see
    /// [`PoliteClientBuilder::max_in_flight`](crate::PoliteClientBuilder::max_in_flight).
    Requests,
    /// The robots.txt of the site took long while other hosts waited for its place; see
    /// [`PoliteClientBuilder::max_in_flight`](crate::PoliteClientBuilder::max_in_flight).
    Crowded,
    /// The robots.txt of the site was not asked for, as this process may open no more files; see
    /// [`PoliteClientBuilder::max_idle`](crate::PoliteClientBuilder::max_idle).
    OpenFiles,
    /// The robots.txt of the site was not asked for, as the network of this machine failed.
    Network,
}

/// The reason why a redirect cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RedirectProblem {
    /// More redirects than the client follows.
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// The target is one of the URLs that were asked for.
    Loop,
    /// The target is not a URL of http or https.
    InvalidTarget(String),
    /// A foreign client followed the redirect by itself, without asking robots.txt: build it with
    /// `redirect(Policy::none())`.
    FollowedUnasked,
}

impl Error {
    /// The moment at which the same request may succeed, if the error is one that passes with time
    /// and the moment is known.
    #[must_use]
    pub fn retry_at(&self) -> Option<Timestamp> {
        match self {
            Error::Closed { retry_at, .. } => *retry_at,
            Error::Busy { until, .. } => *until,
            _ => None,
        }
    }

    /// The time until [`Error::retry_at`] by the clock of this machine, to sleep for.
    ///
    /// ```no_run
    /// # use polite_robots_client::{Error, PoliteClient, Response};
    /// # async fn example(client: &PoliteClient, url: &str) -> Result<Response, Error> {
    /// loop {
    ///     match client.get(url).await {
    ///         Err(error @ Error::Busy { .. }) => match error.retry_in() {
    ///             Some(wait) => tokio::time::sleep(wait).await,
    ///             None => return Err(error),
    ///         },
    ///         page => return page,
    ///     }
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn retry_in(&self) -> Option<Duration> {
        let now = Timestamp::from(SystemTime::now());
        Some(self.retry_at()?.saturating_since(now))
    }

    /// The error of this crate in an error of other layers, or among its sources.
    ///
    /// ```
    /// use polite_robots_client::{Error, Request};
    ///
    /// let error = Request::get("mailto:a@b.example").unwrap_err();
    /// let error: Box<dyn std::error::Error> = error.into();
    /// assert!(matches!(Error::of(&*error), Some(Error::InvalidUrl(_))));
    /// ```
    #[must_use]
    pub fn of<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e Error> {
        let mut errors = iter::successors(Some(error), |error| error.source());
        errors.find_map(|error| error.downcast_ref::<Error>())
    }
}

/// An error with a [`Refusal`] among its sources is [`Error::Refused`].
impl From<reqwest::Error> for Error {
    fn from(error: reqwest::Error) -> Error {
        match Refusal::of(&error) {
            Some(refusal) => Error::Refused(refusal),
            None => Error::Http(error),
        }
    }
}

impl fmt::Display for BusyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BusyReason::Turn { max_wait } => {
                write!(f, "its turn is beyond the {max_wait:?} that a call waits")
            }
            BusyReason::Requests => f.write_str("other requests did not end in time"),
            BusyReason::Queue { waiters } => write!(f, "{waiters} requests wait for it already"),
            BusyReason::LongCrawlDelay => f.write_str("its Crawl-delay is too long"),
            BusyReason::Memory => f.write_str("no memory is free for its robots.txt"),
            BusyReason::RobotsTxt => f.write_str("its robots.txt did not come in time"),
            BusyReason::Crowded => {
                f.write_str("its robots.txt took long while other hosts waited for its place")
            }
            BusyReason::OpenFiles => f.write_str("this process may open no more files"),
            BusyReason::Network => f.write_str("the network of this machine failed"),
        }
    }
}

impl fmt::Display for RedirectProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedirectProblem::TooMany { limit } => write!(f, "more than {limit} redirects"),
            RedirectProblem::Loop => f.write_str("the redirects are a loop"),
            RedirectProblem::FollowedUnasked => {
                f.write_str("the HTTP client followed the redirect by itself, unchecked")
            }
            RedirectProblem::InvalidTarget(target) => {
                write!(
                    f,
                    "a redirect to {target:?}, which is no URL of http or https"
                )
            }
        }
    }
}

/// The time of the next try, as the end of a sentence.
struct Retry(Option<Timestamp>);

impl fmt::Display for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(moment) => write!(f, "try again at {moment}"),
            None => f.write_str("no next try is planned"),
        }
    }
}

/// The first and the last URL of a chain of redirects.
struct Chain<'a>(&'a [String]);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("redirect"),
            [only] => f.write_str(only),
            [first, .., last] => write!(f, "{last} (redirected from {first})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use polite_robots::Robot;

    use super::*;
    use crate::egress::Egress;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

    fn disallowed(hops: &[&str]) -> Error {
        let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /private").unwrap();
        let evidence = Evidence::new(
            robot,
            "https://example.com/private/a",
            "https://example.com/robots.txt",
        );
        let hops = hops.iter().map(|hop| (*hop).to_owned()).collect();
        Error::Disallowed(evidence.with_redirects(hops))
    }

    #[test]
    fn a_disallowed_url_names_its_rule() {
        let error = disallowed(&[]);
        let text = error.to_string();
        for part in [
            "https://example.com/robots.txt",
            "disallowed",
            "/private",
            "line 2",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let Error::Disallowed(evidence) = error else {
            panic!()
        };
        assert_eq!(evidence.verdict().rule().map(|rule| rule.line()), Some(2));
        assert_eq!(evidence.url(), "https://example.com/private/a");
        assert!(!evidence.is_allowed());
    }

    #[test]
    fn a_disallowed_redirect_names_where_it_began() {
        let text = disallowed(&["https://example.com/a", "https://example.com/b"]).to_string();
        assert!(
            text.ends_with(" (redirected from https://example.com/a)"),
            "{text}"
        );
    }

    #[test]
    fn each_error_is_a_sentence() {
        let url = "http://10.0.0.1/".parse().unwrap();
        let chain = ["https://a.example/", "https://b.example/"]
            .map(str::to_owned)
            .into();
        for (error, expected) in [
            (
                Error::Closed {
                    origin: Origin::of("https://example.com").unwrap(),
                    cause: Cause::Status(503),
                    since: START,
                    retry_at: Some(START.saturating_add(Duration::from_secs(60))),
                },
                "https://example.com is closed since 2026-01-01T00:00:00Z: robots.txt answered with status 503; try \
                 again at 2026-01-01T00:01:00Z",
            ),
            (
                Error::Closed {
                    origin: Origin::of("https://example.com").unwrap(),
                    cause: Cause::GaveUp,
                    since: START,
                    retry_at: None,
                },
                &format!(
                    "https://example.com is closed since 2026-01-01T00:00:00Z: {}; no next try is planned",
                    Cause::GaveUp
                ),
            ),
            (
                Error::Busy {
                    host: "example.com".to_owned(),
                    until: Some(START),
                    why: BusyReason::Turn {
                        max_wait: Duration::from_secs(30),
                    },
                },
                "example.com is busy: its turn is beyond the 30s that a call waits; try again at 2026-01-01T00:00:00Z",
            ),
            (
                Error::Busy {
                    host: "example.com".to_owned(),
                    until: Some(START),
                    why: BusyReason::Requests,
                },
                "example.com is busy: other requests did not end in time; try again at 2026-01-01T00:00:00Z",
            ),
            (
                Error::Busy {
                    host: "example.com".to_owned(),
                    until: None,
                    why: BusyReason::Queue { waiters: 64 },
                },
                "example.com is busy: 64 requests wait for it already; no next try is planned",
            ),
            (
                Error::Busy {
                    host: "example.com".to_owned(),
                    until: Some(START),
                    why: BusyReason::Memory,
                },
                "example.com is busy: no memory is free for its robots.txt; try again at 2026-01-01T00:00:00Z",
            ),
            (
                Error::Crowded {
                    url: "https://example.com/a".to_owned(),
                    after: Duration::from_secs(12),
                },
                "https://example.com/a was broken off after 12s, as other hosts waited for its place",
            ),
            (
                Error::from(Egress::default().check_url(&url).unwrap_err()),
                "connection to 10.0.0.1 refused: 10.0.0.1 is a private address",
            ),
            (
                Error::Redirect {
                    chain,
                    why: RedirectProblem::TooMany { limit: 5 },
                },
                "https://b.example/ (redirected from https://a.example/): more than 5 redirects",
            ),
            (
                Error::Redirect {
                    chain: vec!["https://a.example/".to_owned()],
                    why: RedirectProblem::InvalidTarget("ftp://x/".to_owned()),
                },
                "https://a.example/: a redirect to \"ftp://x/\", which is no URL of http or https",
            ),
            (
                Error::TooLarge {
                    url: "https://example.com/a".to_owned(),
                    limit: 10,
                },
                "https://example.com/a is longer than 10 bytes",
            ),
            (
                Error::Stopped,
                "the client was shut down before the request was sent",
            ),
        ] {
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn an_outage_and_a_wait_say_when_to_come_back() {
        let busy = |until| Error::Busy {
            host: "example.com".to_owned(),
            until,
            why: BusyReason::LongCrawlDelay,
        };
        assert_eq!(busy(Some(START)).retry_at(), Some(START));
        assert_eq!(busy(None).retry_at(), None);
        // The time is past by the clock of this machine.
        assert_eq!(busy(Some(START)).retry_in(), Some(Duration::ZERO));
        assert_eq!(busy(None).retry_in(), None);
        let closed = Error::Closed {
            origin: Origin::of("https://example.com").unwrap(),
            cause: Cause::Unreachable,
            since: Timestamp::EPOCH,
            retry_at: Some(START),
        };
        assert_eq!(closed.retry_at(), Some(START));
        assert_eq!(disallowed(&[]).retry_at(), None);
        assert_eq!(Error::from(Origin::of("x:y").unwrap_err()).retry_at(), None);
    }

    #[test]
    fn an_error_is_found_below_those_of_other_layers() {
        #[derive(Debug, thiserror::Error)]
        #[error("a layer failed")]
        struct Layer(#[source] Error);

        let layers = std::io::Error::other(Layer(Error::Stopped));
        assert!(matches!(Error::of(&layers), Some(Error::Stopped)));
        assert!(Error::of(&std::io::Error::other("no such error")).is_none());
    }

    /// A result of a request is passed through many functions.
    #[test]
    fn an_error_is_small() {
        assert!(size_of::<Error>() <= 96, "{}", size_of::<Error>());
    }
}

//! The outcome of a round.

use alloc::boxed::Box;

use polite_robots::{Access, Cause, RobotsTxt};

use crate::access::freshness::Freshness;
use crate::access::response::body_end::BodyEnd;
use crate::headers::Headers;
use crate::retry_after::RetryAfter;

/// The end of a round: the input of [`Entry::handle`](crate::Entry::handle).
///
/// A [`Fetch`](crate::fetch::Fetch) makes it; a crawler that fetches in its own way can make it
/// too:
///
/// ```
/// use polite_robots_policy::Outcome;
/// use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
/// use polite_robots::{Cause, RobotsTxt};
///
/// fn outcome(status: u16, body: &[u8]) -> Outcome {
///     match status {
///         200 => Outcome::Parsed {
///             robots_txt: RobotsTxt::parse(body),
///             freshness: Freshness::default(),
///             validators: Validators::default(),
///             end: BodyEnd::Complete,
///         },
///         404 => Outcome::Unavailable(Cause::Status(status)),
///         _ => Outcome::Unreachable { cause: Cause::Status(status), retry_after: None },
///     }
/// }
/// assert!(matches!(outcome(503, b""), Outcome::Unreachable { .. }));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Outcome {
    /// 304: the copy at hand is still good.
    NotModified(Freshness),
    /// 2xx: a robots.txt.
    Parsed {
        /// The file.
        robots_txt: RobotsTxt,
        /// The lifetime that the server gives.
        freshness: Freshness,
        /// The validators for the next round.
        validators: Validators,
        /// Whether it is all of the file.
        end: BodyEnd,
    },
    /// There is no robots.txt: everything may be fetched (RFC 9309 §2.3.1.3).
    Unavailable(Cause),
    /// The site wants no crawler, by
    /// [`AccessPolicy::Disallow`](crate::settings::AccessPolicy::Disallow).
    Forbidden(Cause),
    /// [`Outcome::Unavailable`] or [`Outcome::Forbidden`] by a response that states its lifetime,
    /// such as the 404 of a deploy with `max-age=60`.
    Blanket {
        /// Whether everything may be fetched, or nothing.
        access: Access,
        /// The reason.
        cause: Cause,
        /// The lifetime that the server gives.
        freshness: Freshness,
    },
    /// No answer to the question: an outage (RFC 9309 §2.3.1.4).
    Unreachable {
        /// The reason.
        cause: Cause,
        /// How long the server asked to be left alone.
        retry_after: Option<RetryAfter>,
    },
    /// The round failed by the crawler's own fault ([`NetError::Local`](crate::NetError::Local)).
    /// It says nothing about the site: no outage begins, no failure is counted.
    Local,
}

impl Outcome {
    /// A stable name for machines: `not_modified`, `parsed`, `unavailable`, `forbidden`, `blanket`,
    /// `unreachable`, `local`.
    ///
    /// ```
    /// use polite_robots::Cause;
    /// use polite_robots_policy::Outcome;
    ///
    /// assert_eq!(Outcome::Unavailable(Cause::Status(404)).as_str(), "unavailable");
    /// ```
    pub const fn as_str(&self) -> &'static str {
        match self {
            Outcome::NotModified(_) => "not_modified",
            Outcome::Parsed { .. } => "parsed",
            Outcome::Unavailable(_) => "unavailable",
            Outcome::Forbidden(_) => "forbidden",
            Outcome::Blanket { .. } => "blanket",
            Outcome::Unreachable { .. } => "unreachable",
            Outcome::Local => "local",
        }
    }
}

/// The validators of a conditional request (RFC 9110 §8.8, §13.1): send `etag` as `If-None-Match`
/// and `last_modified` as `If-Modified-Since`, both byte for byte.
///
/// ```
/// use polite_robots_policy::fetch::{Headers, Validators};
///
/// let mut headers = Headers::default();
/// headers.insert("ETag", "\"v1\"");
/// let validators = Validators::of(&headers);
/// let conditions = [("If-None-Match", &validators.etag), ("If-Modified-Since", &validators.last_modified)];
/// let sent: Vec<_> = conditions.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect();
/// assert_eq!(sent, [("If-None-Match", "\"v1\"")]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Validators {
    /// The `ETag` of the copy.
    pub etag: Option<Box<str>>,
    /// The `Last-Modified` of the copy.
    pub last_modified: Option<Box<str>>,
}

impl Validators {
    /// The validators of a response.
    #[must_use]
    pub fn of(headers: &Headers<'_>) -> Validators {
        Validators {
            etag: headers.etag.map(Box::from),
            last_modified: headers.last_modified.map(Box::from),
        }
    }

    /// Whether there is nothing to compare with.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// The bytes of both values, which may be as long as the site likes.
    pub(crate) fn bytes(&self) -> usize {
        let values = [&self.etag, &self.last_modified].into_iter().flatten();
        values.map(|value| value.len()).sum()
    }
}

//! A response for robots.txt, and the outcome of a round.

use alloc::boxed::Box;

use polite_robots::{Access, Cause, RobotsTxt};

use crate::access::freshness::Freshness;
use crate::headers::Headers;
use crate::headers::coding::is_encoded;
use crate::retry_after::RetryAfter;

/// The response to one request for robots.txt.
///
/// ```
/// use polite_robots_policy::{BodyEnd, Headers, Response};
///
/// let response = Response {
///     status: 200,
///     headers: Headers::default(),
///     body: b"User-agent: *\nDisallow: /x",
///     end: BodyEnd::Complete,
/// };
/// assert_eq!(response.status, 200);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response<'a> {
    /// The status; any number is taken.
    pub status: u16,
    /// The header fields that matter.
    pub headers: Headers<'a>,
    /// The body with its content coding (gzip and the like) undone; as far as it was read. One that
    /// is still [encoded](Response::is_encoded) opens nothing. One in UTF-16 with its mark is read.
    pub body: &'a [u8],
    /// Whether that is all of it.
    pub end: BodyEnd,
}

impl Response<'_> {
    /// Whether the body is no text, and so no robots.txt: it is still in the coding that
    /// `Content-Encoding` names, it begins as gzip, compress, Zstandard or zip do, or it is in
    /// UTF-16 without a byte order mark. With a status of 2xx that is [`Cause::Encoded`]: the last
    /// good copy counts, without one nothing may be fetched, and no time opens the site. A body
    /// with the mark of UTF-16 is read.
    ///
    /// A client that undoes the coding removes the field, as reqwest does. If it stays, only a body
    /// that cannot be text counts as encoded.
    ///
    /// | body | RFC 9309 | Google | IBM | here, in each profile |
    /// |---|---|---|---|---|
    /// | in a coding that was not undone | silent; RFC 9110 §8.4: the coding is no part of the file | undoes gzip, deflate and br; of other content it reads what it can, which opens the site | silent; content with errors has no rules | encoded: we differ, as the owner has a file |
    /// | an archive, a coding that is not announced | §2.2: text in UTF-8 | reads what it can | no rules | encoded: we differ |
    /// | UTF-16 with its mark | §2.2: UTF-8 | "may ignore characters that are not part of the UTF-8 range" | silent | decoded: we differ |
    /// | UTF-16 without, UTF-32 | §2.2 | the same | silent | encoded: we differ |
    /// | HTML, other text | §2.3.1.5: the parseable rules | the same | no rules | as the source says |
    ///
    /// ```
    /// use polite_robots_policy::{BodyEnd, Headers, Response};
    ///
    /// let mut headers = Headers::default();
    /// headers.insert("Content-Encoding", "br");
    /// let body = b"\x8B\x0C\x80User-agent: *\nDisallow: /\n\x03";
    /// let response = Response { status: 200, headers, body, end: BodyEnd::Complete };
    /// assert!(response.is_encoded());
    /// ```
    #[must_use]
    pub fn is_encoded(&self) -> bool {
        is_encoded(self.body, self.headers.content_encoding)
    }
}

/// How the reading of a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum BodyEnd {
    /// All of it was read.
    Complete,
    /// The connection broke, the chunks were malformed, or fewer bytes came than `Content-Length`
    /// said. Google takes that for an error of the server, IBM disqualifies the site.
    CutShort,
    /// The caller stopped at `max_bytes` of the [`Request`](crate::Request).
    LimitReached,
}

/// The end of a round: the input of [`Entry::handle`](crate::Entry::handle).
///
/// A [`Fetch`](crate::Fetch) makes it; a crawler that fetches in its own way can make it too:
///
/// ```
/// use polite_robots_policy::{BodyEnd, Freshness, Outcome, Validators};
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
    /// The site wants no crawler, by [`AccessPolicy::Disallow`](crate::AccessPolicy::Disallow).
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

/// The validators of a conditional request (RFC 9110 §8.8, §13.1): send `etag` as `If-None-Match`
/// and `last_modified` as `If-Modified-Since`, both byte for byte.
///
/// ```
/// use polite_robots_policy::{Headers, Validators};
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

//! How the reading of a body ended.

/// How the reading of a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum BodyEnd {
    /// All of it was read, and the client has seen the end of the header.
    Complete,
    /// The connection broke, the chunks were malformed, or fewer bytes came than `Content-Length`
    /// said. Google takes that for an error of the server, IBM disqualifies the site.
    CutShort,
    /// The caller stopped at `max_bytes` of the [`RobotsRequest`](crate::fetch::RobotsRequest).
    LimitReached,
    /// A decoder of the client failed: the bytes are not in the coding that the header names.
    Undecodable,
    /// Like [`BodyEnd::Complete`], for a client that takes the end of the connection for the end of
    /// the header, as Python's `http.client` does, and with it `requests` and `urllib`. An empty
    /// body or a redirect then counts only if the header states a length or chunks.
    Unproven,
}

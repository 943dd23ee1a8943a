//! The ways in which a request can fail without a response.

/// The reason why there is no response.
///
/// For access all of them but [`NetError::Local`] and [`NetError::Encoded`] count alike, as errors
/// of the server (RFC 9309 §2.3.1.4; Google). For the pace of a host see
/// [`PaceSettings::refusals`](crate::PaceSettings::refusals).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NetError {
    /// The host has no address, or its name servers did not answer.
    Dns,
    /// The connection was refused or took too long.
    Connect,
    /// The response took too long.
    Read,
    /// The connection was reset or closed.
    Reset,
    /// No secure connection: certificate, protocol.
    Tls,
    /// The response is not HTTP.
    InvalidResponse,
    /// The fault is the crawler's own: its network is down, its resolver does not answer, it is
    /// shutting down. Says nothing about the site.
    Local,
    /// Anything else.
    Other,
    /// The body is in a coding that cannot be undone, though the response names it. For a
    /// robots.txt that is [`Cause::Encoded`](polite_robots::Cause::Encoded), like any body that is
    /// no text.
    Encoded,
}

//! The ways in which a request can fail without a response.

/// Why there is no response. All of them count alike for access, as errors of the server (RFC 9309 §2.3.1.4; Google);
/// for the pace of a host see [`PaceSettings::refusals`](crate::PaceSettings::refusals).
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
    /// What came is not HTTP.
    InvalidResponse,
    /// Anything else.
    Other,
}

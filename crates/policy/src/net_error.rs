//! The ways in which a request can fail without a response.

use core::error::Error;
#[cfg(feature = "std")]
use std::io::{self, ErrorKind};

/// The reason why there is no response.
///
/// For access all of them but [`NetError::Local`] and [`NetError::Encoded`] count alike, as errors
/// of the server (RFC 9309 §2.3.1.4; Google). For the pace of a host see
/// [`PaceSettings::refusals`](crate::settings::PaceSettings::refusals).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// The response began and broke off: a half of a body, or malformed chunks. For a robots.txt
    /// that is [`Cause::Truncated`](polite_robots::Cause::Truncated).
    CutShort,
    /// The body is in a coding that cannot be undone, though the response names it. For a
    /// robots.txt that is [`Cause::Encoded`](polite_robots::Cause::Encoded), like any body that is
    /// no text.
    Encoded,
}

impl NetError {
    /// The kind of an error of an HTTP client, by the error of the system among its sources;
    /// [`NetError::Other`] if there is none that says more.
    ///
    /// A fault of the crawler itself is [`NetError::Local`]: its network is down or unreachable, no
    /// port or file descriptor is left. Without `std` every error is [`NetError::Other`].
    ///
    /// ```
    /// use std::io;
    ///
    /// use polite_robots_policy::NetError;
    ///
    /// let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
    /// assert_eq!(NetError::of(&refused), NetError::Connect);
    /// assert_eq!(NetError::of(&io::Error::other(refused)), NetError::Connect);
    /// ```
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> NetError {
        core::iter::successors(Some(error), |error| source(*error))
            .filter_map(kind)
            .last()
            .unwrap_or(NetError::Other)
    }
}

/// Takes the error of any HTTP client for its [kind](NetError::of), so that `?` does.
impl<E: Error + 'static> From<E> for NetError {
    fn from(error: E) -> NetError {
        NetError::of(&error)
    }
}

fn source<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    #[cfg(feature = "std")]
    if let Some(content) = error.downcast_ref().and_then(io::Error::get_ref) {
        // An error of the system that wraps another one names the source of that one.
        return Some(content);
    }
    error.source()
}

#[cfg(feature = "std")]
fn kind(error: &(dyn Error + 'static)) -> Option<NetError> {
    let error = error.downcast_ref::<io::Error>()?;
    Some(match error.kind() {
        ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable => NetError::Connect,
        ErrorKind::TimedOut => NetError::Read,
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof => NetError::Reset,
        ErrorKind::NetworkDown
        | ErrorKind::NetworkUnreachable
        | ErrorKind::AddrNotAvailable
        | ErrorKind::AddrInUse => NetError::Local,
        _ if error
            .raw_os_error()
            .is_some_and(|code| NO_DESCRIPTOR.contains(&code)) =>
        {
            NetError::Local
        }
        _ => return None,
    })
}

#[cfg(not(feature = "std"))]
fn kind(_error: &(dyn Error + 'static)) -> Option<NetError> {
    None
}

/// `ENFILE` and `EMFILE`: no file descriptor is left. The numbers are those of every Unix; other
/// systems count otherwise.
#[cfg(feature = "std")]
const NO_DESCRIPTOR: &[i32] = if cfg!(unix) { &[23, 24] } else { &[] };

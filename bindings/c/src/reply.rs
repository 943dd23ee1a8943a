//! The end of a request as a program in C reports it.

use polite_robots_policy::fetch::{BodyEnd, Headers};
use polite_robots_policy::{NetError, PageSignal};

use crate::text::polite_str;

/// A field of a response's header, as it came: any bytes. The fields are in any order, and several
/// may have the same name. A plain value of the caller, read only during the call, on any thread.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_header {
    /// The name, in any case.
    pub name: polite_str,
    /// The value.
    pub value: polite_str,
}

/// How the reading of a body ended.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_body_end {
    /// All of it was read, and the client has seen the end of the header.
    POLITE_BODY_COMPLETE = 0,
    /// The connection broke, the chunks were malformed, or fewer bytes came than `Content-Length`
    /// said. Values that this version does not know count as this one.
    POLITE_BODY_CUT_SHORT = 1,
    /// The caller stopped at `max_bytes`.
    POLITE_BODY_LIMIT_REACHED = 2,
    /// A decoder of the client failed: the bytes are not in the coding that the header names.
    POLITE_BODY_UNDECODABLE = 3,
    /// Complete, by a client that takes the end of the connection for the end of the header.
    POLITE_BODY_UNPROVEN = 4,
}

/// The reason why there is no response.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_net_error {
    /// Anything else. Values that this version does not know count as this one.
    POLITE_NET_OTHER = 0,
    /// The host has no address, or its name servers did not answer.
    POLITE_NET_DNS = 1,
    /// The connection was refused or took too long.
    POLITE_NET_CONNECT = 2,
    /// The response took too long.
    POLITE_NET_READ = 3,
    /// The connection was reset or closed.
    POLITE_NET_RESET = 4,
    /// No secure connection: certificate, protocol.
    POLITE_NET_TLS = 5,
    /// The response is not HTTP.
    POLITE_NET_INVALID_RESPONSE = 6,
    /// The fault is the crawler's own, such as a network that is down. It says nothing about the
    /// site.
    POLITE_NET_LOCAL = 7,
    /// The response began and broke off.
    POLITE_NET_CUT_SHORT = 8,
    /// The body is in a coding that cannot be undone, though the response names it.
    POLITE_NET_ENCODED = 9,
}

/// A sign in the content of a page that a site does not want the crawler. The caller looks for it.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_signal {
    /// None, or nobody looked. Values that this version does not know count as this one.
    POLITE_SIGNAL_NONE = 0,
    /// A test whether the visitor is human. The host rests; never solve it.
    POLITE_SIGNAL_CHALLENGE = 1,
    /// Content that is made up for robots. The host is asked far less often.
    POLITE_SIGNAL_SOFT_BLOCK = 2,
    /// Links that only a crawler sees. The pace stays; leave such links out.
    POLITE_SIGNAL_HONEYPOT = 3,
}

/// The fields of a header that matter; none if the list is NULL.
///
/// # Safety
///
/// `headers` is NULL or points at `count` values, each of which can be read during `'a`.
pub(crate) unsafe fn headers<'a>(headers: *const polite_header, count: usize) -> Headers<'a> {
    let mut read = Headers::default();
    if headers.is_null() {
        return read;
    }
    // SAFETY: the caller promises `count` values.
    for header in unsafe { std::slice::from_raw_parts(headers, count) } {
        // SAFETY: the caller promises that each can be read.
        let (name, value) = unsafe { (header.name.text(), header.value.bytes()) };
        read.insert_bytes(&name, value);
    }
    read
}

pub(crate) fn body_end(number: u8) -> BodyEnd {
    use polite_body_end::*;
    match number {
        n if n == POLITE_BODY_COMPLETE as u8 => BodyEnd::Complete,
        n if n == POLITE_BODY_LIMIT_REACHED as u8 => BodyEnd::LimitReached,
        n if n == POLITE_BODY_UNDECODABLE as u8 => BodyEnd::Undecodable,
        n if n == POLITE_BODY_UNPROVEN as u8 => BodyEnd::Unproven,
        _ => BodyEnd::CutShort,
    }
}

pub(crate) fn net_error(number: u8) -> NetError {
    use polite_net_error::*;
    match number {
        n if n == POLITE_NET_DNS as u8 => NetError::Dns,
        n if n == POLITE_NET_CONNECT as u8 => NetError::Connect,
        n if n == POLITE_NET_READ as u8 => NetError::Read,
        n if n == POLITE_NET_RESET as u8 => NetError::Reset,
        n if n == POLITE_NET_TLS as u8 => NetError::Tls,
        n if n == POLITE_NET_INVALID_RESPONSE as u8 => NetError::InvalidResponse,
        n if n == POLITE_NET_LOCAL as u8 => NetError::Local,
        n if n == POLITE_NET_CUT_SHORT as u8 => NetError::CutShort,
        n if n == POLITE_NET_ENCODED as u8 => NetError::Encoded,
        _ => NetError::Other,
    }
}

pub(crate) fn signal(number: u8) -> Option<PageSignal> {
    use polite_signal::*;
    match number {
        n if n == POLITE_SIGNAL_CHALLENGE as u8 => Some(PageSignal::Challenge),
        n if n == POLITE_SIGNAL_SOFT_BLOCK as u8 => Some(PageSignal::SoftBlock),
        n if n == POLITE_SIGNAL_HONEYPOT as u8 => Some(PageSignal::Honeypot),
        _ => None,
    }
}

//! A response, in the words of the policy.

use std::io;
use std::time::SystemTime;

use http::HeaderMap;
use polite_robots_policy::{
    BodyEnd, Headers, NetError, Reply, Response, RetryAfter, Timestamp, Validators,
};

/// As far as it was read.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) end: BodyEnd,
}

impl Answer {
    /// For the round of a robots.txt.
    pub(crate) fn response(&self) -> Response<'_> {
        let mut headers = Headers::default();
        for (name, value) in &self.headers {
            if let Ok(value) = value.to_str() {
                headers.insert(name.as_str(), value);
            }
        }
        Response {
            status: self.status,
            headers,
            body: &self.body,
            end: self.end,
        }
    }

    /// Where it redirects to.
    pub(crate) fn location(&self) -> Option<&str> {
        let is_redirect = matches!(self.status, 301 | 302 | 303 | 307 | 308);
        self.response().headers.location.filter(|_| is_redirect)
    }
}

/// For the pace of the host.
pub(crate) fn reply(answer: Result<&Answer, NetError>, started: Timestamp) -> Reply {
    let retry_after = answer
        .ok()
        .and_then(|answer| answer.response().headers.retry_after);
    Reply::new(answer.map(|answer| answer.status), started)
        .with_retry_after(retry_after.and_then(RetryAfter::parse))
}

/// The header fields of a conditional request.
pub(crate) fn conditions(validators: &Validators) -> impl Iterator<Item = (&'static str, &str)> {
    let fields = [
        ("If-None-Match", &validators.etag),
        ("If-Modified-Since", &validators.last_modified),
    ];
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_deref()?)))
}

/// An error of the operating system.
pub(crate) fn of_io(kind: io::ErrorKind) -> NetError {
    match kind {
        io::ErrorKind::ConnectionRefused => NetError::Connect,
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof => NetError::Reset,
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => NetError::Read,
        _ => NetError::Other,
    }
}

pub(crate) fn now() -> Timestamp {
    SystemTime::now().into()
}

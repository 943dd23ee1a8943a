//! The requests that an access log records, line by line: the combined format of web servers, that
//! of AWS load balancers, or a JSON document per line; and, below a line that names the columns,
//! the W3C extended format.
//!
//! ```
//! use polite_robots_site::log::LoggedRequest;
//!
//! let line = br#"192.0.2.1 - - [20/Nov/2026:10:00:00 +0100] "GET /a?b HTTP/1.1" 200 5 "-" "ExampleBot/1.0""#;
//! let request = LoggedRequest::parse(line).ok_or("no request")?;
//! assert_eq!((&*request.target(), &*request.user_agent()), (&b"/a?b"[..], &b"ExampleBot/1.0"[..]));
//! assert_eq!(request.time().ok_or("no time")?.to_string(), "2026-11-20T09:00:00Z");
//! # Ok::<(), &str>(())
//! ```

mod combined;
mod escapes;
mod json;
mod json_user_agent;
pub(crate) mod lines;
mod load_balancer;
mod time;
mod w3c;

use std::borrow::Cow;

pub(crate) use crate::log::json_user_agent::JsonUserAgent;
pub use crate::log::time::LogTime;
pub(crate) use crate::log::w3c::{Columns, Directive};

/// A request as a line of a log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest<'l> {
    fields: Fields<'l>,
}

/// The fields of a line, whatever its form.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fields<'l> {
    Combined(combined::Line<'l>),
    LoadBalancer(load_balancer::Line<'l>),
    W3c(w3c::Line<'l>),
    Json(Box<json::Line<'l>>),
}

impl<'l> LoggedRequest<'l> {
    /// Reads a line without its end. `None` if it is in no known form, or has no user agent or
    /// target.
    ///
    /// A line that begins with `{` is a JSON document, whose fields have the names of Cloudflare's
    /// Logpush (`ClientRequestURI`), of Caddy, Traefik, or those that nginx is usually given
    /// (`request_uri`, `http_user_agent`). A line that begins with a type and a time is of an AWS
    /// load balancer. Another line is in the combined format of Apache and nginx, with or without
    /// the host in front.
    #[must_use]
    pub fn parse(line: &'l [u8]) -> Option<LoggedRequest<'l>> {
        let fields = match line.first() {
            Some(b'{') => Fields::Json(Box::new(json::Line::parse(line)?)),
            _ => match load_balancer::Line::parse(line) {
                Some(line) => Fields::LoadBalancer(line),
                None => Fields::Combined(combined::Line::parse(line)?),
            },
        };
        Some(LoggedRequest { fields })
    }

    /// Reads a line of the W3C extended format.
    pub(crate) fn in_columns(columns: &Columns, line: &'l [u8]) -> Option<LoggedRequest<'l>> {
        let fields = Fields::W3c(columns.parse(line)?);
        Some(LoggedRequest { fields })
    }

    /// The header `User-Agent` as the log writes it, with its escapes: enough to recognise one that
    /// was seen before.
    pub(crate) fn raw_user_agent(&self) -> &[u8] {
        match &self.fields {
            Fields::Combined(line) => line.user_agent,
            Fields::LoadBalancer(line) => line.user_agent,
            Fields::W3c(line) => line.user_agent,
            Fields::Json(line) => line.user_agent.as_bytes(),
        }
    }

    /// The user agent of a line of JSON, if it is there as it is, without escapes.
    pub(crate) fn plain_json_user_agent(&self) -> Option<&[u8]> {
        match &self.fields {
            Fields::Json(line) => match &line.user_agent {
                Cow::Borrowed(user_agent) => Some(user_agent.as_bytes()),
                Cow::Owned(_) => None,
            },
            _ => None,
        }
    }

    /// The time as the log writes it; many lines in a row have the same.
    pub(crate) fn raw_time(&self) -> Option<&[u8]> {
        match &self.fields {
            Fields::Combined(line) => line.time(),
            Fields::LoadBalancer(line) => Some(line.time),
            Fields::W3c(_) | Fields::Json(_) => None,
        }
    }

    /// The header `User-Agent`.
    #[must_use]
    pub fn user_agent(&self) -> Cow<'_, [u8]> {
        match &self.fields {
            Fields::Combined(line) => escapes::resolved(line.user_agent),
            Fields::LoadBalancer(line) => escapes::resolved(line.user_agent),
            Fields::W3c(line) => line.user_agent(),
            Fields::Json(line) => Cow::Borrowed(line.user_agent.as_bytes()),
        }
    }

    /// The target: a path with the query, or a whole URL. Empty if the request line has none, as
    /// after a timeout.
    #[must_use]
    pub fn target(&self) -> Cow<'_, [u8]> {
        match &self.fields {
            Fields::Combined(line) => escapes::resolved(combined::target(line.request)),
            Fields::LoadBalancer(line) => escapes::resolved(combined::target(line.request)),
            Fields::W3c(line) => line.target(),
            Fields::Json(line) => Cow::Borrowed(line.target()),
        }
    }

    /// The host that was asked, with a port if the log has one; `None` if the line does not say.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        match &self.fields {
            Fields::Combined(line) => line.host(),
            // It is in the target.
            Fields::LoadBalancer(_) => None,
            Fields::W3c(line) => line.host,
            Fields::Json(line) => line.host.as_deref(),
        }
    }

    /// The time of the request; `None` if the line has none that can be read.
    #[must_use]
    pub fn time(&self) -> Option<LogTime> {
        match &self.fields {
            Fields::Combined(line) => LogTime::parse(line.time()?),
            Fields::LoadBalancer(line) => LogTime::parse(line.time),
            Fields::W3c(line) => line.time(),
            Fields::Json(line) => line.time,
        }
    }
}

#[cfg(test)]
mod tests;

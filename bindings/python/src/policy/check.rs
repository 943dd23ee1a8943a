//! `Check`: the answer of a cache about one URL.

use polite_robots::Cause;
use polite_robots_policy::{Cache, Closed, Lookup, NextFetch, Origin, Timestamp};
use pyo3::prelude::*;

use crate::names::CauseName;
use crate::policy::time::float;
use crate::robot::Robot;

/// Whether a crawler may fetch a URL now, and why. True if it may.
#[pyclass(frozen, module = "polite_robots")]
#[derive(Debug)]
pub(crate) struct Check {
    url: String,
    robot: polite_robots::Robot,
    closed: Option<Reason>,
}

/// The reason why a site is closed although no rule says so, and when to ask again.
#[derive(Debug)]
struct Reason {
    /// `None` if the cache is full.
    cause: Option<Cause>,
    retry: NextFetch,
    now: Timestamp,
}

/// A poll in one step with the question about a URL.
pub(crate) enum Asked {
    Answer(Check),
    Fetch(polite_robots_policy::Ticket),
    Pending,
}

impl Check {
    pub(crate) fn ask(cache: &mut Cache, url: &str, origin: &Origin, now: Timestamp) -> Asked {
        match cache.poll_and_release(origin, now) {
            Lookup::Ready(robot) => Asked::Answer(Check {
                url: url.to_string(),
                robot,
                closed: None,
            }),
            Lookup::Closed(Closed { cause, retry, .. }) => {
                Asked::Answer(Check::closed(url, Some(cause), retry, now))
            }
            Lookup::Fetch(ticket) => Asked::Fetch(ticket),
            Lookup::Pending => Asked::Pending,
            // `Full`; there are no others.
            _ => {
                let retry = NextFetch::At(now.saturating_add(cache.settings().retry_local));
                Asked::Answer(Check::closed(url, None, retry, now))
            }
        }
    }

    pub(crate) fn closed(
        url: &str,
        cause: Option<Cause>,
        retry: NextFetch,
        now: Timestamp,
    ) -> Check {
        Check {
            url: url.to_string(),
            robot: polite_robots::Robot::disallow_all(cause.unwrap_or(Cause::NotFetched)),
            closed: Some(Reason { cause, retry, now }),
        }
    }

    fn verdict(&self) -> polite_robots::Verdict<'_> {
        self.robot.check(self.url.as_str())
    }
}

#[pymethods]
impl Check {
    /// Whether the crawler may fetch the URL now.
    #[getter]
    fn allowed(&self) -> bool {
        self.closed.is_none() && self.robot.allowed(self.url.as_str())
    }

    /// Whether nothing of the site may be fetched although no rule says so: keep the URL until
    /// `retry_at`.
    #[getter(closed)]
    fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// The reason if no rule decides: the HTTP status of robots.txt, the name of a cause such as
    /// `"unreachable"`, or `"full"` if the cache has no room for another robots.txt.
    #[getter]
    fn cause(&self) -> Option<CauseName> {
        match &self.closed {
            Some(Reason { cause: None, .. }) => Some(CauseName::Name("full".to_string())),
            Some(Reason { cause, .. }) => cause.map(CauseName::from),
            None => match self.verdict().reason() {
                polite_robots::Reason::Blanket(cause) => Some(cause.into()),
                _ => None,
            },
        }
    }

    /// When to ask again if the site is closed, in seconds since 1970; `None` for never.
    #[getter]
    fn retry_at(&self) -> Option<f64> {
        match self.closed.as_ref()?.retry {
            NextFetch::Now => self.closed.as_ref().map(|closed| float(closed.now)),
            NextFetch::At(time) => Some(float(time)),
            _ => None,
        }
    }

    /// The line of the deciding rule, from 1.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.verdict().rule().map(|rule| rule.line())
    }

    /// The rules in force; if the site is closed, a robot that disallows everything.
    #[getter]
    fn robot(&self) -> Robot {
        Robot::new(self.robot.clone(), None)
    }

    fn __bool__(&self) -> bool {
        self.allowed()
    }

    fn __str__(&self) -> String {
        match &self.closed {
            None => self.verdict().to_string(),
            Some(Reason { cause, retry, .. }) => {
                let cause = cause.map_or("no room for another robots.txt".to_string(), |cause| {
                    cause.to_string()
                });
                format!("disallowed: {cause}; next fetch: {retry}")
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<Check: {}>", self.__str__())
    }
}

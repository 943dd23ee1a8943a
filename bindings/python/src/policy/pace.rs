//! `Pacer`, the pace of one host, with the end of a request and the exceptions of the operator.

use std::sync::Mutex;

use polite_robots_policy::fetch::Headers;
use polite_robots_policy::settings::{CrawlDelayPolicy, Obedience};
use polite_robots_policy::{NetError, RetryAfter, Turn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyType};
use serde_json::Value;

use crate::names::{Status, name_of, named, no_such, seconds};
use crate::pickle::{Reduced, reduce, restore};
use crate::policy::fetch::header_fields;
use crate::policy::profile::{Profile, choice, to_python};
use crate::policy::time::{Next, duration, float, lock, timestamp};
use crate::text::unicode;

/// The turn of a host in Python.
pub(crate) fn turn(turn: Turn) -> Next {
    match turn {
        Turn::Ready => Next::Name("ready"),
        Turn::Busy => Next::Name("busy"),
        Turn::Skip => Next::Name("skip"),
        Turn::NotBefore(polite_robots_policy::Timestamp::MAX) => Next::At(f64::INFINITY),
        Turn::NotBefore(time) => Next::At(float(time)),
        _ => Next::Name("other"),
    }
}

/// The pace of one host: when the next request may start.
#[pyclass(frozen, eq, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Pacer {
    machine: Mutex<polite_robots_policy::Pacer>,
}

impl PartialEq for Pacer {
    fn eq(&self, other: &Pacer) -> bool {
        self.inner() == other.inner()
    }
}

impl From<polite_robots_policy::Pacer> for Pacer {
    fn from(pacer: polite_robots_policy::Pacer) -> Pacer {
        let machine = Mutex::new(pacer);
        Pacer { machine }
    }
}

impl Pacer {
    pub(crate) fn inner(&self) -> polite_robots_policy::Pacer {
        lock(&self.machine).clone()
    }
}

#[pymethods]
impl Pacer {
    #[new]
    fn py_new() -> Pacer {
        polite_robots_policy::Pacer::new().into()
    }

    /// A pacer for a host that was never asked. The name of the host spreads its blocks.
    #[staticmethod]
    #[pyo3(signature = (host, /))]
    fn for_host(host: &str) -> Pacer {
        polite_robots_policy::Pacer::for_host(host).into()
    }

    /// A pacer in place of one that was lost: it waits for one whole gap first.
    #[staticmethod]
    #[pyo3(signature = (now, /))]
    fn after_gap(now: f64) -> Pacer {
        polite_robots_policy::Pacer::after_gap(timestamp(now)).into()
    }

    /// Sets the `Crawl-delay` of the host in seconds, or `None` if it asks for none.
    #[pyo3(signature = (delay, /))]
    fn set_crawl_delay(&self, delay: Option<f64>) -> PyResult<()> {
        let delay = delay.map(duration).transpose()?;
        lock(&self.machine).set_crawl_delay(delay);
        Ok(())
    }

    /// Whether the host may be asked: `"ready"`, the time not to ask before, `"busy"` while as many
    /// requests are under way as the profile permits, or `"skip"` if it leaves the host out.
    #[pyo3(signature = (profile, now, /))]
    fn poll(&self, profile: &Bound<'_, Profile>, now: f64) -> Next {
        turn(lock(&self.machine).poll(&profile.get().inner, timestamp(now)))
    }

    /// Notes that a request was started.
    #[pyo3(signature = (now, /))]
    fn handle_start(&self, now: f64) {
        lock(&self.machine).handle_start(timestamp(now));
    }

    /// Notes that the crawler gave a request up, or never sent it. The gap is kept.
    #[pyo3(signature = (profile, now, /))]
    fn handle_cancelled(&self, profile: &Bound<'_, Profile>, now: f64) {
        lock(&self.machine).handle_cancelled(&profile.get().inner, timestamp(now));
    }

    /// Takes the end of a request.
    #[pyo3(signature = (reply, profile, now, /))]
    fn handle_reply(&self, reply: &Bound<'_, Reply>, profile: &Bound<'_, Profile>, now: f64) {
        let (reply, profile) = (reply.get().inner, &profile.get().inner);
        lock(&self.machine).handle_reply(reply, profile, timestamp(now));
    }

    /// Whether the pacer may be forgotten: a new one in its place would permit no request earlier.
    #[pyo3(signature = (profile, now, /))]
    fn is_as_new(&self, profile: &Bound<'_, Profile>, now: f64) -> bool {
        lock(&self.machine).is_as_new(&profile.get().inner, timestamp(now))
    }

    /// The back-off level: 0 is normal, each one doubles the delay.
    #[pyo3(signature = (profile, /))]
    fn level(&self, profile: &Bound<'_, Profile>) -> u8 {
        lock(&self.machine).level(&profile.get().inner)
    }

    /// The `Crawl-delay` in seconds, if the profile reads it as a gap and it is longer than its
    /// `max_crawl_delay`.
    #[pyo3(signature = (profile, /))]
    fn long_crawl_delay(&self, profile: &Bound<'_, Profile>) -> Option<f64> {
        let delay = lock(&self.machine).long_crawl_delay(&profile.get().inner);
        delay.map(seconds)
    }

    fn __repr__(&self) -> &'static str {
        "<Pacer>"
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), &slf.get().inner())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Pacer> {
        let pacer: polite_robots_policy::Pacer = restore(state.as_bytes())?;
        Ok(pacer.into())
    }
}

/// The end of a request for a page or for robots.txt, which the pace of a host follows.
///
/// `result` is the status, or the name of the failure that `Event.failed` takes. `started` is the
/// time that was given to `handle_start`. `retry_after` and `rate_limit` are seconds, or the value
/// of a `Retry-After` header. `signal` is `"challenge"`, `"soft_block"` or `"honeypot"`, if the
/// crawler looks for them.
#[pyclass(frozen, eq, hash, module = "polite_robots.policy")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Reply {
    pub(crate) inner: polite_robots_policy::Reply,
}

/// The result of a request: a status, or the name of a failure.
struct Outcome(Result<u16, NetError>);

impl<'a, 'py> FromPyObject<'a, 'py> for Outcome {
    type Error = PyErr;

    fn extract(result: Borrowed<'a, 'py, PyAny>) -> PyResult<Outcome> {
        if let Ok(name) = result.cast::<PyString>() {
            return Ok(Outcome(Err(named("error", &unicode(&name)?)?)));
        }
        if !result.is_instance_of::<PyInt>() {
            let kind = result.get_type();
            return Err(PyTypeError::new_err(format!(
                "the result is an HTTP status or the name of a failure, not {kind}"
            )));
        }
        Ok(Outcome(Ok(result.extract::<Status>()?.0)))
    }
}

/// A wait that a server asks for.
struct Wait(Option<RetryAfter>);

impl<'a, 'py> FromPyObject<'a, 'py> for Wait {
    type Error = PyErr;

    fn extract(wait: Borrowed<'a, 'py, PyAny>) -> PyResult<Wait> {
        if let Ok(value) = wait.cast::<PyString>() {
            return Ok(Wait(RetryAfter::parse(&unicode(&value)?)));
        }
        Ok(Wait(Some(RetryAfter::Delay(duration(wait.extract()?)?))))
    }
}

#[pymethods]
impl Reply {
    #[new]
    #[pyo3(signature = (result, started, *, retry_after = None, rate_limit = None, signal = None))]
    fn py_new(
        result: Outcome,
        started: f64,
        retry_after: Option<Wait>,
        rate_limit: Option<Wait>,
        signal: Option<&str>,
    ) -> PyResult<Reply> {
        use polite_robots_policy::PageSignal;

        let signal = match signal {
            None => None,
            Some("challenge") => Some(PageSignal::Challenge),
            Some("soft_block") => Some(PageSignal::SoftBlock),
            Some("honeypot") => Some(PageSignal::Honeypot),
            Some(other) => {
                let names = ["challenge", "soft_block", "honeypot"];
                return Err(no_such("signal", other, &names));
            }
        };
        let inner = polite_robots_policy::Reply::new(result.0, timestamp(started))
            .with_retry_after(retry_after.and_then(|wait| wait.0))
            .with_rate_limit(rate_limit.and_then(|wait| wait.0))
            .with_signal(signal);
        Ok(Reply { inner })
    }

    /// The reply to a response that came at `now`, with the waits that its headers ask for:
    /// `Retry-After`, and a rate limit of which nothing remains. `headers` are a mapping, or pairs
    /// of a name and a value, each `str` or `bytes`.
    #[staticmethod]
    #[pyo3(signature = (status, headers, started, now, /))]
    fn of_response(
        status: Status,
        headers: &Bound<'_, PyAny>,
        started: f64,
        now: f64,
    ) -> PyResult<Reply> {
        let pairs = header_fields(headers)?;
        let mut fields = Headers::default();
        for (name, value) in &pairs {
            fields.insert_bytes(&String::from_utf8_lossy(name), value);
        }
        let now = timestamp(now);
        let inner = polite_robots_policy::Reply::new(Ok(status.0), timestamp(started))
            .with_retry_after(RetryAfter::of(&fields, now))
            .with_rate_limit(RetryAfter::of_limit(&fields, now));
        Ok(Reply { inner })
    }

    /// The time that was given to `handle_start`.
    #[getter]
    fn started(&self) -> f64 {
        float(self.inner.started)
    }

    /// The status; `None` if there was no response.
    #[getter]
    fn status(&self) -> Option<u16> {
        self.inner.result.ok()
    }

    /// The end of the wait that the response asks for, if it came at `now`.
    #[pyo3(signature = (now, /))]
    fn retry_after(&self, now: f64) -> Option<f64> {
        let asked = self.inner.retry_after.or(self.inner.rate_limit)?;
        Some(float(asked.until(timestamp(now))))
    }

    fn __repr__(&self) -> String {
        match self.inner.result {
            Ok(status) => format!("<Reply {status}>"),
            Err(error) => format!("<Reply without a response: {}>", name_of(error)),
        }
    }
}

/// The exceptions that an operator makes for one host; `None` leaves the profile's answer.
///
/// `min_delay` is in seconds, `crawl_delay` is `"gap"`, `"ignore"` or `{"window": {"min": 1, "max":
/// 30}}`, and `obedience` is `"obey"` or `"ignore"`, which `Cache.set_obedience` takes.
#[pyclass(frozen, eq, hash, module = "polite_robots.policy")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct HostRule {
    pub(crate) inner: polite_robots_policy::HostRule,
}

#[pymethods]
impl HostRule {
    #[new]
    #[pyo3(signature = (*, min_delay = None, max_in_flight = None, crawl_delay = None, obedience = None))]
    fn py_new(
        min_delay: Option<f64>,
        max_in_flight: Option<&Bound<'_, PyAny>>,
        crawl_delay: Option<&Bound<'_, PyAny>>,
        obedience: Option<&str>,
    ) -> PyResult<HostRule> {
        let mut inner = polite_robots_policy::HostRule::new();
        inner.min_delay = min_delay.map(duration).transpose()?;
        let most = max_in_flight.map(|most| choice("max_in_flight", most));
        inner.max_in_flight = most.transpose()?;
        let policy = crawl_delay.map(|policy| choice("crawl_delay", policy));
        inner.crawl_delay = policy.transpose()?;
        let obedience = obedience.map(|name| named("obedience", name));
        inner.obedience = obedience.transpose()?;
        Ok(HostRule { inner })
    }

    /// The least time between two requests, in seconds.
    #[getter]
    fn min_delay(&self) -> Option<f64> {
        self.inner.min_delay.map(seconds)
    }

    /// Requests at the same time.
    #[getter]
    fn max_in_flight(&self) -> Option<u8> {
        self.inner.max_in_flight
    }

    /// The meaning of a `Crawl-delay`.
    #[getter]
    fn crawl_delay<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let policy: Option<CrawlDelayPolicy> = self.inner.crawl_delay;
        to_python(py, &serde_json::to_value(policy).unwrap_or(Value::Null))
    }

    /// `"obey"` or `"ignore"`.
    #[getter]
    fn obedience(&self) -> Option<&'static str> {
        self.inner.obedience.map(|obedience| match obedience {
            Obedience::Ignore => "ignore",
            _ => "obey",
        })
    }

    fn __repr__(&self) -> &'static str {
        "<HostRule>"
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), &slf.get().inner)
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<HostRule> {
        let inner = restore(state.as_bytes())?;
        Ok(HostRule { inner })
    }
}

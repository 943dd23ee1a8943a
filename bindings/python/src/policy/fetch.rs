//! `Fetch`: one round for one robots.txt, with its steps, its events and its outcome.

use std::net::IpAddr;
use std::sync::Mutex;

use polite_robots::Dialect;
use polite_robots_policy::NetError;
use polite_robots_policy::fetch::{self, BodyEnd, Headers, RawResponse, Validators};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::shortened;
use crate::names::{CauseName, Status, name_of, named};
use crate::policy::origin::Origin;
use crate::policy::profile::Profile;
use crate::policy::time::{float, lock, timestamp};
use crate::robots_txt::RobotsTxt;
use crate::text::{Text, strings};

/// One round for one robots.txt: redirects, addresses, the meaning of a status and a body.
///
/// `etag` and `last_modified` are the validators of the copy at hand, those of a `Ticket`.
#[pyclass(frozen, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Fetch {
    machine: Mutex<fetch::Fetch>,
    dialect: Dialect,
}

impl Fetch {
    pub(crate) fn new(machine: fetch::Fetch, dialect: Dialect) -> Fetch {
        Fetch {
            machine: Mutex::new(machine),
            dialect,
        }
    }

    /// The machine as it stands.
    pub(crate) fn machine(&self) -> fetch::Fetch {
        lock(&self.machine).clone()
    }
}

#[pymethods]
impl Fetch {
    #[new]
    #[pyo3(signature = (origin, profile, now, *, etag = None, last_modified = None))]
    fn py_new(
        origin: &Bound<'_, Origin>,
        profile: &Bound<'_, Profile>,
        now: f64,
        etag: Option<String>,
        last_modified: Option<String>,
    ) -> Fetch {
        let profile = &profile.get().inner;
        let validators = Validators {
            etag: etag.map(Box::from),
            last_modified: last_modified.map(Box::from),
        };
        let origin = &origin.get().inner;
        let fetch = fetch::Fetch::new(origin, validators, profile, timestamp(now));
        Fetch::new(fetch, profile.access.dialect)
    }

    /// The next step.
    #[pyo3(signature = (now, /))]
    fn poll(&self, now: f64) -> Step {
        let mut step = Step::default();
        match lock(&self.machine).poll(timestamp(now)) {
            fetch::Step::Done(outcome) => {
                step.kind = "done";
                step.outcome = Some(Outcome::new(outcome.clone(), self.dialect));
            }
            fetch::Step::Get(request) => {
                let validators = request.validators;
                step.kind = "get";
                step.url = Some(request.url.to_string());
                step.host = Some(request.host.to_string());
                step.address = request.address.map(|address| address.to_string());
                step.max_bytes = Some(request.max_bytes);
                step.etag = validators.etag.as_deref().map(str::to_string);
                step.last_modified = validators.last_modified.as_deref().map(str::to_string);
            }
            fetch::Step::Resolve(host) => {
                step.kind = "resolve";
                step.host = Some(host.to_string());
            }
            fetch::Step::Wait(until) => {
                step.kind = "wait";
                step.until = Some(float(until));
            }
            _ => {}
        }
        step
    }

    /// Takes the result of a step.
    #[pyo3(signature = (event, now, /))]
    fn handle(&self, py: Python<'_>, event: &Bound<'_, Event>, now: f64) {
        let mut machine = lock(&self.machine);
        event.get().give(py, |event| {
            machine.handle(event, timestamp(now));
        });
    }

    /// The outcome: that of the last step, or an outage if the round was given up before its end.
    // The name is that of the Rust method, and a class of Python cannot be consumed.
    #[expect(clippy::wrong_self_convention)]
    fn into_outcome(&self) -> Outcome {
        Outcome::new(self.machine().into_outcome(), self.dialect)
    }

    fn __repr__(&self) -> &'static str {
        "<Fetch>"
    }
}

/// A step of a round: `kind` is `"get"`, `"wait"`, `"resolve"` or `"done"`.
#[pyclass(frozen, get_all, module = "polite_robots.policy")]
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// `"get"`, `"wait"`, `"resolve"` or `"done"`.
    kind: &'static str,
    /// The URL to get.
    url: Option<String>,
    /// The host to ask, or to resolve.
    host: Option<String>,
    /// The address to ask, if the profile wants a certain one.
    address: Option<String>,
    /// The bytes of the body to read at most.
    max_bytes: Option<usize>,
    /// The value of `If-None-Match`.
    etag: Option<String>,
    /// The value of `If-Modified-Since`.
    last_modified: Option<String>,
    /// The time to wait for.
    until: Option<f64>,
    /// The end of the round.
    outcome: Option<Outcome>,
}

impl Default for Step {
    fn default() -> Step {
        Step {
            kind: "other",
            url: None,
            host: None,
            address: None,
            max_bytes: None,
            etag: None,
            last_modified: None,
            until: None,
            outcome: None,
        }
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        let url = self.url.as_deref().or(self.host.as_deref());
        match (url, self.until) {
            (Some(url), _) => format!("<Step {} {url}>", self.kind),
            (None, Some(until)) => format!("<Step {} {until}>", self.kind),
            (None, None) => format!("<Step {}>", self.kind),
        }
    }
}

/// The result of a step.
#[pyclass(frozen, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Event {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Failed(NetError),
    Refused,
    ByName,
    Resolved(Vec<IpAddr>),
    RawResponse {
        status: u16,
        headers: HeaderFields,
        body: Py<PyBytes>,
        end: BodyEnd,
    },
}

type HeaderFields = Vec<(Vec<u8>, Vec<u8>)>;

/// The fields of a mapping, or of pairs of a name and a value, each `str` or `bytes`. Those of
/// `http.client` have `items` and are no mapping.
pub(crate) fn header_fields(headers: &Bound<'_, PyAny>) -> PyResult<HeaderFields> {
    let pairs = match headers.getattr_opt("items")? {
        Some(items) => items.call0()?.try_iter()?,
        None => headers.try_iter()?,
    };
    let fields = pairs.map(|pair| {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
        let (name, value) = (Text::of(&name)?, Text::of(&value)?);
        Ok((name.bytes().to_vec(), value.bytes().to_vec()))
    });
    fields.collect()
}

impl Event {
    /// Gives the event to a machine.
    pub(crate) fn give(&self, py: Python<'_>, take: impl FnOnce(fetch::Event<'_>)) {
        match &self.kind {
            Kind::Failed(error) => take(fetch::Event::Failed(*error)),
            Kind::Refused => take(fetch::Event::Refused),
            Kind::ByName => take(fetch::Event::ByName),
            Kind::Resolved(addresses) => take(fetch::Event::Resolved(addresses)),
            Kind::RawResponse {
                status,
                headers,
                body,
                end,
            } => {
                let mut fields = Headers::default();
                for (name, value) in headers {
                    fields.insert_bytes(&String::from_utf8_lossy(name), value);
                }
                take(fetch::Event::Response(RawResponse {
                    status: *status,
                    headers: fields,
                    body: body.as_bytes(py),
                    end: *end,
                }));
            }
        }
    }
}

#[pymethods]
impl Event {
    /// A response, with the bytes of its body as they came. `headers` are a mapping, or pairs of a
    /// name and a value, each `str` or `bytes`. `end` is `"complete"`, `"cut_short"`,
    /// `"limit_reached"`, `"undecodable"` where a decoder of the client failed, or `"unproven"`
    /// where the client hides whether the header came to its end, as `http.client` does.
    #[staticmethod]
    #[pyo3(signature = (status, headers, body, *, end = "complete"))]
    fn response(
        status: Status,
        headers: &Bound<'_, PyAny>,
        body: &Bound<'_, PyAny>,
        end: &str,
    ) -> PyResult<Event> {
        let end: BodyEnd = named("end", end)?;
        let headers = header_fields(headers)?;
        let body = match (body.cast::<PyBytes>(), Text::of(body)?) {
            (Ok(bytes), _) => bytes.clone(),
            // Whoever decoded it has guessed its charset, and so its paths.
            (_, Text::Str(_)) => return Err(PyTypeError::new_err("the body is bytes, not a str")),
            (_, copy) => PyBytes::new(body.py(), copy.bytes()),
        };
        let kind = Kind::RawResponse {
            status: status.0,
            headers,
            body: body.unbind(),
            end,
        };
        Ok(Event { kind })
    }

    /// No response. `error` is `"dns"`, `"connect"`, `"read"`, `"reset"`, `"tls"`,
    /// `"invalid_response"`, `"local"`, `"cut_short"`, `"encoded"` or `"other"`. `"local"` is a
    /// fault of the crawler's own network, which says nothing about the site; `"cut_short"` is a
    /// body that broke off, `"encoded"` one in a coding that cannot be undone.
    #[staticmethod]
    #[pyo3(signature = (error, /))]
    fn failed(error: &str) -> PyResult<Event> {
        let error: NetError = named("error", error)?;
        let kind = Kind::Failed(error);
        Ok(Event { kind })
    }

    /// An address that the crawler must not ask.
    #[staticmethod]
    fn refused() -> Event {
        let kind = Kind::Refused;
        Event { kind }
    }

    /// The addresses of a host.
    #[staticmethod]
    #[pyo3(signature = (addresses, /))]
    fn resolved(addresses: &Bound<'_, PyAny>) -> PyResult<Event> {
        let addresses = strings(addresses)?;
        let read = |address: &String| {
            let problem = || format!("no IP address: {:?}", shortened(address));
            address
                .parse()
                .map_err(|_| PyValueError::new_err(problem()))
        };
        let addresses = addresses
            .iter()
            .map(read)
            .collect::<PyResult<Vec<IpAddr>>>()?;
        let kind = Kind::Resolved(addresses);
        Ok(Event { kind })
    }

    /// In place of the addresses of a host: the client looks names up by itself.
    #[staticmethod]
    fn by_name() -> Event {
        let kind = Kind::ByName;
        Event { kind }
    }

    fn __repr__(&self) -> String {
        match &self.kind {
            Kind::ByName => "<Event by name>".to_string(),
            Kind::Failed(error) => format!("<Event failed: {}>", name_of(error)),
            Kind::Refused => "<Event refused>".to_string(),
            Kind::Resolved(addresses) => format!("<Event resolved: {addresses:?}>"),
            Kind::RawResponse { status, .. } => format!("<Event response: {status}>"),
        }
    }
}

/// The end of a round.
#[pyclass(frozen, from_py_object, module = "polite_robots.policy")]
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) inner: polite_robots_policy::Outcome,
    dialect: Dialect,
}

impl Outcome {
    fn new(inner: polite_robots_policy::Outcome, dialect: Dialect) -> Outcome {
        Outcome { inner, dialect }
    }
}

#[pymethods]
impl Outcome {
    /// `"parsed"`, `"not_modified"`, `"unavailable"`, `"forbidden"`, `"blanket"`, `"unreachable"`
    /// or `"local"`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.as_str()
    }

    /// The file, if there is one.
    #[getter]
    fn robots_txt(&self) -> Option<RobotsTxt> {
        match &self.inner {
            polite_robots_policy::Outcome::Parsed { robots_txt, .. } => {
                Some(RobotsTxt::new(robots_txt.clone(), self.dialect))
            }
            _ => None,
        }
    }

    /// The HTTP status or the name of the cause, if there is no file.
    #[getter]
    fn cause(&self) -> Option<CauseName> {
        use polite_robots_policy::Outcome;

        match self.inner {
            Outcome::Unavailable(cause)
            | Outcome::Forbidden(cause)
            | Outcome::Blanket { cause, .. }
            | Outcome::Unreachable { cause, .. } => Some(cause.into()),
            _ => None,
        }
    }

    /// The end of the pause that the server asked for by `Retry-After`.
    #[pyo3(signature = (now, /))]
    fn retry_after(&self, now: f64) -> Option<f64> {
        match &self.inner {
            polite_robots_policy::Outcome::Unreachable {
                retry_after: Some(asked),
                ..
            } => Some(float(asked.until(timestamp(now)))),
            _ => None,
        }
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.kind())
    }
}

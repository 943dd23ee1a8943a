//! `Cache`: the robots.txt of many origins.

use std::sync::{Arc, Mutex};

use polite_robots_policy::RobotsCheck;
use polite_robots_policy::cache::SavedCache;
use polite_robots_policy::crawl::{Crawl, Limits};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{invalid_token, invalid_url, url_error};
use crate::names::{CauseName, named, no_such};
use crate::pickle::{restore, stored};
use crate::policy::check::Check;
use crate::policy::entry::Entry;
use crate::policy::fetch::{Fetch, Outcome};
use crate::policy::origin::Origin;
use crate::policy::profile::Profile;
use crate::policy::time::{Next, float, lock, timestamp};
use crate::robot::Robot;
use crate::robots_txt::RobotsTxt;
use crate::text::{Text, lossy, strings, unicode};

/// The robots.txt of many origins: compiled once, fetched one at a time, bounded in memory.
///
/// The rules are those of the first of `agents` that a file names, or else of `*`. `capacity` is in
/// bytes. With `documents` the files are kept too, for `document` and for entries that other
/// crawlers read; each takes three times its length more.
///
/// Raises `InvalidToken` for the first of `agents` that is not a product token.
#[pyclass(frozen, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Cache {
    /// The machine of a crawl: one without pages, if the cache has no callers that wait.
    pub(crate) crawl: Arc<Mutex<Crawl>>,
}

#[pymethods]
impl Cache {
    #[new]
    #[pyo3(signature = (profile, agents, capacity, *, documents = false))]
    fn py_new(
        py: Python<'_>,
        profile: &Bound<'_, Profile>,
        agents: &Bound<'_, PyAny>,
        capacity: usize,
        documents: bool,
    ) -> PyResult<Cache> {
        let cache = cache_of(py, profile, agents, capacity)?;
        let cache = if documents {
            cache.keep_documents()
        } else {
            cache
        };
        let crawl = Crawl::over(cache, Limits::default());
        let crawl = Arc::new(Mutex::new(crawl));
        Ok(Cache { crawl })
    }

    /// The access to the origin, or a ticket if a fetch is due.
    #[pyo3(signature = (origin, now, /))]
    fn poll(&self, py: Python<'_>, origin: &Bound<'_, Origin>, now: f64) -> PyResult<Lookup> {
        let lookup = lock(&self.crawl)
            .cache_mut()
            .poll(&origin.get().inner, timestamp(now));
        Lookup::new(py, lookup)
    }

    /// Like `poll`, for a page that has to wait for its turn and then asks again by `poll`.
    #[pyo3(signature = (origin, now, /))]
    fn poll_ahead(&self, py: Python<'_>, origin: &Bound<'_, Origin>, now: f64) -> PyResult<Lookup> {
        let lookup = lock(&self.crawl)
            .cache_mut()
            .poll_ahead(&origin.get().inner, timestamp(now));
        Lookup::new(py, lookup)
    }

    /// The answer about a URL; a ticket if a fetch is due; or `None` while a fetch is under way and
    /// nothing may be fetched before its end.
    ///
    /// `page` is `"alone"` if the crawler keeps no queue of the origin's pages, so that the origin
    /// is released; `"in_line"` for a page that waits for its turn and asks again, `"in_turn"`,
    /// when it has. `sent` is the URL or the request target that the client sends: both must be
    /// allowed.
    ///
    /// Raises `InvalidUrl` if the URL has no origin, or if the client sends it to another one.
    #[pyo3(signature = (url, now, /, page = "alone", *, sent = None))]
    fn check<'py>(
        &self,
        url: &Bound<'py, PyString>,
        now: f64,
        page: &str,
        sent: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, text) = (url.py(), unicode(url)?);
        let origin = polite_robots_policy::Origin::of(&text);
        let origin = origin.map_err(|error| invalid_url(py, &error))?;
        let sent = sent.map(|sent| sent_of(&text, &origin, sent)).transpose()?;
        let now = timestamp(now);
        let mut crawl = lock(&self.crawl);
        let mut lookup = match page {
            "alone" => crawl.poll_alone(&origin, now),
            "in_line" => crawl.cache_mut().poll_ahead(&origin, now),
            "in_turn" => crawl.cache_mut().poll(&origin, now),
            other => return Err(no_such("page", other, &["alone", "in_line", "in_turn"])),
        };
        if matches!(lookup, polite_robots_policy::Lookup::Full) {
            lookup = crawl.poll_alone(&origin, now);
        }
        drop(crawl);
        let access = match lookup {
            polite_robots_policy::Lookup::Ready(robot) => Ok(robot),
            polite_robots_policy::Lookup::Closed(closed) => Err(closed),
            polite_robots_policy::Lookup::Fetch(ticket) => {
                return Ok(Some(Bound::new(py, Ticket::new(ticket))?.into_any()));
            }
            _ => return Ok(None),
        };
        let check = RobotsCheck::new(&text, access);
        let check = match &sent {
            Some(sent) => check.and_sent(sent.bytes()),
            None => check,
        };
        Ok(Some(Bound::new(py, Check::from(check))?.into_any()))
    }

    /// The round to run for a ticket: the one that paused, or a new one by the profile of the
    /// cache. Afterwards give both to `end`.
    ///
    /// Raises `ValueError` if the ticket was used already.
    #[pyo3(signature = (ticket, now, /))]
    fn begin(&self, ticket: &Bound<'_, Ticket>, now: f64) -> PyResult<Fetch> {
        let crawl = lock(&self.crawl);
        let mut ticket = lock(&ticket.get().ticket);
        let fetch = crawl
            .cache()
            .begin(ticket.as_mut().ok_or_else(used)?, timestamp(now));
        Ok(Fetch::new(fetch, crawl.cache().settings().dialect))
    }

    /// Takes a ticket back with its round, at whatever step the round is. The outcome of a round
    /// that is done counts, and a round that waits is paused. Any other round counts as given up,
    /// so that robots.txt is due again.
    ///
    /// Raises `ValueError` if the ticket was used already.
    #[pyo3(signature = (ticket, fetch, now, /))]
    fn end(&self, ticket: &Bound<'_, Ticket>, fetch: &Bound<'_, Fetch>, now: f64) -> PyResult<()> {
        let (ticket, fetch) = (ticket.get().take()?, fetch.get().machine());
        let (origin, now) = (ticket.origin().clone(), timestamp(now));
        let mut crawl = lock(&self.crawl);
        crawl.cache_mut().end(ticket, fetch, now);
        crawl.look_again(&origin, now);
        Ok(())
    }

    /// Takes the outcome of a ticket's fetch.
    ///
    /// Raises `ValueError` if the ticket was used already.
    #[pyo3(signature = (ticket, outcome, now, /))]
    fn handle(&self, ticket: &Bound<'_, Ticket>, outcome: Outcome, now: f64) -> PyResult<()> {
        let ticket = ticket.get().take()?;
        let (origin, now) = (ticket.origin().clone(), timestamp(now));
        let mut crawl = lock(&self.crawl);
        crawl.cache_mut().handle(ticket, outcome.inner, now);
        crawl.look_again(&origin, now);
        Ok(())
    }

    /// Takes a ticket back without an outcome: nothing is counted, and robots.txt is due again.
    ///
    /// Raises `ValueError` if the ticket was used already.
    #[pyo3(signature = (ticket, now, /))]
    fn give_back(&self, ticket: &Bound<'_, Ticket>, now: f64) -> PyResult<()> {
        let ticket = ticket.get().take()?;
        lock(&self.crawl)
            .cache_mut()
            .give_back(ticket, timestamp(now));
        Ok(())
    }

    /// Keeps a ticket alive whose round waits for its turn: one that is older than the
    /// `ticket_lease` of the profile counts as lost, and another round begins beside it.
    #[pyo3(signature = (ticket, now, /))]
    fn renew(&self, ticket: &Bound<'_, Ticket>, now: f64) {
        let mut crawl = lock(&self.crawl);
        if let Some(ticket) = &*lock(&ticket.get().ticket) {
            crawl.cache_mut().renew(ticket, timestamp(now));
        }
    }

    /// Notes that pages of the origin are queued: it is not forgotten until `release`.
    #[pyo3(signature = (origin, /))]
    fn hold(&self, origin: &Bound<'_, Origin>) {
        lock(&self.crawl).cache_mut().hold(&origin.get().inner);
    }

    /// Notes that the queue of the origin is empty, so that the origin is forgotten first.
    #[pyo3(signature = (origin, /))]
    fn release(&self, origin: &Bound<'_, Origin>) {
        lock(&self.crawl).cache_mut().release(&origin.get().inner);
    }

    /// Forgets the failures and the outage of an origin, and makes its robots.txt due.
    #[pyo3(signature = (origin, /))]
    fn reset(&self, origin: &Bound<'_, Origin>) {
        lock(&self.crawl).cache_mut().reset(&origin.get().inner);
    }

    /// Notes whether pages of the site come: `"available"`, `"unavailable"` or `"unknown"`.
    #[pyo3(signature = (origin, site, now, /))]
    fn set_site(&self, origin: &Bound<'_, Origin>, site: &str, now: f64) -> PyResult<()> {
        let site = named("site", site)?;
        lock(&self.crawl)
            .cache_mut()
            .set_site(&origin.get().inner, site, timestamp(now));
        Ok(())
    }

    /// Makes an exception for all origins of a host: `"obey"` or `"ignore"`, for a site whose owner
    /// has agreed.
    #[pyo3(signature = (host, obedience, /))]
    fn set_obedience(&self, host: &str, obedience: &str) -> PyResult<()> {
        let obedience = named("obedience", obedience)?;
        lock(&self.crawl).cache_mut().set_obedience(host, obedience);
        Ok(())
    }

    /// Whether the origin is known: polled or inserted, and not forgotten since.
    #[pyo3(signature = (origin, /))]
    fn contains(&self, origin: &Bound<'_, Origin>) -> bool {
        lock(&self.crawl).cache().contains(&origin.get().inner)
    }

    /// The memory of an origin, to save it.
    #[pyo3(signature = (origin, /))]
    fn entry(&self, origin: &Bound<'_, Origin>) -> Option<Entry> {
        lock(&self.crawl)
            .cache()
            .entry(&origin.get().inner)
            .map(Entry::new)
    }

    /// The memory of all origins, to save it.
    fn entries(&self) -> Vec<(Origin, Entry)> {
        let crawl = lock(&self.crawl);
        let entries = crawl.cache().entries();
        entries
            .map(|(origin, entry)| (origin.clone().into(), Entry::new(entry)))
            .collect()
    }

    /// The file of an origin, expired or not, from which the rules of other agents can be compiled;
    /// `None` without `documents`. It is in force if the robot of `poll` has rules of a file, and
    /// not one answer for the whole site.
    #[pyo3(signature = (origin, /))]
    fn document(&self, origin: &Bound<'_, Origin>) -> Option<RobotsTxt> {
        let crawl = lock(&self.crawl);
        let machine = crawl.cache();
        let document = machine.document(&origin.get().inner)?.clone();
        Some(RobotsTxt::new(document, machine.settings().dialect))
    }

    /// Takes the memory of an origin that was saved.
    #[pyo3(signature = (origin, entry, now, /))]
    fn insert(&self, origin: &Bound<'_, Origin>, entry: &Bound<'_, Entry>, now: f64) {
        let entry = entry.get().inner();
        lock(&self.crawl)
            .cache_mut()
            .insert(&origin.get().inner, entry, timestamp(now));
    }

    /// The memory of all origins, forgotten ones too, to save it.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        stored(py, &lock(&self.crawl).cache().save())
    }

    /// Loads the bytes that `save` gave; they replace the memory of the same origins. Rules for
    /// other agents, or in another dialect, are left out: robots.txt is due then.
    ///
    /// Raises `ValueError` if the bytes are not of this release.
    #[pyo3(signature = (saved, now, /))]
    fn load(&self, saved: &[u8], now: f64) -> PyResult<()> {
        let saved: SavedCache = restore(saved)?;
        lock(&self.crawl).cache_mut().load(saved, timestamp(now));
        Ok(())
    }

    /// The reasons of the access to a known origin, as a sentence.
    #[pyo3(signature = (origin, now, /))]
    fn explain(&self, origin: &Bound<'_, Origin>, now: f64) -> Option<String> {
        let explanation = lock(&self.crawl)
            .cache()
            .explain(&origin.get().inner, timestamp(now));
        explanation.map(|explanation| explanation.to_string())
    }

    /// The next time at which a robots.txt is due.
    fn next_wakeup(&self) -> Option<f64> {
        lock(&self.crawl).cache().next_wakeup().map(float)
    }

    /// The origins whose robots.txt is due.
    #[pyo3(signature = (now, /))]
    fn due(&self, now: f64) -> Vec<Origin> {
        let crawl = lock(&self.crawl);
        let machine = crawl.cache();
        machine
            .due(timestamp(now))
            .cloned()
            .map(Origin::from)
            .collect()
    }

    /// The number of forgotten origins that are still remembered as unreachable.
    fn forgotten(&self) -> usize {
        lock(&self.crawl).cache().forgotten()
    }

    /// The bytes of memory that count against the capacity.
    fn bytes(&self) -> usize {
        lock(&self.crawl).cache().bytes()
    }

    fn __len__(&self) -> usize {
        lock(&self.crawl).cache().len()
    }

    fn __repr__(&self) -> String {
        let crawl = lock(&self.crawl);
        let machine = crawl.cache();
        format!(
            "<Cache: {} origins, {} bytes>",
            machine.len(),
            machine.bytes()
        )
    }
}

/// A cache without anything in it.
pub(crate) fn cache_of(
    py: Python<'_>,
    profile: &Bound<'_, Profile>,
    agents: &Bound<'_, PyAny>,
    capacity: usize,
) -> PyResult<polite_robots_policy::Cache> {
    let names = strings(agents)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    polite_robots_policy::Cache::new(profile.get().inner, &names, capacity)
        .map_err(|error| invalid_token(py, &error))
}

/// The URL or the request target that a client sends for a URL, which must be of the same origin.
pub(crate) fn sent_of<'a>(
    url: &str,
    origin: &polite_robots_policy::Origin,
    sent: &'a Bound<'_, PyAny>,
) -> PyResult<Text<'a>> {
    let py = sent.py();
    let text = Text::of_url(sent).map_err(|error| {
        if error.is_instance_of::<PyTypeError>(py) {
            PyTypeError::new_err("sent is the URL as the client sends it, or its request target")
        } else {
            error
        }
    })?;
    refuse_elsewhere(py, url, origin, text.bytes())?;
    Ok(text)
}

/// Refuses a URL that the client sends to another origin than that whose robots.txt is asked: to
/// httpx the host of `http://a\@b/` is `b`. A path names no origin.
fn refuse_elsewhere(
    py: Python<'_>,
    url: &str,
    origin: &polite_robots_policy::Origin,
    sent: &[u8],
) -> PyResult<()> {
    if sent.starts_with(b"/") {
        return Ok(());
    }
    let sent = lossy(sent);
    let other = polite_robots_policy::Origin::of(&sent);
    let other = other.map_err(|error| invalid_url(py, &error))?;
    if other == *origin {
        return Ok(());
    }
    let url = url.to_string();
    let message = format!("{url:?} is a URL of {origin}, and the client sends it to {other}");
    Err(url_error(py, &message, &url))
}

/// The right to fetch one robots.txt, once. One that is dropped is given back.
#[pyclass(frozen, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Ticket {
    ticket: Mutex<Option<polite_robots_policy::cache::Ticket>>,
    origin: Origin,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Ticket {
    fn new(ticket: polite_robots_policy::cache::Ticket) -> Ticket {
        let validators = ticket.validators();
        let text = |value: &Option<Box<str>>| value.as_deref().map(str::to_string);
        Ticket {
            origin: ticket.origin().clone().into(),
            etag: text(&validators.etag),
            last_modified: text(&validators.last_modified),
            ticket: Mutex::new(Some(ticket)),
        }
    }

    fn take(&self) -> PyResult<polite_robots_policy::cache::Ticket> {
        let ticket = lock(&self.ticket).take();
        ticket.ok_or_else(used)
    }
}

fn used() -> PyErr {
    PyValueError::new_err("the ticket was used already")
}

#[pymethods]
impl Ticket {
    /// The origin whose robots.txt to fetch.
    #[getter]
    fn origin(&self) -> Origin {
        self.origin.clone()
    }

    /// The `ETag` of the copy at hand, for `Fetch`.
    #[getter]
    fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }

    /// The `Last-Modified` of the copy at hand, for `Fetch`.
    #[getter]
    fn last_modified(&self) -> Option<&str> {
        self.last_modified.as_deref()
    }

    fn __repr__(&self) -> String {
        format!("<Ticket {}>", self.origin)
    }
}

/// The answer of a cache: `kind` is `"ready"`, `"closed"`, `"fetch"`, `"pending"` or `"full"`.
#[pyclass(frozen, get_all, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Lookup {
    /// `"ready"`, `"closed"`, `"fetch"`, `"pending"` or `"full"`.
    kind: &'static str,
    /// The rules in force, if it is ready; if it is closed, a robot that disallows everything.
    robot: Option<Py<Robot>>,
    /// The right to fetch robots.txt, if that is due.
    ticket: Option<Py<Ticket>>,
    /// The reason why the origin is closed.
    cause: Option<CauseName>,
    /// The beginning of the outage, or else the last try, if the origin is closed.
    since: Option<f64>,
    /// When robots.txt is due again, if the origin is closed: `"now"`, `"never"`, or a time.
    retry: Option<Next>,
}

impl Lookup {
    fn new(py: Python<'_>, lookup: polite_robots_policy::Lookup) -> PyResult<Lookup> {
        let mut answer = Lookup {
            kind: "other",
            robot: None,
            ticket: None,
            cause: None,
            since: None,
            retry: None,
        };
        match lookup {
            polite_robots_policy::Lookup::Ready(robot) => {
                answer.kind = "ready";
                answer.robot = Some(Py::new(py, Robot::new(robot, None))?);
            }
            polite_robots_policy::Lookup::Closed(closed) => {
                answer.kind = "closed";
                answer.robot = Some(Py::new(py, Robot::new(closed.robot, None))?);
                answer.cause = Some(closed.cause.into());
                answer.since = Some(float(closed.since));
                answer.retry = Some(closed.retry.into());
            }
            polite_robots_policy::Lookup::Fetch(ticket) => {
                answer.kind = "fetch";
                answer.ticket = Some(Py::new(py, Ticket::new(ticket))?);
            }
            polite_robots_policy::Lookup::Pending => answer.kind = "pending",
            polite_robots_policy::Lookup::Full => answer.kind = "full",
            _ => {}
        }
        Ok(answer)
    }
}

#[pymethods]
impl Lookup {
    fn __repr__(&self) -> String {
        format!("<Lookup {}>", self.kind)
    }
}

//! `_Crawl`: the machine of the callers that wait for the turns of their hosts.

use std::sync::{Arc, Mutex};

use polite_robots_policy::crawl::{self, Busy, Limits, Page, PageRequest, Refusal, Step};
use polite_robots_policy::{Lookup, RobotsCheck, Timestamp};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::invalid_url;
use crate::pickle::{restore, stored};
use crate::policy::cache::{Cache, cache_of, sent_of};
use crate::policy::check::Check;
use crate::policy::fetch::Event;
use crate::policy::pace::{HostRule, Reply};
use crate::policy::profile::Profile;
use crate::policy::time::{duration, float, lock, timestamp};
use crate::text::unicode;

/// The machine of the callers that wait for the turns of their hosts. `steady` is the time in
/// seconds by a clock that nobody sets.
#[pyclass(frozen, name = "_Crawl", module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Crawl {
    machine: Arc<Mutex<crawl::Crawl>>,
}

/// A step: its kind, its number, the answer about its page, and what else the kind has.
type PyStep = (&'static str, u32, Option<Check>, More);

#[derive(IntoPyObject)]
enum More {
    /// The URL of a request for robots.txt.
    Url(String),
    /// The time of the next step.
    Wakeup(Option<f64>),
    /// The host that is busy, its next turn, the reason, and whether the rules are known.
    Busy(String, Option<f64>, String, bool),
}

#[pymethods]
impl Crawl {
    #[new]
    fn py_new(
        py: Python<'_>,
        profile: &Bound<'_, Profile>,
        agents: &Bound<'_, PyAny>,
        capacity: usize,
        max_in_flight: f64,
        max_line: f64,
    ) -> PyResult<Crawl> {
        let cache = cache_of(py, profile, agents, capacity)?;
        let limits = Limits {
            in_flight: max_in_flight.ceil() as usize,
            line: max_line.ceil() as usize,
            ..Limits::default()
        };
        let machine = Arc::new(Mutex::new(crawl::Crawl::over(cache, limits)));
        Ok(Crawl { machine })
    }

    /// The cache of the machine itself, not a copy of it.
    #[getter]
    fn cache(&self) -> Cache {
        let crawl = Arc::clone(&self.machine);
        Cache { crawl }
    }

    fn set_rule(&self, host: &str, rule: &Bound<'_, HostRule>) {
        lock(&self.machine).set_rule(host, rule.get().inner);
    }

    /// Adds a page and gives its number.
    ///
    /// Raises `InvalidUrl` as `Cache.check` does.
    #[allow(clippy::too_many_arguments, reason = "pyo3 makes one object of them")]
    fn enter(
        &self,
        url: &Bound<'_, PyString>,
        sent: Option<&Bound<'_, PyAny>>,
        max_wait: f64,
        is_patient: bool,
        steady: f64,
        now: f64,
    ) -> PyResult<u32> {
        let (py, url) = (url.py(), unicode(url)?);
        let sent = match sent {
            Some(sent) => {
                let origin = polite_robots_policy::Origin::of(&url);
                let origin = origin.map_err(|error| invalid_url(py, &error))?;
                Some(sent_of(&url, &origin, sent)?)
            }
            None => None,
        };
        let request = PageRequest::new(&url)
            .with_target(sent.as_ref().map(|sent| sent.bytes()))
            .with_patience(is_patient)
            .with_max_wait(duration(max_wait.max(0.0))?);
        lock(&self.machine)
            .enter(request, duration(steady)?, timestamp(now))
            .map_err(|error| invalid_url(py, &error))
    }

    /// The next step: `"turn"`, `"refused"`, `"get"` or `"wait"`.
    fn poll(&self, steady: f64, now: f64) -> PyResult<PyStep> {
        let (steady, now) = (duration(steady)?, timestamp(now));
        let mut machine = lock(&self.machine);
        Ok(match machine.poll(steady, now) {
            Step::Turn(number, robot) => {
                let check = machine
                    .page(number)
                    .map(|page| page.check(Ok(robot)).into());
                ("turn", number, check, More::Wakeup(None))
            }
            Step::Refused(page, refusal) => {
                let (check, more) = match refusal {
                    Refusal::Disallowed(robot) => (page.check(Ok(robot)), More::Wakeup(None)),
                    Refusal::Closed(closed) => (page.check(Err(closed)), More::Wakeup(None)),
                    Refusal::Busy { reason, retry } => {
                        let lookup = machine.cache_mut().poll_ahead(page.origin(), now);
                        busy(&page, lookup, reason, retry)
                    }
                    _ => (RobotsCheck::default(), More::Wakeup(None)),
                };
                ("refused", page.number(), Some(check.into()), more)
            }
            Step::Get(round) => {
                let url = machine.request(round, now).map(|request| request.url);
                let url = url.unwrap_or_default().to_string();
                ("get", round, None, More::Url(url))
            }
            Step::Wait(until) => ("wait", 0, None, More::Wakeup(until.map(float))),
            _ => ("wait", 0, None, More::Wakeup(None)),
        })
    }

    /// Ends a page whose caller does not wait any more, or whose request was broken off.
    fn leave(&self, page: u32, now: f64) {
        lock(&self.machine).leave(page, timestamp(now));
    }

    /// Ends the request of a page.
    fn finish(&self, page: u32, reply: &Bound<'_, Reply>, now: f64) {
        lock(&self.machine).finish(page, reply.get().inner, timestamp(now));
    }

    /// Takes the response to the request of a round, or its failure.
    fn handle(&self, py: Python<'_>, round: u32, event: &Bound<'_, Event>, now: f64) {
        let mut machine = lock(&self.machine);
        event
            .get()
            .give(py, |event| machine.handle(round, event, timestamp(now)));
    }

    /// Ends the request of a round that was broken off.
    fn break_off(&self, round: u32, now: f64) {
        lock(&self.machine).break_off(round, timestamp(now));
    }

    /// The pages that wait for the robots.txt of a round.
    fn pages_of(&self, round: u32) -> Vec<u32> {
        lock(&self.machine).pages_of(round)
    }

    /// The memory of all hosts, as `Scheduler.save` gives it.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        stored(py, lock(&self.machine).scheduler())
    }

    /// Takes what `Cache.save` and `save` gave.
    ///
    /// Raises `ValueError` if it is not of this release.
    fn load(&self, cache: &[u8], scheduler: &[u8], now: f64) -> PyResult<()> {
        let scheduler: polite_robots_policy::Scheduler = restore(scheduler)?;
        lock(&self.machine).load(restore(cache)?, &scheduler, timestamp(now));
        Ok(())
    }

    /// The number of hosts.
    fn __len__(&self) -> usize {
        lock(&self.machine).scheduler().len()
    }
}

/// The answer about a page whose host is busy: by its rules, if they are known, or else closed.
fn busy(
    page: &Page,
    lookup: Lookup,
    reason: Busy,
    retry: Option<Timestamp>,
) -> (RobotsCheck, More) {
    let known = match lookup {
        Lookup::Ready(robot) => Some(page.check(Ok(robot))),
        Lookup::Closed(closed) => Some(page.check(Err(closed))),
        // A ticket that is dropped is given back.
        _ => None,
    };
    let reason = match reason {
        Busy::Crowded(callers) => format!("{callers} calls wait for it"),
        reason => reason.to_string(),
    };
    let host = page.origin().host().to_string();
    let more = More::Busy(host, retry.map(float), reason, known.is_some());
    let mut closed = RobotsCheck::default();
    closed.closed = true;
    closed.retry_at = retry;
    (known.unwrap_or(closed), more)
}

//! `Scheduler`: the paces of many hosts, and which of them is next.

use std::sync::Mutex;

use polite_robots_policy::IpGroup;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::pickle::{Reduced, reduce, restore, stored};
use crate::policy::origin::Origin;
use crate::policy::pace::{HostRule, Pacer, Reply, turn};
use crate::policy::profile::{Profile, json, to_python};
use crate::policy::time::{Next, duration, float, lock, timestamp};

/// The handle of a host in its `Scheduler`. One that outlives its host is stale: calls with it
/// change nothing.
#[pyclass(frozen, eq, ord, hash, from_py_object, module = "polite_robots.policy")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct HostId {
    inner: polite_robots_policy::HostId,
}

impl From<polite_robots_policy::HostId> for HostId {
    fn from(inner: polite_robots_policy::HostId) -> HostId {
        HostId { inner }
    }
}

#[pymethods]
impl HostId {
    /// The slot of the host, to index tables. Another host may get it once this one is removed.
    fn index(&self) -> usize {
        self.inner.index()
    }

    fn __repr__(&self) -> String {
        format!("<HostId {}>", self.inner.index())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), &slf.get().inner)
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<HostId> {
        let inner = restore(state.as_bytes())?;
        Ok(HostId { inner })
    }
}

/// The paces of many hosts, and which of them is next. It holds hosts, never URLs: those wait in
/// the caller's queues.
///
/// A request begins with `handle_start`, and ends with `handle_reply` or `handle_cancelled`, or
/// when the `request_lease` of the profile is over. Hosts that share an address may be a group, by
/// a number of the caller's, and share its limit.
#[pyclass(frozen, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Scheduler {
    machine: Mutex<polite_robots_policy::Scheduler>,
}

impl From<polite_robots_policy::Scheduler> for Scheduler {
    fn from(scheduler: polite_robots_policy::Scheduler) -> Scheduler {
        let machine = Mutex::new(scheduler);
        Scheduler { machine }
    }
}

#[pymethods]
impl Scheduler {
    #[new]
    fn py_new(profile: &Bound<'_, Profile>) -> Scheduler {
        polite_robots_policy::Scheduler::new(profile.get().inner).into()
    }

    /// The settings of all hosts, which are `pace` of the profile.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let settings = *lock(&self.machine).settings();
        to_python(py, &json(&settings)?)
    }

    /// Adds a host that was never asked and waits for its turn. A host that is there already keeps
    /// its pace.
    #[pyo3(signature = (host, group = None, /))]
    fn insert(&self, host: &str, group: Option<u64>) -> HostId {
        let group = group.map(IpGroup);
        lock(&self.machine).insert(host, group).into()
    }

    /// Adds a host with the pace that it had elsewhere. If the host is there already, the pace is
    /// merged as by `join`.
    #[pyo3(signature = (host, group, pacer, /))]
    fn insert_with(&self, host: &str, group: Option<u64>, pacer: &Bound<'_, Pacer>) -> HostId {
        let (group, pacer) = (group.map(IpGroup), pacer.get().inner());
        lock(&self.machine).insert_with(host, group, pacer).into()
    }

    /// Merges the pace that another crawler had for the host: the more patient value of each part
    /// counts.
    #[pyo3(signature = (host, pacer, /))]
    fn join(&self, host: HostId, pacer: &Bound<'_, Pacer>) {
        lock(&self.machine).join(host.inner, pacer.get().inner());
    }

    /// The host of this name, if it is there.
    #[pyo3(signature = (host, /))]
    fn find(&self, host: &str) -> Option<HostId> {
        lock(&self.machine).find(host).map(HostId::from)
    }

    /// All hosts, in no order.
    fn hosts(&self) -> Vec<HostId> {
        lock(&self.machine).hosts().map(HostId::from).collect()
    }

    /// Whether the host is there; not once it is removed.
    #[pyo3(signature = (host, /))]
    fn contains(&self, host: HostId) -> bool {
        lock(&self.machine).contains(host.inner)
    }

    /// Moves the host to a group, or out of its group.
    #[pyo3(signature = (host, group, /))]
    fn set_group(&self, host: HostId, group: Option<u64>) {
        lock(&self.machine).set_group(host.inner, group.map(IpGroup));
    }

    /// The pace of the host, to take it to another scheduler.
    #[pyo3(signature = (host, /))]
    fn pacer(&self, host: HostId) -> Option<Pacer> {
        lock(&self.machine).pacer(host.inner).map(Pacer::from)
    }

    /// The name of the host; empty once it is removed.
    #[pyo3(signature = (host, /))]
    fn host(&self, host: HostId) -> String {
        lock(&self.machine).host(host.inner).to_string()
    }

    /// Whether the host may be asked: `"ready"`, the time not to ask before, `"busy"` while as many
    /// requests are under way as the profile permits, or `"skip"` if it leaves the host out.
    #[pyo3(signature = (host, now, /))]
    fn turn(&self, host: HostId, now: f64) -> Next {
        turn(lock(&self.machine).turn(host.inner, timestamp(now)))
    }

    /// A host that may be asked now and waits for it; `None` if there is none before `next_wakeup`.
    /// The same one comes again until `handle_start`, `set_idle` or `defer`.
    #[pyo3(signature = (now, /))]
    fn next_ready(&self, now: f64) -> Option<HostId> {
        let host = lock(&self.machine).next_ready(timestamp(now));
        host.map(HostId::from)
    }

    /// The earliest time at which `next_ready` may have a host again; `None` if no host will be
    /// ready without a call of another kind.
    fn next_wakeup(&self) -> Option<f64> {
        lock(&self.machine).next_wakeup().map(float)
    }

    /// Notes that a request to the host was started.
    #[pyo3(signature = (host, now, /))]
    fn handle_start(&self, host: HostId, now: f64) {
        lock(&self.machine).handle_start(host.inner, timestamp(now));
    }

    /// Takes the end of a request to the host.
    #[pyo3(signature = (host, reply, now, /))]
    fn handle_reply(&self, host: HostId, reply: &Bound<'_, Reply>, now: f64) {
        let reply = reply.get().inner;
        lock(&self.machine).handle_reply(host.inner, reply, timestamp(now));
    }

    /// Notes that the crawler gave a request up, or never sent it. The gap is kept.
    #[pyo3(signature = (host, now, /))]
    fn handle_cancelled(&self, host: HostId, now: f64) {
        lock(&self.machine).handle_cancelled(host.inner, timestamp(now));
    }

    /// Sets the `Crawl-delay` of one robots.txt in seconds, or `None` if it asks for none. The
    /// longest of the host's origins counts.
    #[pyo3(signature = (host, origin, delay, /))]
    fn set_crawl_delay(
        &self,
        host: HostId,
        origin: &Bound<'_, Origin>,
        delay: Option<f64>,
    ) -> PyResult<()> {
        let delay = delay.map(duration).transpose()?;
        lock(&self.machine).set_crawl_delay(host.inner, &origin.get().inner, delay);
        Ok(())
    }

    /// Gives the host no turn before a time, as the crawler has nothing to ask there.
    #[pyo3(signature = (host, until, /))]
    fn defer(&self, host: HostId, until: f64) {
        lock(&self.machine).defer(host.inner, timestamp(until));
    }

    /// Stops asking the host until a time, by the operator's will; `math.inf` is for ever.
    #[pyo3(signature = (host, until, /))]
    fn block(&self, host: HostId, until: f64) {
        lock(&self.machine).block(host.inner, timestamp(until));
    }

    /// Ends the block by the operator.
    #[pyo3(signature = (host, /))]
    fn unblock(&self, host: HostId) {
        lock(&self.machine).unblock(host.inner);
    }

    /// Sets the operator's exceptions for the host; `HostRule()` ends them.
    #[pyo3(signature = (host, rule, /))]
    fn set_rule(&self, host: HostId, rule: &Bound<'_, HostRule>) {
        lock(&self.machine).set_rule(host.inner, rule.get().inner);
    }

    /// The operator's exceptions for the host.
    #[pyo3(signature = (host, /))]
    fn rule(&self, host: HostId) -> HostRule {
        let inner = lock(&self.machine).rule(host.inner);
        HostRule { inner }
    }

    /// Lets the host wait for its turn, because it has a URL.
    #[pyo3(signature = (host, /))]
    fn set_waiting(&self, host: HostId) {
        lock(&self.machine).set_waiting(host.inner);
    }

    /// Gives the host no turn until `set_waiting`, because it has no URL at hand.
    #[pyo3(signature = (host, /))]
    fn set_idle(&self, host: HostId) {
        lock(&self.machine).set_idle(host.inner);
    }

    /// Takes the host out. It is remembered until its gap and blocks are over.
    #[pyo3(signature = (host, /))]
    fn remove(&self, host: HostId) {
        lock(&self.machine).remove(host.inner);
    }

    /// Whether the host may be forgotten: inserted again as a new one, it would get no turn
    /// earlier.
    #[pyo3(signature = (host, now, /))]
    fn is_as_new(&self, host: HostId, now: f64) -> bool {
        lock(&self.machine).is_as_new(host.inner, timestamp(now))
    }

    /// The number of requests that the host will take within `horizon` seconds.
    #[pyo3(signature = (host, horizon, /))]
    fn capacity(&self, host: HostId, horizon: f64) -> PyResult<usize> {
        let horizon = duration(horizon)?;
        Ok(lock(&self.machine).capacity(host.inner, horizon))
    }

    /// The memory of all hosts, to save it.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        stored(py, &*lock(&self.machine))
    }

    /// The scheduler that `save` was called on, with its settings. Its requests have ended, and
    /// their gaps are kept.
    ///
    /// Raises `ValueError` if it is not of this release.
    #[staticmethod]
    #[pyo3(signature = (saved, /))]
    fn load(saved: &[u8]) -> PyResult<Scheduler> {
        let scheduler: polite_robots_policy::Scheduler = restore(saved)?;
        Ok(scheduler.into())
    }

    fn __len__(&self) -> usize {
        lock(&self.machine).len()
    }

    fn __repr__(&self) -> String {
        format!("<Scheduler: {} hosts>", lock(&self.machine).len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), &*lock(&slf.get().machine))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Scheduler> {
        Scheduler::load(state.as_bytes())
    }
}

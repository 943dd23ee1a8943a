//! `Entry`: the memory of one origin's robots.txt.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::names::named;
use crate::pickle::{Reduced, reduce, restore};
use crate::policy::fetch::Outcome;
use crate::policy::origin::Origin;
use crate::policy::profile::Profile;
use crate::policy::time::{Next, float, lock, timestamp};
use crate::robots_txt::RobotsTxt;

/// The memory of one origin's robots.txt: which rules are in force, also in an outage, and when to
/// ask again.
#[pyclass(frozen, module = "polite_robots.policy")]
#[derive(Debug)]
pub(crate) struct Entry {
    machine: Mutex<polite_robots_policy::Entry>,
}

impl Entry {
    pub(crate) fn new(entry: polite_robots_policy::Entry) -> Entry {
        let machine = Mutex::new(entry);
        Entry { machine }
    }

    pub(crate) fn inner(&self) -> polite_robots_policy::Entry {
        lock(&self.machine).clone()
    }
}

#[pymethods]
impl Entry {
    #[new]
    fn py_new() -> Entry {
        Entry::new(polite_robots_policy::Entry::new())
    }

    /// An empty memory of an origin, whose host spreads its retries.
    #[staticmethod]
    #[pyo3(signature = (origin, /))]
    fn for_origin(origin: &Bound<'_, Origin>) -> Entry {
        Entry::new(polite_robots_policy::Entry::for_origin(&origin.get().inner))
    }

    /// Takes the outcome of a round.
    #[pyo3(signature = (outcome, profile, now, /))]
    fn handle(&self, outcome: Outcome, profile: &Bound<'_, Profile>, now: f64) {
        lock(&self.machine).handle(outcome.inner, &profile.get().inner, timestamp(now));
    }

    /// The rules in force. `site` is `"available"`, `"unavailable"` or `"unknown"`: whether pages
    /// of the site come.
    ///
    /// An entry from a `Cache` without `documents` has the rules of its agents but no file: while
    /// rules are in force, the answer is "not fetched" then, which disallows everything.
    #[pyo3(signature = (profile, site, now, /))]
    fn robots_txt(
        &self,
        profile: &Bound<'_, Profile>,
        site: &str,
        now: f64,
    ) -> PyResult<RobotsTxt> {
        let profile = &profile.get().inner;
        let site = named("site", site)?;
        let robots_txt = lock(&self.machine).robots_txt(profile, site, timestamp(now));
        Ok(RobotsTxt::new(robots_txt, profile.access.dialect))
    }

    /// When robots.txt is due again: `"now"`, `"never"`, or a time.
    #[pyo3(signature = (profile, now, /))]
    fn next_fetch(&self, profile: &Bound<'_, Profile>, now: f64) -> Next {
        let next = lock(&self.machine).next_fetch(&profile.get().inner, timestamp(now));
        next.into()
    }

    /// Notes whether pages of the site come.
    #[pyo3(signature = (site, profile, now, /))]
    fn set_site(&self, site: &str, profile: &Bound<'_, Profile>, now: f64) -> PyResult<()> {
        let site = named("site", site)?;
        lock(&self.machine).set_site(site, &profile.get().inner, timestamp(now));
        Ok(())
    }

    /// The failed rounds in a row.
    fn failures(&self) -> u32 {
        lock(&self.machine).failures()
    }

    /// When the answer came or was confirmed.
    fn robots_date(&self) -> Option<f64> {
        lock(&self.machine).robots_date().map(float)
    }

    /// The end of the answer's lifetime.
    fn fresh_until(&self) -> Option<f64> {
        lock(&self.machine).fresh_until().map(float)
    }

    /// The `ETag` and the `Last-Modified` of the copy at hand.
    fn validators(&self) -> (Option<String>, Option<String>) {
        let machine = lock(&self.machine);
        let validators = machine.validators();
        let text = |value: &Option<Box<str>>| value.as_deref().map(str::to_string);
        (text(&validators.etag), text(&validators.last_modified))
    }

    /// Forgets the failures and the outage, and makes robots.txt due.
    fn reset(&self) {
        lock(&self.machine).reset();
    }

    /// The reasons of the rules in force, as a sentence.
    #[pyo3(signature = (profile, site, now, /))]
    fn explain(&self, profile: &Bound<'_, Profile>, site: &str, now: f64) -> PyResult<String> {
        let site = named("site", site)?;
        let explanation = lock(&self.machine).explain(&profile.get().inner, site, timestamp(now));
        Ok(explanation.to_string())
    }

    fn __repr__(&self) -> String {
        format!("<Entry: {} failures>", self.failures())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), &slf.get().inner())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Ok(Entry::new(restore(state.as_bytes())?))
    }
}

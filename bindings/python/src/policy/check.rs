//! `Check`: the answer of a cache about one URL.

use polite_robots_policy::RobotsCheck;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fields::fields;
use crate::names::CauseName;
use crate::policy::time::float;
use crate::robot::Robot;

/// Whether a crawler may fetch a URL now, and why. True if it may.
#[pyclass(frozen, module = "polite_robots")]
#[derive(Debug)]
pub(crate) struct Check {
    inner: RobotsCheck,
    /// The exception that the fetch of robots.txt ended with, if the answer waited for it. It shows
    /// whether the crawler or the site was at fault.
    #[pyo3(get)]
    error: Option<Py<PyAny>>,
}

impl From<RobotsCheck> for Check {
    fn from(inner: RobotsCheck) -> Check {
        let error = None;
        Check { inner, error }
    }
}

#[pymethods]
impl Check {
    /// Whether the crawler may fetch the URL now.
    #[getter]
    fn allowed(&self) -> bool {
        self.inner.allowed
    }

    /// Whether nothing of the site may be fetched although no rule says so: keep the URL until
    /// `retry_at`.
    #[getter(closed)]
    fn is_closed(&self) -> bool {
        self.inner.closed
    }

    /// The reason if no rule decides: the HTTP status of robots.txt, the name of a cause such as
    /// `"unreachable"`, or `"full"` if the cache has no room for another robots.txt.
    #[getter]
    fn cause(&self) -> Option<CauseName> {
        self.inner.cause.map(CauseName::from)
    }

    /// When to ask again if the site is closed, in seconds since 1970; `None` for never.
    #[getter]
    fn retry_at(&self) -> Option<f64> {
        self.inner.retry_at.map(float)
    }

    /// The line of the deciding rule, from 1.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.inner.line
    }

    /// The rules in force; if the site is closed, a robot that disallows everything.
    #[getter]
    fn robot(&self) -> Robot {
        Robot::new(self.inner.robot().clone(), None)
    }

    /// The same answer with an `error`, for `RobotsCache`.
    #[pyo3(signature = (error, /))]
    fn _after(&self, error: Py<PyAny>) -> Check {
        let (inner, error) = (self.inner.clone(), Some(error));
        Check { inner, error }
    }

    /// The attributes but `robot` and `error`, and `explanation`, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = ["allowed", "closed", "cause", "retry_at", "line"];
        let fields = fields(slf.as_any(), &attributes)?;
        fields.set_item("explanation", slf.str()?)?;
        Ok(fields)
    }

    fn __bool__(&self) -> bool {
        self.inner.allowed
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Check: {}>", self.inner)
    }
}

//! `Origin`: the scope of one robots.txt.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

use crate::errors::invalid_url;
use crate::pickle::{Reduced, reduce, restore};
use crate::text::unicode;

/// Scheme, host and port: the scope of one robots.txt.
#[pyclass(
    frozen,
    eq,
    ord,
    hash,
    str,
    from_py_object,
    module = "polite_robots.policy"
)]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Origin {
    pub(crate) inner: polite_robots_policy::Origin,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.fmt(f)
    }
}

impl From<polite_robots_policy::Origin> for Origin {
    fn from(inner: polite_robots_policy::Origin) -> Origin {
        Origin { inner }
    }
}

#[pymethods]
impl Origin {
    /// The origin of a URL.
    ///
    /// Raises `InvalidUrl` if the URL has none.
    #[staticmethod]
    #[pyo3(signature = (url, /))]
    fn of(url: &Bound<'_, PyString>) -> PyResult<Origin> {
        let text = unicode(url)?;
        let origin = polite_robots_policy::Origin::of(&text);
        origin
            .map(Origin::from)
            .map_err(|error| invalid_url(url.py(), &error))
    }

    /// The URL of its robots.txt.
    fn robots_url(&self) -> String {
        self.inner.robots_url()
    }

    /// The host: lower case, punycode, an IPv6 address in brackets, without a last dot.
    fn host(&self) -> &str {
        self.inner.host()
    }

    /// The hash by which a fleet divides hosts among its workers: worker
    /// `partition_key() % workers` gets the host. The hash of a host never changes.
    fn partition_key(&self) -> u64 {
        self.inner.partition_key()
    }

    fn __repr__(&self) -> String {
        format!("<Origin {}>", self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), &slf.get().inner)
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let inner = restore(state.as_bytes())?;
        Ok(Origin { inner })
    }
}

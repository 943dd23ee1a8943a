//! `RobotsTxt`: a robots.txt for every agent, below the robots and the verdicts that refer to it.

use std::sync::OnceLock;

use polite_robots::Dialect;
use polite_robots_records::CleanParams;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyWeakrefReference;

use crate::group::Group;

/// A robots.txt for every agent. Immutable, and safe to share between threads.
///
/// `robots_txt` may hold any bytes: lines that cannot be read are skipped. `dialect` is `"rfc9309"`
/// or `"google"`, which answers as Google's matcher does. At most `max_bytes` of the file are read.
#[pyclass(frozen, weakref, module = "polite_robots")]
pub(crate) struct RobotsTxt {
    pub(crate) robots_txt: polite_robots::RobotsTxt,
    pub(crate) dialect: Dialect,
    pub(crate) groups: GroupObjects,
    pub(crate) merged_groups: GroupObjects,
    /// Built when the first URL is cleaned.
    pub(crate) clean_params: OnceLock<CleanParams>,
}

/// The groups of a document, made when somebody asks for them first.
pub(crate) type GroupObjects = PyOnceLock<Vec<Py<Group>>>;

impl RobotsTxt {
    pub(crate) fn new(robots_txt: polite_robots::RobotsTxt, dialect: Dialect) -> RobotsTxt {
        RobotsTxt {
            robots_txt,
            dialect,
            groups: GroupObjects::new(),
            merged_groups: GroupObjects::new(),
            clean_params: OnceLock::new(),
        }
    }
}

/// The document of a weak reference, if it is still there.
pub(crate) fn alive<'py>(
    py: Python<'py>,
    document: Option<&Py<PyWeakrefReference>>,
) -> PyResult<Option<Bound<'py, RobotsTxt>>> {
    use pyo3::types::PyWeakrefMethods as _;

    match document {
        Some(document) => document.bind(py).upgrade_as::<RobotsTxt>(),
        None => Ok(None),
    }
}

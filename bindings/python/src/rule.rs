//! `Rule`: one rule of a file, copied out of it or out of a robot.

use polite_robots::document::RuleRecord;
use polite_robots_audit::printable::printable;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use serde::{Deserialize, Serialize};

use crate::fields::fields;
use crate::names::access_name;
use crate::pickle::{Reduced, reduce, restore};
use crate::text::lossy;

/// One rule of a file.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) access: String,
    pub(crate) pattern: String,
    pub(crate) line: u32,
    pub(crate) length: usize,
    text: String,
}

impl From<polite_robots::Rule<'_>> for Rule {
    fn from(rule: polite_robots::Rule<'_>) -> Rule {
        Rule {
            access: access_name(rule.access()).to_string(),
            pattern: rule.pattern().to_string(),
            line: rule.line(),
            length: rule.length(),
            text: rule.to_string(),
        }
    }
}

impl From<RuleRecord<'_>> for Rule {
    fn from(rule: RuleRecord<'_>) -> Rule {
        Rule {
            access: access_name(rule.access()).to_string(),
            pattern: lossy(rule.value()),
            line: rule.line(),
            length: rule.value().len(),
            text: rule.to_string(),
        }
    }
}

#[pymethods]
impl Rule {
    /// `"allow"` or `"disallow"`.
    #[getter]
    fn access(&self) -> &str {
        &self.access
    }

    /// The path pattern. In a robot it is in the form that is compared; in a group it is as the
    /// file has it.
    #[getter]
    fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The line in the file, from 1.
    #[getter]
    fn line(&self) -> u32 {
        self.line
    }

    /// The bytes of the pattern, by which rules take precedence.
    #[getter]
    fn length(&self) -> usize {
        self.length
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(slf.as_any(), &["access", "pattern", "line", "length"])
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Rule line {}: {}>", self.line, printable(&self.text))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}

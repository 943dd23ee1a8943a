//! `Diagnostic`: a finding of the linter.

use polite_robots_lint as lint;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use serde::{Deserialize, Serialize};

use crate::fields::fields;
use crate::pickle::{Reduced, reduce, restore};

/// A finding about a file: where, how bad, and why.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Diagnostic {
    code: String,
    severity: String,
    line: u32,
    span: (usize, usize),
    message: String,
    suggestion: Option<String>,
    url: String,
}

impl From<&lint::Diagnostic> for Diagnostic {
    fn from(found: &lint::Diagnostic) -> Diagnostic {
        Diagnostic {
            code: found.code().as_str().to_string(),
            severity: found.severity().as_str().to_string(),
            line: found.line(),
            span: (found.span().start, found.span().end),
            message: found.message().to_string(),
            suggestion: found.suggestion().map(str::to_string),
            url: found.code().page_url().to_string(),
        }
    }
}

#[pymethods]
impl Diagnostic {
    /// The stable code, such as `"misspelled-field"`.
    #[getter]
    fn code(&self) -> &str {
        &self.code
    }

    /// `"note"`, `"warning"` or `"error"`.
    #[getter]
    fn severity(&self) -> &str {
        &self.severity
    }

    /// The line in the file, from 1.
    #[getter]
    fn line(&self) -> u32 {
        self.line
    }

    /// The first byte in the file that the finding is about, and the one after the last.
    #[getter]
    fn span(&self) -> (usize, usize) {
        self.span
    }

    /// One sentence.
    #[getter]
    fn message(&self) -> &str {
        &self.message
    }

    /// The text that would be better in the span; empty if the span should be removed.
    #[getter]
    fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// The page that explains the code.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(
            slf.as_any(),
            &[
                "code",
                "severity",
                "line",
                "span",
                "message",
                "suggestion",
                "url",
            ],
        )
    }

    fn __str__(&self) -> String {
        format!("line {}: {}", self.line, self.message)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Diagnostic {} {}: line {}: {}>",
            self.severity, self.code, self.line, self.message
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}

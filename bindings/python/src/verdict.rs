//! `Verdict`: an answer with its evidence, copied out of the robot.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType, PyWeakrefReference};
use serde::{Deserialize, Serialize};

use crate::html;
use crate::names::{CauseName, hash};
use crate::pickle::{Reduced, reduce, restore};
use crate::robots_txt::alive;
use crate::rule::Rule;

/// Whether an agent may fetch a URL, and why. True if it may.
#[pyclass(frozen, module = "polite_robots")]
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Verdict {
    allowed: bool,
    reason: String,
    cause: Option<CauseName>,
    rule: Option<Rule>,
    overruled: Option<Rule>,
    group_line: Option<u32>,
    agent_match: String,
    sentence: String,
    /// The document that the robot was made from, while somebody else keeps it.
    #[serde(skip)]
    document: Option<Py<PyWeakrefReference>>,
}

impl Verdict {
    pub(crate) fn new(
        verdict: &polite_robots::Verdict<'_>,
        document: Option<Py<PyWeakrefReference>>,
    ) -> Verdict {
        let reason = verdict.reason();
        Verdict {
            allowed: verdict.is_allowed(),
            reason: reason.as_str().to_string(),
            cause: match reason {
                polite_robots::Reason::Blanket(cause) => Some(cause.into()),
                _ => None,
            },
            rule: verdict.rule().map(Rule::from),
            overruled: verdict.overruled().map(Rule::from),
            group_line: verdict.group_line(),
            agent_match: verdict.agent_match().as_str().to_string(),
            sentence: verdict.to_string(),
            document,
        }
    }

    fn identity(&self) -> impl Eq + std::hash::Hash {
        let Verdict {
            allowed,
            reason,
            cause,
            rule,
            overruled,
            group_line,
            agent_match,
            sentence,
            document: _,
        } = self;
        (
            allowed,
            reason,
            cause,
            rule,
            overruled,
            group_line,
            agent_match,
            sentence,
        )
    }
}

#[pymethods]
impl Verdict {
    /// Whether the agent may fetch the URL.
    #[getter]
    fn allowed(&self) -> bool {
        self.allowed
    }

    /// `"rule"`, `"directory_of_index"`, `"no_rule_matches"`, `"no_group"`, `"robots_txt_itself"`
    /// or `"blanket"`.
    #[getter]
    fn reason(&self) -> &str {
        &self.reason
    }

    /// The cause of an answer for the whole site: the HTTP status of robots.txt, or a name such as
    /// `"unreachable"`.
    #[getter]
    fn cause(&self) -> Option<CauseName> {
        self.cause.clone()
    }

    /// The rule that decides.
    #[getter]
    fn rule(&self) -> Option<Rule> {
        self.rule.clone()
    }

    /// The best rule against the verdict, which the deciding rule overrules.
    #[getter]
    fn overruled(&self) -> Option<Rule> {
        self.overruled.clone()
    }

    /// The line of the deciding rule, from 1.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.rule.as_ref().map(|rule| rule.line)
    }

    /// The line of the `User-agent` record by which the rule's group applies.
    #[getter]
    fn group_line(&self) -> Option<u32> {
        self.group_line
    }

    /// `"named"`, `"wildcard"` or `"none"`: the groups that apply to the agent.
    #[getter]
    fn agent_match(&self) -> &str {
        &self.agent_match
    }

    /// The fields of a check in `robots check --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let of_rule = |rule: &Rule| -> PyResult<Bound<'py, PyDict>> {
            let fields = PyDict::new(py);
            fields.set_item("access", &rule.access)?;
            fields.set_item("pattern", &rule.pattern)?;
            fields.set_item("bytes", rule.length)?;
            Ok(fields)
        };
        let rule = self.rule.as_ref().map(of_rule).transpose()?;
        let overruled = self.overruled.as_ref().map(of_rule).transpose()?;
        if let (Some(fields), Some(overruled)) = (&overruled, &self.overruled) {
            fields.set_item("line", overruled.line)?;
        }
        let fields = PyDict::new(py);
        fields.set_item("allowed", self.allowed)?;
        fields.set_item("line", self.line())?;
        fields.set_item("rule", rule)?;
        fields.set_item("overruled", overruled)?;
        fields.set_item("reason", &self.reason)?;
        fields.set_item("explanation", &self.sentence)?;
        Ok(fields)
    }

    fn __bool__(&self) -> bool {
        self.allowed
    }

    fn __str__(&self) -> &str {
        &self.sentence
    }

    fn __repr__(&self) -> String {
        format!("<Verdict: {}>", self.sentence)
    }

    /// The sentence, and the file with the deciding line marked if the document is still there.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let document = alive(py, self.document.as_ref())?;
        let document = document.as_ref().map(|document| document.get());
        Ok(html::verdict(
            &self.sentence,
            self.allowed,
            self.line(),
            document.map(|document| &document.robots_txt),
        ))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Verdict>()
            .is_ok_and(|other| other.get().identity() == self.identity())
    }

    fn __hash__(&self) -> u64 {
        hash(&self.identity())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}

//! `Group`: agents and their rules.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use polite_robots::document;
use polite_robots_audit::printable::printable;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fields::fields;
use crate::pickle::{Reduced, reduce, restore};
use crate::rule::Rule;
use crate::text::lossy;

/// A group of a file: its agents and its rules, as the file has them.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Group {
    line: u32,
    product_token: Option<String>,
    user_agents: Vec<String>,
    rules: Vec<Arc<[SharedRule]>>,
}

/// A rule as an object of Python, so that a list of rules costs no copies of them.
#[derive(Debug)]
struct SharedRule(Py<Rule>);

impl SharedRule {
    fn all(py: Python<'_>, rules: impl IntoIterator<Item = Rule>) -> PyResult<Arc<[SharedRule]>> {
        let shared = |rule| Py::new(py, rule).map(SharedRule);
        rules.into_iter().map(shared).collect()
    }
}

impl PartialEq for SharedRule {
    fn eq(&self, other: &SharedRule) -> bool {
        self.0.get() == other.0.get()
    }
}

impl Eq for SharedRule {}

impl Hash for SharedRule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.get().hash(state);
    }
}

/// In the form in which the core stores a rule.
impl Serialize for SharedRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.get().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SharedRule, D::Error> {
        let rule = Rule::deserialize(deserializer)?;
        let shared = Python::attach(|py| Py::new(py, rule));
        shared.map(SharedRule).map_err(D::Error::custom)
    }
}

/// The groups of a file, in its order.
pub(crate) fn groups(
    py: Python<'_>,
    robots_txt: &polite_robots::RobotsTxt,
) -> PyResult<Vec<Group>> {
    let groups = robots_txt.groups();
    groups
        .map(|group| {
            let agents = group.user_agents().map(|agent| lossy(agent.value()));
            Ok(Group {
                line: group.line(),
                product_token: None,
                user_agents: agents.collect(),
                rules: vec![rules(py, group)?],
            })
        })
        .collect()
}

fn rules(py: Python<'_>, group: document::Group<'_>) -> PyResult<Arc<[SharedRule]>> {
    SharedRule::all(py, group.rules().map(Rule::from))
}

/// The groups as they apply. Agents of one group share its rules: 17,000 agents above 17,000 rules
/// are 300 million pairs.
pub(crate) fn merged_groups(
    py: Python<'_>,
    robots_txt: &polite_robots::RobotsTxt,
) -> PyResult<Vec<Group>> {
    let mut by_line: HashMap<u32, Arc<[SharedRule]>> = HashMap::new();
    let mut shared = |group: document::Group<'_>| match by_line.entry(group.line()) {
        Entry::Occupied(known) => Ok(known.get().clone()),
        Entry::Vacant(unknown) => Ok(unknown.insert(rules(py, group)?).clone()),
    };
    let merged = robots_txt.merged_groups();
    merged
        .map(|group| {
            let agent = group.user_agent();
            Ok(Group {
                line: agent.line(),
                product_token: Some(group.product_token().to_string()),
                user_agents: vec![lossy(agent.value())],
                rules: group.groups().map(&mut shared).collect::<PyResult<_>>()?,
            })
        })
        .collect()
}

#[pymethods]
impl Group {
    /// The line of the first `User-agent` record, from 1.
    #[getter]
    fn line(&self) -> u32 {
        self.line
    }

    /// The agent of a merged group, `"*"` for everyone; `None` for a group as the file has it.
    #[getter]
    fn product_token(&self) -> Option<&str> {
        self.product_token.as_deref()
    }

    /// The values of the `User-agent` records, as the file has them.
    #[getter]
    fn user_agents(&self) -> Vec<String> {
        self.user_agents.clone()
    }

    /// The rules in the order of the file, also those without effect.
    #[getter]
    fn rules(&self, py: Python<'_>) -> Vec<Py<Rule>> {
        let rules = self.rules.iter().flat_map(|rules| rules.iter());
        rules.map(|rule| rule.0.clone_ref(py)).collect()
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(
            slf.as_any(),
            &["line", "product_token", "user_agents", "rules"],
        )
    }

    fn __repr__(&self) -> String {
        let agents = printable(&self.user_agents.join(", "));
        format!(
            "<Group line {}: {agents}, {} rules>",
            self.line,
            self.rules.iter().map(|rules| rules.len()).sum::<usize>()
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

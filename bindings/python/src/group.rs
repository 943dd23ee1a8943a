//! `Group`: agents and their rules.

use std::collections::HashMap;
use std::sync::Arc;

use polite_robots::document;
use polite_robots_audit::printable::printable;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use serde::{Deserialize, Serialize};

use crate::pickle::{Reduced, reduce, restore};
use crate::text::lossy;
use crate::verdict::Rule;

/// A group of a file: its agents and its rules, as the file has them.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Group {
    line: u32,
    product_token: Option<String>,
    user_agents: Vec<String>,
    rules: Vec<Arc<[Rule]>>,
}

impl From<document::Group<'_>> for Group {
    fn from(group: document::Group<'_>) -> Group {
        let agents = group.user_agents().map(|agent| lossy(agent.value()));
        Group {
            line: group.line(),
            product_token: None,
            user_agents: agents.collect(),
            rules: vec![rules(group)],
        }
    }
}

fn rules(group: document::Group<'_>) -> Arc<[Rule]> {
    group.rules().map(Rule::from).collect()
}

/// The groups as they apply. Agents of one group share its rules: 17,000 agents above 17,000 rules
/// are 300 million pairs.
pub(crate) fn merged_groups(robots_txt: &polite_robots::RobotsTxt) -> Vec<Group> {
    let mut by_line: HashMap<u32, Arc<[Rule]>> = HashMap::new();
    let mut shared = |group: document::Group<'_>| {
        let known = by_line.entry(group.line());
        known.or_insert_with(|| rules(group)).clone()
    };
    let merged = robots_txt.merged_groups();
    merged
        .map(|group| {
            let agent = group.user_agent();
            Group {
                line: agent.line(),
                product_token: Some(group.product_token().to_string()),
                user_agents: vec![lossy(agent.value())],
                rules: group.groups().map(&mut shared).collect(),
            }
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
    fn rules(&self) -> Vec<Rule> {
        self.rules
            .iter()
            .flat_map(|rules| rules.iter().cloned())
            .collect()
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

//! `AgentSummary`: how much one agent may fetch, and what the file asks of it.

use std::borrow::Cow;

use polite_robots::document::MergedGroup;
use polite_robots::record::PolicyToken;
use polite_robots::{AgentMatch, InvalidToken, ProductToken, RobotsTxt};
use polite_robots_audit::agent;
use polite_robots_audit::coverage::CoverageSearch;
use polite_robots_records::UsageCategory;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use serde::{Deserialize, Serialize};

use crate::fields::fields;
use crate::names::seconds;
use crate::pickle::{Reduced, reduce, restore};

/// The rules and records of one agent in summary, as `robots agents` lists them.
#[pyclass(frozen, eq, hash, module = "polite_robots")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct AgentSummary {
    agent: String,
    agent_match: Name,
    group_lines: Vec<u32>,
    access: Name,
    is_complete: bool,
    line: Option<u32>,
    allow_rules: usize,
    disallow_rules: usize,
    /// The bits of the seconds, which compare and hash.
    crawl_delay: Option<u64>,
    search: Name,
    ai_input: Name,
    ai_training: Name,
    content_uses: Vec<String>,
}

/// One of a few names, which a summary shares with all others.
type Name = Cow<'static, str>;

impl AgentSummary {
    /// The agents that a file names, in its order. A use such as `__usage_ai-training` is no agent.
    pub(crate) fn of_named(robots_txt: &RobotsTxt) -> Vec<AgentSummary> {
        // The agents are read one by one, as `NamedAgents` leaves out some if a file has too many,
        // and a list of Python has no place to say so.
        let mut search = CoverageSearch::new(robots_txt);
        let summary = |group: MergedGroup<'_>| {
            let robot = robots_txt.robot(group.product_token()).ok()?;
            let summary = agent::AgentSummary::new(&robot, &mut search);
            Some(AgentSummary::new(group.product_token(), &summary))
        };
        let groups = robots_txt.merged_groups();
        let is_agent = |group: &MergedGroup<'_>| PolicyToken::find(group.product_token()).is_none();
        groups.filter(is_agent).filter_map(summary).collect()
    }

    /// The summaries of some agents. Those that the file does not name share the work for the first
    /// of them, as the same groups apply.
    pub(crate) fn of(
        agents: &[String],
        robots_txt: &RobotsTxt,
    ) -> Result<Vec<AgentSummary>, InvalidToken> {
        let mut search = CoverageSearch::new(robots_txt);
        let mut of_unnamed: Option<AgentSummary> = None;
        let groups = robots_txt.groups();
        let names: Vec<&[u8]> = groups
            .flat_map(|group| group.user_agents().map(|name| name.value()))
            .collect();
        let summary = |agent: &String| {
            let may_be_named = names.iter().any(|name| begins_with(name, agent));
            if let (false, Some(of_unnamed)) = (may_be_named, &of_unnamed) {
                if agent != "*" {
                    ProductToken::new(agent)?;
                }
                return Ok(of_unnamed.with_agent(agent));
            }
            let robot = robots_txt.robot(agent)?;
            let summary = AgentSummary::new(agent, &agent::AgentSummary::new(&robot, &mut search));
            if robot.agent_match() != AgentMatch::Named {
                of_unnamed = Some(summary.clone());
            }
            Ok(summary)
        };
        agents.iter().map(summary).collect()
    }

    fn new(agent: &str, summary: &agent::AgentSummary) -> AgentSummary {
        let preference = |category| Cow::Borrowed(summary.preference(category).as_str());
        let coverage = summary.coverage();
        let rules = summary.rule_counts();
        AgentSummary {
            agent: agent.to_string(),
            agent_match: Cow::Borrowed(summary.agent_match().as_str()),
            group_lines: summary.group_lines().to_vec(),
            access: Cow::Borrowed(coverage.extent().as_str()),
            is_complete: coverage.is_certain(),
            line: summary.closing_rule().map(|rule| rule.line()),
            allow_rules: rules.allow,
            disallow_rules: rules.disallow,
            crawl_delay: summary.crawl_delay().map(|delay| seconds(delay).to_bits()),
            search: preference(UsageCategory::Search),
            ai_input: preference(UsageCategory::AiInput),
            ai_training: preference(UsageCategory::AiTraining),
            content_uses: summary.content_uses().to_vec(),
        }
    }

    /// The summary of another agent to which the same groups apply.
    fn with_agent(&self, agent: &str) -> AgentSummary {
        AgentSummary {
            agent: agent.to_string(),
            ..self.clone()
        }
    }
}

/// Whether a value of `User-agent` begins with a name, without which it is about another agent.
fn begins_with(value: &[u8], name: &str) -> bool {
    let start = value.get(..name.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
}

#[pymethods]
impl AgentSummary {
    /// The product token, `*` for everyone.
    #[getter]
    fn agent(&self) -> &str {
        &self.agent
    }

    /// `"named"`, `"wildcard"` or `"none"`: the groups that apply to the agent.
    #[getter]
    fn agent_match(&self) -> &str {
        &self.agent_match
    }

    /// The lines of the `User-agent` records by which groups apply.
    #[getter]
    fn group_lines(&self) -> Vec<u32> {
        self.group_lines.clone()
    }

    /// `"nothing"`, `"part"` or `"everything"`: how much the agent may fetch, found by an exact
    /// walk of all its rules.
    #[getter]
    fn access(&self) -> &str {
        &self.access
    }

    /// Whether every URL was taken into account. Some rules meet in more ways than can be walked
    /// through; `access` is then the most probable answer.
    #[getter]
    fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The line of the rule that closes the whole site to the agent, if one does.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.line
    }

    /// The number of rules with `Allow`.
    #[getter]
    fn allow_rules(&self) -> usize {
        self.allow_rules
    }

    /// The number of rules with `Disallow`.
    #[getter]
    fn disallow_rules(&self) -> usize {
        self.disallow_rules
    }

    /// The `Crawl-delay` for the agent, in seconds. It has no upper bound, so cap it.
    #[getter]
    fn crawl_delay(&self) -> Option<f64> {
        self.crawl_delay.map(f64::from_bits)
    }

    /// The preference about search, for the home page: `"unstated"`, `"allowed"` or `"disallowed"`.
    #[getter]
    fn search(&self) -> &str {
        &self.search
    }

    /// The preference about input of AI models at the time of an answer, for the home page.
    #[getter]
    fn ai_input(&self) -> &str {
        &self.ai_input
    }

    /// The preference about the training of AI models, for the home page.
    #[getter]
    fn ai_training(&self) -> &str {
        &self.ai_training
    }

    /// The values of the key `use` of `Content-Signal`, for the home page.
    #[getter]
    fn content_uses(&self) -> Vec<String> {
        self.content_uses.clone()
    }

    /// The attributes, as `json` writes them.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        fields(
            slf.as_any(),
            &[
                "agent",
                "agent_match",
                "group_lines",
                "access",
                "is_complete",
                "line",
                "allow_rules",
                "disallow_rules",
                "crawl_delay",
                "search",
                "ai_input",
                "ai_training",
                "content_uses",
            ],
        )
    }

    fn __repr__(&self) -> String {
        format!("<AgentSummary {}: {}>", self.agent, self.access)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), slf.get())
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        restore(state.as_bytes())
    }
}

//! The document of `--json`. Names and order of the fields are part of the command's contract.

use polite_robots_page::PageStatement;
use serde::Serialize;

use crate::fetched_page::PageRequest;
use crate::page::effects::{AgentPage, Effect};
use crate::page::verdict::Gate;
use crate::verdict_fields::VerdictFields;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    /// The page, or `null` without one.
    pub(super) file: Option<String>,
    pub(super) url: Option<&'a str>,
    pub(super) status: Option<u16>,
    /// The requests for a live page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) requests: Option<&'a [PageRequest]>,
    /// The reason why a live page was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unread: Option<&'a str>,
    pub(super) agents: Vec<AgentFields<'a>>,
}

/// One agent.
#[derive(Serialize)]
pub(super) struct AgentFields<'a> {
    agent: &'a str,
    effects: Vec<EffectFields>,
    preferences: Vec<PreferenceFields>,
    licenses: Vec<&'a str>,
    /// All rules for the agent, those without an effect too.
    statements: Vec<StatementFields>,
    robots_txt: Option<GateFields<'a>>,
}

impl<'a> AgentFields<'a> {
    pub(super) fn new(page: &'a AgentPage<'a>, gate: Option<&'a Gate<'a>>) -> AgentFields<'a> {
        let statements = page.controls().statements();
        AgentFields {
            agent: page.agent,
            effects: page.effects().iter().map(EffectFields::new).collect(),
            preferences: page
                .preferences()
                .into_iter()
                .map(|(name, _, preference, evidence)| PreferenceFields {
                    name,
                    value: preference.as_str(),
                    decided_by: evidence,
                })
                .collect(),
            licenses: page
                .controls()
                .licenses()
                .map(|license| license.target())
                .collect(),
            statements: statements
                .filter(|statement| statement.recipient().includes_agent())
                .map(|statement| StatementFields::new(&statement))
                .collect(),
            robots_txt: gate.map(|gate| GateFields {
                verdict: VerdictFields::new(&gate.verdict()),
                hides_a_rule: Some(gate.hides_a_rule(page)),
                sentence: gate.sentence(page),
            }),
        }
    }

    /// An agent whose page was not read, so that its uses are unknown.
    pub(super) fn unread(agent: &'a str, gate: &'a Gate<'a>) -> AgentFields<'a> {
        AgentFields {
            agent,
            effects: Vec::new(),
            preferences: Vec::new(),
            licenses: Vec::new(),
            statements: Vec::new(),
            robots_txt: Some(GateFields {
                verdict: VerdictFields::new(&gate.verdict()),
                hides_a_rule: None,
                sentence: gate.sentence_alone(agent),
            }),
        }
    }
}

#[derive(Serialize)]
struct EffectFields {
    name: &'static str,
    value: String,
    decided_by: Option<StatementFields>,
}

impl EffectFields {
    fn new(effect: &Effect<'_>) -> EffectFields {
        EffectFields {
            name: effect.name,
            value: effect.value.clone(),
            decided_by: effect.decided_by.as_ref().map(StatementFields::new),
        }
    }
}

#[derive(Serialize)]
struct PreferenceFields {
    name: &'static str,
    value: &'static str,
    decided_by: String,
}

#[derive(Serialize)]
struct StatementFields {
    rule: String,
    source: &'static str,
    r#for: String,
    /// The rules that a rule without an effect was probably meant to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    probably_meant: Option<String>,
}

impl StatementFields {
    fn new(statement: &PageStatement<'_>) -> StatementFields {
        StatementFields {
            rule: String::from_utf8_lossy(statement.text()).into_owned(),
            source: statement.source().as_str(),
            r#for: statement.recipient().to_string(),
            probably_meant: statement.probably_meant(),
        }
    }
}

#[derive(Serialize)]
struct GateFields<'a> {
    #[serde(flatten)]
    verdict: VerdictFields<'a>,
    /// `null` if the page was not read.
    hides_a_rule: Option<bool>,
    sentence: String,
}

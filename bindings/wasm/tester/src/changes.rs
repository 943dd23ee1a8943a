//! The answers that differ between two versions.

use polite_robots::{RobotsTxt, Verdict};
use polite_robots_audit::difference::{AgentChange, Question, Versions};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changes {
    is_change: bool,
    is_complete: bool,
    removed: Vec<String>,
    added: Vec<String>,
    agents: Vec<ChangesOfAgent>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangesOfAgent {
    agent: String,
    old_match: &'static str,
    new_match: &'static str,
    verdicts: Vec<ChangedVerdict>,
    verdict_count: usize,
    usages: Vec<ChangedUsage>,
    removed: Vec<String>,
    added: Vec<String>,
}

#[derive(Serialize)]
struct ChangedVerdict {
    url: String,
    old: Side,
    new: Side,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Side {
    is_allowed: bool,
    line: Option<u32>,
    sentence: String,
}

#[derive(Serialize)]
struct ChangedUsage {
    url: String,
    category: String,
    old: String,
    new: String,
}

impl Changes {
    pub(crate) fn new(old: &RobotsTxt, new: &RobotsTxt) -> Changes {
        let versions = Versions::new(old, new);
        let difference = versions.difference(Question::Rules);
        Changes {
            is_change: difference.is_change(),
            is_complete: difference.is_complete(),
            removed: difference.records().removed().to_vec(),
            added: difference.records().added().to_vec(),
            agents: difference
                .agents()
                .iter()
                .filter(|agent| agent.is_change())
                .map(ChangesOfAgent::new)
                .collect(),
        }
    }
}

impl ChangesOfAgent {
    fn new(change: &AgentChange<'_>) -> ChangesOfAgent {
        let verdicts = change.verdicts().iter().take(MOST_URLS);
        let usages = change.usages().iter().map(|usage| ChangedUsage {
            url: usage.url.clone(),
            category: usage.category.as_str().to_owned(),
            old: usage.old.as_str().to_owned(),
            new: usage.new.as_str().to_owned(),
        });
        let uses = change.content_uses().iter().map(|usage| ChangedUsage {
            url: usage.url.clone(),
            category: "use".to_owned(),
            old: usage.old.join(", "),
            new: usage.new.join(", "),
        });
        ChangesOfAgent {
            agent: change.agent().to_owned(),
            old_match: change.old_agent_match().as_str(),
            new_match: change.new_agent_match().as_str(),
            verdicts: verdicts
                .map(|verdict| ChangedVerdict {
                    url: verdict.url.clone(),
                    old: Side::new(verdict.old),
                    new: Side::new(verdict.new),
                })
                .collect(),
            verdict_count: change.verdicts().len(),
            usages: usages.chain(uses).take(MOST_URLS).collect(),
            removed: change.records().removed().to_vec(),
            added: change.records().added().to_vec(),
        }
    }
}

impl Side {
    fn new(verdict: Verdict<'_>) -> Side {
        Side {
            is_allowed: verdict.is_allowed(),
            line: verdict
                .rule()
                .map(|rule| rule.line())
                .or(verdict.group_line()),
            sentence: verdict.to_string(),
        }
    }
}

const MOST_URLS: usize = 100;

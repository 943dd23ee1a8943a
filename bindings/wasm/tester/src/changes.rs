//! The answers that differ between two versions.

use std::borrow::Cow;

use polite_robots::Verdict;
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::difference::{AgentChange, Question, Versions};
use serde::Serialize;

use crate::json::json;
use crate::reading::use_named;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Changes<'a> {
    is_change: bool,
    is_complete: bool,
    removed: &'a [String],
    added: &'a [String],
    agents: Vec<ChangesOfAgent<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangesOfAgent<'a> {
    agent: &'a str,
    use_name: Option<&'static str>,
    old_match: &'static str,
    new_match: &'static str,
    verdicts: Vec<ChangedVerdict<'a>>,
    verdict_count: usize,
    usages: Vec<ChangedUsage<'a>>,
    removed: &'a [String],
    added: &'a [String],
}

#[derive(Serialize)]
struct ChangedVerdict<'a> {
    url: &'a str,
    old: Side,
    new: Side,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Side {
    is_allowed: bool,
    line: Option<u32>,
}

#[derive(Serialize)]
struct ChangedUsage<'a> {
    url: &'a str,
    category: &'a str,
    old: Cow<'a, str>,
    new: Cow<'a, str>,
}

pub(crate) fn changes(old: &Readings, new: &Readings, reading: Reading) -> String {
    let versions = Versions::read_by_crawlers(old, new, reading);
    let difference = versions.difference(Question::Rules);
    let changes = difference.changes();
    let changed = difference.agents().filter_map(|(agent, change)| {
        let change = changes.get(change).filter(|change| change.is_change())?;
        // Agents with the same rules may have them on other lines.
        Some((agent, versions.change_for(agent, change).ok()?))
    });
    let changed: Vec<(&str, AgentChange)> = changed.collect();
    json(&Changes {
        is_change: difference.is_change(),
        is_complete: difference.is_complete(),
        removed: difference.records().removed(),
        added: difference.records().added(),
        agents: changed
            .iter()
            .map(|(agent, change)| ChangesOfAgent::new(agent, change))
            .collect(),
    })
}

impl<'a> ChangesOfAgent<'a> {
    fn new(agent: &'a str, change: &'a AgentChange) -> ChangesOfAgent<'a> {
        let verdicts = change.verdicts().take(MOST_URLS);
        let usages = change.usages().iter().map(|usage| ChangedUsage {
            url: &usage.url,
            category: usage.category.as_str(),
            old: usage.old.as_str().into(),
            new: usage.new.as_str().into(),
        });
        let uses = change.content_uses().iter().map(|usage| ChangedUsage {
            url: &usage.url,
            category: "use",
            old: usage.old.join(", ").into(),
            new: usage.new.join(", ").into(),
        });
        ChangesOfAgent {
            agent,
            use_name: use_named(agent),
            old_match: change.old_agent_match().as_str(),
            new_match: change.new_agent_match().as_str(),
            verdicts: verdicts
                .map(|verdict| ChangedVerdict {
                    url: verdict.url,
                    old: Side::new(verdict.old),
                    new: Side::new(verdict.new),
                })
                .collect(),
            verdict_count: change
                .allowed_count()
                .saturating_add(change.disallowed_count()),
            usages: usages.chain(uses).take(MOST_URLS).collect(),
            removed: change.records().removed(),
            added: change.records().added(),
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
        }
    }
}

const MOST_URLS: usize = 100;

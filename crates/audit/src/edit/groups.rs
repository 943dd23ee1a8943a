//! The groups of a file as an edit sees them: the lines that name an agent, and the rules and
//! records for it.

use std::collections::BTreeSet;

use polite_robots::document::{Group, RuleRecord, Scope};
use polite_robots::{Access, RobotsTxt};

use crate::classes::{EVERYONE, name};

/// Whether the group names the agent.
pub(super) fn names(group: &Group<'_>, agent: &str) -> bool {
    let mut agents = group.user_agents();
    agents.any(|named| name(&named).eq_ignore_ascii_case(agent))
}

/// The groups that name the agent; those for everyone if none does.
pub(super) fn groups_of<'r>(robots_txt: &'r RobotsTxt, agent: &str) -> Vec<Group<'r>> {
    let naming = |agent: &str| -> Vec<Group<'r>> {
        let groups = robots_txt.groups();
        groups.filter(|group| names(group, agent)).collect()
    };
    let named = naming(agent);
    if named.is_empty() {
        naming(EVERYONE)
    } else {
        named
    }
}

/// The rules for the agent, as they would be written.
pub(super) fn rules_of(groups: &[Group<'_>]) -> Vec<Vec<u8>> {
    let rules = groups.iter().flat_map(|group| group.rules());
    let rules = rules.filter(|rule| !rule.value().is_empty() && !closes_everything(rule));
    let mut seen = BTreeSet::new();
    let written = rules.map(|rule| {
        let mut text = format!("{}: ", rule.access()).into_bytes();
        text.extend_from_slice(rule.value());
        text
    });
    written.filter(|text| seen.insert(text.clone())).collect()
}

/// The records for the agent that are not rules, such as its crawl delay, as they are written.
pub(super) fn records_of(
    robots_txt: &RobotsTxt,
    groups: &[Group<'_>],
    agent: &str,
) -> Vec<Vec<u8>> {
    let is_named = groups.iter().any(|group| names(group, agent));
    let agent = if is_named { agent } else { EVERYONE };
    // A run may have as many agents as records, so each is looked through once.
    let mut last_run = None;
    let mut is_for_agent = |scope: Scope<'_>| match scope {
        Scope::Agents(run) => {
            let first = run.user_agents().next().map(|agent| agent.line());
            match last_run {
                Some((line, is_for_agent)) if line == first => is_for_agent,
                _ => {
                    let mut agents = run.user_agents();
                    let is_for_agent = agents.any(|named| name(&named).eq_ignore_ascii_case(agent));
                    last_run = Some((first, is_for_agent));
                    is_for_agent
                }
            }
        }
        Scope::File | Scope::Nobody => false,
    };
    let records = robots_txt.extensions();
    let records = records.filter(|record| is_for_agent(record.scope()));
    let written = records.map(|record| {
        let mut text = format!("{}: ", record.field()).into_bytes();
        text.extend_from_slice(record.value());
        text
    });
    written.collect()
}

/// Whether the rule closes every URL by itself.
pub(super) fn closes_everything(rule: &RuleRecord<'_>) -> bool {
    let stars = rule.value().strip_prefix(b"/").unwrap_or(rule.value());
    let is_everything = !rule.value().is_empty() && stars.iter().all(|byte| *byte == b'*');
    rule.access() == Access::Disallow && is_everything
}

//! The edit that closes a site to agents, or opens it.

use std::collections::BTreeMap;

use polite_robots::document::{Group, RuleRecord, Scope};
use polite_robots::{Access, RobotsTxt};

use crate::classes::{EVERYONE, name};
use crate::edit::groups::{closes_everything, groups_of, names, records_of, rules_of};
use crate::edit::patch::Patch;

/// The access that an edit gives to agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// The agents may fetch nothing.
    Closed,
    /// No rule that closes everything keeps the agents out. Their other rules stay; an agent
    /// without any left gets the rules for everyone.
    Open,
    /// The uses are wanted nowhere.
    Unwanted,
    /// The uses are wanted everywhere.
    Wanted,
}

/// The file with that access for the agents.
pub(super) fn with_access(robots_txt: &RobotsTxt, agents: &[&str], goal: Goal) -> Vec<u8> {
    let agents: Vec<&str> = agents
        .iter()
        .copied()
        .filter(|agent| goal.is_to_do(robots_txt, agent))
        .collect();
    let mut patch = Patch::default();
    let is_wanted = |name: &str| agents.iter().any(|agent| agent.eq_ignore_ascii_case(name));
    let mut moved: Vec<&str> = Vec::new();
    let mut without_rules = WithoutRules::default();
    for group in robots_txt.groups() {
        let all: Vec<_> = group.user_agents().collect();
        let wanted: Vec<_> = all.iter().filter(|agent| is_wanted(name(agent))).collect();
        if wanted.is_empty() {
            continue;
        }
        if wanted.len() == all.len() {
            change_group(&mut patch, robots_txt, &group, goal, &mut without_rules);
            continue;
        }
        for agent in wanted {
            patch.delete(agent.line());
            moved.push(name(agent));
        }
    }
    delete_records_without_agents(&mut patch, robots_txt);
    let mut new_groups: BTreeMap<Vec<Vec<u8>>, Vec<&str>> = BTreeMap::new();
    for agent in &agents {
        let is_moved = moved.iter().any(|name| name.eq_ignore_ascii_case(agent));
        let is_named = robots_txt.groups().any(|group| names(&group, agent));
        if is_moved || !is_named {
            let content = new_content(robots_txt, agent, goal);
            new_groups.entry(content).or_default().push(agent);
        }
    }
    if !new_groups.is_empty() {
        end_last_group(&mut patch, robots_txt);
    }
    for (content, agents) in new_groups {
        let agents = agents
            .iter()
            .map(|agent| format!("User-agent: {agent}").into_bytes());
        patch.append(agents.chain(content).collect());
    }
    patch.applied(robots_txt)
}

impl Goal {
    /// Whether the agent has another access now.
    fn is_to_do(self, robots_txt: &RobotsTxt, agent: &str) -> bool {
        let groups = groups_of(robots_txt, agent);
        let mut rules = groups.iter().flat_map(|group| group.rules());
        match self {
            Goal::Open => rules.any(|rule| closes_everything(&rule)),
            Goal::Wanted => {
                let is_named = groups.iter().any(|group| names(group, agent));
                let opens = rules.any(|rule| opens_everything(&rule));
                let mut rules = groups.iter().flat_map(|group| group.rules());
                !is_named || !opens || rules.any(|rule| disallows(&rule))
            }
            Goal::Closed | Goal::Unwanted => {
                let is_named = groups.iter().any(|group| names(group, agent));
                let is_closed = rules.any(|rule| closes_everything(&rule));
                let mut rules = groups.iter().flat_map(|group| group.rules());
                let allows =
                    rules.any(|rule| rule.access() == Access::Allow && !rule.value().is_empty());
                // By a rule for everyone it is closed only as long as that rule stays.
                !is_named || !is_closed || allows
            }
        }
    }
}

/// Changes a group all of whose agents are meant.
fn change_group(
    patch: &mut Patch,
    robots_txt: &RobotsTxt,
    group: &Group<'_>,
    goal: Goal,
    without_rules: &mut WithoutRules,
) {
    let is_meant = |access: Access| match goal {
        Goal::Closed | Goal::Unwanted => access == Access::Allow,
        Goal::Open | Goal::Wanted => access == Access::Disallow,
    };
    let rules: Vec<_> = group.rules().collect();
    let last_agent = group.user_agents().map(|agent| agent.line()).max();
    let last_agent = last_agent.unwrap_or_else(|| group.line());
    match goal {
        Goal::Wanted => {
            for rule in rules.iter().filter(|rule| disallows(rule)) {
                patch.delete(rule.line());
            }
            if !rules.iter().any(opens_everything) {
                patch.insert_after(last_agent, "Allow: /");
            }
        }
        Goal::Closed | Goal::Unwanted => {
            for rule in &rules {
                if is_meant(rule.access()) && !rule.value().is_empty() {
                    patch.delete(rule.line());
                }
            }
            if !rules
                .iter()
                .any(|rule| rule.value() == b"/" && rule.access() == Access::Disallow)
            {
                patch.insert_after(last_agent, "Disallow: /");
            }
        }
        Goal::Open => {
            for rule in rules.iter().filter(|rule| closes_everything(rule)) {
                patch.delete(rule.line());
            }
            if rules_of(&[*group]).is_empty() {
                let is_for_everyone = group.user_agents().any(|agent| agent.is_wildcard());
                let everyone = match !is_for_everyone && without_rules.takes(robots_txt, group) {
                    true => rules_for_everyone(robots_txt),
                    false => Vec::new(),
                };
                for rule in or_nothing_disallowed(everyone) {
                    patch.insert_after(last_agent, rule);
                }
            }
        }
    }
}

/// Whether each agent, by its name in lower case, still has to get the rules for everyone: an agent
/// with thousands of groups gets them in one group.
#[derive(Default)]
struct WithoutRules(BTreeMap<String, bool>);

impl WithoutRules {
    /// Notes that the agents of the group get the rules for everyone. Returns whether one of them
    /// still had to.
    fn takes(&mut self, robots_txt: &RobotsTxt, group: &Group<'_>) -> bool {
        let mut takes = false;
        for agent in group.user_agents() {
            let name = name(&agent);
            let is_without = self.0.entry(name.to_ascii_lowercase());
            let is_without =
                is_without.or_insert_with(|| rules_of(&groups_of(robots_txt, name)).is_empty());
            takes |= std::mem::take(is_without);
        }
        takes
    }
}

/// Deletes records such as a crawl delay if all of their agents are removed: they would then apply
/// to the agents above.
fn delete_records_without_agents(patch: &mut Patch, robots_txt: &RobotsTxt) {
    for record in robots_txt.extensions() {
        if let Scope::Agents(run) = record.scope() {
            if run
                .user_agents()
                .all(|agent| patch.is_deleted(agent.line()))
            {
                patch.delete(record.line());
            }
        }
    }
}

/// The records and rules of a new group for an agent.
fn new_content(robots_txt: &RobotsTxt, agent: &str, goal: Goal) -> Vec<Vec<u8>> {
    let groups = groups_of(robots_txt, agent);
    // No record, such as a crawl delay, is about a use.
    let mut content = match goal {
        Goal::Closed | Goal::Open => records_of(robots_txt, &groups, agent),
        Goal::Unwanted | Goal::Wanted => Vec::new(),
    };
    match goal {
        Goal::Wanted => content.push(b"Allow: /".to_vec()),
        Goal::Closed | Goal::Unwanted => content.push(b"Disallow: /".to_vec()),
        Goal::Open => {
            let own = rules_of(&groups);
            let rules = if own.is_empty() {
                rules_for_everyone(robots_txt)
            } else {
                own
            };
            content.extend(or_nothing_disallowed(rules));
        }
    }
    content
}

fn disallows(rule: &RuleRecord<'_>) -> bool {
    rule.access() == Access::Disallow && !rule.value().is_empty()
}

fn opens_everything(rule: &RuleRecord<'_>) -> bool {
    rule.access() == Access::Allow && rule.value() == b"/"
}

fn rules_for_everyone(robots_txt: &RobotsTxt) -> Vec<Vec<u8>> {
    rules_of(&groups_of(robots_txt, EVERYONE))
}

/// A group without rules would join the next one.
fn or_nothing_disallowed(rules: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    match rules.is_empty() {
        true => vec![b"Disallow:".to_vec()],
        false => rules,
    }
}

/// Ends a last group that has no rules, as it would take those of the next one.
fn end_last_group(patch: &mut Patch, robots_txt: &RobotsTxt) {
    if let Some(group) = robots_txt.groups().last() {
        if group.rules().next().is_none() {
            let last = group.user_agents().map(|agent| agent.line()).max();
            patch.insert_after(last.unwrap_or_else(|| group.line()), "Disallow:");
        }
    }
}

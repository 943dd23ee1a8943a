//! [`GroupIndex`]: the groups of a file by their agents. It shows which agents have rules only
//! because another group joined theirs.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashMap, HashSet};

use polite_robots::document::{RuleRecord, UserAgent};
use polite_robots::{Access, RobotsTxt};

use crate::text::token::name_in;

/// The groups of a file and their agents, in its order. Few files need it.
#[derive(Debug)]
pub(crate) struct GroupIndex<'r> {
    groups: Vec<IndexedGroup<'r>>,
    /// The places of the groups of each name in lower case.
    by_name: HashMap<String, Vec<usize>>,
    /// The number of rules that may still be compared: a hostile file has thousands of names for
    /// each of thousands of rules.
    work: Cell<usize>,
}

#[derive(Debug)]
struct IndexedGroup<'r> {
    line: u32,
    agents: Vec<IndexedAgent<'r>>,
    rules: Vec<RuleRecord<'r>>,
    names_anybody: bool,
    closes_site: bool,
    /// Whether its rules close anything; computed on first use.
    closes: OnceCell<bool>,
}

#[derive(Debug)]
struct IndexedAgent<'r> {
    record: UserAgent<'r>,
    /// `None` if it names nobody.
    name: Option<String>,
    /// Whether a line below in the group has the same name.
    is_repeated: bool,
}

/// Rules without those that decide nothing.
type Rules<'r> = BTreeSet<(bool, &'r [u8])>;

impl<'r> GroupIndex<'r> {
    pub(crate) fn of(robots_txt: &'r RobotsTxt) -> GroupIndex<'r> {
        let dialect = robots_txt.dialect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut groups = Vec::new();
        for (place, group) in robots_txt.groups().enumerate() {
            let agents = group.user_agents().map(|record| IndexedAgent {
                record,
                name: name_in(record, dialect),
                is_repeated: false,
            });
            let mut agents: Vec<IndexedAgent<'_>> = agents.collect();
            let mut below = HashSet::new();
            for agent in agents.iter_mut().rev() {
                let Some(name) = agent.name.clone() else {
                    continue;
                };
                agent.is_repeated = !below.insert(name.clone());
                let places = by_name.entry(name).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
            let rules: Vec<RuleRecord<'_>> = group.rules().collect();
            groups.push(IndexedGroup {
                line: group.line(),
                names_anybody: agents.iter().any(|agent| agent.name.is_some()),
                closes_site: rules.iter().any(closes_site),
                agents,
                rules,
                closes: OnceCell::new(),
            });
        }
        GroupIndex {
            groups,
            by_name,
            work: Cell::new(MOST_WORK),
        }
    }

    /// The first rule with a path that the group of this line has.
    pub(crate) fn rule_below(&self, line: u32) -> Option<&RuleRecord<'r>> {
        let mut rules = self.group_at(line)?.1.rules.iter();
        rules.find(|rule| has_path(rule))
    }

    /// The line of the next agent below a line, if no rule is between the two.
    pub(crate) fn agent_before_rule(&self, line: u32) -> Option<u32> {
        let (_, group) = self.group_at(line)?;
        let is_above = |agent: &IndexedAgent<'_>| agent.record.line() <= line;
        let place = group.agents.partition_point(is_above);
        Some(group.agents.get(place)?.record.line())
    }

    /// Whether a line stands between two agents of a group, so that without it those above would
    /// share the records below.
    pub(crate) fn has_agent_below(&self, line: u32) -> bool {
        self.agent_before_rule(line).is_some()
    }

    /// Whether the agent of a line has another group too.
    pub(crate) fn has_another_group(&self, line: u32) -> bool {
        let name_on = |(_, group): (usize, &IndexedGroup<'r>)| {
            let agents = &group.agents;
            let place = agents.partition_point(|agent| agent.record.line() < line);
            agents.get(place)?.name.clone()
        };
        let name = self.group_at(line).and_then(name_on);
        name.is_some_and(|name| self.places(&name).len() > 1)
    }

    /// Whether the group at a line names somebody.
    pub(crate) fn names_anybody(&self, line: u32) -> bool {
        let group = self.group_at(line);
        group.is_some_and(|(_, group)| group.names_anybody)
    }

    /// Whether a rule of the group at a line closes the whole site.
    pub(crate) fn closes_site(&self, line: u32) -> bool {
        let group = self.group_at(line);
        group.is_some_and(|(_, group)| group.closes_site)
    }

    /// The next agent above a line of its group that would get other rules if the agents above the
    /// line were a group without rules: the agent is not among those below, and its other groups
    /// have other rules.
    pub(crate) fn agent_with_rules_of(&self, line: u32) -> Option<UserAgent<'r>> {
        let (place, group) = self.group_at(line)?;
        let end = group
            .agents
            .partition_point(|agent| agent.record.line() < line);
        let above = group.agents.get(..end)?.iter().rev().take(MOST_AGENTS);
        let mut above = above.filter(|agent| !agent.is_repeated);
        let agent = above.find(|agent| {
            let name = agent.name.as_deref();
            name.is_some_and(|name| self.differs_without(name, place))
        })?;
        Some(agent.record)
    }

    fn group_at(&self, line: u32) -> Option<(usize, &IndexedGroup<'r>)> {
        let after = self.groups.partition_point(|group| group.line <= line);
        let place = after.checked_sub(1)?;
        Some((place, self.groups.get(place)?))
    }

    /// Whether an agent would get other rules if this group had none, although the group still
    /// names it.
    fn differs_without(&self, name: &str, place: usize) -> bool {
        let places = self.places(name);
        // A file may have thousands of groups for each of its agents.
        let Some(left) = self.work.get().checked_sub(places.len()) else {
            return true;
        };
        self.work.set(left);
        let others: Vec<usize> = places.iter().copied().filter(|at| *at != place).collect();
        self.are_other_rules(places, &others)
    }

    fn places(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether the groups at these places have different rules together; `true` also if there is
    /// too much to compare.
    fn are_other_rules(&self, before: &[usize], after: &[usize]) -> bool {
        if let ([one], []) = (before, after) {
            // The usual question is asked once for all agents of a group.
            return self.groups.get(*one).is_some_and(IndexedGroup::closes);
        }
        let work = self
            .rules_of(before)
            .chain(self.rules_of(after))
            .take(self.work.get().saturating_add(1))
            .count();
        let Some(left) = self.work.get().checked_sub(work) else {
            return true;
        };
        self.work.set(left);
        deciding(self.rules_of(before)) != deciding(self.rules_of(after))
    }

    fn rules_of<'p>(&'p self, places: &'p [usize]) -> impl Iterator<Item = &'p RuleRecord<'r>> {
        let groups = places.iter().filter_map(|place| self.groups.get(*place));
        groups.flat_map(|group| group.rules.iter())
    }
}

impl IndexedGroup<'_> {
    fn closes(&self) -> bool {
        let closes = || !deciding(self.rules.iter()).is_empty();
        *self.closes.get_or_init(closes)
    }
}

/// The rules that decide: none without a `Disallow`, and no `Disallow` with an `Allow` of the same
/// path.
fn deciding<'a, 'r: 'a>(rules: impl Iterator<Item = &'a RuleRecord<'r>>) -> Rules<'r> {
    let rules = rules.filter(|rule| has_path(rule));
    let mut all: Rules<'r> = rules
        .map(|rule| (rule.access() == Access::Allow, pattern(rule.value())))
        .collect();
    for (_, pattern) in all.clone().iter().filter(|(is_allow, _)| *is_allow) {
        all.remove(&(false, pattern));
    }
    match all.first() {
        Some((false, _)) => all,
        _ => Rules::new(),
    }
}

/// Whether the rule matches anything.
fn has_path(rule: &RuleRecord<'_>) -> bool {
    matches!(rule.value(), [b'/' | b'*', ..])
}

fn closes_site(rule: &RuleRecord<'_>) -> bool {
    rule.access() == Access::Disallow && !rule.value().is_empty() && pattern(rule.value()) == b"/"
}

/// A pattern without the `*` at its end, which changes nothing.
fn pattern(value: &[u8]) -> &[u8] {
    let len = value.iter().rposition(|byte| *byte != b'*');
    let pattern = value.get(..len.map_or(0, |len| len.saturating_add(1)));
    match pattern {
        Some([]) | None => b"/",
        Some(pattern) => pattern,
    }
}

/// Agents above a line that are looked at.
const MOST_AGENTS: usize = 50;

/// Far more rules than the findings of a real file ask about.
const MOST_WORK: usize = 200_000;

//! Finds preferences that do not reach the agents or the pages that they are about.

use std::collections::{BTreeMap, BTreeSet};

use polite_robots::document::{MergedGroup, Scope};
use polite_robots::record::{Extension, ExtensionField, PolicyToken};
use polite_robots::text::quote;
use polite_robots::{Access, Robot, RobotsTxt, Rule};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::group_index::GroupIndex;
use crate::proposal::{Effect, Proposal};
use crate::sentence;
use crate::text::line::line_at;
use crate::text::token::WILDCARD;
use crate::usage::statements::{Audience, Statement, Statements};
use crate::work_budget::WorkBudget;

/// Reports the preferences for `*` if named groups take them from their agents.
pub(super) fn dropped(
    robots_txt: &RobotsTxt,
    statements: &Statements<'_>,
    groups: &GroupIndex<'_>,
    work: &WorkBudget,
) -> Option<Diagnostic> {
    let is_of_wildcard = |statement: &&Statement<'_>| statements.is_of_wildcard(statement);
    let first = statements.list.iter().find(is_of_wildcard)?;
    let is_for_everyone = |statement: &Statement<'_>| statement.audience == Audience::Everyone;
    if statements.list.iter().any(is_for_everyone) {
        return None;
    }
    let without = robots_txt.merged_groups().filter(|group| {
        let token = group.product_token();
        let is_agent = token != WILDCARD && PolicyToken::find(token).is_none();
        is_agent && !statements.has_own(token) && !is_closed(group, work)
    });
    let without: Vec<MergedGroup<'_>> = without.collect();
    if without.is_empty() || work.is_spent() {
        return None;
    }
    let names: Vec<&str> = without.iter().map(MergedGroup::product_token).collect();
    let start = format!(
        "agents with a group of their own get none of these preferences: {}",
        sentence::list(&names)
    );
    let of_wildcard: Vec<&Statement<'_>> = statements.list.iter().filter(is_of_wildcard).collect();
    let repeated = repeated(robots_txt, &of_wildcard, &without);
    let moved = moved(robots_txt, &of_wildcard, groups);
    let fix = match (&repeated, &moved) {
        (Some(_), Some(_)) => "; repeat the line there, or move it above every `User-agent`",
        (Some(_), None) => "; repeat the line there",
        (None, Some(_)) => "; move it above every `User-agent`",
        (None, None) => "",
    };
    let advice = Advice::new(start + fix)
        .propose_all(repeated)
        .propose_all(moved);
    Some(first.finding(DiagnosticCode::WildcardPreferencesDropped, advice))
}

/// The lines of the statements, as they stand in the file.
fn lines(robots_txt: &RobotsTxt, statements: &[&Statement<'_>]) -> Option<String> {
    let file = robots_txt.as_bytes();
    let statements = statements.iter();
    let lines = statements.map(|statement| {
        let line = line_at(file, statement.record.span().start);
        core::str::from_utf8(file.get(line)?).ok()
    });
    let lines: Option<Vec<&str>> = lines.collect();
    Some(lines?.join("\n"))
}

/// The statements below the agents of each group; `None` if there are more than anybody would read.
fn repeated(
    robots_txt: &RobotsTxt,
    statements: &[&Statement<'_>],
    groups: &[MergedGroup<'_>],
) -> Option<Proposal> {
    if groups.len() > MAX_AGENTS || statements.len() > MAX_AGENTS {
        return None;
    }
    let text = lines(robots_txt, statements)?;
    let file = robots_txt.as_bytes();
    let is_of_agents = |record: &Extension<'_>| matches!(record.scope(), Scope::Agents(_));
    let records = robots_txt.extensions().filter(is_of_agents);
    let records: Vec<u32> = records.map(|record| record.line()).collect();
    let mut below: BTreeSet<usize> = BTreeSet::new();
    for group in groups {
        // Agents that share the records below get the lines together.
        let next = records.partition_point(|line| *line < group.user_agent().line());
        let next = records.get(next);
        let agents = group.groups().next()?.user_agents();
        let agents = agents.take_while(|agent| next.is_none_or(|next| agent.line() < *next));
        below.insert(line_at(file, agents.last()?.span().start).end);
    }
    let below = below.into_iter();
    let below = below.map(|end| Proposal::line_below(file, end..end, &text));
    below.reduce(|all, below| all.with(&below))
}

/// The statements above every group, where only those of one field are for everyone.
fn moved(
    robots_txt: &RobotsTxt,
    statements: &[&Statement<'_>],
    groups: &GroupIndex<'_>,
) -> Option<Proposal> {
    let is_movable = |statement: &&Statement<'_>| {
        statement.field == ExtensionField::ContentSignal
            && !groups.has_agent_below(statement.line())
    };
    if statements.len() > MAX_AGENTS || !statements.iter().all(is_movable) {
        return None;
    }
    let file = robots_txt.as_bytes();
    let text = lines(robots_txt, statements)?;
    let group = robots_txt.groups().next()?;
    let first = line_at(file, group.user_agents().next()?.span().start);
    let above = Proposal::line_above(file, first, &text);
    Some(statements.iter().fold(above, |proposal, statement| {
        let line = line_at(file, statement.record.span().start);
        proposal.with(&Proposal::without_line(file, line, Effect::Nothing))
    }))
}

/// Whether a group closes the whole site, as far as its rules show at once.
fn is_closed(group: &MergedGroup<'_>, work: &WorkBudget) -> bool {
    let mut is_closed = false;
    for rule in group.rules().filter(|rule| !rule.value().is_empty()) {
        work.spend_on_text(rule.value().len());
        if work.is_spent() {
            return true;
        }
        match rule.access() {
            Access::Allow => return false,
            Access::Disallow => is_closed |= matches!(rule.value(), b"/" | b"/*" | b"*"),
        }
    }
    is_closed
}

/// The robots of a file by the places of their agents, each made once.
pub(super) struct Robots<'r> {
    robots_txt: &'r RobotsTxt,
    robots: BTreeMap<usize, Option<Robot>>,
}

impl<'r> Robots<'r> {
    pub(super) fn new(robots_txt: &'r RobotsTxt) -> Robots<'r> {
        Robots {
            robots_txt,
            robots: BTreeMap::new(),
        }
    }

    /// `None` if the name is no token, or if a robot and its answers would take too much work.
    fn robot(
        &mut self,
        statements: &Statements<'_>,
        place: usize,
        work: &WorkBudget,
    ) -> Option<&Robot> {
        work.spend_on_text(self.robots_txt.as_bytes().len());
        if work.is_spent() {
            return None;
        }
        let robot = || self.robots_txt.robot(statements.name(place)?).ok();
        self.robots.entry(place).or_insert_with(robot).as_ref()
    }

    /// Reports a `Content-Usage` record all of whose pages are closed to all of its agents.
    pub(super) fn closed_path(
        &mut self,
        statements: &Statements<'_>,
        statement: &Statement<'_>,
        groups: &GroupIndex<'_>,
        work: &WorkBudget,
    ) -> Option<Diagnostic> {
        // A use reads no preferences.
        let use_of = |agent: usize| statements.name(agent).and_then(PolicyToken::find);
        let agents = statements.agents(statement);
        let agents = agents.filter(|agent| use_of(*agent).is_none());
        let agents: Vec<usize> = agents.take(MAX_AGENTS + 1).collect();
        if statement.field != ExtensionField::ContentUsage
            || agents.is_empty()
            || agents.len() > MAX_AGENTS
        {
            return None;
        }
        // Every path that the pattern matches begins so.
        let path = statement.path.unwrap_or(b"/");
        let end = path.iter().position(|byte| matches!(byte, b'*' | b'$'));
        let start = path.get(..end.unwrap_or(path.len()))?;
        let mut line = 0;
        for agent in agents {
            line = closing_line(self.robot(statements, agent, work)?, start)?;
        }
        let start = format!(
            "this line has no effect: line {line} closes {} to these crawlers, and a `Content-Usage` is only for pages that may be fetched",
            quote(path)
        );
        let advice = match groups.has_agent_below(statement.line()) {
            true => start.into(),
            false => {
                let file = self.robots_txt.as_bytes();
                let line = line_at(file, statement.record.span().start);
                let without = Proposal::without_line(file, line, Effect::Nothing);
                Advice::new(start + "; remove the line").propose(without)
            }
        };
        Some(statement.finding(DiagnosticCode::PreferencesOfClosedPath, advice))
    }
}

/// The line of a `Disallow` that closes every path with a start: it matches the start, so it
/// matches what is longer, and no `Allow` is long enough to win. `None` if that is not certain.
pub(crate) fn closing_line(robot: &Robot, start: &[u8]) -> Option<u32> {
    let path = core::str::from_utf8(start).ok()?;
    let rule = robot.check(path).rule()?;
    let is_closing = rule.access() == Access::Disallow && !rule.pattern().ends_with('$');
    let can_win =
        |other: &Rule<'_>| other.access() == Access::Allow && other.length() >= rule.length();
    (is_closing && !robot.rules().any(|other| can_win(&other))).then_some(rule.line())
}

/// Agents of one record that are looked at; files with more of them state nothing about one path.
const MAX_AGENTS: usize = 8;

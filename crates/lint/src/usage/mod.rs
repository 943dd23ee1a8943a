//! Findings about preferences: goes through the records that state them, which most files do
//! not have.

mod conflicts;
pub(crate) mod pairs;
pub(crate) mod reach;
pub(crate) mod statements;

use std::ops::Range;

use polite_robots::RobotsTxt;
use polite_robots::document::Group;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::group_index::GroupIndex;
use crate::proposal::{Effect, Proposal};
use crate::text::line::line_at;
use crate::usage::conflicts::conflicts;
use crate::usage::reach::{Robots, dropped};
use crate::usage::statements::{Audience, Statement, Statements};
use crate::work_budget::WorkBudget;

pub(crate) fn preferences(robots_txt: &RobotsTxt, work: &WorkBudget) -> Vec<Diagnostic> {
    let statements = Statements::of(robots_txt);
    if statements.list.is_empty() {
        return Vec::new();
    }
    let mut findings = conflicts(&statements, work);
    let groups = GroupIndex::of(robots_txt);
    findings.extend(dropped(robots_txt, &statements, &groups, work));
    let mut robots = Robots::new(robots_txt);
    // A hostile file has thousands of lines above thousands of agents.
    let mut first_list = None;
    for statement in &statements.list {
        if statement.audience == Audience::Nobody {
            let list = first_list.get_or_insert_with(|| first_agents(robots_txt));
            let advice = before_group(robots_txt, list.clone(), statement);
            findings.push(statement.finding(DiagnosticCode::PreferencesBeforeGroup, advice));
        }
        findings.extend(robots.closed_path(&statements, statement, &groups, work));
    }
    findings
}

/// The number and the place of the last line of a list of agents.
type EndOfAgents = Option<(u32, Range<usize>)>;

/// The end of the agents of the first group for everyone, or of the first group.
fn first_agents(robots_txt: &RobotsTxt) -> EndOfAgents {
    let is_for_everyone = |group: &Group<'_>| group.user_agents().any(|agent| agent.is_wildcard());
    let group = robots_txt.groups().find(is_for_everyone);
    let group = group.or_else(|| robots_txt.groups().next())?;
    let agent = group.user_agents().last()?;
    let place = line_at(robots_txt.as_bytes(), agent.span().start);
    Some((agent.line(), place))
}

/// The advice about a statement that is above every group.
fn before_group(robots_txt: &RobotsTxt, agents: EndOfAgents, statement: &Statement<'_>) -> Advice {
    let start = "nobody reads this line, because no `User-agent` line is above it";
    let file = robots_txt.as_bytes();
    let line = line_at(file, statement.record.span().start);
    let below = || {
        let (number, place) = agents?;
        let text = core::str::from_utf8(file.get(line.clone())?).ok()?;
        let below = Proposal::line_below(file, place, text);
        let removed = Proposal::without_line(file, line.clone(), Effect::Answers);
        Some((number, below.with(&removed)))
    };
    match below() {
        Some((number, proposal)) => {
            Advice::new(format!("{start}; move it below line {number}")).propose(proposal)
        }
        None => Advice::new(format!("{start}; write `User-agent: *` above it"))
            .propose(Proposal::line_above(file, line, "User-agent: *")),
    }
}

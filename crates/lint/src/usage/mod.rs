//! Findings about preferences: goes through the records that state them, which most files do
//! not have.

mod conflicts;
mod reach;
mod statements;

use polite_robots::RobotsTxt;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::usage::conflicts::conflicts;
use crate::usage::reach::{Robots, dropped};
use crate::usage::statements::{Audience, Statements};
use crate::work_budget::WorkBudget;

pub(crate) fn preferences(robots_txt: &RobotsTxt, work: &mut WorkBudget) -> Vec<Diagnostic> {
    let statements = Statements::of(robots_txt);
    if statements.list.is_empty() {
        return Vec::new();
    }
    let mut findings = conflicts(&statements, work);
    findings.extend(dropped(robots_txt, &statements, work));
    let mut robots = Robots::new(robots_txt);
    for statement in &statements.list {
        if statement.audience == Audience::Nobody {
            let message = "nobody reads this line, because no `User-agent` line is above it; write it below one".into();
            findings.push(statement.finding(DiagnosticCode::PreferencesBeforeGroup, message));
        }
        findings.extend(robots.closed_path(&statements, statement, work));
    }
    findings
}

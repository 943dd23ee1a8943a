//! The lint of preferences about use: goes through the records that state them, which most files do
//! not have.

use alloc::vec::Vec;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::use_conflicts::conflicts;
use crate::lint::use_reach::{Robots, dropped};
use crate::lint::use_statements::{Audience, Statements};
use crate::lint::work_budget::WorkBudget;
use crate::robots::robots_txt::RobotsTxt;

pub(super) fn preferences(robots_txt: &RobotsTxt, work: &mut WorkBudget) -> Vec<Diagnostic> {
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

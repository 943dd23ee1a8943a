//! Finds groups and lines in them that say nothing: a last group without rules, and an empty
//! `Disallow` beside another.

use polite_robots::document::{Group, UserAgent};
use polite_robots::{Access, RobotsTxt};
use polite_robots_audit::printable::quote;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::sentence;

/// Reports the groups of a file that do not do what they seem to.
pub(crate) fn idle_groups(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let mut last = None;
    for group in robots_txt.groups() {
        findings.extend(empty_disallow(group));
        last = Some(group);
    }
    findings.extend(last.and_then(group_without_rules));
}

/// Only the last group of a file can end before its rules: an earlier one shares those of the next.
fn group_without_rules(group: Group<'_>) -> Option<Diagnostic> {
    let agents: Vec<UserAgent<'_>> = group.user_agents().collect();
    // A delay or another record of the agents is a reason for the group, and without rules for
    // everyone the group for `*` says what it should: that everything is open.
    if group.record_count() > agents.len() || agents.iter().any(UserAgent::is_wildcard) {
        return None;
    }
    let last = agents.last()?;
    let values: Vec<&[u8]> = agents.iter().map(UserAgent::value).collect();
    let message = format!(
        "{} may fetch everything, because the file ends before the rules of this group; write them, or an empty `Disallow:` if that is meant",
        sentence::agents(&values)
    );
    let code = DiagnosticCode::GroupWithoutRules;
    Some(Diagnostic::new(code, last.line(), last.span(), message))
}

/// An empty `Disallow` in a group that closes something.
fn empty_disallow(group: Group<'_>) -> Option<Diagnostic> {
    let mut empty = None;
    let mut closing = None;
    for rule in group.rules() {
        match (rule.access(), rule.value()) {
            (Access::Allow, _) => {}
            (_, [b'/' | b'*', ..]) => closing = closing.or(Some(rule)),
            (_, []) => empty = empty.or(Some(rule)),
            _ => {}
        }
    }
    let (empty, closing) = (empty?, closing?);
    let message = format!(
        "this empty `Disallow` opens nothing: {} on line {} applies all the same; remove the one that you do not mean",
        quote(closing.value()),
        closing.line()
    );
    let code = DiagnosticCode::EmptyDisallow;
    Some(Diagnostic::new(code, empty.line(), empty.span(), message))
}

//! Finds groups and lines in them that say nothing: a last group without rules, and an empty `Disallow` beside another.

use alloc::format;
use alloc::vec::Vec;

use crate::access::Access;
use crate::document::groups::{Group, UserAgent};
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::sentence;
use crate::parse::trim::trim;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

/// Reports the groups of a file that do not do what they seem to.
pub(super) fn idle_groups(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
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
    Some(Diagnostic::new(
        code,
        last.line(),
        last.part().span(),
        message,
    ))
}

/// An empty `Disallow` in a group that closes something.
fn empty_disallow(group: Group<'_>) -> Option<Diagnostic> {
    let mut empty = None;
    let mut closing = None;
    for (access, value, line) in group.rule_values() {
        match (access, trim(value.with_comment())) {
            (Access::Allow, _) => {}
            (_, [b'/' | b'*', ..]) => closing = closing.or(Some((value, line))),
            _ if value.bytes().is_empty() => empty = empty.or(Some((value, line))),
            _ => {}
        }
    }
    let ((empty, empty_line), (closing, closing_line)) = (empty?, closing?);
    let message = format!(
        "this empty `Disallow` opens nothing: {} on line {} applies all the same; remove the one that you do not mean",
        quote(closing.bytes()),
        closing_line
    );
    let code = DiagnosticCode::EmptyDisallow;
    Some(Diagnostic::new(
        code,
        empty_line,
        empty.part().span(),
        message,
    ))
}

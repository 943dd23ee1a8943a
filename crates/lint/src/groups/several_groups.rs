//! Finds agents that have more than one group.

use polite_robots::document::MergedGroup;
use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::diagnostic::{Diagnostic, by_place};
use crate::sentence;

/// Reports the second group of an agent, once for all agents that share both.
pub(crate) fn several_groups(group: &MergedGroup<'_>, agents: &[&[u8]]) -> Option<Diagnostic> {
    let mut groups = group.groups();
    let first = groups.next()?;
    let second = groups.next()?;
    let agent = second.user_agents().next()?;
    let token = group.product_token();
    // The second group may begin with another of its agents; to look for this one in each group
    // would take a quadratic time.
    let (above, below) = (group.user_agent().value(), agent.value());
    let is_same_name =
        above.eq_ignore_ascii_case(below) || !agent.product_token().eq_ignore_ascii_case(token);
    let message = match is_same_name {
        true => format!(
            "a second group for {}, which has one on line {} already: Google and RFC 9309 join the two, but some crawlers read only one of them",
            sentence::agents_by_name(agents),
            first.line()
        ),
        false => format!(
            "Google and RFC 9309 join this group with the one on line {}, because {} and {} are both the name {} to them: each rule is for both",
            first.line(),
            quote(above),
            quote(below),
            quote(token.as_bytes())
        ),
    };
    Some(Diagnostic::on(
        &agent,
        DiagnosticCode::SeveralGroups,
        message,
    ))
}

/// Keeps one finding for each second group: agents that share it may differ in their other groups.
pub(crate) fn one_for_each_group(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut findings = by_place(findings);
    findings.dedup_by_key(|finding| finding.line());
    findings
}

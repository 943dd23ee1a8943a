//! Finds agents that have more than one group.

use polite_robots::document::MergedGroup;

use crate::code::DiagnosticCode;
use crate::diagnostic::{Diagnostic, by_place};
use crate::sentence;

/// Reports the second group of an agent, once for all agents that share both.
pub(crate) fn several_groups(group: &MergedGroup<'_>, agents: &[&[u8]]) -> Option<Diagnostic> {
    let mut groups = group.groups();
    let first = groups.next()?;
    let second = groups.next()?;
    let agent = second.user_agents().next()?;
    let message = format!(
        "a second group for {}, which has one on line {} already: Google and RFC 9309 join the two, but some crawlers read only one of them; write the rules into one group",
        sentence::agents_by_name(agents),
        first.line()
    );
    let code = DiagnosticCode::SeveralGroups;
    let span = agent.span();
    Some(Diagnostic::new(code, agent.line(), span, message))
}

/// Keeps one finding for each second group: agents that share it may differ in their other groups.
pub(crate) fn one_for_each_group(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut findings = by_place(findings);
    findings.dedup_by_key(|finding| finding.line());
    findings
}

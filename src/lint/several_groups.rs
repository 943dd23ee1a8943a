//! Finds agents that have more than one group.

use alloc::format;
use alloc::vec::Vec;

use crate::document::merged_groups::MergedGroup;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::sentence;
use crate::sort;

/// Reports the second group of an agent, once for all agents that share both.
pub(super) fn several_groups(group: &MergedGroup<'_>, agents: &[&[u8]]) -> Option<Diagnostic> {
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
    let span = agent.part().span();
    Some(Diagnostic::new(code, agent.line(), span, message))
}

/// Keeps one finding for each second group: agents that share it may differ in their other groups.
pub(super) fn one_for_each_group(findings: &mut Vec<Diagnostic>) {
    sort::stable_by_key(findings, Diagnostic::line);
    findings.dedup_by_key(|finding| finding.line());
}

//! Finds groups that only allow, and so close nothing.

use polite_robots::document::MergedGroup;
use polite_robots::{Access, Rule};

use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::rules::google_reading::OtherReading;
use crate::rules::merged_rules::matches_everything;
use crate::sentence;
use crate::work_budget::WorkBudget;

/// The site as crawlers without a group of their own find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ForEveryone {
    Closed,
    Open,
}

/// Reports the first `Allow` of a path where the rules of some agents have no `Disallow`.
///
/// Beside a closed site such a group looks like a list of what is open, but opens everything, so
/// the finding is a warning. Beside an open one, rules for everyone that a named group lacks have a
/// finding of their own.
pub(super) fn allow_alone(
    group: &MergedGroup<'_>,
    agents: &[&[u8]],
    for_everyone: ForEveryone,
    file: &FileRules<'_>,
    other: &OtherReading<'_>,
    work: &mut WorkBudget,
) -> Option<Diagnostic> {
    let is_for_everyone = group.user_agent().is_wildcard();
    if !is_for_everyone && for_everyone == ForEveryone::Open {
        return None;
    }
    let mut allow = None;
    for rule in group.groups().flat_map(|group| file.of_group(group)) {
        match (rule.access(), rule.value()) {
            (Access::Disallow, _) => return None,
            (Access::Allow, value) if matches_everything(value) => return None,
            (Access::Allow, [b'/' | b'*', ..]) => allow = allow.or(Some(rule)),
            (Access::Allow, _) => {}
        }
    }
    let allow = allow?;
    // A rule of one of the two dialects alone has a finding of its own.
    let closes = |rule: Rule<'_>| rule.access() == Access::Disallow && rule.length() > 0;
    let other = other.robot(group.user_agent(), work);
    if other.is_some_and(|robot| robot.rules().any(closes)) {
        return None;
    }
    let message = format!(
        "{} may fetch everything, because an `Allow` alone closes nothing; write `Disallow: /` below if only this is meant to be open",
        sentence::agents(agents)
    );
    let severity = match is_for_everyone {
        true => Severity::Note,
        false => Severity::Warning,
    };
    let finding = Diagnostic::new(
        DiagnosticCode::AllowAlone,
        allow.line(),
        allow.span(),
        message,
    );
    Some(finding.with_severity(severity))
}

//! Finds groups that only allow, and so do not close anything.

use polite_robots::document::{Group, MergedGroup, RuleRecord};
use polite_robots::{Access, Rule};

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::proposal::Proposal;
use crate::rule_text::RuleText;
use crate::rules::google_reading::OtherReading;
use crate::rules::merged_rules::matches_everything;
use crate::sentence;

/// The site as crawlers without a group of their own find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ForOthers {
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
    site: ForOthers,
    file: &FileRules<'_>,
    other: &OtherReading<'_, '_>,
) -> Option<Diagnostic> {
    let is_for_everyone = group.user_agent().is_wildcard();
    if !is_for_everyone && site == ForOthers::Open {
        return None;
    }
    let allow = lone_allow(group, file)?;
    // A rule of one of the two dialects alone has a finding of its own.
    let closes = |rule: Rule<'_>| rule.access() == Access::Disallow && rule.length() > 0;
    let other = other.robot(group.user_agent());
    if other.is_some_and(|robot| robot.rules().any(closes)) {
        return None;
    }
    // Other agents of the group would get the new rule too.
    let has_allow = |group: &Group<'_>| {
        let mut rules = file.of_group(*group).iter();
        rules.any(|rule| rule.line() == allow.line())
    };
    let own = group.groups().find(has_allow);
    let own = own.filter(|own| own.user_agents().count() == agents.len());
    let proposal = own.map(|_| {
        let line = RuleText::of(file.bytes(), allow).line;
        Proposal::line_below(file.bytes(), line, "Disallow: /")
    });
    let fix = match proposal {
        Some(_) => "write `Disallow: /` below if only this is meant to be open",
        None => "a `Disallow: /` beside it closes the rest",
    };
    let message = format!(
        "{} may fetch everything, because an `Allow` alone closes nothing; {fix}",
        sentence::agents(agents)
    );
    let severity = match is_for_everyone {
        true => Severity::Note,
        false => Severity::Warning,
    };
    let advice = Advice::new(message).propose_all(proposal);
    let finding = Diagnostic::on(allow, DiagnosticCode::AllowAlone, advice);
    Some(finding.with_severity(severity))
}

/// The first `Allow` of a path, if no rule closes anything and none opens everything.
fn lone_allow<'f, 'r>(
    group: &MergedGroup<'_>,
    file: &'f FileRules<'r>,
) -> Option<&'f RuleRecord<'r>> {
    let mut allow = None;
    for rule in group.groups().flat_map(|group| file.of_group(group)) {
        match (rule.access(), rule.value()) {
            (Access::Disallow, _) => return None,
            (Access::Allow, value) if matches_everything(value) => return None,
            (Access::Allow, [b'/' | b'*', ..]) => allow = allow.or(Some(rule)),
            (Access::Allow, _) => {}
        }
    }
    allow
}

//! Lines that an owner may remove and that are the only rule of their group: without them the
//! agents above would get the rules below.

use polite_robots::RobotsTxt;
use polite_robots::document::Group;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;

/// Says in the findings about such lines what they do beside their effect: they end the group.
pub(crate) fn explain_only_rules(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    // The line of each group, and that of its rule if it has only one. The search for the rule goes
    // through all agents above it, and there may be a finding about each rule.
    let mut groups: Option<Vec<(u32, Option<u32>)>> = None;
    for finding in findings {
        if !may_be_removed(finding) {
            continue;
        }
        let groups = groups.get_or_insert_with(|| {
            let groups = robots_txt.groups();
            groups
                .map(|group| (group.line(), only_rule(group)))
                .collect()
        });
        let after = groups.partition_point(|(line, _)| *line <= finding.line());
        let group = after.checked_sub(1).and_then(|at| groups.get(at));
        let only_rule = group.and_then(|(_, rule)| *rule);
        let has_next = groups.get(after).is_some();
        if has_next && only_rule == Some(finding.line()) {
            *finding = finding.clone().with_advice(ADVICE);
        }
    }
}

/// The line of the rule of a group that has only one.
fn only_rule(group: Group<'_>) -> Option<u32> {
    let mut rules = group.rules().map(|rule| rule.line());
    let first = rules.next()?;
    rules.next().is_none().then_some(first)
}

/// Whether the sentence, if it is written at all, leaves the owner to remove the line.
fn may_be_removed(finding: &Diagnostic) -> bool {
    let is_about_such_rule = matches!(
        finding.code(),
        DiagnosticCode::AbsoluteUrlAsPath
            | DiagnosticCode::AllowInOtherCase
            | DiagnosticCode::CommentInPath
            | DiagnosticCode::DotSegmentInPath
            | DiagnosticCode::DuplicateRule
            | DiagnosticCode::HomePageDisallowed
            | DiagnosticCode::PathWithoutSlash
            | DiagnosticCode::RedundantRule
            | DiagnosticCode::ShadowedRule
            | DiagnosticCode::SiteClosed
            | DiagnosticCode::SiteOpenedByAllow
    );
    let message = finding.message();
    is_about_such_rule && !message.is_empty() && !message.contains("an empty `Disallow:`")
}

const ADVICE: &str = "if you remove the line, leave an empty `Disallow:`, so that its agents do not get the rules below";

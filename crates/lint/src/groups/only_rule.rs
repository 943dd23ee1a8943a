//! Lines that match nothing and are the only rule of their group: without them the agents above
//! would get the rules below.

use polite_robots::RobotsTxt;
use polite_robots::document::Group;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;

/// Says in the findings about such lines what they do all the same, as an owner removes a line that
/// has no effect.
pub(crate) fn explain_only_rules(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    let mut groups: Option<Vec<Group<'_>>> = None;
    for finding in findings {
        if !is_about_idle_rule(finding) || finding.message().is_empty() {
            continue;
        }
        let groups = groups.get_or_insert_with(|| robots_txt.groups().collect());
        let after = groups.partition_point(|group| group.line() <= finding.line());
        let group = after.checked_sub(1).and_then(|at| groups.get(at));
        let has_next = groups.get(after).is_some();
        let is_only = |group: &&Group<'_>| {
            let mut rules = group.rules().map(|rule| rule.line());
            rules.next() == Some(finding.line()) && rules.next().is_none()
        };
        if has_next && group.filter(is_only).is_some() {
            *finding = finding.clone().with_advice(ADVICE);
        }
    }
}

fn is_about_idle_rule(finding: &Diagnostic) -> bool {
    matches!(
        finding.code(),
        DiagnosticCode::AbsoluteUrlAsPath
            | DiagnosticCode::AllowInOtherCase
            | DiagnosticCode::DuplicateRule
            | DiagnosticCode::PathWithoutSlash
            | DiagnosticCode::RedundantRule
            | DiagnosticCode::ShadowedRule
            | DiagnosticCode::SiteOpenedByAllow
    )
}

const ADVICE: &str = "if you remove the line, leave an empty `Disallow:`, so that its agents do not get the rules below";

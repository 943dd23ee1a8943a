//! Lines that an owner may remove and that are the only rule of their group: without them the
//! agents above would get the rules below.

use polite_robots::RobotsTxt;
use polite_robots::document::Group;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;

/// Says in the findings about such lines what they do beside their effect: they end the group.
pub(crate) fn explain_only_rules(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    let mut groups: Option<Vec<Group<'_>>> = None;
    for finding in findings {
        if !may_be_removed(finding) {
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

//! Finds `Disallow: /$`, which closes the home page and nothing else.

use polite_robots::document::{Group, RuleRecord};
use polite_robots::{Access, RobotsTxt};

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;

/// Reports each rule that closes the home page of a site that its group leaves open.
pub(crate) fn home_page(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    findings.extend(robots_txt.groups().filter_map(closing_home_page));
}

fn closing_home_page(group: Group<'_>) -> Option<Diagnostic> {
    let is_disallow = |rule: &RuleRecord<'_>| rule.access() == Access::Disallow;
    let rule = group
        .rules()
        .find(|rule| is_disallow(rule) && rule.value() == b"/$")?;
    let closes_all =
        |rule: RuleRecord<'_>| is_disallow(&rule) && matches!(rule.value(), b"/" | b"*" | b"/*");
    if group.rules().any(closes_all) {
        return None;
    }
    let message = "this line closes the home page alone, because `$` is the end of a path; write `Disallow: /` if you mean the whole site, and remove the line if search engines should find the home page";
    let code = DiagnosticCode::HomePageDisallowed;
    Some(Diagnostic::new(code, rule.line(), rule.span(), message))
}

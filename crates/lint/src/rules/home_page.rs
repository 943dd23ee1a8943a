//! Finds `Disallow: /$`, which closes the home page and nothing else.

use polite_robots::document::RuleRecord;
use polite_robots::{Access, RobotsTxt};

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::rules::file_rules::FileRules;
use crate::rules::merged_rules::matches_everything;

/// Reports each rule that closes the home page of a site that its group leaves open.
pub(super) fn home_page(
    robots_txt: &RobotsTxt,
    file: &FileRules<'_>,
    findings: &mut Vec<Diagnostic>,
) {
    let groups = robots_txt.groups();
    findings.extend(groups.filter_map(|group| closing_home_page(file.of_group(group))));
}

fn closing_home_page(rules: &[RuleRecord<'_>]) -> Option<Diagnostic> {
    let mut disallows = rules
        .iter()
        .filter(|rule| rule.access() == Access::Disallow);
    let rule = disallows.clone().find(|rule| rule.value() == b"/$")?;
    if disallows.any(|rule| matches_everything(rule.value())) {
        return None;
    }
    let message = "this line closes the home page alone, because `$` is the end of a path; write `Disallow: /` if you mean the whole site, and remove the line if search engines should find the home page";
    let code = DiagnosticCode::HomePageDisallowed;
    Some(Diagnostic::new(code, rule.line(), rule.span(), message))
}

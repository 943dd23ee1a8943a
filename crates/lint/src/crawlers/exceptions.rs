//! Findings of the library that the table of known crawlers proves wrong, which are left out.

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, UserAgent};
use polite_robots_audit::known::{KnownCrawler, all};

use crate::code::DiagnosticCode;
use crate::crawlers::names::{known, name};
use crate::diagnostic::Diagnostic;

/// Leaves out the findings that are wrong for the crawlers that they are about.
pub(super) fn leave_out_exceptions(findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    let mut groups: Option<Vec<Group<'_>>> = None;
    findings.retain(|finding| match finding.code() {
        DiagnosticCode::InvalidProductToken => !is_name_with_blanks(finding, robots_txt),
        DiagnosticCode::WildcardRulesDropped => {
            let groups = groups.get_or_insert_with(|| robots_txt.groups().collect());
            !never_reads_the_wildcard(finding, groups)
        }
        _ => true,
    });
}

/// Whether the value is a name such as `Sogou web spider`, which its operator asks owners to write
/// so.
fn is_name_with_blanks(finding: &Diagnostic, robots_txt: &RobotsTxt) -> bool {
    let value = robots_txt.as_bytes().get(finding.span());
    let value = value.unwrap_or_default();
    let is_name = |crawler: &KnownCrawler| crawler.name().as_bytes().eq_ignore_ascii_case(value);
    value.contains(&b' ') && all().iter().any(is_name)
}

/// Whether no agent of the group would read the group for `*` if it were not named: AdsBot-Google.
fn never_reads_the_wildcard(finding: &Diagnostic, groups: &[Group<'_>]) -> bool {
    let after = groups.partition_point(|group| group.line() <= finding.line());
    let group = after.checked_sub(1).and_then(|at| groups.get(at));
    let never_reads = |agent: UserAgent<'_>| {
        known(name(agent.value())).is_some_and(KnownCrawler::ignores_wildcard)
    };
    group.is_some_and(|group| group.user_agents().all(never_reads))
}

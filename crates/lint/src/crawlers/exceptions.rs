//! Findings of the library that the table of known crawlers proves wrong, which are left out.

use std::cell::LazyCell;

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, UserAgent};
use polite_robots_audit::known::{KnownCrawler, Purpose, all, find};

use crate::code::{DiagnosticCode, Severity};
use crate::crawlers::names::name;
use crate::diagnostic::Diagnostic;

/// Leaves out the findings that are wrong for their crawlers. A finding becomes a note if the rules
/// for everyone are lifted only for crawlers that show the site to nobody: SEO tools, checks of
/// advertisements and previews of links. Shops and sites from a kit name some of them for a delay
/// alone.
pub(super) fn leave_out_exceptions(findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    let groups: LazyCell<Vec<Group<'_>>, _> = LazyCell::new(|| robots_txt.groups().collect());
    findings.retain_mut(|finding| match finding.code() {
        DiagnosticCode::InvalidProductToken => !is_name_with_blanks(finding, robots_txt),
        DiagnosticCode::WildcardRulesDropped => {
            if all_agents(finding, &groups, shows_the_site_to_nobody) {
                *finding = finding.clone().with_severity(Severity::Note);
            }
            // AdsBot-Google would not read the group for `*` if it were not named.
            !all_agents(finding, &groups, KnownCrawler::ignores_wildcard)
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

fn shows_the_site_to_nobody(crawler: &KnownCrawler) -> bool {
    matches!(
        crawler.purpose(),
        Purpose::Seo | Purpose::Advertising | Purpose::Preview
    )
}

/// Whether all agents of the group of a finding are known crawlers for which `is_such` is true.
fn all_agents(
    finding: &Diagnostic,
    groups: &[Group<'_>],
    is_such: fn(&KnownCrawler) -> bool,
) -> bool {
    let after = groups.partition_point(|group| group.line() <= finding.line());
    let group = after.checked_sub(1).and_then(|at| groups.get(at));
    let is_such = |agent: UserAgent<'_>| find(name(agent.value())).is_some_and(is_such);
    group.is_some_and(|group| group.user_agents().all(is_such))
}

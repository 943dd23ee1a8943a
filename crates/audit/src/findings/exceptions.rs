//! Leaves out findings of the library that the table of known crawlers proves wrong.

use polite_robots::RobotsTxt;
use polite_robots::document::UserAgent;
use polite_robots::lint::{Diagnostic, DiagnosticCode};

use crate::findings::names::{known, name};
use crate::known::{KnownCrawler, all};

/// Whether the finding is wrong for the crawler that it is about.
pub(super) fn is_exception(finding: &Diagnostic, robots_txt: &RobotsTxt) -> bool {
    match finding.code() {
        DiagnosticCode::InvalidProductToken => is_name_with_blanks(finding, robots_txt),
        DiagnosticCode::WildcardRulesDropped => never_reads_the_wildcard(finding, robots_txt),
        _ => false,
    }
}

/// Whether the value is a name such as `Sogou web spider`, which its operator asks owners to write so.
fn is_name_with_blanks(finding: &Diagnostic, robots_txt: &RobotsTxt) -> bool {
    let value = robots_txt.as_bytes().get(finding.span());
    let value = value.unwrap_or_default();
    let is_name = |crawler: &KnownCrawler| crawler.name().as_bytes().eq_ignore_ascii_case(value);
    value.contains(&b' ') && all().iter().any(is_name)
}

/// Whether no agent of the group would read the group for `*` if it were not named: AdsBot-Google.
fn never_reads_the_wildcard(finding: &Diagnostic, robots_txt: &RobotsTxt) -> bool {
    let groups = robots_txt
        .groups()
        .take_while(|group| group.line() <= finding.line());
    let never_reads = |agent: UserAgent<'_>| {
        known(name(agent.value())).is_some_and(KnownCrawler::ignores_wildcard)
    };
    groups
        .last()
        .is_some_and(|group| group.user_agents().all(never_reads))
}

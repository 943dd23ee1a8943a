//! Leaves out `wildcard-rules-dropped` for crawlers that never read the group for everyone.

use polite_robots::RobotsTxt;
use polite_robots::lint::{Diagnostic, DiagnosticCode};

use crate::findings::names;

/// Whether the finding is about a crawler that would read the group for `*` if no group named it.
pub(super) fn is_about_crawlers_that_read_the_wildcard(
    finding: &Diagnostic,
    robots_txt: &RobotsTxt,
) -> bool {
    if finding.code() != DiagnosticCode::WildcardRulesDropped {
        return true;
    }
    let groups = robots_txt
        .groups()
        .take_while(|group| group.line() <= finding.line());
    let Some(group) = groups.last() else {
        return true;
    };
    group.user_agents().any(|agent| {
        let crawler = names::known(names::name(agent.value()));
        crawler.is_none_or(|crawler| !crawler.ignores_wildcard())
    })
}

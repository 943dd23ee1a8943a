//! Finds delays that are for Google's crawlers alone, which ignore them.

use polite_robots::document::{AgentRun, Scope, UserAgent};
use polite_robots::record::{Extension, ExtensionField};
use polite_robots_audit::known::{KnownCrawler, find};

use crate::code::DiagnosticCode;
use crate::crawlers::names::name;
use crate::diagnostic::Diagnostic;

/// Adds the findings about `Crawl-delay` records.
pub(super) fn crawl_delays(records: &[Extension<'_>], findings: &mut Vec<Diagnostic>) {
    // Thousands of records may belong to the same thousands of agents, so only the first is looked
    // at.
    let mut last_run = None;
    for record in records {
        let Scope::Agents(run) = record.scope() else {
            continue;
        };
        let start = run.user_agents().next().map(|agent| agent.line());
        if record.field() != ExtensionField::CrawlDelay || start == last_run {
            continue;
        }
        last_run = start;
        let Some(agent) = first_if_all_are_of_google(run) else {
            continue;
        };
        let message = format!(
            "{} ignores the `Crawl-delay` on line {}, as all of Google's crawlers do; answers with status 429 or 503 slow them down",
            name(agent.value()),
            record.line()
        );
        let code = DiagnosticCode::CrawlDelayIgnored;
        findings.push(Diagnostic::on(&agent, code, message));
    }
}

fn first_if_all_are_of_google(run: AgentRun<'_>) -> Option<UserAgent<'_>> {
    let is_of_google = |agent: UserAgent<'_>| {
        find(name(agent.value())).is_some_and(KnownCrawler::ignores_crawl_delay)
    };
    let mut agents = run.user_agents();
    agents
        .next()
        .filter(|_| run.user_agents().all(is_of_google))
}

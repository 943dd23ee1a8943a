//! Finds agents with several `Crawl-delay` records that differ.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;
use core::time::Duration;

use crate::document::groups::UserAgent;
use crate::document::scope::{AgentRun, Scope};
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::sentence;
use crate::parse::field::ExtensionField;
use crate::record::extension::Extension;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

/// Reports the first delay of each run of agents that differs from one above it for the same agent.
pub(super) fn several_delays(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let mut delays = delays(robots_txt);
    let (Some(first), Some(second)) = (delays.next(), delays.next()) else {
        // Nearly every file.
        return;
    };
    let mut of_agents: BTreeMap<Vec<u8>, Delay<'_>> = BTreeMap::new();
    let mut of_run: Option<(Delay<'_>, IsReported)> = None;
    for delay in [first, second].into_iter().chain(delays) {
        let (above, agents) = match &mut of_run {
            Some((above, is_reported)) if above.run_line() == delay.run_line() => {
                // Thousands of records may belong to the same thousands of agents.
                if *is_reported == IsReported::Yes || above.seconds == delay.seconds {
                    continue;
                }
                *is_reported = IsReported::Yes;
                (*above, delay.run.user_agents().take(SHOWN).collect())
            }
            of_run => {
                let above = delay_above(&mut of_agents, delay);
                let is_reported = IsReported::from(above.is_some());
                *of_run = Some((delay, is_reported));
                let Some((above, agent)) = above else {
                    continue;
                };
                (above, [agent].to_vec())
            }
        };
        findings.push(delay.finding(above, &agents, robots_txt));
    }
}

/// The delays of a file that have agents and are numbers.
fn delays(robots_txt: &RobotsTxt) -> impl Iterator<Item = Delay<'_>> {
    let is_delay = |record: &Extension<'_>| record.field() == ExtensionField::CrawlDelay;
    let records = robots_txt.extensions().filter(is_delay);
    records.filter_map(|record| match record.scope() {
        Scope::Agents(run) => Some(Delay {
            record,
            run,
            seconds: record.crawl_delay()?,
        }),
        Scope::File | Scope::Nobody => None,
    })
}

/// Another delay above for one of the agents, with that agent; stores the delay for the others.
fn delay_above<'r>(
    of_agents: &mut BTreeMap<Vec<u8>, Delay<'r>>,
    delay: Delay<'r>,
) -> Option<(Delay<'r>, UserAgent<'r>)> {
    let mut above = None;
    for agent in delay.run.user_agents() {
        let name = match agent.is_wildcard() {
            true => b"*".to_vec(),
            false => agent.value().to_ascii_lowercase(),
        };
        let first = *of_agents.entry(name).or_insert(delay);
        if first.seconds != delay.seconds {
            above = above.or(Some((first, agent)));
        }
    }
    above
}

/// A delay for the agents above it.
#[derive(Clone, Copy)]
struct Delay<'r> {
    record: Extension<'r>,
    run: AgentRun<'r>,
    seconds: Duration,
}

impl Delay<'_> {
    fn run_line(&self) -> Option<u32> {
        self.run.user_agents().next().map(|agent| agent.line())
    }

    fn finding(
        &self,
        above: Delay<'_>,
        agents: &[UserAgent<'_>],
        robots_txt: &RobotsTxt,
    ) -> Diagnostic {
        let values: Vec<&[u8]> = agents.iter().map(UserAgent::value).collect();
        let message = format!(
            "{} has the delay {} on line {} already: some crawlers keep to the first, some to the last, and some to the longest; remove the one that you do not mean",
            sentence::agents_by_name(&values),
            quote(above.record.value()),
            above.record.line()
        );
        let value = self.record.value();
        let base = robots_txt.as_bytes().as_ptr().addr();
        let start = value.as_ptr().addr().saturating_sub(base);
        let code = DiagnosticCode::SeveralCrawlDelays;
        let span = start..start.saturating_add(value.len());
        Diagnostic::new(code, self.record.line(), span, message)
    }
}

/// Whether a run has its finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IsReported {
    Yes,
    No,
}

impl From<bool> for IsReported {
    fn from(is_reported: bool) -> IsReported {
        match is_reported {
            true => IsReported::Yes,
            false => IsReported::No,
        }
    }
}

/// Agents of a run that a sentence looks at.
const SHOWN: usize = sentence::MOST_COUNTED + 1;

//! Finds agents with several `Crawl-delay` records that differ.

use std::collections::BTreeMap;
use std::time::Duration;

use polite_robots::document::{AgentRun, Scope, UserAgent};
use polite_robots::record::{Extension, ExtensionField};
use polite_robots::text::quote;
use polite_robots::{Dialect, RobotsTxt};

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::sentence;
use crate::text::token::name_in;

/// Reports the first delay of each run of agents that differs from one above it for the same agent.
pub(crate) fn several_delays(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let mut delays = delays(robots_txt);
    let (Some(first), Some(second)) = (delays.next(), delays.next()) else {
        // Nearly every file.
        return;
    };
    let mut of_agents = DelaysOfAgents::default();
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
                let above = of_agents.delay_above(delay, robots_txt.dialect());
                let is_reported = IsReported::from(above.is_some());
                *of_run = Some((delay, is_reported));
                let Some((above, agent)) = above else {
                    continue;
                };
                (above, [agent].to_vec())
            }
        };
        findings.push(delay.finding(above, &agents));
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

/// The first delay of each agent.
#[derive(Default)]
struct DelaysOfAgents<'r> {
    delays: Vec<Delay<'r>>,
    /// The place of an agent's delay, by the name of the agent.
    places: BTreeMap<Vec<u8>, usize>,
}

impl<'r> DelaysOfAgents<'r> {
    /// Another delay above for one of the agents, with that agent; stores the delay for the others.
    fn delay_above(
        &mut self,
        delay: Delay<'r>,
        dialect: Dialect,
    ) -> Option<(Delay<'r>, UserAgent<'r>)> {
        let own_place = self.delays.len();
        self.delays.push(delay);
        let mut above = None;
        for agent in delay.run.user_agents() {
            // `A*` and `A/1.0` are read as `A`.
            let name = name_in(agent, dialect).map(String::into_bytes);
            let name = name.unwrap_or_else(|| agent.value().to_ascii_lowercase());
            let place = *self.places.entry(name).or_insert(own_place);
            let first = self.delays.get(place).copied();
            let is_other = |first: &Delay<'_>| first.seconds != delay.seconds;
            above = above.or(first.filter(is_other).map(|first| (first, agent)));
        }
        above
    }
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

    fn finding(&self, above: Delay<'_>, agents: &[UserAgent<'_>]) -> Diagnostic {
        let values: Vec<&[u8]> = agents.iter().map(UserAgent::value).collect();
        let message = format!(
            "{} has the delay {} on line {} already: some crawlers keep to the first, some to the last, and some to the longest; remove the one that you do not mean",
            sentence::agents_by_name(&values),
            quote(above.record.value()),
            above.record.line()
        );
        let code = DiagnosticCode::SeveralCrawlDelays;
        Diagnostic::new(code, self.record.line(), self.record.span(), message)
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

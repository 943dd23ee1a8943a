//! Finds agents with several `Crawl-delay` records that differ.

use std::collections::BTreeMap;
use std::time::Duration;

use polite_robots::document::{AgentRun, Scope, UserAgent};
use polite_robots::record::{Extension, ExtensionField};
use polite_robots::text::quote;
use polite_robots::{Dialect, RobotsTxt};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::group_index::GroupIndex;
use crate::proposal::{Effect, Proposal};
use crate::sentence;
use crate::text::line::line_at;
use crate::text::token::name_in;

/// Reports the first delay of each run of agents that differs from one above it for the same agent.
pub(crate) fn several_delays(robots_txt: &RobotsTxt, findings: &mut Vec<Diagnostic>) {
    let delays: Vec<Delay<'_>> = delays(robots_txt).collect();
    // Nearly every file has one delay or none.
    if delays.len() < 2 {
        return;
    }
    let mut of_agents = DelaysOfAgents::default();
    let mut removals: Option<Removals<'_>> = None;
    // The first delay of the run, and whether the run has its finding.
    let mut of_run: Option<(Delay<'_>, bool)> = None;
    for delay in delays.iter().copied() {
        let (above, agents) = match &mut of_run {
            Some((above, is_reported)) if above.run_line() == delay.run_line() => {
                // Thousands of records may belong to the same thousands of agents.
                if *is_reported || above.seconds == delay.seconds {
                    continue;
                }
                *is_reported = true;
                (*above, delay.run.user_agents().take(SHOWN).collect())
            }
            of_run => {
                let above = of_agents.delay_above(delay, robots_txt.dialect());
                *of_run = Some((delay, above.is_some()));
                let Some((above, agent)) = above else {
                    continue;
                };
                (above, [agent].to_vec())
            }
        };
        let removals = removals.get_or_insert_with(|| Removals::of(robots_txt, &delays));
        findings.push(delay.finding(above, &agents, removals));
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

    fn finding(
        &self,
        above: Delay<'_>,
        agents: &[UserAgent<'_>],
        removals: &Removals<'_>,
    ) -> Diagnostic {
        let values: Vec<&[u8]> = agents.iter().map(UserAgent::value).collect();
        let message = format!(
            "{} has the delay {} on line {} already: some crawlers keep to the first, some to the last, and some to the longest",
            sentence::agents_by_name(&values),
            quote(above.record.value()),
            above.record.line()
        );
        let (this, other) = (removals.without(*self), removals.without(above));
        let line = above.record.line();
        let fix = match (&this, &other) {
            (Some(_), Some(_)) => format!("; remove this line, or line {line}"),
            (Some(_), None) => "; remove this line".to_owned(),
            (None, Some(_)) => format!("; remove line {line}"),
            (None, None) => String::new(),
        };
        let advice = Advice::new(message + &fix)
            .propose_all(this)
            .propose_all(other);
        Diagnostic::on(&self.record, DiagnosticCode::SeveralCrawlDelays, advice)
    }
}

/// The delays of a file by their runs, which show the delay that an agent has without one of them.
struct Removals<'r> {
    robots_txt: &'r RobotsTxt,
    groups: GroupIndex<'r>,
    /// The delays of each run, by its line, in the order of their length.
    delays: BTreeMap<Option<u32>, Vec<Duration>>,
    /// The runs of each agent.
    runs: BTreeMap<String, Vec<Option<u32>>>,
}

impl<'r> Removals<'r> {
    fn of(robots_txt: &'r RobotsTxt, delays: &[Delay<'_>]) -> Removals<'r> {
        let mut removals = Removals {
            robots_txt,
            groups: GroupIndex::of(robots_txt),
            delays: BTreeMap::new(),
            runs: BTreeMap::new(),
        };
        for delay in delays {
            let run = delay.run_line();
            let of_run = removals.delays.entry(run).or_default();
            if of_run.is_empty() {
                let agents = delay.run.user_agents();
                for name in agents.filter_map(|agent| name_in(agent, robots_txt.dialect())) {
                    removals.runs.entry(name).or_default().push(run);
                }
            }
            of_run.push(delay.seconds);
        }
        for of_run in removals.delays.values_mut() {
            of_run.sort_unstable();
        }
        removals
    }

    /// The file without a delay, unless its line parts agents.
    fn without(&self, delay: Delay<'_>) -> Option<Proposal> {
        if self.groups.has_agent_below(delay.record.line()) {
            return None;
        }
        let dialect = self.robots_txt.dialect();
        let agents = delay.run.user_agents().take(MOST_ASKED);
        let mut names = agents.filter_map(|agent| name_in(agent, dialect));
        let is_longest = names.any(|name| {
            let runs = self.runs.get(&name).into_iter().flatten();
            // The longest one of each run, and the second one of the run of this delay.
            let others = runs.take(MOST_ASKED).filter_map(|run| {
                let delays = self.delays.get(run)?;
                let is_own = *run == delay.run_line() && delays.last() == Some(&delay.seconds);
                let at = delays.len().checked_sub(1 + usize::from(is_own))?;
                delays.get(at).copied()
            });
            others.max() < Some(delay.seconds)
        });
        let effect = Effect::if_answers(is_longest);
        let file = self.robots_txt.as_bytes();
        let line = line_at(file, delay.record.span().start);
        Some(Proposal::without_line(file, line, effect))
    }
}

/// The most agents of a run, and runs of an agent, whose delays are compared.
const MOST_ASKED: usize = 64;

/// Agents of a run that a sentence looks at.
const SHOWN: usize = sentence::MOST_COUNTED + 1;

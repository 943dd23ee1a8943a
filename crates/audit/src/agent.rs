//! The rules that a file has for each agent that it names, and for each known crawler, in summary.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::agent::NamedAgents;
//! use polite_robots_audit::answer::{Reading, Readings};
//! use polite_robots_audit::coverage::Extent;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot\nCrawl-delay: 5\nDisallow: /tmp/");
//! let readings = Readings::new(&robots_txt);
//! let named = NamedAgents::of(&readings, Reading::Crawler);
//! let [agent] = named.agents() else { panic!() };
//! assert_eq!(agent.token(), "ExampleBot");
//! assert_eq!(agent.summary().coverage().extent(), Extent::Part);
//! assert_eq!(agent.summary().rule_counts().disallow, 1);
//! ```

use std::collections::HashMap;
use std::time::Duration;

use polite_robots::document::MergedGroup;
use polite_robots::record::PolicyToken;
use polite_robots::{Access, AgentMatch, Dialect, Robot, RobotsTxt};
use polite_robots_records::{Preference, Usage, UsageCategory};

use crate::budget::{Budget, RobotSize, work_of_records};
use crate::classes::{AgentClasses, Class, EVERYONE};
use crate::coverage::{Coverage, CoverageSearch, Extent};
use crate::known::{self, KnownCrawler};
use crate::printable::shortened;
use crate::readings::{Reading, Readings};

/// The agents that a file names, in its order, and among them the uses
/// ([`NamedAgent::policy_token`]).
#[derive(Debug)]
pub struct NamedAgents<'a> {
    agents: Vec<NamedAgent<'a>>,
    left_out: usize,
}

impl<'a> NamedAgents<'a> {
    /// The agents of a file. A name without a product token is left out, as no crawler could have
    /// it.
    ///
    /// Agents of the same groups with the same records are looked at once. The work and the memory
    /// are limited, so that a file of 500 KiB takes seconds and some dozen megabytes whatever it
    /// holds; the agents beyond are [counted](NamedAgents::left_out).
    pub fn of(readings: &'a Readings, reading: Reading) -> NamedAgents<'a> {
        NamedAgents::within(readings, reading, Budget::new(0))
    }

    fn within(readings: &'a Readings, reading: Reading, mut budget: Budget) -> NamedAgents<'a> {
        let robots_txt = readings.in_dialect(reading.dialect(EVERYONE));
        let mut read = ReadInDialects::new(readings);
        let mut places: HashMap<(Dialect, Class, Vec<u32>), usize> = HashMap::new();
        let mut named = NamedAgents {
            agents: Vec::new(),
            left_out: 0,
        };
        for group in robots_txt.merged_groups() {
            let token = group.product_token();
            if Robot::new(token, b"").is_err() {
                continue;
            }
            let groups: Vec<u32> = group.groups().map(|group| group.line()).collect();
            let dialect = reading.dialect(token);
            let ReadFile {
                robots_txt,
                classes,
                search,
            } = read.in_dialect(dialect);
            let key = (dialect, classes.of(token), groups);
            let first = places.get(&key).and_then(|place| named.agents.get(*place));
            let summary = match first {
                Some(first) => Some(first.summary.clone()),
                None => {
                    let records = classes.record_bytes(token);
                    AgentSummary::within(robots_txt, token, records, search, &mut budget)
                }
            };
            let lines = classes.lines(token);
            match summary {
                Some(mut summary) if budget.list(summary.bytes(lines)) => {
                    summary.group_lines = lines.to_vec();
                    places.entry(key).or_insert(named.agents.len());
                    named.agents.push(NamedAgent {
                        summary,
                        crawler: known::find(token),
                        group,
                    });
                }
                Some(_) | None => named.left_out = named.left_out.saturating_add(1),
            }
        }
        named
    }

    /// The agents.
    #[must_use]
    pub fn agents(&self) -> &[NamedAgent<'a>] {
        &self.agents
    }

    /// The number of agents that are not among them, as the file has too many.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }
}

/// A file in each dialect that was asked for; facts about it are computed once.
struct ReadInDialects<'r> {
    readings: &'r Readings,
    files: [Option<ReadFile<'r>>; 2],
}

/// A file in one dialect.
struct ReadFile<'r> {
    robots_txt: &'r RobotsTxt,
    classes: AgentClasses,
    search: CoverageSearch,
}

impl<'r> ReadInDialects<'r> {
    fn new(readings: &'r Readings) -> ReadInDialects<'r> {
        ReadInDialects {
            readings,
            files: [None, None],
        }
    }

    fn in_dialect(&mut self, dialect: Dialect) -> &mut ReadFile<'r> {
        let [rfc9309, google] = &mut self.files;
        let file = match dialect {
            Dialect::Rfc9309 => rfc9309,
            Dialect::Google => google,
        };
        file.get_or_insert_with(|| {
            let robots_txt = self.readings.in_dialect(dialect);
            ReadFile {
                robots_txt,
                classes: AgentClasses::of_file(robots_txt),
                search: CoverageSearch::new(robots_txt),
            }
        })
    }
}

/// An agent that a file names, or everyone: `*`.
#[derive(Debug)]
pub struct NamedAgent<'a> {
    group: MergedGroup<'a>,
    summary: AgentSummary,
    crawler: Option<&'static KnownCrawler>,
}

impl NamedAgent<'_> {
    /// The product token, `*` for everyone.
    #[must_use]
    pub fn token(&self) -> &str {
        self.group.product_token()
    }

    /// The name as the file writes it first.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        self.group.user_agent().value()
    }

    /// The summary of its rules and records.
    #[must_use]
    pub fn summary(&self) -> &AgentSummary {
        &self.summary
    }

    /// The use that the token names. Such a token is no crawler, and nobody fetches by its rules:
    /// they say where the use is not wanted.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::record::PolicyToken;
    /// use polite_robots_audit::agent::NamedAgents;
    /// use polite_robots_audit::answer::{Reading, Readings};
    ///
    /// let file = b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: __usage_ai-training\nDisallow: /";
    /// let readings = Readings::new(&RobotsTxt::parse(file));
    /// let named = NamedAgents::of(&readings, Reading::Crawler);
    /// let uses: Vec<_> = named.agents().iter().map(|agent| agent.policy_token()).collect();
    /// assert_eq!(uses, [None, Some(PolicyToken::AiTraining)]);
    /// ```
    #[must_use]
    pub fn policy_token(&self) -> Option<PolicyToken> {
        PolicyToken::find(self.token())
    }

    /// The crawler with this token, if it is known.
    #[must_use]
    pub fn crawler(&self) -> Option<&'static KnownCrawler> {
        self.crawler
    }
}

/// A known crawler, and what a file asks of it.
#[derive(Debug)]
pub struct CrawlerSummary {
    crawler: &'static KnownCrawler,
    agent: AgentSummary,
    second_token: Option<&'static str>,
}

impl CrawlerSummary {
    /// The known crawlers in the order of the table, as `reading` has each of them read the file.
    pub fn all(readings: &Readings, reading: Reading) -> Vec<CrawlerSummary> {
        let mut read = ReadInDialects::new(readings);
        let summary = |crawler: &'static KnownCrawler| {
            let file = read.in_dialect(reading.dialect(crawler.token()));
            let robot = reading.robot(crawler.token(), file.robots_txt).ok()?;
            Some(CrawlerSummary {
                crawler,
                agent: AgentSummary::new(&robot, &mut file.search),
                second_token: match reading {
                    Reading::Crawler => crawler.second_token_in(file.robots_txt),
                    Reading::Of(_) => None,
                },
            })
        };
        known::all().iter().filter_map(summary).collect()
    }

    /// The crawler.
    #[must_use]
    pub fn crawler(&self) -> &'static KnownCrawler {
        self.crawler
    }

    /// The summary of its rules and records.
    #[must_use]
    pub fn agent(&self) -> &AgentSummary {
        &self.agent
    }

    /// The second token whose groups it obeys ([`KnownCrawler::second_token_in`]).
    #[must_use]
    pub fn second_token(&self) -> Option<&'static str> {
        self.second_token
    }
}

/// The summary of one agent's rules and records, without the rules themselves.
///
/// Robots for all known crawlers would each hold the rules for everyone.
#[derive(Debug, Clone)]
pub struct AgentSummary {
    agent_match: AgentMatch,
    group_lines: Vec<u32>,
    coverage: Coverage,
    closing_rule: Option<ClosingRule>,
    rule_counts: RuleCounts,
    crawl_delay: Option<Duration>,
    usage: Vec<(UsageCategory, Preference)>,
    content_uses: Vec<String>,
}

impl AgentSummary {
    /// The summary of a robot; `search` is that of its file.
    pub fn new(robot: &Robot, search: &mut CoverageSearch) -> AgentSummary {
        let coverage = search.coverage(robot);
        let usage = Usage::of(robot, "/");
        AgentSummary {
            agent_match: robot.agent_match(),
            group_lines: robot.group_lines().collect(),
            coverage,
            closing_rule: ClosingRule::find(robot, coverage.extent()),
            rule_counts: RuleCounts::new(robot),
            crawl_delay: robot.crawl_delay(),
            usage: UsageCategory::ALL
                .iter()
                .map(|category| (*category, usage.preference(*category)))
                .collect(),
            content_uses: content_uses(&usage),
        }
    }

    /// The summary of a named agent whose records have `records` bytes; `None` once the budget is
    /// spent.
    fn within(
        robots_txt: &RobotsTxt,
        token: &str,
        records: usize,
        search: &mut CoverageSearch,
        budget: &mut Budget,
    ) -> Option<AgentSummary> {
        // Each robot walks over the records of the file, two bytes in a nanosecond.
        let of_file = robots_txt.as_bytes().len() / 2;
        if !budget.spend(of_file.saturating_add(work_of_records(records))) {
            return None;
        }
        let robot = robots_txt.robot(token).ok()?;
        let is_paid = budget.spend(RobotSize::of(&robot).sorting());
        is_paid.then(|| AgentSummary::new(&robot, search))
    }

    /// The approximate bytes of its lists, and of the lines of an agent.
    fn bytes(&self, lines: &[u32]) -> usize {
        let uses = self.content_uses.iter();
        let uses = uses.map(|content_use| content_use.len().saturating_add(24));
        let lines = lines.len().saturating_mul(4);
        uses.fold(lines, usize::saturating_add)
    }

    /// How the agent's groups were found.
    #[must_use]
    pub fn agent_match(&self) -> AgentMatch {
        self.agent_match
    }

    /// The lines of the `User-agent` records that make groups the agent's.
    #[must_use]
    pub fn group_lines(&self) -> &[u32] {
        &self.group_lines
    }

    /// How much the agent may fetch.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// The rule that closes the whole site to the agent, if one does.
    #[must_use]
    pub fn closing_rule(&self) -> Option<&ClosingRule> {
        self.closing_rule.as_ref()
    }

    /// The numbers of its rules.
    #[must_use]
    pub fn rule_counts(&self) -> RuleCounts {
        self.rule_counts
    }

    /// The delay between two fetches that the file asks for.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The preferences about the use of the home page.
    pub fn usage(&self) -> impl Iterator<Item = (UsageCategory, Preference)> {
        self.usage.iter().copied()
    }

    /// How much of the home page's content may be used: the values of `use` in `Content-Signal`,
    /// such as `reference`.
    #[must_use]
    pub fn content_uses(&self) -> &[String] {
        &self.content_uses
    }

    /// The preference about one use of the home page.
    #[must_use]
    pub fn preference(&self, category: UsageCategory) -> Preference {
        let mut usage = self.usage();
        let stated = usage.find(|(other, _)| *other == category);
        stated.map_or(Preference::Unstated, |(_, preference)| preference)
    }
}

/// The values of `use` in the `Content-Signal` records about a page, as they would be written:
/// `reference`. Nearly always there is at most one.
pub(crate) fn content_uses(usage: &Usage<'_>) -> Vec<String> {
    let uses = usage.content_uses();
    uses.map(|(content_use, _)| content_use.to_string())
        .collect()
}

/// A rule that closes the whole site. Rules that close a part are not listed, as there may be
/// hundreds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosingRule {
    line: u32,
    text: String,
}

impl ClosingRule {
    fn find(robot: &Robot, extent: Extent) -> Option<ClosingRule> {
        match extent {
            Extent::Nothing => robot.check("/").rule().map(|rule| ClosingRule {
                line: rule.line(),
                text: shortened(&rule.to_string()),
            }),
            Extent::Part | Extent::Everything => None,
        }
    }

    /// The line number, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The rule as it would be written, of a very long one the beginning and `…`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The numbers of an agent's rules.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct RuleCounts {
    /// Rules with `Allow`.
    pub allow: usize,
    /// Rules with `Disallow`.
    pub disallow: usize,
}

impl RuleCounts {
    fn new(robot: &Robot) -> RuleCounts {
        let mut counts = RuleCounts::default();
        // The Google dialect keeps empty values for their lines.
        for rule in robot.rules().filter(|rule| rule.length() > 0) {
            let count = match rule.access() {
                Access::Allow => &mut counts.allow,
                Access::Disallow => &mut counts.disallow,
            };
            *count = count.saturating_add(1);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::{AgentSummary, NamedAgents};
    use crate::budget::Budget;
    use crate::coverage::CoverageSearch;
    use crate::readings::{Reading, Readings};

    fn named(file: &str, budget: Budget) -> (usize, usize) {
        let file = Readings::new(&RobotsTxt::parse(file.as_bytes()));
        let named = NamedAgents::within(&file, Reading::Crawler, budget);
        (named.agents().len(), named.left_out())
    }

    #[test]
    fn agents_of_one_group_are_looked_at_once() {
        let agents: String = (0..1_000).map(|n| format!("User-agent: {n}x\n")).collect();
        let rules: String = (0..100).map(|n| format!("Disallow: /{n}\n")).collect();
        let file = format!("{agents}{rules}");
        assert_eq!(named(&file, Budget::with(100_000, 1_000_000)), (1_000, 0));
    }

    #[test]
    fn agents_that_are_too_many_are_counted() {
        let own = |n: u32| format!("User-agent: {n}x\nDisallow: /{n}\n");
        let file: String = (0..100).map(own).collect();
        let (some, left_out) = named(&file, Budget::with(20_000, 1_000_000));
        assert!((5..50).contains(&some) && some + left_out == 100, "{some}");
        assert_eq!(named(&file, Budget::with(1_000_000, 0)), (0, 100));
        // Every robot has a copy of the records above all groups.
        let above: String = (0..1_000).map(|n| format!("License: /{n}\n")).collect();
        let (some, left_out) = named(&(above + &file), Budget::with(5_000_000, 1_000_000));
        assert!((5..50).contains(&some) && some + left_out == 100, "{some}");
    }

    proptest! {
        /// Agents that share a summary have the same summary as each of them would have alone.
        #[test]
        fn each_agent_has_its_own_summary(lines in vec(select(LINES), 0..24)) {
            let file = RobotsTxt::parse(lines.join("\n").as_bytes());
            let readings = Readings::new(&file);
            let mut search = CoverageSearch::new(&file);
            for agent in NamedAgents::of(&readings, Reading::Crawler).agents() {
                let own = AgentSummary::new(&file.robot(agent.token()).unwrap(), &mut search);
                prop_assert_eq!(format!("{:?}", agent.summary()), format!("{own:?}"));
            }
        }
    }

    const LINES: &[&str] = &[
        "User-agent: *",
        "User-agent: a",
        "User-agent: A1",
        "User-agent: b",
        "Disallow: /",
        "Disallow: /x",
        "Allow: /x/y",
        "Crawl-delay: 2",
        "Content-Signal: ai-train=no, use=reference",
        "",
    ];
}

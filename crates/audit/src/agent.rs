//! The rules that a file has for each agent that it names, and for each known crawler, in summary.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::agent::NamedAgent;
//! use polite_robots_audit::coverage::{CoverageSearch, Extent};
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot\nCrawl-delay: 5\nDisallow: /tmp/");
//! let mut search = CoverageSearch::new(&robots_txt);
//! let [agent] = &NamedAgent::all(&robots_txt, &mut search)[..] else { panic!() };
//! assert_eq!(agent.token(), "ExampleBot");
//! assert_eq!(agent.summary().coverage().extent(), Extent::Part);
//! assert_eq!(agent.summary().rule_counts().disallow, 1);
//! ```

use std::time::Duration;

use polite_robots::document::MergedGroup;
use polite_robots::record::{Preference, Usage, UsageCategory};
use polite_robots::{Access, AgentMatch, InvalidToken, Robot, RobotsTxt};

use crate::coverage::{Coverage, CoverageSearch, Extent};
use crate::known::{self, KnownCrawler};

/// An agent that a file names, or everyone: `*`.
#[derive(Debug)]
pub struct NamedAgent<'a> {
    group: MergedGroup<'a>,
    summary: AgentSummary,
    crawler: Option<&'static KnownCrawler>,
}

impl<'a> NamedAgent<'a> {
    /// The agents of a file in its order. A name without a product token is left out, as no crawler
    /// could have it.
    pub fn all(robots_txt: &'a RobotsTxt, search: &mut CoverageSearch) -> Vec<NamedAgent<'a>> {
        let groups = robots_txt.merged_groups();
        let agents = groups.filter_map(|group| {
            let robot = robots_txt.robot(group.product_token()).ok()?;
            Some(NamedAgent {
                summary: AgentSummary::new(&robot, search),
                crawler: known::find(group.product_token()),
                group,
            })
        });
        agents.collect()
    }

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
    /// Asks about a crawler.
    ///
    /// # Errors
    ///
    /// If its token is none that a robots.txt can name; [`known::all`] has no such crawler.
    pub fn new(
        crawler: &'static KnownCrawler,
        robots_txt: &RobotsTxt,
        search: &mut CoverageSearch,
    ) -> Result<CrawlerSummary, InvalidToken> {
        let robot = crawler.robot(robots_txt)?;
        Ok(CrawlerSummary {
            crawler,
            agent: AgentSummary::new(&robot, search),
            second_token: crawler.second_token_in(robots_txt),
        })
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
        let usage = robot.usage("/");
        AgentSummary {
            agent_match: robot.agent_match(),
            group_lines: robot.group_lines().collect(),
            coverage,
            closing_rule: ClosingRule::find(robot, coverage.extent()),
            rule_counts: RuleCounts::new(robot),
            crawl_delay: robot.crawl_delay(),
            usage: UsageCategory::ALL
                .iter()
                .map(|category| (*category, usage.of(*category)))
                .collect(),
            content_uses: content_uses(&usage),
        }
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
                text: rule.to_string(),
            }),
            Extent::Part | Extent::Everything => None,
        }
    }

    /// The line number, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The rule as it would be written.
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

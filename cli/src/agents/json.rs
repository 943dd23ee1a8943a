//! The document of `--json`.

use std::io::{self, Write};

use polite_robots_audit::agent::{AgentSummary, CrawlerSummary, NamedAgent, NamedAgents};
use polite_robots_audit::coverage::Extent;
use polite_robots_audit::forgotten::Forgotten;
use polite_robots_audit::known::{self, KnownCrawler};
use polite_robots_audit::policy::category;
use polite_robots_records::UsageCategory;
use serde::Serialize;

use crate::input::Input;
use crate::json;
use crate::reading::Dialect;

pub(super) fn write(
    out: &mut dyn Write,
    file: &Input,
    dialect: Option<Dialect>,
    named: &NamedAgents<'_>,
    known: Option<&[CrawlerSummary]>,
    forgotten: &[Forgotten],
) -> io::Result<()> {
    json::write(
        out,
        &Document {
            file: &file.argument(),
            dialect,
            agents: AgentFields::of_all(named),
            uses: UseFields::of_all(named),
            agents_left_out: named.left_out(),
            known_crawlers: known.map(|known| KnownCrawlers {
                as_of: known::as_of(),
                crawlers: known.iter().map(CrawlerFields::new).collect(),
            }),
            forgotten: forgotten.iter().map(ForgottenFields::new).collect(),
        },
    )
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    dialect: Option<Dialect>,
    agents: Vec<AgentFields<'a>>,
    /// The uses that the file names in place of a crawler.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    uses: Vec<UseFields<'a>>,
    /// The number of agents that are left out, as the file names too many.
    #[serde(skip_serializing_if = "json::is_zero")]
    agents_left_out: usize,
    known_crawlers: Option<KnownCrawlers<'a>>,
    forgotten: Vec<ForgottenFields>,
}

/// An agent of the file.
#[derive(Serialize)]
pub(super) struct AgentFields<'a> {
    agent: &'a str,
    written: String,
    group_lines: &'a [u32],
    access: &'static str,
    complete: bool,
    line: Option<u32>,
    rules: RuleFields,
    crawl_delay_seconds: Option<f64>,
    usage: UsageFields<'a>,
    known: Option<KnownFields>,
}

/// A use that the file names in place of a crawler.
#[derive(Serialize)]
struct UseFields<'a> {
    /// As in the preferences: `ai-training`.
    #[serde(rename = "use")]
    of: &'static str,
    token: &'static str,
    written: String,
    group_lines: &'a [u32],
    not_wanted: &'static str,
    complete: bool,
    rules: RuleFields,
}

impl<'a> UseFields<'a> {
    fn of_all(named: &'a NamedAgents<'_>) -> Vec<UseFields<'a>> {
        let agents = named.agents().iter();
        agents.filter_map(UseFields::new).collect()
    }

    fn new(agent: &'a NamedAgent<'_>) -> Option<UseFields<'a>> {
        let token = agent.policy_token()?;
        let summary = agent.summary();
        Some(UseFields {
            of: category(token).map_or(token.as_str(), UsageCategory::as_str),
            token: token.as_str(),
            written: String::from_utf8_lossy(agent.written()).into_owned(),
            group_lines: summary.group_lines(),
            not_wanted: match summary.coverage().extent() {
                Extent::Nothing => "everything",
                Extent::Part => "part",
                Extent::Everything => "nothing",
            },
            complete: summary.coverage().is_certain(),
            rules: RuleFields::new(summary),
        })
    }
}

impl<'a> AgentFields<'a> {
    /// The agents, without the uses.
    pub(super) fn of_all(named: &'a NamedAgents<'_>) -> Vec<AgentFields<'a>> {
        let agents = named.agents().iter();
        let agents = agents.filter(|agent| agent.policy_token().is_none());
        agents.map(AgentFields::new).collect()
    }

    fn new(agent: &'a NamedAgent<'_>) -> AgentFields<'a> {
        let summary = agent.summary();
        AgentFields {
            agent: agent.token(),
            written: String::from_utf8_lossy(agent.written()).into_owned(),
            group_lines: summary.group_lines(),
            access: summary.coverage().extent().as_str(),
            complete: summary.coverage().is_certain(),
            line: line(summary),
            rules: RuleFields::new(summary),
            crawl_delay_seconds: summary.crawl_delay().map(|delay| delay.as_secs_f64()),
            usage: UsageFields::new(summary),
            known: agent.crawler().map(KnownFields::new),
        }
    }
}

#[derive(Serialize)]
struct RuleFields {
    allow: usize,
    disallow: usize,
}

impl RuleFields {
    fn new(summary: &AgentSummary) -> RuleFields {
        let rules = summary.rule_counts();
        RuleFields {
            allow: rules.allow,
            disallow: rules.disallow,
        }
    }
}

fn line(summary: &AgentSummary) -> Option<u32> {
    summary.closing_rule().map(|rule| rule.line())
}

/// The answer for the home page.
#[derive(Serialize)]
struct UsageFields<'a> {
    search: &'static str,
    ai_input: &'static str,
    ai_training: &'static str,
    /// The values of `use` in `Content-Signal`.
    content_use: &'a [String],
}

impl<'a> UsageFields<'a> {
    fn new(summary: &'a AgentSummary) -> UsageFields<'a> {
        let of = |category| summary.preference(category).as_str();
        UsageFields {
            search: of(UsageCategory::Search),
            ai_input: of(UsageCategory::AiInput),
            ai_training: of(UsageCategory::AiTraining),
            content_use: summary.content_uses(),
        }
    }
}

#[derive(Serialize)]
struct KnownFields {
    name: &'static str,
    token: &'static str,
    operator: Option<&'static str>,
    purpose: &'static str,
    is_ai: bool,
    documentation: Option<&'static str>,
    falls_back_to: &'static [&'static str],
    crawled_by: Option<&'static str>,
    ignores_wildcard: bool,
    obeys: &'static str,
    retired: Option<RetirementFields>,
    /// The dialect in which the crawler reads a file.
    dialect: Dialect,
}

#[derive(Serialize)]
struct RetirementFields {
    successor: Option<&'static str>,
    source: &'static str,
}

impl KnownFields {
    fn new(crawler: &'static KnownCrawler) -> KnownFields {
        KnownFields {
            name: crawler.name(),
            token: crawler.token(),
            operator: crawler.operator(),
            purpose: crawler.purpose().as_str(),
            is_ai: crawler.is_ai(),
            documentation: crawler.documentation(),
            falls_back_to: crawler.falls_back_to(),
            crawled_by: crawler.crawled_by(),
            ignores_wildcard: crawler.ignores_wildcard(),
            obeys: crawler.obeys().as_str(),
            retired: crawler.retired().map(|retirement| RetirementFields {
                successor: retirement.successor(),
                source: retirement.source(),
            }),
            dialect: crawler.dialect().into(),
        }
    }
}

#[derive(Serialize)]
struct KnownCrawlers<'a> {
    as_of: &'a str,
    crawlers: Vec<CrawlerFields<'a>>,
}

#[derive(Serialize)]
struct CrawlerFields<'a> {
    #[serde(flatten)]
    known: KnownFields,
    access: &'static str,
    complete: bool,
    agent_match: &'static str,
    group_lines: &'a [u32],
    line: Option<u32>,
}

impl<'a> CrawlerFields<'a> {
    fn new(crawler: &'a CrawlerSummary) -> CrawlerFields<'a> {
        let summary = crawler.agent();
        CrawlerFields {
            known: KnownFields::new(crawler.crawler()),
            access: summary.coverage().extent().as_str(),
            complete: summary.coverage().is_certain(),
            agent_match: summary.agent_match().as_str(),
            group_lines: summary.group_lines(),
            line: line(summary),
        }
    }
}

/// The crawlers of a purpose by their names.
#[derive(Serialize)]
struct ForgottenFields {
    purpose: &'static str,
    kept_out: Vec<&'static str>,
    others: Vec<&'static str>,
}

impl ForgottenFields {
    fn new(forgotten: &Forgotten) -> ForgottenFields {
        let names = |crawlers: &[&'static KnownCrawler]| {
            crawlers.iter().map(|crawler| crawler.name()).collect()
        };
        ForgottenFields {
            purpose: forgotten.purpose().as_str(),
            kept_out: names(forgotten.kept_out()),
            others: names(forgotten.others()),
        }
    }
}

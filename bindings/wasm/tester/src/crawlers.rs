//! The known crawlers, and how much of the site each may fetch.

use polite_robots::Dialect;
use polite_robots::record::PolicyToken;
use polite_robots_audit::agent::{AgentSummary, CrawlerSummary};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::coverage::CoverageSearch;
use polite_robots_audit::forgotten::Forgotten;
use polite_robots_audit::known::{self, KnownCrawler, Purpose};
use serde::Serialize;

use crate::reading::use_named;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Crawlers {
    as_of: &'static str,
    purposes: Vec<OfPurpose>,
    forgotten: Vec<ForgottenOfPurpose>,
    uses: Vec<Use>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OfPurpose {
    name: &'static str,
    title: String,
    description: &'static str,
    crawlers: Vec<Crawler>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Crawler {
    name: &'static str,
    token: &'static str,
    operator: Option<&'static str>,
    documentation: Option<&'static str>,
    extent: &'static str,
    is_certain: bool,
    is_ai: bool,
    line: Option<u32>,
    remarks: Vec<String>,
}

/// A use that the file names where it names crawlers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Use {
    name: &'static str,
    /// The part of the site where the use is still free.
    extent: &'static str,
    is_certain: bool,
    line: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ForgottenOfPurpose {
    purpose: String,
    kept_out: Vec<&'static str>,
    others: Vec<&'static str>,
}

impl Crawlers {
    pub(crate) fn new(readings: &Readings, reading: Reading) -> Crawlers {
        let summaries = CrawlerSummary::all(readings, reading);
        let names = |crawlers: &[&'static KnownCrawler]| {
            crawlers.iter().map(|crawler| crawler.name()).collect()
        };
        Crawlers {
            as_of: known::as_of(),
            purposes: Purpose::ALL
                .into_iter()
                .map(|purpose| OfPurpose::new(purpose, &summaries))
                .filter(|group| !group.crawlers.is_empty())
                .collect(),
            forgotten: Forgotten::all(&summaries)
                .iter()
                .map(|forgotten| ForgottenOfPurpose {
                    purpose: forgotten.purpose().to_string(),
                    kept_out: names(forgotten.kept_out()),
                    others: names(forgotten.others()),
                })
                .collect(),
            uses: Use::all(readings),
        }
    }
}

impl Use {
    /// The uses that the file names.
    fn all(readings: &Readings) -> Vec<Use> {
        let robots_txt = readings.in_dialect(Dialect::Rfc9309);
        let everyone = robots_txt.robot("*").ok();
        let mut search = CoverageSearch::new(robots_txt);
        let tokens = PolicyToken::ALL.iter();
        tokens
            .filter_map(|token| {
                let rules = everyone.as_ref()?.policy(*token)?;
                let summary = AgentSummary::new(rules, &mut search);
                Some(Use {
                    name: use_named(token.as_str())?,
                    extent: summary.coverage().extent().as_str(),
                    is_certain: summary.coverage().is_certain(),
                    line: line_of(&summary),
                })
            })
            .collect()
    }
}

/// The line that closes the whole site, or that names the agent.
fn line_of(agent: &AgentSummary) -> Option<u32> {
    let group_line = agent.group_lines().first().copied();
    agent.closing_rule().map(|rule| rule.line()).or(group_line)
}

impl OfPurpose {
    fn new(purpose: Purpose, summaries: &[CrawlerSummary]) -> OfPurpose {
        OfPurpose {
            name: purpose.as_str(),
            title: purpose.to_string(),
            description: purpose.description(),
            crawlers: summaries
                .iter()
                .filter(|summary| summary.crawler().purpose() == purpose)
                .map(Crawler::new)
                .collect(),
        }
    }
}

impl Crawler {
    fn new(summary: &CrawlerSummary) -> Crawler {
        let (crawler, agent) = (summary.crawler(), summary.agent());
        Crawler {
            name: crawler.name(),
            token: crawler.token(),
            operator: crawler.operator(),
            documentation: crawler.documentation(),
            extent: agent.coverage().extent().as_str(),
            is_certain: agent.coverage().is_certain(),
            is_ai: crawler.is_ai(),
            line: line_of(agent),
            remarks: crawler.remarks().collect(),
        }
    }
}

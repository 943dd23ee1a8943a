//! The known crawlers, and how much of the site each may fetch.

use polite_robots::RobotsTxt;
use polite_robots_audit::agent::CrawlerSummary;
use polite_robots_audit::coverage::CoverageSearch;
use polite_robots_audit::forgotten::Forgotten;
use polite_robots_audit::known::{self, KnownCrawler, Purpose};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Crawlers {
    as_of: &'static str,
    purposes: Vec<OfPurpose>,
    forgotten: Vec<ForgottenOfPurpose>,
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ForgottenOfPurpose {
    purpose: String,
    kept_out: Vec<&'static str>,
    others: Vec<&'static str>,
}

impl Crawlers {
    pub(crate) fn new(robots_txt: &RobotsTxt) -> Crawlers {
        let mut search = CoverageSearch::new(robots_txt);
        let summaries: Vec<CrawlerSummary> = known::all()
            .iter()
            .filter_map(|crawler| CrawlerSummary::new(crawler, robots_txt, &mut search).ok())
            .collect();
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
        }
    }
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
        let group_line = agent.group_lines().first().copied();
        Crawler {
            name: crawler.name(),
            token: crawler.token(),
            operator: crawler.operator(),
            documentation: crawler.documentation(),
            extent: agent.coverage().extent().as_str(),
            is_certain: agent.coverage().is_certain(),
            is_ai: crawler.is_ai(),
            line: agent.closing_rule().map(|rule| rule.line()).or(group_line),
            remarks: crawler.remarks().collect(),
        }
    }
}

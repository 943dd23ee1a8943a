//! The document of `--json`.

use std::io::{self, Write};

use polite_robots_audit::agent::{AgentSummary, CrawlerSummary, NamedAgent, NamedAgents};
use polite_robots_audit::coverage::Extent;
use polite_robots_audit::forgotten::Forgotten;
use polite_robots_audit::known::{self, KnownCrawler};
use polite_robots_audit::policy::category;
use polite_robots_records::UsageCategory;

use crate::input::Input;
use crate::json::{self, Fields, Object, object};
use crate::reading::Dialect;

pub(super) fn write(
    out: &mut dyn Write,
    file: &Input,
    dialect: Option<Dialect>,
    named: &NamedAgents<'_>,
    known: Option<&[CrawlerSummary]>,
    forgotten: &[Forgotten],
) -> io::Result<()> {
    let uses: Vec<_> = named.agents().iter().filter_map(use_fields).collect();
    let left_out = named.left_out();
    let document = object! {
        "file": file.argument(),
        "dialect": dialect,
        "agents": agents_fields(named),
        // The uses that the file names in place of a crawler.
        "uses"?: (!uses.is_empty()).then_some(uses),
        // The number of agents that are left out, as the file names too many.
        "agents_left_out"?: (left_out > 0).then_some(left_out),
        "known_crawlers": known.map(|known| object! {
            "as_of": known::as_of(),
            "crawlers": known.iter().map(crawler_fields).collect::<Vec<_>>(),
        }),
        "forgotten": forgotten.iter().map(forgotten_fields).collect::<Vec<_>>(),
    };
    json::write(out, &document)
}

/// The agents of the file, without the uses.
pub(super) fn agents_fields<'a>(named: &'a NamedAgents<'_>) -> Vec<Object<impl Fields + 'a>> {
    let agents = named.agents().iter();
    let agents = agents.filter(|agent| agent.policy_token().is_none());
    agents.map(agent_fields).collect()
}

fn agent_fields<'a>(agent: &'a NamedAgent<'_>) -> Object<impl Fields + 'a> {
    let summary = agent.summary();
    let preference = |category| summary.preference(category).as_str();
    object! {
        "agent": agent.token(),
        "written": String::from_utf8_lossy(agent.written()),
        "group_lines": summary.group_lines(),
        "access": summary.coverage().extent().as_str(),
        "complete": summary.coverage().is_certain(),
        "line": line(summary),
        "rules": rules_fields(summary),
        "crawl_delay_seconds": summary.crawl_delay().map(|delay| delay.as_secs_f64()),
        // The answer for the home page.
        "usage": object! {
            "search": preference(UsageCategory::Search),
            "ai_input": preference(UsageCategory::AiInput),
            "ai_training": preference(UsageCategory::AiTraining),
            // The values of `use` in `Content-Signal`.
            "content_use": summary.content_uses(),
        },
        "known": agent.crawler().map(known_fields),
    }
}

/// A use that the file names in place of a crawler.
fn use_fields<'a>(agent: &'a NamedAgent<'_>) -> Option<Object<impl Fields + 'a>> {
    let token = agent.policy_token()?;
    let summary = agent.summary();
    Some(object! {
        // The name that preferences have for the use: `ai-training`.
        "use": category(token).map_or(token.as_str(), UsageCategory::as_str),
        "token": token.as_str(),
        "written": String::from_utf8_lossy(agent.written()),
        "group_lines": summary.group_lines(),
        "not_wanted": match summary.coverage().extent() {
            Extent::Nothing => "everything",
            Extent::Part => "part",
            Extent::Everything => "nothing",
        },
        "complete": summary.coverage().is_certain(),
        "rules": rules_fields(summary),
    })
}

fn rules_fields(summary: &AgentSummary) -> Object<impl Fields + use<>> {
    let rules = summary.rule_counts();
    object! { "allow": rules.allow, "disallow": rules.disallow }
}

fn line(summary: &AgentSummary) -> Option<u32> {
    summary.closing_rule().map(|rule| rule.line())
}

fn known_fields(crawler: &'static KnownCrawler) -> Object<impl Fields> {
    object! {
        "name": crawler.name(),
        "token": crawler.token(),
        "operator": crawler.operator(),
        "purpose": crawler.purpose().as_str(),
        "is_ai": crawler.is_ai(),
        "documentation": crawler.documentation(),
        "falls_back_to": crawler.falls_back_to(),
        "crawled_by": crawler.crawled_by(),
        "ignores_wildcard": crawler.ignores_wildcard(),
        "obeys": crawler.obeys().as_str(),
        "retired": crawler.retired().map(|retirement| object! {
            "successor": retirement.successor(),
            "source": retirement.source(),
        }),
        // The dialect in which the crawler reads a file.
        "dialect": Dialect::from(crawler.dialect()),
    }
}

fn crawler_fields(crawler: &CrawlerSummary) -> Object<impl Fields> {
    let summary = crawler.agent();
    object! {
        ..known_fields(crawler.crawler()),
        "access": summary.coverage().extent().as_str(),
        "complete": summary.coverage().is_certain(),
        "agent_match": summary.agent_match().as_str(),
        "group_lines": summary.group_lines(),
        "line": line(summary),
    }
}

/// The crawlers of a purpose by their names.
fn forgotten_fields(forgotten: &Forgotten) -> Object<impl Fields> {
    let names = |crawlers: &[&'static KnownCrawler]| {
        let names = crawlers.iter().map(|crawler| crawler.name());
        names.collect::<Vec<_>>()
    };
    object! {
        "purpose": forgotten.purpose().as_str(),
        "kept_out": names(forgotten.kept_out()),
        "others": names(forgotten.others()),
    }
}

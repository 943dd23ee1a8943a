//! The document of `--json`.

use std::io::{self, Write};

use polite_robots::UsageCategory;
use serde::Serialize;

use crate::agents::known::{self, KnownCrawler, Purpose};
use crate::agents::obeyed::{Obeyed, RuleCounts};
use crate::agents::{Agents, Judged, NamedAgent};
use crate::json;
use crate::reading::Dialect;

pub(super) fn write(
    out: &mut dyn Write,
    agents: &Agents,
    named: &[NamedAgent<'_>],
    known: Option<&[Judged]>,
) -> io::Result<()> {
    json::write(
        out,
        &Document {
            file: &agents.file.argument(),
            dialect: agents.reading.dialect,
            agents: named.iter().map(AgentFields::new).collect(),
            known_crawlers: known.map(|known| KnownCrawlers {
                as_of: known::as_of(),
                crawlers: known.iter().map(JudgedFields::new).collect(),
            }),
        },
    )
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    dialect: Dialect,
    agents: Vec<AgentFields<'a>>,
    known_crawlers: Option<KnownCrawlers<'a>>,
}

#[derive(Serialize)]
struct AgentFields<'a> {
    agent: &'a str,
    written: String,
    group_lines: &'a [u32],
    access: &'static str,
    complete: bool,
    line: Option<u32>,
    rules: RuleCounts,
    crawl_delay_seconds: Option<f64>,
    usage: UsageFields,
    known: Option<KnownFields>,
}

impl<'a> AgentFields<'a> {
    fn new(agent: &'a NamedAgent<'a>) -> AgentFields<'a> {
        let obeyed = &agent.obeyed;
        AgentFields {
            agent: agent.group.product_token(),
            written: String::from_utf8_lossy(agent.group.user_agent().value()).into_owned(),
            group_lines: &obeyed.group_lines,
            access: obeyed.extent.as_str(),
            complete: obeyed.is_complete,
            line: line(obeyed),
            rules: obeyed.rules,
            crawl_delay_seconds: obeyed.crawl_delay.map(|delay| delay.as_secs_f64()),
            usage: UsageFields::new(obeyed),
            known: agent.known.map(KnownFields::new),
        }
    }
}

fn line(obeyed: &Obeyed) -> Option<u32> {
    obeyed.closing_rule.as_ref().map(|rule| rule.line)
}

/// Of the home page.
#[derive(Serialize)]
struct UsageFields {
    search: &'static str,
    ai_input: &'static str,
    ai_training: &'static str,
}

impl UsageFields {
    fn new(obeyed: &Obeyed) -> UsageFields {
        let of = |category| obeyed.preference(category).as_str();
        UsageFields {
            search: of(UsageCategory::Search),
            ai_input: of(UsageCategory::AiInput),
            ai_training: of(UsageCategory::AiTraining),
        }
    }
}

#[derive(Serialize)]
struct KnownFields {
    name: &'static str,
    token: &'static str,
    operator: Option<&'static str>,
    purpose: Purpose,
    is_ai: bool,
    documentation: Option<&'static str>,
    falls_back_to: Option<&'static str>,
    crawled_by: Option<&'static str>,
    ignores_wildcard: bool,
}

impl KnownFields {
    fn new(crawler: &'static KnownCrawler) -> KnownFields {
        KnownFields {
            name: crawler.name(),
            token: crawler.token(),
            operator: crawler.operator(),
            purpose: crawler.purpose(),
            is_ai: crawler.is_ai(),
            documentation: crawler.documentation(),
            falls_back_to: crawler.falls_back_to(),
            crawled_by: crawler.crawled_by(),
            ignores_wildcard: crawler.ignores_wildcard(),
        }
    }
}

#[derive(Serialize)]
struct KnownCrawlers<'a> {
    as_of: &'a str,
    crawlers: Vec<JudgedFields<'a>>,
}

#[derive(Serialize)]
struct JudgedFields<'a> {
    #[serde(flatten)]
    known: KnownFields,
    access: &'static str,
    complete: bool,
    agent_match: &'static str,
    group_lines: &'a [u32],
    line: Option<u32>,
}

impl<'a> JudgedFields<'a> {
    fn new(judged: &'a Judged) -> JudgedFields<'a> {
        let obeyed = &judged.obeyed;
        JudgedFields {
            known: KnownFields::new(judged.crawler),
            access: obeyed.extent.as_str(),
            complete: obeyed.is_complete,
            agent_match: obeyed.agent_match.as_str(),
            group_lines: &obeyed.group_lines,
            line: line(obeyed),
        }
    }
}

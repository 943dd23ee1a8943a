//! A row as one JSON object. Its names are part of the contract of the command.

use polite_robots_audit::known::{self, KnownCrawler};
use serde::{Serialize, Serializer};

use crate::rows::row::{AgentValues, FileValues, Row};
use crate::summary::access::CrawlerAccess;

/// The version of the form of a row, full or compact. The file `rows.schema.json` describes it.
pub(super) const VERSION: u32 = 1;

pub(super) fn write(row: &impl Serialize, line: &mut Vec<u8>) {
    let length = line.len();
    if serde_json::to_writer(&mut *line, row).is_err() {
        // A vector does not fail, and no value of a row does.
        line.truncate(length);
        return;
    }
    line.push(b'\n');
}

/// The object. Every row has all names, so that a reader finds the columns in the first row.
#[derive(Serialize)]
pub(super) struct RowInJson<'r> {
    version: u32,
    host: Option<&'r str>,
    url: Option<&'r str>,
    input: &'r str,
    member: Option<&'r str>,
    offset: u64,
    status: u16,
    outcome: &'static str,
    redirect: Option<&'r str>,
    bytes: Option<usize>,
    digest: Option<&'r str>,
    groups: Option<u64>,
    rules: Option<usize>,
    sitemaps: Option<usize>,
    usage: Option<UsageInJson>,
    findings: Option<Vec<Finding>>,
    agents: Option<Vec<Agent<'r>>>,
    crawlers: Option<Crawlers<'r>>,
}

/// The preferences of the site, for an agent that it does not name, about its home page.
#[derive(Serialize)]
pub(super) struct UsageInJson {
    search: Option<bool>,
    ai_input: Option<bool>,
    ai_training: Option<bool>,
}

/// An element of a list, as the columns of a table must not depend on the findings.
#[derive(Serialize)]
struct Finding {
    code: &'static str,
    count: usize,
}

#[derive(Serialize)]
struct Agent<'r> {
    agent: &'r str,
    access: &'static str,
    line: u32,
    allow: usize,
    disallow: usize,
    crawl_delay: Option<f64>,
}

#[derive(Serialize)]
struct Crawler {
    access: &'static str,
    line: Option<u32>,
}

impl<'r> RowInJson<'r> {
    pub(super) fn new(row: &'r Row<'r>) -> RowInJson<'r> {
        let file = row.file.as_ref();
        RowInJson {
            version: VERSION,
            host: row.host.as_deref(),
            url: row.url,
            input: &row.input,
            member: Some(row.member).filter(|member| !member.is_empty()),
            offset: row.offset,
            status: row.status,
            outcome: row.outcome.as_str(),
            redirect: row.redirect.as_deref(),
            bytes: file.map(|file| file.bytes),
            digest: file.map(|file| file.digest.as_str()),
            groups: file.map(|file| file.groups),
            rules: file.map(|file| file.rules),
            sitemaps: file.map(|file| file.sitemaps),
            usage: file.map(UsageInJson::new),
            findings: file.map(|file| {
                let findings = file.findings.iter();
                let findings = findings.map(|(code, count)| Finding {
                    code: code.as_str(),
                    count: *count,
                });
                findings.collect()
            }),
            agents: file.map(|file| file.agents.iter().map(agent).collect()),
            crawlers: file.map(|file| Crawlers(&file.crawlers)),
        }
    }
}

impl UsageInJson {
    pub(super) fn new(file: &FileValues<'_>) -> UsageInJson {
        let [(_, search), (_, ai_input), (_, ai_training)] = file.usage;
        UsageInJson {
            search,
            ai_input,
            ai_training,
        }
    }
}

fn agent<'r>(agent: &AgentValues<'r>) -> Agent<'r> {
    Agent {
        agent: agent.token,
        access: agent.access.as_str(),
        line: agent.line,
        allow: agent.allow,
        disallow: agent.disallow,
        crawl_delay: agent.crawl_delay,
    }
}

/// The known crawlers by their tokens.
struct Crawlers<'r>(&'r [CrawlerAccess]);

impl Serialize for Crawlers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tokens = known::all().iter().map(KnownCrawler::token);
        serializer.collect_map(tokens.zip(self.0.iter().map(|crawler| Crawler {
            access: crawler.access.as_str(),
            line: crawler.by.line(),
        })))
    }
}

//! The document of `--json`.

use std::io::{self, Write};

use polite_robots_site::by_rule::RuleTally;
use polite_robots_site::obedience::{CrawlerRecord, CrawlerRequests};
use serde::Serialize;

use crate::input::Input;
use crate::json;
use crate::reading::Dialect;

pub(super) fn write(
    out: &mut dyn Write,
    robots: &Input,
    logs: &[Input],
    dialect: Option<Dialect>,
    requests: &CrawlerRequests<'_>,
) -> io::Result<()> {
    let crawlers = requests.crawlers();
    json::write(
        out,
        &Document {
            file: &robots.argument(),
            dialect,
            logs: logs.iter().map(|log| log.argument().into_owned()).collect(),
            identities: "not verified",
            all_obeyed: !crawlers.iter().any(|crawler| crawler.disobeyed()),
            lines: requests.lines(),
            unread_lines: requests.unread(),
            other_requests: requests.others(),
            requests_for_other_hosts: requests.other_hosts(),
            crawlers_left_out: requests.left_out(),
            crawlers: crawlers
                .iter()
                .map(|crawler| CrawlerFields::new(crawler))
                .collect(),
        },
    )
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    /// The dialect of the command line; each crawler has its own.
    dialect: Option<Dialect>,
    logs: Vec<String>,
    identities: &'static str,
    all_obeyed: bool,
    lines: u64,
    unread_lines: u64,
    other_requests: u64,
    requests_for_other_hosts: u64,
    /// The number of crawlers that are not told apart.
    crawlers_left_out: u64,
    crawlers: Vec<CrawlerFields<'a>>,
}

#[derive(Serialize)]
struct CrawlerFields<'a> {
    crawler: &'a str,
    operator: Option<&'static str>,
    purpose: Option<&'static str>,
    obeys: Option<&'static str>,
    dialect: Dialect,
    agent_match: &'static str,
    requests: u64,
    disallowed: u64,
    lines: Vec<LineFields<'a>>,
    disallowed_by_other_lines: u64,
    /// The requests about which another reading of the file gives another answer.
    noted: u64,
    first_note: Option<&'a str>,
    robots_txt_fetches: u64,
    oldest_copy_seconds: Option<f64>,
    crawl_delay_seconds: Option<f64>,
    ignores_crawl_delay: bool,
    too_soon: u64,
    first: Option<String>,
    last: Option<String>,
}

impl<'a> CrawlerFields<'a> {
    fn new(record: &'a CrawlerRecord<'_>) -> CrawlerFields<'a> {
        let known = record.crawler();
        let disallowed = record.disallowed();
        CrawlerFields {
            crawler: record.name(),
            operator: known.and_then(|crawler| crawler.operator()),
            purpose: known.map(|crawler| crawler.purpose().as_str()),
            obeys: known.map(|crawler| crawler.obeys().as_str()),
            dialect: record.dialect().into(),
            agent_match: record.agent_match().as_str(),
            requests: record.requests(),
            disallowed: disallowed.disallowed(),
            lines: disallowed.rules().map(LineFields::new).collect(),
            disallowed_by_other_lines: disallowed.by_other_rules(),
            noted: disallowed.noted(),
            first_note: disallowed.first_note(),
            robots_txt_fetches: record.robots_txt_fetches(),
            oldest_copy_seconds: record.oldest_copy().map(|copy| copy.as_secs_f64()),
            crawl_delay_seconds: record.crawl_delay().map(|delay| delay.as_secs_f64()),
            ignores_crawl_delay: record.ignores_crawl_delay(),
            too_soon: record.too_soon(),
            first: record.first().map(|time| time.to_string()),
            last: record.last().map(|time| time.to_string()),
        }
    }
}

/// A line of the robots.txt, and the requests that it forbids.
#[derive(Serialize)]
struct LineFields<'a> {
    line: u32,
    rule: &'a str,
    requests: u64,
    examples: &'a [String],
}

impl<'a> LineFields<'a> {
    fn new(rule: &'a RuleTally) -> LineFields<'a> {
        LineFields {
            line: rule.line(),
            rule: rule.text(),
            requests: rule.urls(),
            examples: rule.examples(),
        }
    }
}

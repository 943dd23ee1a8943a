//! The document of `--json`.

use std::io::{self, Write};

use polite_robots_site::by_rule::RuleTally;
use polite_robots_site::obedience::{CrawlerRecord, CrawlerRequests};

use crate::input::Input;
use crate::json::{self, Fields, Object, object};
use crate::reading::Dialect;

pub(super) fn write(
    out: &mut dyn Write,
    robots: &Input,
    logs: &[Input],
    dialect: Option<Dialect>,
    requests: &CrawlerRequests<'_>,
) -> io::Result<()> {
    let crawlers = requests.crawlers();
    let document = object! {
        "file": robots.argument(),
        // The dialect of the command line; each crawler has its own.
        "dialect": dialect,
        "logs": logs.iter().map(Input::argument).collect::<Vec<_>>(),
        "identities": "not verified",
        "all_obeyed": !crawlers.iter().any(|crawler| crawler.disobeyed()),
        "lines": requests.lines(),
        "unread_lines": requests.unread(),
        "other_requests": requests.others(),
        "requests_for_other_hosts": requests.other_hosts(),
        // The number of crawlers without a record of their own.
        "crawlers_left_out": requests.left_out(),
        "crawlers": crawlers.iter().map(|crawler| crawler_fields(crawler)).collect::<Vec<_>>(),
    };
    json::write(out, &document)
}

fn crawler_fields(record: &CrawlerRecord<'_>) -> Object<impl Fields> {
    let known = record.crawler();
    let disallowed = record.disallowed();
    object! {
        "crawler": record.name(),
        "operator": known.and_then(|crawler| crawler.operator()),
        "purpose": known.map(|crawler| crawler.purpose().as_str()),
        "obeys": known.map(|crawler| crawler.obeys().as_str()),
        "dialect": Dialect::from(record.dialect()),
        "agent_match": record.agent_match().as_str(),
        "requests": record.requests(),
        "disallowed": disallowed.disallowed(),
        "lines": disallowed.rules().map(line_fields).collect::<Vec<_>>(),
        "disallowed_by_other_lines": disallowed.by_other_rules(),
        // The requests about which another reading of the file gives another answer.
        "noted": disallowed.noted(),
        "first_note": disallowed.first_note(),
        "robots_txt_fetches": record.robots_txt_fetches(),
        "oldest_copy_seconds": record.oldest_copy().map(|copy| copy.as_secs_f64()),
        "crawl_delay_seconds": record.crawl_delay().map(|delay| delay.as_secs_f64()),
        "ignores_crawl_delay": record.ignores_crawl_delay(),
        "too_soon": record.too_soon(),
        "first": record.first().map(|time| time.to_string()),
        "last": record.last().map(|time| time.to_string()),
    }
}

/// A line of the robots.txt, and the requests that it forbids.
fn line_fields(rule: &RuleTally) -> Object<impl Fields> {
    object! {
        "line": rule.line(),
        "rule": rule.text(),
        "requests": rule.urls(),
        "examples": rule.examples(),
    }
}

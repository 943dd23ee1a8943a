//! Findings that need the table of known crawlers: names that no crawler has, and what a file asks
//! of known crawlers.

mod agent_line;
mod agent_names;
mod crawl_delays;
mod crawler_as_path;
mod exceptions;
mod names;
mod preferences;
mod retired_names;
mod words_in_names;
mod wrong_names;

use std::collections::BTreeSet;

use polite_robots::RobotsTxt;
use polite_robots::record::Extension;

use crate::code::{DiagnosticCode, Severity};
use crate::crawlers::agent_names::agent_names;
use crate::crawlers::crawl_delays::crawl_delays;
use crate::crawlers::crawler_as_path::name_crawlers_as_paths;
use crate::crawlers::exceptions::leave_out_exceptions;
use crate::crawlers::names::is_search_engine;
use crate::crawlers::preferences::preferences;
use crate::crawlers::words_in_names::name_the_crawlers;
use crate::diagnostic::Diagnostic;
use crate::settled::settle;

/// The functions that change and add findings by the table of known crawlers, reached through
/// pointers alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CrawlerTable {
    /// Leaves out the findings that the table refutes, and explains others by it.
    pub(crate) correct: fn(&mut Vec<Diagnostic>, &RobotsTxt),
    /// Adds the findings that the table shows.
    pub(crate) add: fn(&mut Vec<Diagnostic>, &RobotsTxt),
    /// Whether a search engine reads the groups with this value of a `User-agent` line.
    pub(crate) is_search_engine: fn(&[u8]) -> bool,
    /// Marks the proposals that change no answer of this file. The comparison knows the crawlers,
    /// and would enlarge a WebAssembly module by half.
    pub(crate) settle: fn(&mut [Diagnostic], &RobotsTxt),
}

impl CrawlerTable {
    pub(crate) fn new() -> CrawlerTable {
        CrawlerTable {
            correct,
            add,
            is_search_engine,
            settle,
        }
    }
}

fn correct(findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    leave_out_exceptions(findings, robots_txt);
    name_the_crawlers(findings, robots_txt);
    name_crawlers_as_paths(findings, robots_txt);
}

fn add(findings: &mut Vec<Diagnostic>, robots_txt: &RobotsTxt) {
    let mut names = Vec::new();
    agent_names(robots_txt, &mut names);
    // For `Yahoo!` the advice that it is a company is enough: that crawlers do not read its sign
    // says less.
    let wrong: BTreeSet<u32> = names.iter().map(Diagnostic::line).collect();
    findings.retain(|finding| {
        let is_of_name = finding.code() == DiagnosticCode::InvalidProductToken
            && finding.severity() == Severity::Note
            && wrong.contains(&finding.line());
        let value = robots_txt.as_bytes().get(finding.span());
        !is_of_name || value.is_some_and(|value| value.ends_with(b"*"))
    });
    findings.append(&mut names);
    let records: Vec<Extension<'_>> = robots_txt.extensions().collect();
    crawl_delays(&records, findings);
    preferences(&records, robots_txt, findings);
}

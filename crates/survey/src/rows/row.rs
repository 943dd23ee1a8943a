//! The values of a row.

use polite_robots::record::ExtensionField;
use polite_robots_lint::DiagnosticCode;
use polite_robots_records::{self as records, Preference, UsageCategory};
use serde::Serialize;

use crate::http::location::redirect_of;
use crate::summary::access::{CrawlerAccess, Openness};
use crate::summary::file::{AgentFacts, FileFacts};
use crate::summary::host::host_of_response;
use crate::summary::outcome::Outcome;
use crate::summary::site::{Site, SiteFile};
use crate::summary::usage::Usage;

/// The values about a site.
pub(super) struct Row<'s> {
    pub(super) host: Option<String>,
    pub(super) url: Option<&'s str>,
    pub(super) input: String,
    pub(super) member: &'s str,
    pub(super) offset: u64,
    pub(super) status: u16,
    pub(super) outcome: Outcome,
    /// The absolute URL to which the response redirects.
    pub(super) redirect: Option<String>,
    /// The robots.txt; `None` if none was read.
    pub(super) file: Option<FileValues<'s>>,
}

/// The values about the robots.txt of a site.
pub(super) struct FileValues<'s> {
    pub(super) bytes: usize,
    /// The 64-bit XXH3 hash of the body, in sixteen hexadecimal digits.
    pub(super) digest: String,
    pub(super) groups: u64,
    pub(super) rules: usize,
    pub(super) sitemaps: usize,
    /// The preferences of the site for an agent that it does not name, about its home page.
    pub(super) usage: UsageValues,
    /// The findings, in the order of their first place.
    pub(super) findings: Vec<FindingCount>,
    pub(super) agents: Vec<AgentValues<'s>>,
    /// The access of each known crawler, in the order of the table.
    pub(super) crawlers: &'s [CrawlerAccess],
}

#[derive(Serialize)]
pub(super) struct UsageValues {
    pub(super) search: Option<bool>,
    pub(super) ai_input: Option<bool>,
    pub(super) ai_training: Option<bool>,
}

#[derive(Serialize)]
pub(super) struct FindingCount {
    pub(super) code: DiagnosticCode,
    pub(super) count: usize,
}

/// The values about an agent that the file names.
#[derive(Serialize)]
pub(super) struct AgentValues<'s> {
    #[serde(rename = "agent")]
    pub(super) token: &'s str,
    pub(super) access: Openness,
    pub(super) line: u32,
    pub(super) allow: usize,
    pub(super) disallow: usize,
    pub(super) crawl_delay: Option<f64>,
}

impl<'s> Row<'s> {
    pub(super) fn new(site: &Site<'s>) -> Row<'s> {
        let response = site.response;
        Row {
            host: host_of_response(response),
            url: response.url.as_deref(),
            input: response.place.input.to_string_lossy().into_owned(),
            member: &response.place.member,
            offset: response.place.offset,
            status: response.status,
            outcome: site.outcome,
            redirect: redirect_of(response),
            file: site.file.as_ref().map(FileValues::new),
        }
    }
}

impl<'s> FileValues<'s> {
    fn new(file: &SiteFile<'s>) -> FileValues<'s> {
        let facts = file.facts;
        let sitemaps = facts.extensions.iter().filter(|record| {
            record.field() == ExtensionField::Sitemap && !record.value().is_empty()
        });
        let agents = facts.everyone.iter().chain(&facts.agents);
        FileValues {
            bytes: facts.body.len(),
            digest: format!("{:016x}", file.hash),
            groups: facts.groups,
            rules: facts.rules.len(),
            sitemaps: sitemaps.count(),
            usage: usage(facts),
            findings: findings(file),
            agents: agents.map(AgentValues::new).collect(),
            crawlers: file.accesses,
        }
    }
}

impl<'s> AgentValues<'s> {
    fn new(agent: &AgentFacts<'s>) -> AgentValues<'s> {
        AgentValues {
            token: agent.token,
            access: agent.extent.into(),
            line: agent.line,
            allow: agent.rules.allow,
            disallow: agent.rules.disallow,
            crawl_delay: agent.crawl_delay.map(|delay| delay.as_secs_f64()),
        }
    }
}

/// The preferences for an agent that the file does not name, about the home page.
fn usage(facts: &FileFacts<'_>) -> UsageValues {
    // Nearly all files state none, and the rules for `*` are compiled only for those that do.
    let robot = Usage::has_any(facts).then(|| facts.robots_txt.robot("*"));
    let robot = robot.and_then(Result::ok);
    let stated = robot.as_ref().map(|robot| records::Usage::of(robot, "/"));
    let of = |category| match stated.as_ref()?.preference(category) {
        Preference::Allowed => Some(true),
        Preference::Disallowed => Some(false),
        _ => None,
    };
    UsageValues {
        search: of(UsageCategory::Search),
        ai_input: of(UsageCategory::AiInput),
        ai_training: of(UsageCategory::AiTraining),
    }
}

/// The findings about lines and, where the rules were compared with each other, about rules.
fn findings(file: &SiteFile<'_>) -> Vec<FindingCount> {
    let of_lines = file.facts.findings.iter().map(|finding| finding.code);
    let of_rules = file.facts.lint.iter().flatten().copied();
    let mut counts: Vec<FindingCount> = Vec::new();
    for code in of_lines.chain(of_rules) {
        match counts.iter_mut().find(|other| other.code == code) {
            Some(known) => known.count += 1,
            None => counts.push(FindingCount { code, count: 1 }),
        }
    }
    counts
}

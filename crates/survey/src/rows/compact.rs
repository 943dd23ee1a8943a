//! A row as one JSON object of a few hundred bytes, for millions of sites. Its names are part of
//! the contract of the command.
//!
//! A row of JSON lines has an object for each known crawler, 10 kB in all, although nearly all
//! crawlers have the access of `*`. Here agents stand in sets by how much they may fetch, and of
//! the known crawlers only those that may fetch more or less than `*`. The places in the inputs and
//! the lines of a file are left out.

use polite_robots_audit::known;
use serde::{Serialize, Serializer};

use crate::rows::json::{UsageInJson, VERSION};
use crate::rows::row::{FileValues, Row};
use crate::summary::access::Openness;

/// The object. Every row has all names.
#[derive(Serialize)]
pub(super) struct CompactRow<'r> {
    version: u32,
    host: Option<&'r str>,
    url: Option<&'r str>,
    status: u16,
    outcome: &'static str,
    redirect: Option<&'r str>,
    bytes: Option<usize>,
    digest: Option<&'r str>,
    groups: Option<u64>,
    rules: Option<usize>,
    sitemaps: Option<usize>,
    usage: Option<UsageInJson>,
    findings: Option<Findings<'r>>,
    agents: Option<Sets<'r>>,
    crawlers: Option<Sets<'r>>,
}

impl<'r> CompactRow<'r> {
    pub(super) fn new(row: &'r Row<'r>) -> CompactRow<'r> {
        let file = row.file.as_ref();
        CompactRow {
            version: VERSION,
            host: row.host.as_deref(),
            url: row.url,
            status: row.status,
            outcome: row.outcome.as_str(),
            redirect: row.redirect.as_deref(),
            bytes: file.map(|file| file.bytes),
            digest: file.map(|file| file.digest.as_str()),
            groups: file.map(|file| file.groups),
            rules: file.map(|file| file.rules),
            sitemaps: file.map(|file| file.sitemaps),
            usage: file.map(UsageInJson::new),
            findings: file.map(Findings),
            agents: file.map(agents),
            crawlers: file.map(crawlers),
        }
    }
}

/// The number of each finding by its code.
struct Findings<'r>(&'r FileValues<'r>);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = self.0.findings.iter();
        serializer.collect_map(findings.map(|(code, count)| (code.as_str(), count)))
    }
}

/// Agents by how much they may fetch.
#[derive(Default, Serialize)]
struct Sets<'r> {
    all: Vec<&'r str>,
    part: Vec<&'r str>,
    none: Vec<&'r str>,
}

impl<'r> Sets<'r> {
    fn add(&mut self, agent: &'r str, access: Openness) {
        match access {
            Openness::All => self.all.push(agent),
            Openness::Part => self.part.push(agent),
            Openness::None => self.none.push(agent),
        }
    }
}

/// The agents that the file names, `*` among them.
fn agents<'r>(file: &FileValues<'r>) -> Sets<'r> {
    let mut sets = Sets::default();
    for agent in &file.agents {
        sets.add(agent.token, agent.access);
    }
    sets
}

/// The known crawlers that may fetch more or less than an agent that is not named.
fn crawlers<'r>(file: &FileValues<'r>) -> Sets<'r> {
    let everyone = file.agents.iter().find(|agent| agent.token == "*");
    let everyone = everyone.map_or(Openness::All, |everyone| everyone.access);
    let mut sets = Sets::default();
    for (crawler, access) in known::all().iter().zip(&file.crawlers) {
        if access.access != everyone {
            sets.add(crawler.token(), access.access);
        }
    }
    sets
}

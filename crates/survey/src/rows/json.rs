//! A row as one JSON object. Its names are part of the contract of the command.
//!
//! A row of JSON lines has an object for each known crawler, 10 kB in all, although nearly all
//! crawlers have the access of `*`. A compact row is meant for millions of sites and has a few
//! hundred bytes. It lists agents in sets by how much they may fetch, and only those known crawlers
//! that may fetch more or less than `*`. It leaves out the places in the inputs and the lines of a
//! file.

use polite_robots_audit::known::{self, KnownCrawler};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::rows::row::{FileValues, FindingCount, Row};
use crate::summary::access::{ByOpenness, CrawlerAccess, Openness};

/// The version of the form of a row, full or compact. The file `rows.schema.json` describes it.
const VERSION: u32 = 1;

pub(super) fn write(row: &Row<'_>, form: Form, line: &mut Vec<u8>) {
    let length = line.len();
    if serde_json::to_writer(&mut *line, &RowInJson { row, form }).is_err() {
        // A write to a vector cannot fail, and no value of a row fails.
        line.truncate(length);
        return;
    }
    line.push(b'\n');
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Full,
    Compact,
}

struct RowInJson<'r> {
    row: &'r Row<'r>,
    form: Form,
}

/// Every row has all names, so that a reader finds the columns in the first row.
impl Serialize for RowInJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (row, file) = (self.row, self.row.file.as_ref());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &VERSION)?;
        map.serialize_entry("host", &row.host)?;
        map.serialize_entry("url", &row.url)?;
        if self.form == Form::Full {
            let member = Some(row.member).filter(|member| !member.is_empty());
            map.serialize_entry("input", &row.input)?;
            map.serialize_entry("member", &member)?;
            map.serialize_entry("offset", &row.offset)?;
        }
        map.serialize_entry("status", &row.status)?;
        map.serialize_entry("outcome", &row.outcome)?;
        map.serialize_entry("redirect", &row.redirect)?;
        map.serialize_entry("bytes", &file.map(|file| file.bytes))?;
        map.serialize_entry("digest", &file.map(|file| &file.digest))?;
        map.serialize_entry("groups", &file.map(|file| file.groups))?;
        map.serialize_entry("rules", &file.map(|file| file.rules))?;
        map.serialize_entry("sitemaps", &file.map(|file| file.sitemaps))?;
        map.serialize_entry("usage", &file.map(|file| &file.usage))?;
        match self.form {
            Form::Full => {
                map.serialize_entry("findings", &file.map(|file| &file.findings))?;
                map.serialize_entry("agents", &file.map(|file| &file.agents))?;
                map.serialize_entry("crawlers", &file.map(|file| Crawlers(file.crawlers)))?;
            }
            Form::Compact => {
                map.serialize_entry("findings", &file.map(|file| ByCode(&file.findings)))?;
                map.serialize_entry("agents", &file.map(agents))?;
                map.serialize_entry("crawlers", &file.map(crawlers))?;
            }
        }
        map.end()
    }
}

/// The known crawlers by their tokens.
struct Crawlers<'r>(&'r [CrawlerAccess]);

impl Serialize for Crawlers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Crawler {
            access: Openness,
            line: Option<u32>,
        }
        let tokens = known::all().iter().map(KnownCrawler::token);
        serializer.collect_map(tokens.zip(self.0.iter().map(|crawler| Crawler {
            access: crawler.access,
            line: crawler.by.line(),
        })))
    }
}

/// The number of each finding by its code. A full row has a list, as the columns of a table must
/// not depend on the findings.
struct ByCode<'r>(&'r [FindingCount]);

impl Serialize for ByCode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|one| (one.code, one.count)))
    }
}

/// Agents by how much they may fetch.
type Sets<'r> = ByOpenness<Vec<&'r str>>;

/// The agents that the file names, `*` among them.
fn agents<'r>(file: &FileValues<'r>) -> Sets<'r> {
    let mut sets = Sets::default();
    for agent in &file.agents {
        sets.get_mut(agent.access).push(agent.token);
    }
    sets
}

/// The known crawlers that may fetch more or less than an agent that is not named.
fn crawlers<'r>(file: &FileValues<'r>) -> Sets<'r> {
    let everyone = file.agents.iter().find(|agent| agent.token == "*");
    let everyone = everyone.map_or(Openness::All, |everyone| everyone.access);
    let mut sets = Sets::default();
    for (crawler, access) in known::all().iter().zip(file.crawlers) {
        if access.access != everyone {
            sets.get_mut(access.access).push(crawler.token());
        }
    }
    sets
}

//! The sites of a file of rows: one for each host, with the access of everyone and of each known
//! crawler.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::io::{self, BufRead};
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;

use polite_robots_audit::known::{self, KnownCrawler};
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::error::SurveyError;
use crate::rows::{self, RowFormat};
use crate::summary::access::{ByOpenness, Openness};
use crate::summary::outcome::Outcome;

/// The sites of a file of rows. Equal access is kept once, so a site takes little more than the
/// name of its host.
#[derive(Debug, Default)]
pub(super) struct Sites {
    /// The rows that were read.
    pub(super) rows: u64,
    /// The sites by host.
    pub(super) by_host: BTreeMap<Box<str>, Site>,
    accesses: HashSet<AccessOfAll>,
}

/// The access of everyone, then of each known crawler in the order of the table; `None` for a
/// crawler that the rows do not have.
pub(super) type AccessOfAll = Rc<[Option<Openness>]>;

/// A site.
#[derive(Debug)]
pub(super) struct Site {
    answer: Answer,
    access: AccessOfAll,
}

impl Site {
    /// The access of everyone and of each known crawler; `None` if it is not known.
    pub(super) fn access(&self) -> Option<&AccessOfAll> {
        (self.answer != Answer::None).then_some(&self.access)
    }
}

/// The kind of a response, in ascending order: a host may have several rows, such as a redirect and
/// its target, and the best kind counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer {
    /// A redirect or a server error: the access is not known.
    None,
    /// A 4xx status: everyone may fetch all.
    NoFile,
    /// A robots.txt.
    File,
}

impl Sites {
    /// Reads rows in the form of JSON lines; `-` is standard input.
    pub(super) fn read(path: &Path) -> Result<Sites, SurveyError> {
        let unreadable = |source| SurveyError::Unreadable {
            path: path.to_owned(),
            source,
        };
        if RowFormat::from_path(path) == Some(RowFormat::Csv) {
            return Err(SurveyError::CsvRows {
                path: path.to_owned(),
            });
        }
        let mut reader: Box<dyn BufRead> = match path == Path::new("-") {
            true => Box::new(io::stdin().lock()),
            false => rows::open(path).map_err(unreadable)?,
        };
        let mut sites = Sites::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
                return Ok(sites);
            }
            sites.rows += 1;
            let row: Row =
                serde_json::from_slice(&line).map_err(|source| SurveyError::NotARow {
                    path: path.to_owned(),
                    line: sites.rows,
                    source,
                })?;
            sites.add(row);
        }
    }

    /// Adds a row. The first one of the best kind counts for its host.
    fn add(&mut self, row: Row) {
        let Some(host) = row.host else {
            return;
        };
        let answer = match (&row.crawlers, row.outcome) {
            (Some(_), _) => Answer::File,
            (None, Outcome::FullAllow) => Answer::NoFile,
            (None, _) => Answer::None,
        };
        let is_better = |site: &Site| site.answer < answer;
        if self.by_host.get(&*host).is_none_or(is_better) {
            let access = match row.crawlers {
                Some(crawlers) => crawlers.with_everyone(row.everyone),
                None => vec![Some(Openness::All); 1 + known::all().len()].into(),
            };
            let known = self.accesses.get(&access).map(Rc::clone);
            let access = known.unwrap_or(access);
            self.accesses.insert(Rc::clone(&access));
            self.by_host.insert(host, Site { answer, access });
        }
    }
}

/// The values of a row that matter here.
#[derive(Deserialize)]
struct Row {
    host: Option<Box<str>>,
    outcome: Outcome,
    #[serde(default, rename = "agents", deserialize_with = "everyone")]
    everyone: Option<Openness>,
    crawlers: Option<Crawlers>,
}

/// The access of an agent that is not named, from the list of agents.
fn everyone<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Openness>, D::Error> {
    #[derive(Deserialize)]
    struct Agent {
        agent: Box<str>,
        access: Openness,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Agents {
        List(Vec<Agent>),
        Sets(ByOpenness<Vec<Box<str>>>),
    }
    let agents = Option::<Agents>::deserialize(deserializer)?;
    Ok(agents.and_then(|agents| match agents {
        Agents::List(agents) => {
            let everyone = agents.iter().find(|agent| &*agent.agent == "*");
            everyone.map(|agent| agent.access)
        }
        Agents::Sets(mut sets) => Openness::ALL.into_iter().find(|access| {
            let mut agents = sets.get_mut(*access).iter();
            agents.any(|agent| &**agent == "*")
        }),
    }))
}

/// The access of each known crawler; `None` for one that a row does not have.
#[derive(Debug)]
struct Crawlers {
    access: Vec<Option<Openness>>,
    /// Whether the row is a compact one, in which a crawler that is missing has the access of `*`.
    is_compact: bool,
}

impl Crawlers {
    fn with_everyone(self, everyone: Option<Openness>) -> AccessOfAll {
        // Without a group for `*` an agent that is not named may fetch all.
        let everyone = Some(everyone.unwrap_or(Openness::All));
        let missing = everyone.filter(|_| self.is_compact);
        let crawlers = self.access.into_iter();
        let crawlers = crawlers.map(|access| access.or(missing));
        std::iter::once(everyone).chain(crawlers).collect()
    }
}

impl<'de> Deserialize<'de> for Crawlers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Crawlers, D::Error> {
        deserializer.deserialize_map(CrawlersVisitor)
    }
}

struct CrawlersVisitor;

impl<'de> Visitor<'de> for CrawlersVisitor {
    type Value = Crawlers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of crawlers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Crawlers, A::Error> {
        #[derive(Deserialize)]
        struct Crawler {
            access: Openness,
        }
        let mut crawlers = vec![None; known::all().len()];
        let mut set = |token: &str, access| {
            let place = PLACES.get(token).and_then(|at| crawlers.get_mut(*at));
            *place? = Some(access);
            Some(())
        };
        let mut is_compact = false;
        let mut count = 0_usize;
        while let Some(token) = map.next_key::<String>()? {
            count += 1;
            // Such a key, `all`, `part` or `none`, is the name of a set. No crawler has this name.
            if let Some(access) = Openness::from_name(&token) {
                is_compact = true;
                for token in map.next_value::<Vec<Box<str>>>()? {
                    set(&token, access);
                }
            } else if PLACES.contains_key(&*token) {
                set(&token, map.next_value::<Crawler>()?.access);
            } else {
                // The crawler is from the table of another version of `robots`.
                map.next_value::<IgnoredAny>()?;
            }
        }
        match count {
            0 => Err(A::Error::custom("the crawlers are missing")),
            _ => Ok(Crawlers {
                access: crawlers,
                is_compact,
            }),
        }
    }
}

/// The places of the known crawlers by their tokens.
static PLACES: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let tokens = known::all().iter().map(KnownCrawler::token);
    tokens.zip(0..).collect()
});

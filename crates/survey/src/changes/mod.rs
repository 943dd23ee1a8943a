//! The changes of sites between two surveys with rows: the hosts that closed or opened, and the
//! agents for which they did.
//!
//! The hosts that are in both surveys are a panel: their figures differ only because the sites
//! changed. The figures of two surveys without rows may also differ because the surveys asked other
//! sites.

mod sites;

use std::path::Path;

use polite_robots_audit::known::{self, KnownCrawler};
use serde::Serialize;

use crate::changes::sites::{AccessOfAll, Sites};
use crate::error::SurveyError;
use crate::report::number::counted;
use crate::report::{Table, code, number, share, text};
use crate::summary::access::{Openness, ThreeCounts};
use crate::summary::agents::is_ai;

/// The changes between two files of rows. Its JSON has every site that changed.
///
/// ```
/// use polite_robots_survey::changes::RowChanges;
///
/// let error = RowChanges::read("old.csv".as_ref(), "new.jsonl".as_ref()).unwrap_err();
/// assert!(error.to_string().contains("JSON lines"));
/// ```
#[derive(Debug, Serialize)]
pub struct RowChanges {
    old: Counts,
    new: Counts,
    panel: Panel,
    /// Everyone, then the known crawlers.
    agents: Vec<AgentChanges>,
    /// The sites that closed or opened to at least one agent, in the order of their hosts.
    sites: Vec<SiteChanges>,
}

/// The size of a survey.
#[derive(Debug, Serialize)]
struct Counts {
    rows: u64,
    hosts: u64,
}

/// The hosts of both surveys.
#[derive(Debug, Default, Serialize)]
struct Panel {
    /// Hosts in both surveys whose access is known for every agent.
    hosts: u64,
    /// Hosts in both surveys that answered with a redirect or a server error in one of them.
    unanswered: u64,
    only_old: u64,
    only_new: u64,
    /// Hosts whose access changed for at least one agent.
    changed: u64,
}

/// The changes for one agent in the panel.
#[derive(Debug, Serialize)]
struct AgentChanges {
    agent: &'static str,
    #[serde(skip)]
    is_ai: bool,
    /// Hosts by the access before.
    old: ThreeCounts,
    /// Hosts by the access after.
    new: ThreeCounts,
    /// Hosts that let the agent fetch less than before.
    closed: u64,
    /// Hosts that let the agent fetch more than before.
    opened: u64,
}

/// The changes of one site.
#[derive(Debug, Serialize)]
struct SiteChanges {
    host: Box<str>,
    changes: Vec<Change>,
}

/// A change for several agents.
#[derive(Debug, Serialize)]
struct Change {
    old: Openness,
    new: Openness,
    agents: Vec<&'static str>,
}

impl AgentChanges {
    fn counts(&self) -> (u64, u64, ThreeCounts, ThreeCounts) {
        (self.closed, self.opened, self.old, self.new)
    }
}

impl RowChanges {
    /// Compares two files of rows in the form of JSON lines.
    ///
    /// # Errors
    ///
    /// If one of them cannot be read, or is not made of rows.
    pub fn read(old: &Path, new: &Path) -> Result<RowChanges, SurveyError> {
        let old = Sites::read(old)?;
        let new = Sites::read(new)?;
        Ok(RowChanges::between(&old, &new))
    }

    fn between(old: &Sites, new: &Sites) -> RowChanges {
        let counts = |sites: &Sites| Counts {
            rows: sites.rows,
            hosts: sites.by_host.len() as u64,
        };
        let mut changes = RowChanges {
            old: counts(old),
            new: counts(new),
            panel: Panel::default(),
            agents: agents(),
            sites: Vec::new(),
        };
        for (host, before) in &old.by_host {
            match new.by_host.get(host) {
                None => changes.panel.only_old += 1,
                Some(after) => changes.add(host, before.access(), after.access()),
            }
        }
        let in_both = changes.panel.hosts + changes.panel.unanswered;
        changes.panel.only_new = changes.new.hosts.saturating_sub(in_both);
        changes
    }

    fn add(&mut self, host: &str, before: Option<&AccessOfAll>, after: Option<&AccessOfAll>) {
        let (Some(before), Some(after)) = (before, after) else {
            self.panel.unanswered += 1;
            return;
        };
        self.panel.hosts += 1;
        let mut changes: Vec<Change> = Vec::new();
        for ((agent, before), after) in self.agents.iter_mut().zip(&**before).zip(&**after) {
            // Another version of `robots`, whose table lacks this crawler, wrote one of the files.
            let (Some(before), Some(after)) = (*before, *after) else {
                continue;
            };
            agent.old.add(before);
            agent.new.add(after);
            agent.closed += u64::from(after < before);
            agent.opened += u64::from(after > before);
            if before == after {
                continue;
            }
            let same = |change: &&mut Change| change.old == before && change.new == after;
            match changes.iter_mut().find(same) {
                Some(change) => change.agents.push(agent.agent),
                None => changes.push(Change {
                    old: before,
                    new: after,
                    agents: vec![agent.agent],
                }),
            }
        }
        if !changes.is_empty() {
            self.panel.changed += 1;
            self.sites.push(SiteChanges {
                host: host.into(),
                changes,
            });
        }
    }

    /// Keeps the changes for these agents alone: `*` and tokens of known crawlers, in any case.
    ///
    /// # Errors
    ///
    /// If one of them is not known. The error is the first unknown agent.
    pub fn retain_agents(&mut self, wanted: &[String]) -> Result<(), String> {
        let is_same = |agent: &str, wanted: &String| wanted.eq_ignore_ascii_case(agent);
        let is_wanted = |agent: &&'static str| wanted.iter().any(|one| is_same(agent, one));
        let all = self.agents.iter();
        let is_known = |one: &&String| all.clone().any(|agent| is_same(agent.agent, one));
        if let Some(unknown) = wanted.iter().find(|one| !is_known(one)) {
            return Err(unknown.clone());
        }
        self.agents.retain(|agent| is_wanted(&agent.agent));
        for site in &mut self.sites {
            for change in &mut site.changes {
                change.agents.retain(is_wanted);
            }
            site.changes.retain(|change| !change.agents.is_empty());
        }
        self.sites.retain(|site| !site.changes.is_empty());
        self.panel.changed = self.sites.len() as u64;
        Ok(())
    }

    /// Tables for a terminal: the panel, the agents with the most changes, and the first sites that
    /// changed.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.panel_table()];
        tables.extend([self.agents_table(), self.sites_table()]);
        tables.retain(|table| !table.rows.is_empty());
        tables
    }

    fn panel_table(&self) -> Table {
        let panel = &self.panel;
        let counts = [
            ("hosts in both, with an answer", panel.hosts),
            ("… that closed or opened to someone", panel.changed),
            ("hosts in both, without an answer in one", panel.unanswered),
            ("hosts in the old rows alone", panel.only_old),
            ("hosts in the new rows alone", panel.only_new),
        ];
        Table::of_facts(counts.map(|(name, count)| (name, number(count))))
    }

    fn agents_table(&self) -> Table {
        let mut agents: Vec<&AgentChanges> = self.agents.iter().collect();
        agents.retain(|agent| agent.closed + agent.opened > 0);
        // Everyone is first: its changes are those of all crawlers that a file does not name.
        agents.sort_by_key(|agent| {
            let changes = agent.closed + agent.opened;
            (
                agent.agent != EVERYONE,
                !agent.is_ai,
                std::cmp::Reverse(changes),
            )
        });
        // Crawlers that no file names have the changes of everyone, and share one line with it.
        let everyone = agents.iter().find(|agent| agent.agent == EVERYONE);
        let everyone = everyone.map(|everyone| everyone.counts());
        let all = agents.len();
        agents.retain(|agent| agent.agent == EVERYONE || Some(agent.counts()) != everyone);
        let (same, note) = (
            all.saturating_sub(agents.len()),
            more(agents.len(), MOST_AGENTS),
        );
        let name = |agent: &&AgentChanges| match (agent.agent, same) {
            (EVERYONE, 1..) => text(format!(
                "{EVERYONE}, as {}",
                counted(same as u64, "crawler")
            )),
            (name, _) => code(name),
        };
        let hosts = self.panel.hosts;
        Table::of(
            "To whom they closed or opened",
            agents.into_iter().take(MOST_AGENTS),
        )
        .column("agent", name)
        .number("closed", |agent| agent.closed)
        .number("opened", |agent| agent.opened)
        .column("none before", |agent| share(agent.old.none, hosts))
        .column("none after", |agent| share(agent.new.none, hosts))
        .note(note)
        .table()
    }

    fn sites_table(&self) -> Table {
        let sites = self.sites.iter().take(MOST_SITES);
        let changes = sites.flat_map(|site| site.changes.iter().map(move |change| (site, change)));
        Table::of("Sites", changes)
            .code("host", |(site, _)| &*site.host)
            .text("from", |(_, change)| change.old.as_str())
            .text("to", |(_, change)| change.new.as_str())
            .text("for", |(_, change)| names(&change.agents))
            .note(more(self.sites.len(), MOST_SITES))
            .table()
    }
}

/// Everyone and the known crawlers, without changes.
fn agents() -> Vec<AgentChanges> {
    let new = |agent, is_ai| AgentChanges {
        agent,
        is_ai,
        old: ThreeCounts::default(),
        new: ThreeCounts::default(),
        closed: 0,
        opened: 0,
    };
    let known = known::all().iter();
    let known = known.map(|crawler: &KnownCrawler| new(crawler.token(), is_ai(crawler)));
    [new(EVERYONE, false)].into_iter().chain(known).collect()
}

/// The names of the first agents, and the number of the others.
fn names(agents: &[&str]) -> String {
    let shown = agents.get(..MOST_NAMES).unwrap_or(agents).join(", ");
    match agents.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        others => format!("{shown} and {others} more"),
    }
}

/// A note on the rows that a table leaves out.
fn more(all: usize, most: usize) -> Option<String> {
    let others = all.saturating_sub(most);
    (others > 0).then(|| format!("{others} more are in the JSON."))
}

const EVERYONE: &str = "*";

/// The most agents of a table.
const MOST_AGENTS: usize = 20;

/// The most sites of a table.
const MOST_SITES: usize = 30;

/// The most agents that are named for a change of a site.
const MOST_NAMES: usize = 4;

//! The changes that an edit of a robots.txt makes: for whom, by which lines, shown by URLs.
//!
//! Only answers count. A file in another order or layout has not changed.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::difference::{Question, Versions};
//!
//! let old = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop/");
//! let new = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop");
//! let versions = Versions::new(&old, &new);
//! let difference = versions.difference(Question::Rules);
//! let [change] = &difference.agents()[0].verdicts() else { panic!() };
//! assert_eq!(change.url, "/shop");
//! assert!(change.old.is_allowed() && !change.new.is_allowed());
//! ```

mod change;
mod question;
mod records;

use std::collections::BTreeSet;

use polite_robots::{InvalidToken, RobotsTxt};

pub use crate::difference::change::{AgentChange, ContentUseChange, UsageChange, VerdictChange};
use crate::difference::question::AgentVersions;
pub use crate::difference::question::Question;
pub use crate::difference::records::RecordChanges;
use crate::witness::Search;

/// Two versions of a file, as the agents see them.
#[derive(Debug)]
pub struct Versions<'a> {
    old: &'a RobotsTxt,
    new: &'a RobotsTxt,
    agents: Vec<AgentVersions>,
}

impl<'a> Versions<'a> {
    /// Two versions, for the agents that either names and for everyone else.
    ///
    /// The agents of the old file come first, in its order, and everyone else last.
    #[must_use]
    pub fn new(old: &'a RobotsTxt, new: &'a RobotsTxt) -> Versions<'a> {
        let agents = named_agents(old, new);
        let agents = agents
            .into_iter()
            .filter_map(|agent| AgentVersions::new(agent, old, new).ok());
        Versions {
            old,
            new,
            agents: agents.collect(),
        }
    }

    /// Two versions, for these agents.
    ///
    /// # Errors
    ///
    /// If one of the agents is no product token.
    pub fn for_agents(
        old: &'a RobotsTxt,
        new: &'a RobotsTxt,
        agents: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Versions<'a>, InvalidToken> {
        let agents = agents
            .into_iter()
            .map(|agent| AgentVersions::new(agent.into(), old, new));
        Ok(Versions {
            old,
            new,
            agents: agents.collect::<Result<_, _>>()?,
        })
    }

    /// The differences between the versions.
    #[must_use]
    pub fn difference(&self, question: Question) -> Difference<'_> {
        let records =
            RecordChanges::between(&records::of_file(self.old), &records::of_file(self.new));
        let usage_urls: BTreeSet<String> = match &question {
            Question::Urls(_) => BTreeSet::new(),
            Question::Rules => {
                let old = records::urls_of(self.old);
                old.chain(records::urls_of(self.new)).collect()
            }
        };
        let mut search = Search::default();
        let agents = self.agents.iter();
        let agents = agents
            .map(|versions| AgentChange::new(versions, &question, &usage_urls, &mut search))
            .collect();
        Difference {
            agents,
            records,
            question,
        }
    }
}

/// Everything that changes.
#[derive(Debug)]
pub struct Difference<'a> {
    agents: Vec<AgentChange<'a>>,
    records: RecordChanges,
    question: Question,
}

impl<'a> Difference<'a> {
    /// The changes for each agent that was asked about, also those for whom nothing changes.
    #[must_use]
    pub fn agents(&self) -> &[AgentChange<'a>] {
        &self.agents
    }

    /// The changes in the records that are for everyone, such as sitemaps.
    #[must_use]
    pub fn records(&self) -> &RecordChanges {
        &self.records
    }

    /// The question that was asked.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Whether anything changes.
    #[must_use]
    pub fn is_change(&self) -> bool {
        !self.records.is_empty() || self.agents.iter().any(AgentChange::is_change)
    }

    /// Whether every changed answer is listed. Some rules meet in more ways than can be walked
    /// through.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.agents.iter().all(AgentChange::is_complete)
    }
}

fn named_agents(old: &RobotsTxt, new: &RobotsTxt) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    let mut seen = BTreeSet::from([EVERYONE.to_owned()]);
    for group in old.merged_groups().chain(new.merged_groups()) {
        let token = group.product_token();
        if seen.insert(token.to_ascii_lowercase()) {
            agents.push(token.to_owned());
        }
    }
    agents.push(EVERYONE.to_owned());
    agents
}

const EVERYONE: &str = "*";

//! The agents that files name, and those that they disallow everything.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use polite_robots::Access;
use polite_robots_audit::known::{self, KnownCrawler, Purpose};
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::{FileFacts, Reach};
use crate::summary::merge::merge_fields;
use crate::summary::tally::{Name, NameCounts, Tally};

/// Counts of files by the agents that they name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Agents {
    /// Counts by product token in lower case, without `*`, which is in `everyone`.
    pub(crate) by_token: Tally<Agent>,
    /// Files by the effect of their groups for `*`.
    pub(crate) everyone: BTreeMap<WildcardEffect, u64>,
    /// Files in which an agent that is not named may not fetch `/`.
    pub(crate) root_disallowed: u64,
    /// The number of agents that each file names, without `*`.
    pub(crate) named_per_file: Distribution,
    pub(crate) groups_per_file: Distribution,
    /// Counts of the crawlers on lists of AI crawlers.
    pub(crate) ai: ClassCounts,
    /// Counts of the crawlers of each purpose.
    pub(crate) by_purpose: BTreeMap<Purpose, ClassCounts>,
}

/// Counts of files by their treatment of one agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Agent {
    /// Files with a group for the agent.
    pub(crate) named: u64,
    /// Files among `named` that disallow the agent everything.
    pub(crate) disallowed: u64,
    /// Files among `named` whose groups for `*` disallow everything. By name or through `*`, the
    /// agent is disallowed everything in `disallowed` + `everyone.disallow-all` - `exempt` files.
    pub(crate) exempt: u64,
}

/// The effect of the groups for `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WildcardEffect {
    /// The file has no group for `*`.
    NoGroup,
    /// No `Disallow` can match.
    AllowAll,
    /// Some paths are disallowed.
    Partly,
    /// Everything is disallowed, and no `Allow` can match.
    DisallowAll,
}

/// Counts of files by their treatment of a class of crawlers, such as those of one purpose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClassCounts {
    /// Files that name a crawler of the class.
    pub(crate) named: u64,
    /// Files that disallow a crawler of the class everything by name.
    pub(crate) disallowed: u64,
}

impl Agents {
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let everyone = WildcardEffect::from_reach(facts.everyone);
        *self.everyone.entry(everyone).or_default() += 1;
        self.root_disallowed += u64::from(facts.root == Access::Disallow);
        self.named_per_file.add(facts.agents.len() as u64);
        self.groups_per_file.add(facts.groups);
        let mut ai = ClassInFile::default();
        let mut by_purpose = [const {
            ClassInFile {
                named: false,
                disallowed: false,
            }
        }; Purpose::ALL.len()];
        for agent in &facts.agents {
            let is_disallowed = agent.reach.disallows_all();
            let name = Name::lower(agent.token.as_bytes());
            if let Some(known) = KNOWN_CRAWLERS.get(name.as_str()) {
                if known.is_ai() {
                    ai.add(is_disallowed);
                }
                let slots = Purpose::ALL.iter().zip(&mut by_purpose);
                for (_, class) in slots.filter(|(purpose, _)| **purpose == known.purpose()) {
                    class.add(is_disallowed);
                }
            }
            if let Some(counts) = self.by_token.entry(&name) {
                counts.named += 1;
                counts.disallowed += u64::from(is_disallowed);
                counts.exempt += u64::from(everyone == WildcardEffect::DisallowAll);
            }
        }
        self.ai.add(ai);
        for (purpose, class) in Purpose::ALL.iter().zip(by_purpose) {
            if class.named {
                self.by_purpose.entry(*purpose).or_default().add(class);
            }
        }
    }

    /// Files that disallow an agent everything, by its name or through `*`.
    pub(crate) fn disallowed_at_all(&self, agent: &Agent) -> u64 {
        let through_everyone = self.everyone.get(&WildcardEffect::DisallowAll);
        let through_everyone = through_everyone.copied().unwrap_or_default();
        agent.disallowed + through_everyone.saturating_sub(agent.exempt)
    }
}

impl WildcardEffect {
    fn from_reach(reach: Option<Reach>) -> WildcardEffect {
        match reach {
            None => WildcardEffect::NoGroup,
            Some(reach) if reach.disallows_all() => WildcardEffect::DisallowAll,
            Some(reach) if reach.allows_all() => WildcardEffect::AllowAll,
            Some(_) => WildcardEffect::Partly,
        }
    }
}

impl NameCounts for Agent {
    fn is_known(name: &str) -> bool {
        KNOWN_CRAWLERS.contains_key(name)
    }

    fn weight(&self) -> u64 {
        self.named
    }
}

/// The treatment of a class of crawlers by one file.
#[derive(Debug, Clone, Copy, Default)]
struct ClassInFile {
    named: bool,
    disallowed: bool,
}

impl ClassInFile {
    fn add(&mut self, is_disallowed: bool) {
        self.named = true;
        self.disallowed |= is_disallowed;
    }
}

impl ClassCounts {
    fn add(&mut self, class: ClassInFile) {
        self.named += u64::from(class.named);
        self.disallowed += u64::from(class.disallowed);
    }
}

/// Finds the known crawler of a token in lower case.
pub(crate) fn known(token: &str) -> Option<&'static KnownCrawler> {
    KNOWN_CRAWLERS.get(token).copied()
}

merge_fields!(Agents {
    by_token,
    everyone,
    root_disallowed,
    named_per_file,
    groups_per_file,
    ai,
    by_purpose,
});
merge_fields!(Agent {
    named,
    disallowed,
    exempt,
});
merge_fields!(ClassCounts { named, disallowed });

/// The known crawlers by their tokens in lower case.
static KNOWN_CRAWLERS: LazyLock<HashMap<String, &'static KnownCrawler>> = LazyLock::new(|| {
    let crawlers = known::all().iter();
    crawlers
        .map(|crawler| (crawler.token().to_ascii_lowercase(), crawler))
        .collect()
});

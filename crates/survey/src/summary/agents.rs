//! The agents that files name, and those that they disallow everything.

use std::collections::BTreeMap;

use polite_robots::Access;
use polite_robots_audit::known::{KnownCrawler, Purpose};
use serde::{Deserialize, Serialize};

use crate::summary::access::{CrawlerAccess, KnownAccess, Openness, ThreeCounts};
use crate::summary::agent_name;
use crate::summary::distribution::Distribution;
use crate::summary::file::{AgentFacts, FileFacts};
use crate::summary::merge::{Merge as _, counts};
use crate::summary::tally::{NameCounts, Tally};

counts! {
    /// Counts of files by the agents that they name.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Agents {
        /// Counts by product token in lower case, without `*`, which is in `everyone`.
        pub(crate) by_token: Tally<Agent>,
        /// Files by the effect of their groups for `*`.
        pub(crate) everyone: BTreeMap<WildcardEffect, u64>,
        /// Files by how much an agent that is not named may fetch.
        pub(crate) everyone_access: ThreeCounts,
        /// Counts of the groups for `*`.
        pub(crate) everyone_rules: AgentRules,
        /// Files by how much each known crawler may fetch.
        pub(crate) known_access: KnownAccess,
        /// Files with an agent whose rules meet in more ways than the walk can try. Its counted
        /// access is the most probable answer.
        pub(crate) uncertain: u64,
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
    #[serde(from = "AgentInJson")]
    pub(crate) struct Agent {
        /// Files with a group for the agent.
        pub(crate) named: u64,
        /// Files among `named` that disallow the agent everything.
        pub(crate) disallowed: u64,
        /// Files among `named` whose groups for `*` disallow everything. By name or through `*`,
        /// the agent is disallowed everything in `disallowed` + `everyone.disallow-all` - `exempt`
        /// files.
        pub(crate) exempt: u64,
        /// Files among `named` by how much the agent may fetch, by an exact walk of all its rules.
        pub(crate) access: ThreeCounts,
        /// Counts of its groups.
        #[serde(flatten)]
        pub(crate) rules: AgentRules,
    }
}

/// The JSON form of an [`Agent`] as it is read: its rules are beside the other counts. serde's
/// `flatten` takes five times as long to read it.
#[derive(Deserialize)]
struct AgentInJson {
    named: u64,
    disallowed: u64,
    exempt: u64,
    access: ThreeCounts,
    #[serde(default)]
    allow_rules: u64,
    #[serde(default)]
    disallow_rules: u64,
    #[serde(default)]
    files_with_allow: u64,
    #[serde(default)]
    files_with_disallow: u64,
    #[serde(default)]
    files_with_delay: u64,
    #[serde(default)]
    delay_milliseconds: u64,
}

impl From<AgentInJson> for Agent {
    fn from(written: AgentInJson) -> Agent {
        Agent {
            named: written.named,
            disallowed: written.disallowed,
            exempt: written.exempt,
            access: written.access,
            rules: AgentRules {
                allow_rules: written.allow_rules,
                disallow_rules: written.disallow_rules,
                files_with_allow: written.files_with_allow,
                files_with_disallow: written.files_with_disallow,
                files_with_delay: written.files_with_delay,
                delay_milliseconds: written.delay_milliseconds,
            },
        }
    }
}

counts! {
    /// Counts of the rules and delays of one agent. In JSON, counts that are 0 are left out, as
    /// files name many agents.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub(crate) struct AgentRules {
        /// `Allow` rules that are not empty.
        #[serde(skip_serializing_if = "is_zero")]
        pub(crate) allow_rules: u64,
        /// `Disallow` rules that are not empty.
        #[serde(skip_serializing_if = "is_zero")]
        pub(crate) disallow_rules: u64,
        /// Files with such an `Allow` rule.
        #[serde(skip_serializing_if = "is_zero")]
        pub(crate) files_with_allow: u64,
        /// Files with such a `Disallow` rule.
        #[serde(skip_serializing_if = "is_zero")]
        pub(crate) files_with_disallow: u64,
        /// Files with a crawl delay.
        #[serde(skip_serializing_if = "is_zero")]
        pub(crate) files_with_delay: u64,
        /// The sum of these delays in milliseconds.
        #[serde(skip_serializing_if = "is_zero")]
        pub(crate) delay_milliseconds: u64,
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl AgentRules {
    fn add(&mut self, agent: &AgentFacts<'_>) {
        let (allow, disallow) = (agent.rules.allow as u64, agent.rules.disallow as u64);
        self.allow_rules += allow;
        self.disallow_rules += disallow;
        self.files_with_allow += u64::from(allow > 0);
        self.files_with_disallow += u64::from(disallow > 0);
        if let Some(delay) = agent.crawl_delay {
            self.files_with_delay += 1;
            let milliseconds = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
            self.delay_milliseconds = self.delay_milliseconds.saturating_add(milliseconds);
        }
    }
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

counts! {
    /// Counts of files by their treatment of a class of crawlers, such as those of one purpose.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub(crate) struct ClassCounts {
        /// Files that name a crawler of the class.
        pub(crate) named: u64,
        /// Files that disallow a crawler of the class everything by name.
        pub(crate) disallowed: u64,
    }
}

impl Agents {
    /// Adds a file, with the access of each known crawler.
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>, accesses: &[CrawlerAccess]) {
        self.known_access.add(accesses);
        let extent = facts.everyone.as_ref().map(|everyone| everyone.extent);
        self.everyone_access
            .add(extent.map_or(Openness::All, Openness::from));
        if let Some(everyone) = &facts.everyone {
            self.everyone_rules.add(everyone);
        }
        let mut all = facts.agents.iter().chain(&facts.everyone);
        self.uncertain += u64::from(all.any(|agent| !agent.is_certain));
        let everyone = WildcardEffect::of(facts.everyone.as_ref());
        *self.everyone.entry(everyone).or_default() += 1;
        self.root_disallowed += u64::from(facts.root == Access::Disallow);
        self.named_per_file.add(facts.agents.len() as u64);
        self.groups_per_file.add(facts.groups);
        self.ai.merge(ai_counts(facts));
        for purpose in Purpose::ALL {
            let class = class_counts(facts, |crawler| crawler.purpose() == purpose);
            if class.named > 0 {
                self.by_purpose.entry(purpose).or_default().merge(class);
            }
        }
        for agent in &facts.agents {
            let name = &agent.name;
            if let Some(counts) = self.by_token.entry_of_hash(name.name.as_str(), name.hash) {
                counts.named += 1;
                counts.disallowed += u64::from(agent.plain.disallow_all());
                counts.exempt += u64::from(everyone == WildcardEffect::DisallowAll);
                counts.access.add(agent.extent.into());
                counts.rules.add(agent);
            }
        }
    }

    /// Files that disallow an agent everything, by its name or through `*`.
    pub(crate) fn disallowed_at_all(&self, agent: &Agent) -> u64 {
        let through_everyone = self.said(WildcardEffect::DisallowAll);
        agent.disallowed + through_everyone.saturating_sub(agent.exempt)
    }

    /// Files whose groups for `*` have this effect.
    pub(crate) fn said(&self, effect: WildcardEffect) -> u64 {
        self.everyone.get(&effect).copied().unwrap_or_default()
    }
}

/// The counts of one file for the crawlers on lists of AI crawlers.
pub(crate) fn ai_counts(facts: &FileFacts<'_>) -> ClassCounts {
    class_counts(facts, is_ai)
}

/// The counts of one file for the crawlers that fetch for training.
pub(crate) fn training_counts(facts: &FileFacts<'_>) -> ClassCounts {
    class_counts(facts, |crawler| crawler.purpose() == Purpose::Training)
}

/// Whether a crawler counts as an AI crawler: it is on the list, and no other operator has or had a
/// crawler of the same token. `Exabot` was the crawler of a search engine before it was that of
/// Exa, and files of 2019 can mean only the search engine's.
pub(crate) fn is_ai(crawler: &KnownCrawler) -> bool {
    crawler.is_ai() && crawler.shared_with().is_none()
}

/// The counts of one file for a class of known crawlers.
fn class_counts(facts: &FileFacts<'_>, is_in: impl Fn(&KnownCrawler) -> bool) -> ClassCounts {
    let agents = facts.agents.iter();
    let mut class = agents
        .filter(|agent| agent.name.crawler().is_some_and(&is_in))
        .peekable();
    ClassCounts {
        named: u64::from(class.peek().is_some()),
        disallowed: u64::from(class.any(|agent| agent.plain.disallow_all())),
    }
}

impl WildcardEffect {
    fn of(everyone: Option<&AgentFacts<'_>>) -> WildcardEffect {
        match everyone {
            None => WildcardEffect::NoGroup,
            Some(everyone) if everyone.plain.disallow_all() => WildcardEffect::DisallowAll,
            Some(everyone) if everyone.plain.allow_all() => WildcardEffect::AllowAll,
            Some(_) => WildcardEffect::Partly,
        }
    }
}

impl NameCounts for Agent {
    fn is_known(name: &str) -> bool {
        agent_name::crawler(name).is_some()
    }

    fn weight(&self) -> u64 {
        self.named
    }
}

/// Finds the known crawler of a token.
pub(crate) fn known(token: &str) -> Option<&'static KnownCrawler> {
    agent_name::crawler(&token.to_ascii_lowercase()).map(|(_, crawler)| crawler)
}

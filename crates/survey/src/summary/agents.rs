//! Whom the files speak to, and whom they keep out.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use polite_robots::Access;
use polite_robots_audit::known::{self, KnownCrawler, Purpose};
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::{Facts, Reach};
use crate::summary::merge::merge_fields;
use crate::summary::tally::{Count, Name, Tally};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Agents {
    /// By the product token in lower case; `*` is no agent, see `everyone`.
    pub(crate) by_token: Tally<Agent>,
    /// Files by what their groups for `*` say.
    pub(crate) everyone: BTreeMap<Everyone, u64>,
    /// Files in which an agent that is not named may not fetch `/`.
    pub(crate) root_disallowed: u64,
    /// Agents that each file names, `*` not counted.
    pub(crate) named_per_file: Distribution,
    pub(crate) groups_per_file: Distribution,
    /// Files by the crawlers on lists of AI crawlers.
    pub(crate) ai: AnyOf,
    /// Files by the crawlers of each purpose.
    pub(crate) by_purpose: BTreeMap<Purpose, AnyOf>,
}

/// How files treat one agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Agent {
    /// Files with a group for it.
    pub(crate) named: u64,
    /// Files among them that disallow it everything.
    pub(crate) disallowed: u64,
    /// Files among them whose groups for `*` disallow everything. So an agent is disallowed everything, by
    /// name or not, in `disallowed` and all `disallow-all` files but these.
    pub(crate) exempt: u64,
}

/// The effect of the groups for `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Everyone {
    /// There are none.
    NoGroup,
    /// Without a `Disallow` that can match.
    AllowAll,
    /// Some paths are disallowed.
    Partly,
    /// Everything is disallowed, without an `Allow` that can match.
    DisallowAll,
}

/// Files that treat at least one of several agents in some way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnyOf {
    pub(crate) named: u64,
    /// By name, everything.
    pub(crate) disallowed: u64,
}

impl Agents {
    pub(crate) fn add(&mut self, facts: &Facts<'_>) {
        let everyone = Everyone::of(facts.everyone);
        *self.everyone.entry(everyone).or_default() += 1;
        self.root_disallowed += u64::from(facts.root == Access::Disallow);
        self.named_per_file.add(facts.agents.len() as u64);
        self.groups_per_file.add(facts.groups);
        let mut ai = Any::default();
        let mut by_purpose = [const {
            Any {
                named: false,
                disallowed: false,
            }
        }; Purpose::ALL.len()];
        for agent in &facts.agents {
            let is_disallowed = agent.reach.is_nothing();
            let name = Name::lower(agent.token.as_bytes());
            if let Some(known) = KNOWN.get(name.as_str()) {
                if known.is_ai() {
                    ai.add(is_disallowed);
                }
                let slots = Purpose::ALL.iter().zip(&mut by_purpose);
                for (_, any) in slots.filter(|(purpose, _)| **purpose == known.purpose()) {
                    any.add(is_disallowed);
                }
            }
            if let Some(counts) = self.by_token.of(&name) {
                counts.named += 1;
                counts.disallowed += u64::from(is_disallowed);
                counts.exempt += u64::from(everyone == Everyone::DisallowAll);
            }
        }
        self.ai.add(ai);
        for (purpose, any) in Purpose::ALL.iter().zip(by_purpose) {
            if any.named {
                self.by_purpose.entry(*purpose).or_default().add(any);
            }
        }
    }

    /// Files that disallow an agent everything, by its name or through `*`.
    pub(crate) fn disallowed_at_all(&self, agent: &Agent) -> u64 {
        let through_everyone = self.everyone.get(&Everyone::DisallowAll);
        let through_everyone = through_everyone.copied().unwrap_or_default();
        agent.disallowed + through_everyone.saturating_sub(agent.exempt)
    }
}

impl Everyone {
    fn of(reach: Option<Reach>) -> Everyone {
        match reach {
            None => Everyone::NoGroup,
            Some(reach) if reach.is_nothing() => Everyone::DisallowAll,
            Some(reach) if reach.is_everything() => Everyone::AllowAll,
            Some(_) => Everyone::Partly,
        }
    }
}

impl Count for Agent {
    fn is_known(name: &str) -> bool {
        KNOWN.contains_key(name)
    }

    fn weight(&self) -> u64 {
        self.named
    }
}

/// The effect of one file on any of several agents.
#[derive(Debug, Clone, Copy, Default)]
struct Any {
    named: bool,
    disallowed: bool,
}

impl Any {
    fn add(&mut self, is_disallowed: bool) {
        self.named = true;
        self.disallowed |= is_disallowed;
    }
}

impl AnyOf {
    fn add(&mut self, any: Any) {
        self.named += u64::from(any.named);
        self.disallowed += u64::from(any.disallowed);
    }
}

/// The crawler of a token in lower case.
pub(crate) fn known(token: &str) -> Option<&'static KnownCrawler> {
    KNOWN.get(token).copied()
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
merge_fields!(AnyOf { named, disallowed });

static KNOWN: LazyLock<HashMap<String, &'static KnownCrawler>> = LazyLock::new(|| {
    let crawlers = known::all().iter();
    crawlers
        .map(|crawler| (crawler.token().to_ascii_lowercase(), crawler))
        .collect()
});

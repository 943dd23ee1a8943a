//! The rules: their number, the forms of their patterns, and how the library compares them.

use std::collections::BTreeMap;

use polite_robots::{Access, Tier};
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::FileFacts;
use crate::summary::merge::counts;
use crate::summary::occurrences::{ByKey as _, Occurrences};
use crate::summary::pattern::Form;

counts! {
    /// Counts of the rules in groups, for all agents together.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Rules {
        pub(crate) per_file: Distribution,
        pub(crate) allow: Occurrences,
        pub(crate) disallow: Occurrences,
        pub(crate) forms: BTreeMap<Form, Occurrences>,
        /// Rules by how this library compares them.
        pub(crate) tiers: BTreeMap<Tier, Occurrences>,
        /// The runs of `*` in patterns with at least one.
        pub(crate) wildcards: Distribution,
        /// The bytes of the patterns as written.
        pub(crate) bytes: Distribution,
    }
}

impl Rules {
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let rules = &facts.rules;
        self.per_file.add(rules.len() as u64);
        let allows = rules.iter().filter(|rule| rule.access == Access::Allow);
        let allows = allows.count() as u64;
        self.allow.add(allows);
        self.disallow.add(rules.len() as u64 - allows);
        self.forms.add_file(rules.iter().map(|rule| rule.form));
        self.tiers.add_file(rules.iter().map(|rule| rule.tier));
        for rule in rules {
            if rule.wildcards > 0 {
                self.wildcards.add(rule.wildcards);
            }
            self.bytes.add(rule.bytes);
        }
    }
}

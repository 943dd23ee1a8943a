//! The rules: their number, the forms of their patterns, and how the library compares them.

use std::collections::BTreeMap;

use polite_robots::{Access, Tier};
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::FileFacts;
use crate::summary::merge::counts;
use crate::summary::occurrences::Occurrences;
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
        let mut allows = 0;
        let mut forms = [0; FORMS.len()];
        let mut tiers = [0; TIERS.len()];
        for rule in rules {
            allows += u64::from(rule.access == Access::Allow);
            if let Some(count) = forms.get_mut(rule.form as usize) {
                *count += 1;
            }
            count_key(&TIERS, &mut tiers, rule.tier);
            if rule.wildcards > 0 {
                self.wildcards.add(rule.wildcards);
            }
            self.bytes.add(rule.bytes);
        }
        self.allow.add(allows);
        self.disallow.add(rules.len() as u64 - allows);
        add_each(&mut self.forms, &FORMS, &forms);
        add_each(&mut self.tiers, &TIERS, &tiers);
    }
}

/// Adds 1 to the count of a key.
fn count_key<K: PartialEq>(keys: &[K], counts: &mut [u64], key: K) {
    let at = keys.iter().position(|known| *known == key);
    if let Some(count) = at.and_then(|at| counts.get_mut(at)) {
        *count += 1;
    }
}

fn add_each<K: Ord + Copy>(map: &mut BTreeMap<K, Occurrences>, keys: &[K], counts: &[u64]) {
    for (key, count) in keys.iter().zip(counts).filter(|(_, count)| **count > 0) {
        map.entry(*key).or_default().add(*count);
    }
}

/// The forms in their order.
const FORMS: [Form; 6] = [
    Form::Empty,
    Form::Unmatchable,
    Form::Plain,
    Form::Anchored,
    Form::Wildcard,
    Form::WildcardAnchored,
];

/// The tiers, the most frequent first, because they are searched in order.
const TIERS: [Tier; 3] = [Tier::Prefix, Tier::Span, Tier::Regex];

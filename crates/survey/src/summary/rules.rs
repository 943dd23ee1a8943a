//! The rules: how many, what their patterns look like, and how those are compared.

use std::collections::BTreeMap;

use polite_robots::{Access, Tier};
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::Facts;
use crate::summary::merge::merge_fields;
use crate::summary::occurrences::Occurrences;
use crate::summary::pattern::Form;

/// Counts of the rules in groups, for all agents together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rules {
    pub(crate) per_file: Distribution,
    pub(crate) allow: Occurrences,
    pub(crate) disallow: Occurrences,
    pub(crate) forms: BTreeMap<Form, Occurrences>,
    /// How this library compares them.
    pub(crate) tiers: BTreeMap<Tier, Occurrences>,
    /// Runs of `*` in the patterns that have any.
    pub(crate) wildcards: Distribution,
    /// Bytes of the patterns as written.
    pub(crate) octets: Distribution,
}

impl Rules {
    pub(crate) fn add(&mut self, facts: &Facts<'_>) {
        let rules = &facts.rules;
        self.per_file.add(rules.len() as u64);
        let mut allows = 0;
        let mut forms = [0; FORMS.len()];
        let mut tiers = [0; TIERS.len()];
        for rule in rules {
            allows += u64::from(rule.access == Access::Allow);
            tick(&FORMS, &mut forms, rule.form);
            tick(&TIERS, &mut tiers, rule.tier);
            if rule.wildcards > 0 {
                self.wildcards.add(rule.wildcards);
            }
            self.octets.add(rule.octets);
        }
        self.allow.add(allows);
        self.disallow.add(rules.len() as u64 - allows);
        add_each(&mut self.forms, &FORMS, &forms);
        add_each(&mut self.tiers, &TIERS, &tiers);
    }
}

fn tick<K: PartialEq>(keys: &[K], counts: &mut [u64], key: K) {
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

merge_fields!(Rules {
    per_file,
    allow,
    disallow,
    forms,
    tiers,
    wildcards,
    octets,
});

const FORMS: [Form; 6] = [
    Form::Plain,
    Form::Wildcard,
    Form::WildcardAnchored,
    Form::Anchored,
    Form::Empty,
    Form::Unmatchable,
];

const TIERS: [Tier; 3] = [Tier::Prefix, Tier::Span, Tier::Regex];

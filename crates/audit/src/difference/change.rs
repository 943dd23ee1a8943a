//! The changes for agents with the same rules and records.

use polite_robots::{AgentMatch, Robot, Rule, Verdict};
use polite_robots_records::{Preference, UsageCategory};

use crate::difference::reader::Reader;

use crate::difference::records::RecordChanges;
use crate::witness::{RuleText, Rules, rules};

/// The changes for the agents that have the same rules and records in each version.
#[derive(Debug, Clone)]
pub struct AgentChange {
    pub(super) agents: Vec<String>,
    pub(super) agent_matches: [AgentMatch; 2],
    pub(super) removed_rules: RuleCount,
    pub(super) added_rules: RuleCount,
    /// The numbers of URLs that the new version disallows and allows.
    pub(super) disallowed: usize,
    pub(super) allowed: usize,
    pub(super) evidence: Option<Evidence>,
    pub(super) usages: Vec<UsageChange>,
    pub(super) content_uses: Vec<ContentUseChange>,
    /// Changes of preferences that are not listed.
    pub(crate) other_preferences: usize,
    pub(super) records: RecordChanges,
    pub(super) listed_bytes: usize,
    pub(super) is_complete: bool,
}

/// The number of some rules, and how many of them are listed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RuleCount {
    pub(super) all: usize,
    pub(super) listed: usize,
}

/// The robots that show the changes, and the listed URLs.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub(super) reader: Reader,
    pub(super) robots: [Robot; 2],
    pub(super) urls: Vec<String>,
}

impl AgentChange {
    /// Their product tokens, `*` for everyone else.
    #[must_use]
    pub fn agents(&self) -> &[String] {
        &self.agents
    }

    /// How the groups of the agents were found in the old version.
    #[must_use]
    pub fn old_agent_match(&self) -> AgentMatch {
        let [old, _] = self.agent_matches;
        old
    }

    /// How the groups of the agents are found in the new version.
    #[must_use]
    pub fn new_agent_match(&self) -> AgentMatch {
        let [_, new] = self.agent_matches;
        new
    }

    /// The number of rules that only the old version has.
    #[must_use]
    pub fn removed_rule_count(&self) -> usize {
        self.removed_rules.all
    }

    /// The number of rules that only the new version has.
    #[must_use]
    pub fn added_rule_count(&self) -> usize {
        self.added_rules.all
    }

    /// The listed rules that only the old version has, in its order, with the lines of the first
    /// agent.
    #[must_use]
    pub fn removed_rules(&self) -> Vec<Rule<'_>> {
        match &self.evidence {
            Some(evidence) if self.removed_rules.listed > 0 => {
                let [old, new] = &evidence.robots;
                only_in(old, &rules(new), self.removed_rules.listed)
            }
            _ => Vec::new(),
        }
    }

    /// The listed rules that only the new version has, in its order, with the lines of the first
    /// agent.
    #[must_use]
    pub fn added_rules(&self) -> Vec<Rule<'_>> {
        match &self.evidence {
            Some(evidence) if self.added_rules.listed > 0 => {
                let [old, new] = &evidence.robots;
                only_in(new, &rules(old), self.added_rules.listed)
            }
            _ => Vec::new(),
        }
    }

    /// The number of URLs that the old version disallows and the new one allows.
    #[must_use]
    pub fn allowed_count(&self) -> usize {
        self.allowed
    }

    /// The number of URLs that the old version allows and the new one disallows.
    #[must_use]
    pub fn disallowed_count(&self) -> usize {
        self.disallowed
    }

    /// The listed URLs that one version allows and the other does not, with the verdicts for the
    /// first agent.
    pub fn verdicts(&self) -> impl Iterator<Item = VerdictChange<'_>> {
        let evidence = self.evidence.iter();
        evidence.flat_map(|evidence| {
            evidence.urls.iter().map(|url| {
                let [old, new] = &evidence.robots;
                VerdictChange {
                    url,
                    old: old.check(evidence.reader.target(url)),
                    new: new.check(evidence.reader.target(url)),
                }
            })
        })
    }

    /// The listed preferences about the use of content that change.
    #[must_use]
    pub fn usages(&self) -> &[UsageChange] {
        &self.usages
    }

    /// The listed changes of how much of the content may be used: `use` in `Content-Signal`.
    #[must_use]
    pub fn content_uses(&self) -> &[ContentUseChange] {
        &self.content_uses
    }

    /// The changes in the agents' other records, such as their crawl delay.
    #[must_use]
    pub fn records(&self) -> &RecordChanges {
        &self.records
    }

    /// Whether every changed verdict was found. It may be one of those that are
    /// [left out](AgentChange::left_out).
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The number of changed rules, URLs, preferences and records that are not listed, because too
    /// many others are.
    #[must_use]
    pub fn left_out(&self) -> usize {
        let rules = [self.removed_rules, self.added_rules];
        let rules = rules.map(|count| count.all.saturating_sub(count.listed));
        let listed = self
            .evidence
            .as_ref()
            .map_or(0, |evidence| evidence.urls.len());
        let urls = self
            .allowed
            .saturating_add(self.disallowed)
            .saturating_sub(listed);
        let others = [urls, self.other_preferences, self.records.left_out()];
        let counts = rules.into_iter().chain(others);
        counts.fold(0, usize::saturating_add)
    }

    /// About the bytes of the listed changes.
    #[must_use]
    pub fn listed_bytes(&self) -> usize {
        self.listed_bytes
    }

    /// Whether an answer changes. Other rules with the same answers are no change.
    #[must_use]
    pub fn is_change(&self) -> bool {
        let has_preference = !self.usages.is_empty() || !self.content_uses.is_empty();
        self.allowed.saturating_add(self.disallowed) > 0
            || has_preference
            || self.other_preferences > 0
            || !self.records.is_empty()
    }

    /// Whether the rules differ, whatever the answers.
    #[must_use]
    pub fn has_other_rules(&self) -> bool {
        self.removed_rules.all.saturating_add(self.added_rules.all) > 0
    }
}

/// A URL that one version allows and the other does not.
#[derive(Debug, Clone)]
pub struct VerdictChange<'a> {
    /// The URL, mostly without scheme and host.
    pub url: &'a str,
    /// The verdict of the old version.
    pub old: Verdict<'a>,
    /// The verdict of the new version.
    pub new: Verdict<'a>,
}

/// A preference that changes about the use of a URL that both versions allow to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageChange {
    /// The first URL with this change.
    pub url: String,
    /// The kind of use.
    pub category: UsageCategory,
    /// The preference of the old version.
    pub old: Preference,
    /// The preference of the new version.
    pub new: Preference,
}

/// A change of how much of a URL's content may be used, where both versions allow it to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentUseChange {
    /// The first URL with this change.
    pub url: String,
    /// The values of `use` in the old version; nearly always one or none.
    pub old: Vec<String>,
    /// The values of `use` in the new version.
    pub new: Vec<String>,
}

/// The first rules that are not among the others, in the order of the file.
pub(super) fn only_in<'a>(robot: &'a Robot, others: &Rules<'_>, most: usize) -> Vec<Rule<'a>> {
    let is_other =
        |rule: &Rule<'_>| !rule.pattern().is_empty() && !others.contains(&RuleText::new(*rule));
    let mut rules: Vec<Rule<'a>> = robot.rules().filter(is_other).collect();
    rules.sort_by_key(Rule::line);
    rules.truncate(most);
    rules
}

//! The changes for one agent.

use std::collections::BTreeSet;

use polite_robots::record::{Preference, UsageCategory};
use polite_robots::{AgentMatch, Robot, Rule, Verdict};

use crate::agent::content_uses;
use crate::difference::question::{AgentVersions, Question};
use crate::difference::records::{RecordChanges, of_agent};
use crate::witness::{ROBOTS_TXT, RuleText, Rules, Search, filled, rules, sendable};

/// The changes for one agent.
#[derive(Debug)]
pub struct AgentChange<'a> {
    agent: &'a str,
    agent_matches: [AgentMatch; 2],
    removed_rules: Vec<Rule<'a>>,
    added_rules: Vec<Rule<'a>>,
    verdicts: Vec<VerdictChange<'a>>,
    usages: Vec<UsageChange>,
    content_uses: Vec<ContentUseChange>,
    records: RecordChanges,
    is_complete: bool,
}

impl<'a> AgentChange<'a> {
    /// `usage_urls` are those about whose use the file states a preference; only a question about
    /// rules has them.
    pub(super) fn new(
        versions: &'a AgentVersions,
        question: &Question,
        usage_urls: &BTreeSet<String>,
        search: &mut Search<'a>,
    ) -> AgentChange<'a> {
        let AgentVersions { agent, old, new } = versions;
        let (old_rules, new_rules) = (rules(old), rules(new));
        let (urls, is_complete) = match question {
            Question::Urls(urls) => (urls.clone(), true),
            Question::Rules => {
                let mut urls: Vec<String> = usage_urls.iter().cloned().collect();
                let is_complete = add_witnesses(&mut urls, versions, search);
                urls.extend(directories(&old_rules).chain(directories(&new_rules)));
                (urls, is_complete)
            }
        };
        let verdicts = urls
            .iter()
            .filter(|url| is_changed(versions, url))
            .map(|url| VerdictChange {
                url: url.clone(),
                old: old.check(url.as_str()),
                new: new.check(url.as_str()),
            });
        AgentChange {
            agent,
            agent_matches: [old.agent_match(), new.agent_match()],
            removed_rules: only_in(old, &new_rules),
            added_rules: only_in(new, &old_rules),
            verdicts: match question {
                Question::Urls(_) => verdicts.collect(),
                Question::Rules => one_for_each_pair(verdicts),
            },
            usages: usages(old, new, &urls),
            content_uses: content_use_changes(old, new, &urls),
            records: RecordChanges::between(&of_agent(old), &of_agent(new)),
            is_complete,
        }
    }

    /// The agent's product token, `*` for everyone else.
    #[must_use]
    pub fn agent(&self) -> &'a str {
        self.agent
    }

    /// How the agent's groups were found in the old version.
    #[must_use]
    pub fn old_agent_match(&self) -> AgentMatch {
        let [old, _] = self.agent_matches;
        old
    }

    /// How the agent's groups are found in the new version.
    #[must_use]
    pub fn new_agent_match(&self) -> AgentMatch {
        let [_, new] = self.agent_matches;
        new
    }

    /// The rules that only the old version has, in its order.
    #[must_use]
    pub fn removed_rules(&self) -> &[Rule<'a>] {
        &self.removed_rules
    }

    /// The rules that only the new version has, in its order.
    #[must_use]
    pub fn added_rules(&self) -> &[Rule<'a>] {
        &self.added_rules
    }

    /// The URLs that one version allows and the other does not.
    #[must_use]
    pub fn verdicts(&self) -> &[VerdictChange<'a>] {
        &self.verdicts
    }

    /// The preferences about the use of content that change.
    #[must_use]
    pub fn usages(&self) -> &[UsageChange] {
        &self.usages
    }

    /// The changes of how much of the content may be used: `use` in `Content-Signal`.
    #[must_use]
    pub fn content_uses(&self) -> &[ContentUseChange] {
        &self.content_uses
    }

    /// The changes in the agent's other records, such as its crawl delay.
    #[must_use]
    pub fn records(&self) -> &RecordChanges {
        &self.records
    }

    /// Whether every changed verdict is listed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether an answer changes. Other rules with the same answers are no change.
    #[must_use]
    pub fn is_change(&self) -> bool {
        let has_preference = !self.usages.is_empty() || !self.content_uses.is_empty();
        !self.verdicts.is_empty() || has_preference || !self.records.is_empty()
    }

    /// Whether the rules are others, whatever the answers.
    #[must_use]
    pub fn has_other_rules(&self) -> bool {
        !self.removed_rules.is_empty() || !self.added_rules.is_empty()
    }
}

/// A URL that one version allows and the other does not.
#[derive(Debug, Clone)]
pub struct VerdictChange<'a> {
    /// The URL, mostly without scheme and host.
    pub url: String,
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

fn is_changed(versions: &AgentVersions, url: &str) -> bool {
    versions.old.allowed(url) != versions.new.allowed(url)
}

/// Adds a URL for each pair of deciding rules in which the versions differ. Returns whether there
/// is one for every pair.
fn add_witnesses<'a>(
    urls: &mut Vec<String>,
    versions: &'a AgentVersions,
    search: &mut Search<'a>,
) -> bool {
    let witnesses = search.difference(rules(&versions.old), rules(&versions.new));
    let mut is_complete = witnesses.is_complete;
    for url in &witnesses.urls {
        // An index page or `/robots.txt` itself may be the one URL that a rule does not decide; a
        // longer one shows the rule.
        let longer = [format!("{url}x")];
        match sendable(url)
            .chain(longer)
            .find(|url| is_changed(versions, url))
        {
            Some(url) => urls.push(url),
            None => is_complete &= url == ROBOTS_TXT,
        }
    }
    is_complete
}

/// The rules that are not among the others, in the order of the file.
fn only_in<'a>(robot: &'a Robot, others: &Rules<'_>) -> Vec<Rule<'a>> {
    let is_other =
        |rule: &Rule<'_>| !rule.pattern().is_empty() && !others.contains(&RuleText::new(*rule));
    let mut rules: Vec<Rule<'a>> = robot.rules().filter(is_other).collect();
    rules.sort_by_key(Rule::line);
    rules
}

/// The first change for each pair of deciding rules. In the Google dialect two rules may stand on
/// one line.
fn one_for_each_pair<'a>(
    verdicts: impl Iterator<Item = VerdictChange<'a>>,
) -> Vec<VerdictChange<'a>> {
    let mut seen = BTreeSet::new();
    let rule = |verdict: Verdict<'a>| verdict.rule().map(|rule| (rule.line(), rule.pattern()));
    verdicts
        .filter(|change| seen.insert((rule(change.old), rule(change.new))))
        .collect()
}

/// The first URL of each kind of change.
fn usages(old: &Robot, new: &Robot, urls: &[String]) -> Vec<UsageChange> {
    let mut seen = BTreeSet::new();
    let mut changes = Vec::new();
    for url in urls {
        let url = url.as_str();
        // A page that must not be fetched is not used; that it may not be fetched is a change of
        // the verdict.
        if !old.allowed(url) || !new.allowed(url) {
            continue;
        }
        let (old, new) = (old.usage(url), new.usage(url));
        for &category in UsageCategory::ALL {
            let (old, new) = (old.of(category), new.of(category));
            if old != new && seen.insert((category, old, new)) {
                changes.push(UsageChange {
                    url: url.to_owned(),
                    category,
                    old,
                    new,
                });
            }
        }
    }
    changes
}

/// The first URL of each change of `use`.
fn content_use_changes(old: &Robot, new: &Robot, urls: &[String]) -> Vec<ContentUseChange> {
    let mut seen = BTreeSet::new();
    let mut changes = Vec::new();
    for url in urls.iter().map(String::as_str) {
        let uses = |robot: &Robot| content_uses(&robot.usage(url));
        let (before, after) = (uses(old), uses(new));
        let is_fetched = old.allowed(url) && new.allowed(url);
        if is_fetched && before != after && seen.insert((before.clone(), after.clone())) {
            changes.push(ContentUseChange {
                url: url.to_owned(),
                old: before,
                new: after,
            });
        }
    }
    changes
}

/// The directories of index pages: Google's matcher allows one whose index page is allowed, though
/// no rule names it.
fn directories(rules: &Rules<'_>) -> impl Iterator<Item = String> {
    rules.iter().filter_map(|rule| {
        let (directory, page) = rule.pattern.rsplit_once('/')?;
        page.starts_with("index.htm")
            .then(|| filled(&format!("{directory}/")))
    })
}

//! What changes for one agent.

use std::collections::BTreeSet;

use polite_robots::{AgentMatch, Preference, Robot, Rule, UsageCategory, Verdict};

use crate::diff::Compared;
use crate::diff::records::{Records, of_agent};
use crate::witness::{RuleText, Rules, Search, filled, rules};

/// Which URLs are asked about.
#[derive(Debug)]
pub(super) enum Asked {
    About(Vec<String>),
    /// Those about which the rules differ, and some that other records speak of.
    WhatTheRulesSay {
        beside: BTreeSet<String>,
    },
}

/// One agent, before and after.
pub(super) struct AgentChange<'a> {
    pub(super) agent: &'a str,
    pub(super) agent_match: (AgentMatch, AgentMatch),
    pub(super) removed: Vec<Rule<'a>>,
    pub(super) added: Vec<Rule<'a>>,
    pub(super) verdicts: Vec<VerdictChange<'a>>,
    pub(super) usages: Vec<UsageChange>,
    pub(super) records: Records,
    /// Whether there may be changed answers that were not found.
    pub(super) is_cut_short: bool,
}

/// A URL that one version allows and the other does not.
pub(super) struct VerdictChange<'a> {
    pub(super) url: String,
    pub(super) old: Verdict<'a>,
    pub(super) new: Verdict<'a>,
}

/// What the site asks about the use of a URL that may be fetched before and after.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UsageChange {
    pub(super) url: String,
    pub(super) category: UsageCategory,
    pub(super) old: Preference,
    pub(super) new: Preference,
}

impl<'a> AgentChange<'a> {
    pub(super) fn new(
        compared: &'a Compared,
        asked: &Asked,
        search: &mut Search<'a>,
    ) -> AgentChange<'a> {
        let Compared { agent, old, new } = compared;
        let (old_rules, new_rules) = (rules(old), rules(new));
        let is_real = |url: &str| old.allowed(url) != new.allowed(url);
        let (urls, is_cut_short) = match asked {
            Asked::About(urls) => (urls.clone(), false),
            Asked::WhatTheRulesSay { beside } => {
                let mut urls: Vec<String> = beside.iter().cloned().collect();
                let found = search.difference(old_rules.clone(), new_rules.clone());
                let mut is_cut_short = !found.is_complete;
                for url in &found.urls {
                    match [url.clone(), format!("{url}x")]
                        .into_iter()
                        .find(|url| is_real(url))
                    {
                        Some(url) => urls.push(url),
                        None => is_cut_short |= url != ROBOTS_TXT,
                    }
                }
                urls.extend(directories(&old_rules).chain(directories(&new_rules)));
                (urls, is_cut_short)
            }
        };
        let verdicts = urls
            .iter()
            .filter(|url| is_real(url))
            .map(|url| VerdictChange {
                url: url.clone(),
                old: old.check(url.as_str()),
                new: new.check(url.as_str()),
            });
        AgentChange {
            agent,
            agent_match: (old.agent_match(), new.agent_match()),
            removed: only_in(old, &new_rules),
            added: only_in(new, &old_rules),
            verdicts: match asked {
                Asked::About(_) => verdicts.collect(),
                Asked::WhatTheRulesSay { .. } => one_of_a_kind(verdicts),
            },
            usages: usages(old, new, &urls),
            records: Records::between(&of_agent(old), &of_agent(new)),
            is_cut_short,
        }
    }

    /// Rules that nothing comes of are no change.
    pub(super) fn is_change(&self) -> bool {
        !self.verdicts.is_empty() || !self.usages.is_empty() || !self.records.is_empty()
    }

    pub(super) fn has_other_rules(&self) -> bool {
        !self.removed.is_empty() || !self.added.is_empty()
    }
}

/// In the order of the file.
fn only_in<'a>(robot: &'a Robot, others: &Rules<'_>) -> Vec<Rule<'a>> {
    let is_other =
        |rule: &Rule<'_>| !rule.pattern().is_empty() && !others.contains(&RuleText::new(*rule));
    let mut rules: Vec<Rule<'a>> = robot.rules().filter(is_other).collect();
    rules.sort_by_key(Rule::line);
    rules
}

/// The first for each two rules that decide. In the Google dialect two may stand on one line.
fn one_of_a_kind<'a>(verdicts: impl Iterator<Item = VerdictChange<'a>>) -> Vec<VerdictChange<'a>> {
    let mut seen = BTreeSet::new();
    let rule = |verdict: Verdict<'a>| verdict.rule().map(|rule| (rule.line(), rule.pattern()));
    verdicts
        .filter(|change| seen.insert((rule(change.old), rule(change.new))))
        .collect()
}

/// Of each kind of change the first URL.
fn usages(old: &Robot, new: &Robot, urls: &[String]) -> Vec<UsageChange> {
    let mut seen = BTreeSet::new();
    let mut changes = Vec::new();
    for url in urls {
        let url = url.as_str();
        // What must not be fetched is not used; that it may not is a change of the verdict.
        if !old.allowed(url) || !new.allowed(url) {
            continue;
        }
        let (old, new) = (old.usage(url), new.usage(url));
        for category in UsageCategory::ALL {
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

/// Google's matcher allows the directory of an index page that is allowed: one URL, which rules do not speak of.
fn directories(rules: &Rules<'_>) -> impl Iterator<Item = String> {
    rules.iter().filter_map(|rule| {
        let (directory, page) = rule.pattern.rsplit_once('/')?;
        page.starts_with("index.htm")
            .then(|| filled(&format!("{directory}/")))
    })
}

/// Always allowed, so that a rule about it alone changes nothing.
const ROBOTS_TXT: &str = "/robots.txt";

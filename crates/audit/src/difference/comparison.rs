//! Compares one class of agents after the other, within a budget.

use std::borrow::Cow;
use std::collections::BTreeSet;

use polite_robots::{Dialect, Robot, RobotsTxt, Verdict};
use polite_robots_records::{UsageCategory, Usages};

use crate::agent::content_uses;
use crate::budget::{Budget, RobotSize, work_of_records};
use crate::classes::{Class, EVERYONE, records_above};
use crate::difference::change::{
    AgentChange, ContentUseChange, Evidence, RuleCount, UsageChange, only_in,
};
use crate::difference::question::Question;
use crate::difference::reader::{InVersion, Reader};
use crate::difference::records::{Preferences, RecordChanges, of_agent};
use crate::policy::{is_use, rules_about_uses};
use crate::witness::{Exemption, ROBOTS_TXT, Rules, Search, directories, rules, sendable};

/// Agents that have the same rules and records in each version.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) agents: Vec<String>,
    /// The groups and records that each version has for them.
    pub(super) versions: [InVersion; 2],
}

impl Members {
    /// Whether all of them are uses, and none is an agent.
    fn are_uses(&self) -> bool {
        self.agents.iter().all(|agent| is_use(agent))
    }
}

/// The comparison so far.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    question: &'a Question,
    reader: Reader,
    files: [&'a RobotsTxt; 2],
    /// The robots for agents that are not named, which many classes share.
    everyone: [Option<SizedRobot>; 2],
    preferences: Preferences,
    /// The number of records beside the rules.
    records: usize,
    /// Whether the records that apply to all agents are the same.
    has_same_file_records: bool,
    /// Whether the rules about uses, which speak to all agents too, are the same.
    has_same_uses: bool,
    search: Search,
    budget: &'a mut Budget,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        question: &'a Question,
        reader: Reader,
        files: [&'a RobotsTxt; 2],
        budget: &'a mut Budget,
    ) -> Comparison<'a> {
        Comparison {
            question,
            reader,
            files,
            everyone: [None, None],
            preferences: Preferences::of(files),
            records: files.into_iter().flat_map(RobotsTxt::extensions).count(),
            has_same_file_records: {
                let [old, new] = files.map(records_above);
                old == new
            },
            has_same_uses: {
                let [old, new] = files;
                rules_about_uses(old).eq(rules_about_uses(new))
            },
            search: match budget.is_small() {
                true => Search::small(),
                false => Search::default(),
            },
            budget,
        }
    }

    /// The changes for the agents. Once the budget is spent they are not compared.
    pub(super) fn change(&mut self, members: Members) -> AgentChange {
        let [old, new] = members.versions;
        let is_same = old.class.content == new.class.content
            && (members.are_uses() || self.has_same_file_records && self.has_same_uses);
        let mut change = AgentChange {
            agents: Vec::new(),
            agent_matches: members.versions.map(|version| version.agent_match),
            removed_rules: RuleCount::default(),
            added_rules: RuleCount::default(),
            disallowed: 0,
            allowed: 0,
            evidence: None,
            usages: Vec::new(),
            content_uses: Vec::new(),
            other_preferences: 0,
            records: RecordChanges::default(),
            listed_bytes: 0,
            is_complete: is_same,
        };
        let left = self.budget.left_for_lists();
        if !is_same {
            let agent = members.agents.first().map_or(EVERYONE, String::as_str);
            let old = self.robot(0, agent, old);
            let new = self.robot(1, agent, new);
            if let (Some(old), Some(new)) = (old, new) {
                let reader = self.reader;
                self.compare(&mut change, &Pair { reader, old, new }, &members);
            }
        }
        change.listed_bytes = left.saturating_sub(self.budget.left_for_lists());
        change.agents = members.agents;
        change
    }

    /// The robot of an agent; `None` once the budget is spent.
    fn robot(
        &mut self,
        version: usize,
        agent: &str,
        InVersion {
            class,
            record_bytes,
            ..
        }: InVersion,
    ) -> Option<SizedRobot> {
        let everyone = self.everyone.get_mut(version)?;
        if let (false, Some(robot)) = (class.is_named, &everyone) {
            return Some(robot.clone());
        }
        let file = self.files.get(version)?;
        let work = file
            .as_bytes()
            .len()
            .saturating_add(work_of_records(record_bytes));
        if !self.budget.spend(work) {
            return None;
        }
        let robot = self.reader.robot(agent, file).ok()?;
        let size = RobotSize::of(&robot).with_records(record_bytes);
        let robot = SizedRobot { robot, size };
        if !self.budget.spend(size.sorting()) {
            return None;
        }
        if !class.is_named && self.budget.keep(size) {
            *everyone = Some(robot.clone());
        }
        Some(robot)
    }

    fn compare(&mut self, change: &mut AgentChange, pair: &Pair, members: &Members) {
        // The rules are sorted for the walk, for its result and for the lists.
        if !self.budget.spend(pair.sorting().saturating_mul(3)) {
            return;
        }
        let [old_rules, new_rules] = pair.robots().map(rules);
        change.is_complete = true;
        let Some(urls) = self.urls(change, pair, [&old_rules, &new_rules]) else {
            change.is_complete = false;
            return;
        };
        self.compare_rules(change, pair, members, [&old_rules, &new_rules], &urls);
        // A use is no crawler that a delay or a preference could be for.
        if members.are_uses() {
            return;
        }
        if self.preferences.count > 0 {
            self.compare_preferences(change, pair, &urls);
        }
        if self.records > 0 {
            let work = self.records.saturating_mul(WORK_OF_A_RECORD);
            if self.budget.spend(work) {
                let [old, new] = pair.robots().map(of_agent);
                let records = RecordChanges::between(&old, &new);
                change.records = records.listed(self.budget);
            } else {
                change.is_complete = false;
            }
        }
    }

    /// The URLs to ask both robots about; `None` once the budget is spent.
    fn urls(
        &mut self,
        change: &mut AgentChange,
        pair: &Pair,
        [old, new]: [&Rules<'_>; 2],
    ) -> Option<Vec<Cow<'a, str>>> {
        if let Question::Urls(urls) = self.question {
            return Some(urls.iter().map(|url| Cow::Borrowed(url.as_str())).collect());
        }
        let stated = self.preferences.urls.iter().cloned().map(Cow::Owned);
        let mut urls: Vec<Cow<'_, str>> = stated.collect();
        if old != new {
            if !self.budget.spend(pair.walk()) {
                return None;
            }
            let witnesses = self.witnesses(change, pair, [old, new]);
            urls.extend(witnesses.into_iter().map(Cow::Owned));
            urls.extend(directories(old).chain(directories(new)).map(Cow::Owned));
        }
        Some(urls)
    }

    /// Counts and lists the rules that only one version has, and the URLs whose verdict changes.
    fn compare_rules(
        &mut self,
        change: &mut AgentChange,
        pair: &Pair,
        members: &Members,
        [old_rules, new_rules]: [&Rules<'_>; 2],
        urls: &[Cow<'_, str>],
    ) {
        let [old, new] = pair.robots();
        let removed = only_in(old, new_rules, usize::MAX);
        let added = only_in(new, old_rules, usize::MAX);
        change.removed_rules.all = removed.len();
        change.added_rules.all = added.len();
        if !change.has_other_rules() {
            return;
        }
        let is_listed = self.keep(pair, members.versions.map(|version| version.class));
        if is_listed {
            for (rules, count) in [
                (&removed, &mut change.removed_rules),
                (&added, &mut change.added_rules),
            ] {
                let listed = rules.iter();
                let listed = listed.take_while(|rule| self.budget.list(rule.length()));
                count.listed = listed.count();
            }
        }
        let urls = self.verdicts(change, pair, urls, is_listed);
        change.evidence = is_listed.then(|| Evidence {
            reader: self.reader,
            robots: [old.clone(), new.clone()],
            urls,
        });
    }

    /// Whether there is room for the robots.
    fn keep(&mut self, pair: &Pair, classes: [Class; 2]) -> bool {
        let sizes = [pair.old.size, pair.new.size];
        let mut robots = sizes.into_iter().zip(classes).zip(&self.everyone);
        robots.all(|((size, class), everyone)| {
            let is_kept = !class.is_named && everyone.is_some();
            is_kept || self.budget.keep(size)
        })
    }

    /// A URL for each pair of deciding rules in which the versions differ.
    fn witnesses(
        &mut self,
        change: &mut AgentChange,
        pair: &Pair,
        [old, new]: [&Rules<'_>; 2],
    ) -> Vec<String> {
        let is_rfc9309 = |file: &&RobotsTxt| file.dialect() == Dialect::Rfc9309;
        let exemption = match self.files.iter().all(is_rfc9309) {
            true => Exemption::RobotsTxt,
            false => Exemption::None,
        };
        let witnesses = self.search.difference(old, new, exemption);
        if self.budget.is_small() && self.search.is_spent() {
            self.budget.spend(usize::MAX);
        }
        change.is_complete &= witnesses.is_complete;
        let mut urls = Vec::new();
        // The verdicts, which are asked for again when they are printed, take four times the work.
        let left_for_verdicts = self.budget.left().saturating_sub(self.budget.left() / 5);
        for url in &witnesses.urls {
            // An index page or `/robots.txt` itself may be the one URL that a rule does not decide;
            // a longer one shows the rule.
            let longer = [format!("{url}x")];
            let mut candidates = sendable(url).chain(longer);
            match candidates.find(|url| pair.is_changed(url, self.budget) != Some(false)) {
                Some(url) => urls.push(url),
                None => change.is_complete &= url == ROBOTS_TXT,
            }
            if self.budget.left() < left_for_verdicts {
                change.is_complete = false;
                break;
            }
        }
        urls
    }

    /// Counts the URLs whose verdict changes. Of URLs that the rules suggest, only the first counts
    /// for each pair of deciding rules. Returns the listed ones.
    fn verdicts(
        &mut self,
        change: &mut AgentChange,
        pair: &Pair,
        urls: &[Cow<'_, str>],
        mut is_listed: bool,
    ) -> Vec<String> {
        let [old, new] = pair.robots();
        let mut seen = BTreeSet::new();
        let mut listed = Vec::new();
        for url in urls {
            // The verdicts with their rules; where they are listed, both are found again twice, to
            // sort them into blocks and to print them.
            let work = pair
                .check(url)
                .saturating_mul(if is_listed { 3 } else { 1 });
            match pair.is_changed(url, self.budget) {
                Some(true) if self.budget.spend(work) => {}
                Some(false) => continue,
                Some(true) | None => {
                    change.is_complete = false;
                    break;
                }
            }
            let target = pair.reader.target(url);
            let (old, new) = (old.check(&target), new.check(&target));
            let is_first = seen.insert((deciding(old), deciding(new)));
            if *self.question == Question::Rules && !is_first {
                continue;
            }
            let count = match new.is_allowed() {
                true => &mut change.allowed,
                false => &mut change.disallowed,
            };
            *count = count.saturating_add(1);
            is_listed = is_listed && self.budget.list(printed_bytes(url, &old, &new));
            if is_listed {
                listed.push(url.clone().into_owned());
            }
        }
        listed
    }

    /// The first URL of each change of a preference.
    fn compare_preferences(
        &mut self,
        change: &mut AgentChange,
        pair: &Pair,
        urls: &[Cow<'_, str>],
    ) {
        let [old_usages, new_usages] = pair.robots().map(Usages::of);
        let work = self.preferences.count.saturating_mul(WORK_OF_A_PREFERENCE);
        let (mut seen, mut seen_uses) = (BTreeSet::new(), BTreeSet::new());
        for url in urls.iter().map(|url| &**url) {
            // A page that must not be fetched is not used; that it may not be fetched is a change
            // of the verdict.
            match pair.is_allowed(url, self.budget) {
                Some([true, true]) if self.budget.spend(work) => {}
                Some([true, true]) | None => {
                    change.is_complete = false;
                    break;
                }
                Some(_) => continue,
            }
            let target = pair.reader.target(url);
            let (old, new) = (old_usages.about(&target), new_usages.about(&target));
            for &category in UsageCategory::ALL {
                let (old, new) = (old.preference(category), new.preference(category));
                if old != new && seen.insert((category, old, new)) {
                    change.usages.push(UsageChange {
                        url: url.to_owned(),
                        category,
                        old,
                        new,
                    });
                }
            }
            let uses = (content_uses(&old), content_uses(&new));
            if uses.0 == uses.1 || seen_uses.contains(&uses) {
                continue;
            }
            let texts = uses.0.iter().chain(&uses.1);
            let bytes = texts.map(|text| text.len().saturating_add(24));
            if self
                .budget
                .list(bytes.fold(url.len(), usize::saturating_add))
            {
                seen_uses.insert(uses.clone());
                change.content_uses.push(ContentUseChange {
                    url: url.to_owned(),
                    old: uses.0,
                    new: uses.1,
                });
            } else {
                change.other_preferences = change.other_preferences.saturating_add(1);
            }
        }
    }
}

/// A robot with its size.
#[derive(Debug, Clone)]
struct SizedRobot {
    robot: Robot,
    size: RobotSize,
}

/// The robots of a class.
#[derive(Debug)]
struct Pair {
    reader: Reader,
    old: SizedRobot,
    new: SizedRobot,
}

impl Pair {
    fn robots(&self) -> [&Robot; 2] {
        [&self.old.robot, &self.new.robot]
    }

    fn sorting(&self) -> usize {
        let [old, new] = [self.old.size, self.new.size].map(RobotSize::sorting);
        old.saturating_add(new)
    }

    /// The work to get ready for a walk.
    fn walk(&self) -> usize {
        let [old, new] = [self.old.size, self.new.size].map(RobotSize::walk);
        old.saturating_add(new)
    }

    /// The work of a check of both versions.
    fn check(&self, url: &str) -> usize {
        let [old, new] = [self.old.size, self.new.size].map(|size| size.check(url));
        old.saturating_add(new)
    }

    /// The answers of both versions; `None` once the budget is spent.
    fn is_allowed(&self, url: &str, budget: &mut Budget) -> Option<[bool; 2]> {
        if !budget.spend(self.check(url)) {
            return None;
        }
        let target = self.reader.target(url);
        Some(self.robots().map(|robot| robot.allowed(&target)))
    }

    /// Whether the versions differ; `None` once the budget is spent.
    fn is_changed(&self, url: &str, budget: &mut Budget) -> Option<bool> {
        let [old, new] = self.is_allowed(url, budget)?;
        Some(old != new)
    }
}

/// The rule that decides. In the Google dialect two rules may stand on one line.
fn deciding(verdict: Verdict<'_>) -> Option<(u32, &str)> {
    let rule = verdict.rule()?;
    Some((rule.line(), rule.pattern()))
}

/// The bytes of a change, with the rules that stand in it: those that decide, those that they
/// overrule, and the sentences about them.
fn printed_bytes(url: &str, old: &Verdict<'_>, new: &Verdict<'_>) -> usize {
    let rules = [old.rule(), old.overruled(), new.rule(), new.overruled()];
    let lengths = rules.into_iter().flatten().map(|rule| rule.length());
    let rules = lengths.fold(0, usize::saturating_add);
    url.len().saturating_add(rules.saturating_mul(2))
}

/// Each class looks through all records of the files, several times.
const WORK_OF_A_RECORD: usize = 100;

/// For a URL, the agent's preferences are searched for those that apply.
const WORK_OF_A_PREFERENCE: usize = 40;

//! The changes that an edit of a robots.txt makes: the agents that they affect, the lines that make
//! them, and URLs that show them.
//!
//! Only answers count. A file in another order or layout has not changed.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::difference::{Question, Versions};
//!
//! let old = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop/");
//! let new = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop");
//! let versions = Versions::new(&old, &new);
//! let difference = versions.difference(Question::Rules);
//! let change = difference.changes()[0].verdicts().next().ok_or("no change")?;
//! assert_eq!(change.url, "/shop");
//! assert!(change.old.is_allowed() && !change.new.is_allowed());
//! # Ok::<(), &str>(())
//! ```

mod alike;
mod change;
mod comparison;
mod question;
mod reader;
mod records;

use std::collections::{BTreeSet, HashMap};

use polite_robots::{Dialect, InvalidToken, Robot, RobotsTxt};

use crate::budget::Budget;
use crate::classes::{AgentClasses, Class, EVERYONE};
pub use crate::difference::alike::{Likeness, RobotPairs};
pub use crate::difference::change::{AgentChange, ContentUseChange, UsageChange, VerdictChange};
use crate::difference::comparison::{Comparison, Members};
pub use crate::difference::question::Question;
use crate::difference::reader::{InVersion, Reader};
pub use crate::difference::records::RecordChanges;
use crate::readings::{Reading, Readings};

/// Two versions of a file, as the agents see them.
#[derive(Debug)]
pub struct Versions<'a> {
    parts: Vec<Part<'a>>,
    /// The agents, each with the place of its part.
    agents: Vec<(String, usize)>,
}

/// The versions as some of the agents read them.
#[derive(Debug)]
struct Part<'a> {
    dialect: Dialect,
    reader: Reader,
    files: [&'a RobotsTxt; 2],
    classes: [AgentClasses; 2],
}

impl<'a> Part<'a> {
    fn new(dialect: Dialect, reader: Reader, files: [&'a RobotsTxt; 2]) -> Part<'a> {
        Part {
            dialect,
            reader,
            files,
            classes: AgentClasses::of_versions(files),
        }
    }
}

impl<'a> Versions<'a> {
    /// Two versions as their dialect reads them, about URLs as they are given. The agents are those
    /// that either version names, and everyone else.
    ///
    /// The agents of the old file come first, in its order, and everyone else last.
    #[must_use]
    pub fn new(old: &'a RobotsTxt, new: &'a RobotsTxt) -> Versions<'a> {
        Versions::of_dialect(old, new, named_agents(old, new))
    }

    /// Two versions, for these agents.
    ///
    /// # Errors
    ///
    /// If one of the agents is no product token.
    pub fn for_agents(
        old: &'a RobotsTxt,
        new: &'a RobotsTxt,
        agents: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Versions<'a>, InvalidToken> {
        Ok(Versions::of_dialect(old, new, checked(agents)?))
    }

    fn of_dialect(old: &'a RobotsTxt, new: &'a RobotsTxt, agents: Vec<String>) -> Versions<'a> {
        Versions {
            parts: vec![Part::new(old.dialect(), Reader::Dialect, [old, new])],
            agents: agents.into_iter().map(|agent| (agent, 0)).collect(),
        }
    }

    /// Two versions as `reading` has each agent read them, about the requests that crawlers make:
    /// the answers are those of [`Answers`](crate::answer::Answers). The agents are those that
    /// either version names, and everyone else.
    #[must_use]
    pub fn read_by_crawlers(
        old: &'a Readings,
        new: &'a Readings,
        reading: Reading,
    ) -> Versions<'a> {
        let [old_file, new_file] =
            [old, new].map(|version| version.in_dialect(reading.dialect(EVERYONE)));
        let agents = named_agents(old_file, new_file);
        Versions::of_readings([old, new], reading, agents)
    }

    /// [`Versions::read_by_crawlers`], for these agents.
    ///
    /// # Errors
    ///
    /// If one of the agents is no product token.
    pub fn read_by(
        old: &'a Readings,
        new: &'a Readings,
        reading: Reading,
        agents: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Versions<'a>, InvalidToken> {
        Ok(Versions::of_readings([old, new], reading, checked(agents)?))
    }

    fn of_readings(
        versions: [&'a Readings; 2],
        reading: Reading,
        agents: Vec<String>,
    ) -> Versions<'a> {
        let mut parts: Vec<Part<'a>> = Vec::new();
        let mut place = |dialect| {
            let is_of_dialect = |part: &Part<'_>| part.dialect == dialect;
            parts.iter().position(is_of_dialect).unwrap_or_else(|| {
                let files = versions.map(|version| version.in_dialect(dialect));
                parts.push(Part::new(dialect, Reader::Crawlers(reading), files));
                parts.len().saturating_sub(1)
            })
        };
        let agents = agents.into_iter().map(|agent| {
            let place = place(reading.dialect(&agent));
            (agent, place)
        });
        Versions {
            agents: agents.collect(),
            parts,
        }
    }

    fn part(&self, agent: &str) -> Option<&Part<'a>> {
        let mut agents = self.agents.iter();
        let (_, place) = agents.find(|(name, _)| name == agent)?;
        self.parts.get(*place)
    }

    /// The dialect in which an agent reads the versions.
    #[must_use]
    pub fn dialect(&self, agent: &str) -> Option<Dialect> {
        Some(self.part(agent)?.dialect)
    }

    /// The changes for one of the agents of an [`AgentChange`], with the lines of the agent's own
    /// groups.
    ///
    /// # Errors
    ///
    /// If it is no product token.
    pub fn change_for(
        &self,
        agent: &str,
        change: &AgentChange,
    ) -> Result<AgentChange, InvalidToken> {
        let mut change = change.clone();
        if let (Some(evidence), Some(part)) = (&mut change.evidence, self.part(agent)) {
            let [old, new] = part.files;
            evidence.robots = [
                part.reader.robot(agent, old)?,
                part.reader.robot(agent, new)?,
            ];
        }
        Ok(change)
    }

    /// The differences between the versions.
    ///
    /// Agents with the same rules and records in each version are compared once. The work and the
    /// memory are limited, so that two files of 500 KiB take seconds and some dozen megabytes
    /// whatever they hold. Everyone else is compared first; agents for whom no work is left are not
    /// [complete](AgentChange::is_complete). A change that is found but not listed counts in
    /// [`AgentChange::left_out`].
    #[must_use]
    pub fn difference(&self, question: Question) -> Difference {
        let urls = match &question {
            Question::Urls(urls) => urls.len(),
            Question::Rules => 0,
        };
        self.difference_within(question, &mut Budget::new(urls))
    }

    /// The differences between two short files, for callers that compare many versions; `None` if
    /// they take more than some milliseconds.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_audit::difference::{Question, Versions};
    ///
    /// let old = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop");
    /// let new = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop\nDisallow: /shop/old");
    /// let difference = Versions::new(&old, &new).quick_difference(Question::Rules);
    /// assert!(difference.is_some_and(|difference| !difference.is_change()));
    /// ```
    #[must_use]
    pub fn quick_difference(&self, question: Question) -> Option<Difference> {
        let mut budget = Budget::small();
        let difference = self.difference_within(question, &mut budget);
        (budget.left() > 0).then_some(difference)
    }

    fn difference_within(&self, question: Question, budget: &mut Budget) -> Difference {
        let records = match self.parts.first() {
            Some(part) => {
                let [old, new] = part.files.map(records::of_file);
                RecordChanges::between(&old, &new)
            }
            None => RecordChanges::default(),
        };
        let mut agents: Vec<(String, usize)> = self
            .agents
            .iter()
            .map(|(agent, _)| (agent.clone(), 0))
            .collect();
        let mut changes: Vec<AgentChange> = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let members = agents.iter_mut().zip(&self.agents);
            let members = members.filter(|(_, (_, of_part))| *of_part == number);
            let of_part = part.changes(
                &question,
                members.map(|(member, _)| member),
                budget,
                changes.len(),
            );
            changes.extend(of_part);
        }
        Difference {
            agents,
            changes,
            records,
            question,
        }
    }
}

impl Part<'_> {
    /// The changes for the classes of these agents. Each agent gets the place of its change, after
    /// the `before` that are there already.
    fn changes<'m>(
        &self,
        question: &Question,
        agents: impl Iterator<Item = &'m mut (String, usize)>,
        budget: &mut Budget,
        before: usize,
    ) -> Vec<AgentChange> {
        let mut classes: Vec<([InVersion; 2], Vec<String>)> = Vec::new();
        let mut places: HashMap<[Class; 2], usize> = HashMap::new();
        for (agent, change) in agents {
            let versions = self
                .classes
                .each_ref()
                .map(|classes| self.reader.class(agent, classes));
            let class = versions.map(|version| version.class);
            let place = *places.entry(class).or_insert(classes.len());
            match classes.get_mut(place) {
                Some((_, members)) => members.push(agent.clone()),
                None => classes.push((versions, vec![agent.clone()])),
            }
            *change = before.saturating_add(place);
        }
        let mut comparison = Comparison::new(question, self.reader, self.files, budget);
        let mut changes: Vec<Option<AgentChange>> = Vec::new();
        changes.resize_with(classes.len(), || None);
        // Most crawlers are not named, so everyone else comes first.
        let is_named = |place: &usize| {
            let versions = classes.get(*place).into_iter();
            versions
                .flat_map(|(versions, _)| versions)
                .any(|version| version.class.is_named)
        };
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(is_named);
        for place in order {
            if let (Some((versions, members)), Some(change)) =
                (classes.get(place), changes.get_mut(place))
            {
                let members = Members {
                    agents: members.clone(),
                    versions: *versions,
                };
                *change = Some(comparison.change(members));
            }
        }
        changes.into_iter().flatten().collect()
    }
}

/// Everything that changes.
#[derive(Debug)]
pub struct Difference {
    /// Each agent with the place of its changes.
    agents: Vec<(String, usize)>,
    changes: Vec<AgentChange>,
    records: RecordChanges,
    question: Question,
}

impl Difference {
    /// The changes, one entry for all agents that have the same rules and records in each version,
    /// even if nothing changes for them. A use such as `__usage_ai-training` is among them: its
    /// rules say where it is not wanted, and no rule for `*` is about it.
    #[must_use]
    pub fn changes(&self) -> &[AgentChange] {
        &self.changes
    }

    /// Each agent that was asked about, with the place of its changes in
    /// [`changes`](Difference::changes).
    pub fn agents(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        self.agents
            .iter()
            .map(|(agent, place)| (agent.as_str(), *place))
    }

    /// The changes in the records that are for everyone, such as sitemaps.
    #[must_use]
    pub fn records(&self) -> &RecordChanges {
        &self.records
    }

    /// The question that was asked.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Whether anything changes.
    #[must_use]
    pub fn is_change(&self) -> bool {
        !self.records.is_empty() || self.changes.iter().any(AgentChange::is_change)
    }

    /// Whether every changed answer was found. Some rules meet in more ways than can be walked
    /// through, and some files have more agents than can be compared.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.changes.iter().all(AgentChange::is_complete)
    }
}

/// The agents, each of which must be a product token.
fn checked(
    agents: impl IntoIterator<Item = impl Into<String>>,
) -> Result<Vec<String>, InvalidToken> {
    let agents: Vec<String> = agents.into_iter().map(Into::into).collect();
    agents.iter().try_for_each(|agent| check(agent))?;
    Ok(agents)
}

/// Refuses a name that is not a product token.
fn check(agent: &str) -> Result<(), InvalidToken> {
    Robot::new(agent, b"").map(drop)
}

fn named_agents(old: &RobotsTxt, new: &RobotsTxt) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    let mut seen = BTreeSet::from([EVERYONE.to_owned()]);
    for group in old.merged_groups().chain(new.merged_groups()) {
        let token = group.product_token();
        if seen.insert(token.to_ascii_lowercase()) {
            agents.push(token.to_owned());
        }
    }
    agents.push(EVERYONE.to_owned());
    agents.retain(|agent| check(agent).is_ok());
    agents
}

#[cfg(test)]
mod tests {
    use polite_robots::{AgentMatch, RobotsTxt};

    use super::{AgentChange, Difference, Question, Versions};
    use crate::budget::Budget;

    fn difference(old: &str, new: &str, mut budget: Budget) -> Difference {
        let [old, new] = [old, new].map(|file| RobotsTxt::parse(file.as_bytes()));
        Versions::new(&old, &new).difference_within(Question::Rules, &mut budget)
    }

    fn groups(numbers: std::ops::Range<u32>) -> String {
        let groups = numbers.map(|n| format!("User-agent: a{n}x\nDisallow: /{n}\n"));
        groups.collect()
    }

    #[test]
    fn a_use_has_no_rules_for_everyone() {
        let old = "User-agent: *\nDisallow: /x\nCrawl-delay: 2\n";
        let new = format!("{old}\nUser-agent: __usage_ai-training\nDisallow: /\n");
        let added = difference(old, &new, Budget::new(0));
        let changed: Vec<&AgentChange> = added
            .changes()
            .iter()
            .filter(|c| c.has_other_rules())
            .collect();
        let [change] = &changed[..] else {
            panic!("{changed:?}")
        };
        assert_eq!(change.agents(), ["__usage_ai-training"]);
        assert_eq!(
            (change.removed_rule_count(), change.added_rule_count()),
            (0, 1)
        );
        assert_eq!(change.old_agent_match(), AgentMatch::None);
        assert!(change.records().is_empty() && change.usages().is_empty());
        let removed = difference(&new, old, Budget::new(0));
        let changed = removed
            .changes()
            .iter()
            .find(|change| change.has_other_rules());
        assert_eq!(changed.map(|change| change.added_rule_count()), Some(0));
    }

    #[test]
    fn agents_whose_rules_stay_take_no_work() {
        let old = groups(0..300);
        let new = format!("{old}User-agent: b\nUser-agent: c\nDisallow: /\n");
        let nothing = difference(&old, &format!("# moved\n\n{old}"), Budget::with(0, 0));
        assert!(nothing.is_complete() && !nothing.is_change());
        // Only the two new agents and everyone else have to be compared. The files say nothing
        // about everyone else.
        let added = difference(&old, &new, Budget::with(100_000, 100_000));
        assert!(added.is_complete());
        let changed = added.changes().iter().filter(|change| change.is_change());
        let changed: Vec<&[String]> = changed.map(AgentChange::agents).collect();
        assert_eq!(changed, [["b", "c"]]);
    }

    #[test]
    fn a_spent_budget_leaves_agents_out_and_says_so() {
        let old = groups(0..300);
        let new = "User-agent: *\nDisallow: /a\n";
        let all = difference(&old, new, Budget::new(0));
        assert!(all.is_complete() && all.changes().iter().all(AgentChange::is_change));
        let some = difference(&old, new, Budget::with(1_000_000, 1_000_000));
        assert!(!some.is_complete() && some.is_change());
        let complete = some.changes().iter().filter(|change| change.is_complete());
        let complete = complete.count();
        assert!((2..300).contains(&complete), "{complete}");
        // Everyone else comes last in the list, and is compared first.
        let everyone = some.changes().last().unwrap();
        assert_eq!(everyone.agents(), ["*"]);
        assert!(everyone.is_complete());
    }

    /// A robot has a copy of its agent's records, so 40 of these robots would take 40 MB.
    #[test]
    fn robots_with_many_records_are_kept_as_far_as_there_is_room() {
        let agents: String = (0..40).map(|n| format!("User-agent: a{n}x\n")).collect();
        let signals: String = (0..9_000)
            .map(|n| format!("Content-Signal: use=r{n}\n"))
            .collect();
        let (of_groups, above) = (format!("{agents}{signals}"), format!("{signals}{agents}"));
        for old in [of_groups, above + "Disallow: /x\n"] {
            let all = difference(&old, &groups(0..40), Budget::new(0));
            let changes = || {
                let changes = all.changes().iter();
                changes.filter(|change| change.is_change() && change.has_other_rules())
            };
            assert_eq!(changes().count(), 40);
            let listed = changes().filter(|change| change.verdicts().next().is_some());
            let listed = listed.count();
            assert!((5..20).contains(&listed), "{listed}");
            let left_out = changes().filter(|change| change.left_out() > 0);
            assert_eq!(left_out.count(), 40 - listed);
        }
    }

    /// A search looks for each of 100 patterns piece by piece in every URL, which takes 24
    /// microseconds.
    #[test]
    fn many_wildcards_are_paid_for() {
        let pattern = |n: u32| {
            let letter = |bit: u32| if n >> bit & 1 == 1 { "*a" } else { "*b" };
            format!("Disallow: /{}*c\n", (0..20).map(letter).collect::<String>())
        };
        let new: String = (0..100).map(pattern).collect();
        let new = format!("User-agent: *\n{new}");
        let found = |work| {
            let difference = difference("", &new, Budget::with(work, 1_000_000));
            let change = &difference.changes()[0];
            change.disallowed_count()
        };
        assert!(found(100_000_000) >= 100);
        assert!(found(1_000_000) <= 15);
    }

    #[test]
    fn changes_that_are_not_listed_are_counted() {
        let rules = |n: u32| {
            (0..n)
                .map(|n| format!("Disallow: /{n}x\n"))
                .collect::<String>()
        };
        let old = "User-agent: *\nAllow: /\n";
        let new = format!("User-agent: *\nAllow: /\n{}", rules(100));
        let counts = |listed| {
            let difference = difference(old, &new, Budget::with(100_000_000, listed));
            let change = &difference.changes()[0];
            assert!(change.is_change() && change.is_complete());
            assert_eq!(change.added_rule_count(), 100);
            assert_eq!(change.disallowed_count(), 100);
            assert!(change.listed_bytes() <= listed);
            (
                change.added_rules().len(),
                change.verdicts().count(),
                change.left_out(),
            )
        };
        assert_eq!(counts(1_000_000), (100, 100, 0));
        let (rules, urls, left_out) = counts(20_000);
        assert!(rules == 100 && (1..100).contains(&urls), "{rules} {urls}");
        assert_eq!(left_out, 100 - urls);
        assert_eq!(counts(0), (0, 0, 200));
    }

    /// Two files of 500 KiB have at most 80,000 rules and as many URLs, and their lists take 16 MB.
    #[test]
    fn the_lists_of_many_agents_stay_within_their_bytes() {
        let old = groups(0..200);
        let rules: String = (0..200).map(|n| format!("Disallow: /r{n}\n")).collect();
        let new = format!("User-agent: *\n{rules}");
        let difference = difference(&old, &new, Budget::with(usize::MAX, 200_000));
        let changes = difference.changes();
        let bytes: usize = changes.iter().map(AgentChange::listed_bytes).sum();
        assert!(bytes <= 200_000, "{bytes}");
        let left_out: usize = changes.iter().map(AgentChange::left_out).sum();
        assert!(left_out > 200 * 200, "{left_out}");
        assert!(changes.iter().all(AgentChange::is_change));
    }
}

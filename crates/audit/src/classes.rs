//! The agents of a file in classes: those that get the same answers about every URL.
//!
//! A file may name 38,000 agents in 500 KiB. Nearly always they share a few lists of rules, so that
//! the work is done once for each list.

use std::collections::HashMap;
use std::hash::Hash;

use polite_robots::document::{Group, Scope, UserAgent};
use polite_robots::record::ExtensionLevel;
use polite_robots::{Access, AgentMatch, Dialect, RobotsTxt};

use crate::policy::is_use;

/// The classes of one version of a file.
///
/// Two agents are in one class if their groups have the same rules and the same records, in the
/// same order, wherever in the file they stand.
#[derive(Debug)]
pub(crate) struct AgentClasses {
    /// The contents by the names in the file, in lower case.
    contents: HashMap<String, Content>,
    everyone: Class,
    /// The class of an agent that no group is for, and of a use that no group names: no rule for
    /// everyone is about it.
    nobody: Class,
    lines_for_everyone: Vec<u32>,
    record_bytes_of_everyone: usize,
    /// The bytes of the records above all groups, which every agent has.
    record_bytes_of_file: usize,
    agent_match_of_everyone: AgentMatch,
}

/// The rules and records for a name.
#[derive(Debug)]
struct Content {
    number: usize,
    /// The lines of the `User-agent` records with the name, the first in each group.
    lines: Vec<u32>,
    record_bytes: usize,
}

/// The numbers of the contents of a group and of a run of records, if a name has them.
type Part = (Option<usize>, Option<usize>);

/// The groups and the runs of records with a name.
#[derive(Default)]
struct Parts {
    numbers: Vec<Part>,
    lines: Vec<u32>,
    last_run: Option<u32>,
    record_bytes: usize,
}

impl Parts {
    /// Adds a `User-agent` line. A group or a run with a name on two lines counts once for that
    /// name, and not as two with the same content.
    fn add(&mut self, group: &Group<'_>, agent: &UserAgent<'_>, rules: usize, run: Option<Run>) {
        let is_new = self.lines.last().is_none_or(|last| *last < group.line());
        if is_new {
            self.lines.push(agent.line());
        }
        let run = run.filter(|run| self.last_run != Some(run.first));
        if let Some(run) = run {
            self.last_run = Some(run.first);
            self.record_bytes = self.record_bytes.saturating_add(run.bytes);
        }
        self.numbers
            .push((is_new.then_some(rules), run.map(|run| run.number)));
    }
}

/// A run of records: the line of its first agent, the number of its content, and its bytes.
#[derive(Debug, Clone, Copy)]
struct Run {
    first: u32,
    number: usize,
    bytes: usize,
}

/// A class of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Class {
    /// The number of the rules and records. Both versions have the same number for the same rules
    /// and records.
    pub(crate) content: usize,
    pub(crate) is_named: bool,
}

impl AgentClasses {
    pub(crate) fn of_versions(versions: [&RobotsTxt; 2]) -> [AgentClasses; 2] {
        let mut numbers = ContentNumbers::default();
        versions.map(|robots_txt| AgentClasses::new(robots_txt, &mut numbers))
    }

    pub(crate) fn of_file(robots_txt: &RobotsTxt) -> AgentClasses {
        AgentClasses::new(robots_txt, &mut ContentNumbers::default())
    }

    fn new<'r>(robots_txt: &'r RobotsTxt, numbers: &mut ContentNumbers<'r>) -> AgentClasses {
        let runs = runs(robots_txt, numbers);
        let mut contents: HashMap<String, Parts> = HashMap::new();
        for group in robots_txt.groups() {
            let rules = numbers.groups.number(rules_of(&group));
            for agent in group.user_agents() {
                let run = runs.get(&agent.line()).copied();
                for name in names(&agent, robots_txt.dialect()) {
                    contents
                        .entry(name)
                        .or_default()
                        .add(&group, &agent, rules, run);
                }
            }
        }
        let agent_match_of_everyone = match contents.contains_key(EVERYONE) {
            true => AgentMatch::Wildcard,
            false => AgentMatch::None,
        };
        let for_everyone = contents.remove(EVERYONE).unwrap_or_default();
        let contents = contents.into_iter();
        let contents = contents.map(|(name, parts)| {
            let number = numbers.agents.number(parts.numbers);
            let content = Content {
                number,
                lines: parts.lines,
                record_bytes: parts.record_bytes,
            };
            (name, content)
        });
        AgentClasses {
            contents: contents.collect(),
            lines_for_everyone: for_everyone.lines,
            record_bytes_of_everyone: for_everyone.record_bytes,
            record_bytes_of_file: records_above(robots_txt).iter().map(String::len).sum(),
            agent_match_of_everyone,
            everyone: Class {
                content: numbers.agents.number(for_everyone.numbers),
                is_named: false,
            },
            // It is not shared with agents that are not named, to which `*` may apply.
            nobody: Class {
                content: numbers.agents.number(Vec::new()),
                is_named: true,
            },
        }
    }

    /// The class of an agent.
    pub(crate) fn of(&self, agent: &str) -> Class {
        match self.content(agent) {
            Some(content) => Class {
                content: content.number,
                is_named: true,
            },
            None if is_use(agent) => self.nobody,
            None => self.everyone,
        }
    }

    /// The lines of the `User-agent` records that make groups an agent's.
    pub(crate) fn lines(&self, agent: &str) -> &[u32] {
        let content = self.content(agent);
        content.map_or(&self.lines_for_everyone, |content| &content.lines)
    }

    /// The bytes of the agent's records beside the rules.
    pub(crate) fn record_bytes(&self, agent: &str) -> usize {
        let content = self.content(agent);
        let of_groups = content.map_or(self.record_bytes_of_everyone, |content| {
            content.record_bytes
        });
        of_groups.saturating_add(self.record_bytes_of_file)
    }

    /// The class of an agent to which neither a group of its own nor one of `*` applies.
    pub(crate) fn nobody(&self) -> Class {
        self.nobody
    }

    fn content(&self, agent: &str) -> Option<&Content> {
        self.contents.get(&agent.to_ascii_lowercase())
    }

    /// How the groups of a class are found.
    pub(crate) fn agent_match(&self, class: Class) -> AgentMatch {
        match class.is_named {
            true if class == self.nobody => AgentMatch::None,
            true => AgentMatch::Named,
            false => self.agent_match_of_everyone,
        }
    }
}

/// The rules of a group, whose lines do not count.
fn rules_of<'r>(group: &Group<'r>) -> Vec<(bool, &'r [u8])> {
    let rules = group.rules();
    rules
        .map(|rule| (rule.access() == Access::Allow, rule.value()))
        .collect()
}

/// The records above all groups that count for every agent, as they would be written.
pub(crate) fn records_above(robots_txt: &RobotsTxt) -> Vec<String> {
    let records = robots_txt.extensions();
    let records = records.filter(|record| {
        record.scope() == Scope::File && record.field().level() != ExtensionLevel::File
    });
    records.map(|record| record.to_string()).collect()
}

/// The records beside the rules, as numbers by the `User-agent` lines that they belong to.
fn runs(robots_txt: &RobotsTxt, numbers: &mut ContentNumbers<'_>) -> HashMap<u32, Run> {
    let mut of_line = HashMap::new();
    let mut content: Vec<String> = Vec::new();
    let records = robots_txt.extensions();
    let records = records.filter_map(|record| match record.scope() {
        Scope::Agents(run) => Some((run.user_agents().next()?.line(), run, record)),
        Scope::File | Scope::Nobody => None,
    });
    let mut records = records.peekable();
    while let Some((first, run, record)) = records.next() {
        content.push(record.to_string());
        // A run may have as many agents as records, so each is gone through once.
        if records.peek().is_some_and(|(next, ..)| *next == first) {
            continue;
        }
        let bytes = content.iter().map(String::len).sum();
        let number = numbers.runs.number(std::mem::take(&mut content));
        let found = Run {
            first,
            number,
            bytes,
        };
        of_line.extend(run.user_agents().map(|agent| (agent.line(), found)));
    }
    of_line
}

/// Numbers for the contents of both versions.
#[derive(Default)]
struct ContentNumbers<'r> {
    groups: Numbers<Vec<(bool, &'r [u8])>>,
    runs: Numbers<Vec<String>>,
    agents: Numbers<Vec<Part>>,
}

/// A number for each of some values, the same for equal ones.
struct Numbers<T> {
    numbers: HashMap<T, usize>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Numbers<T> {
        Numbers {
            numbers: HashMap::new(),
        }
    }
}

impl<T: Eq + Hash> Numbers<T> {
    fn number(&mut self, value: T) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(value).or_insert(next)
    }
}

/// The names of agents that a `User-agent` line names, in lower case: in the default dialect
/// `MJ12bot` names `MJ` too, as Google reads it.
fn names(agent: &UserAgent<'_>, dialect: Dialect) -> impl Iterator<Item = String> {
    let (short, long) = (agent.product_token(), name(agent));
    let names = match dialect {
        _ if agent.is_wildcard() => [Some(EVERYONE), None],
        Dialect::Google => [Some(short), None],
        Dialect::Rfc9309 => [Some(long), (short != long).then_some(short)],
    };
    names.into_iter().flatten().map(str::to_ascii_lowercase)
}

/// The name on a `User-agent` line: `*`, or its leading letters, digits, `_`, `.` and `-`.
pub(crate) fn name<'r>(agent: &UserAgent<'r>) -> &'r str {
    if agent.is_wildcard() {
        return EVERYONE;
    }
    let value = agent.value();
    let end = value
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && !b"_.-".contains(byte));
    let name = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
    std::str::from_utf8(name).unwrap_or_default()
}

/// The name for every agent that no other line names.
pub(crate) const EVERYONE: &str = "*";

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use polite_robots::{Options, Robot, RobotsTxt};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use polite_robots_records::{License, Usage};

    use super::AgentClasses;

    /// The answers that agents of one class share, without lines.
    fn answers(robot: &Robot) -> impl PartialEq + std::fmt::Debug + use<> {
        let rules = robot.rules();
        let rules: Vec<String> = rules.map(|rule| rule.to_string()).collect();
        let licenses = License::of(robot);
        let licenses: Vec<String> = licenses.map(|license| license.uri().to_owned()).collect();
        let usage = format!("{:?}", Usage::of(robot, "/").ai_training());
        (
            robot.agent_match(),
            rules,
            robot.crawl_delay(),
            licenses,
            usage,
        )
    }

    proptest! {
        #[test]
        fn agents_of_one_class_have_the_same_rules_and_records(
            lines in vec(select(LINES), 0..24),
            is_google in any::<bool>(),
        ) {
            let options = if is_google { Options::google() } else { Options::rfc9309() };
            let robots_txt = RobotsTxt::parse_with(lines.join("\n").as_bytes(), &options);
            let [classes, _] = AgentClasses::of_versions([&robots_txt, &robots_txt]);
            let mut seen: BTreeMap<(usize, bool), _> = BTreeMap::new();
            for agent in ["a", "b", "B1", "c", "other"] {
                let robot = robots_txt.robot(agent).unwrap();
                let class = classes.of(agent);
                prop_assert_eq!(classes.agent_match(class), robot.agent_match());
                let lines: Vec<u32> = robot.group_lines().collect();
                prop_assert_eq!(classes.lines(agent), lines);
                let of_class = seen.entry((class.content, class.is_named)).or_insert_with(|| answers(&robot));
                prop_assert_eq!(&*of_class, &answers(&robot), "{}", agent);
            }
        }
    }

    const LINES: &[&str] = &[
        "User-agent: a",
        "User-agent: b",
        "User-agent: B1/2",
        "User-agent: c",
        "User-agent: *",
        "Disallow: /a",
        "Disallow: /b",
        "Allow: /a",
        "Crawl-delay: 1",
        "Crawl-delay: 2",
        "License: https://example.com/l",
        "Content-Signal: ai-train=no",
        "Sitemap: https://example.com/s",
        "",
    ];

    #[test]
    fn equal_groups_are_one_class_wherever_they_stand() {
        let old = "User-agent: a\nDisallow: /x\n\nUser-agent: b\nUser-agent: c\nDisallow: /x\n\nUser-agent: d\nCrawl-delay: 2\nDisallow: /x\n";
        let new = "User-agent: d\nDisallow: /x\n";
        let [old, new] = [old, new].map(|file| RobotsTxt::parse(file.as_bytes()));
        let [old, new] = AgentClasses::of_versions([&old, &new]);
        assert_eq!(old.of("A"), old.of("b"));
        assert_eq!(old.of("c"), old.of("b"));
        assert_ne!(old.of("d"), old.of("a"));
        assert_eq!(new.of("d"), old.of("a"));
        assert_eq!(old.of("e"), new.of("e"));
    }

    #[test]
    fn a_name_that_a_group_has_twice_counts_once() {
        let file = b"User-agent: a\nDisallow: /b\nUser-agent: a\nDisallow: /b\n\nUser-agent: c\nUser-agent: c\nDisallow: /b\n";
        let classes = AgentClasses::of_file(&RobotsTxt::parse(file));
        assert_ne!(classes.of("a"), classes.of("c"));
        assert_eq!(classes.lines("a"), [1, 3]);
        assert_eq!(classes.lines("c"), [6]);
    }
}

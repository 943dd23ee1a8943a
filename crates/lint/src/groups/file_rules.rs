//! [`FileRules`]: the groups of a file with their rules, read once for all findings about them.

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, RuleRecord};

use crate::rule_text::RuleText;
use crate::work_budget::WorkBudget;

/// The groups and their rules, in the order of the file.
///
/// One walk over the records takes longer than most findings take with the rules of that walk. A
/// group that lists thousands of agents, each with a group of its own, belongs to thousands of
/// merged groups, and a value may be followed by a million blanks, which each reading of the record
/// would cut again.
#[derive(Debug)]
pub(crate) struct FileRules<'r> {
    pub(crate) robots_txt: &'r RobotsTxt,
    /// The work that may be done on the file.
    pub(crate) work: WorkBudget,
    rules: Vec<RuleRecord<'r>>,
    /// The groups, each with its line and the place after its last rule.
    groups: Vec<(u32, Group<'r>, usize)>,
}

impl<'r> FileRules<'r> {
    pub(crate) fn of(robots_txt: &'r RobotsTxt) -> FileRules<'r> {
        let (mut rules, mut groups) = (Vec::new(), Vec::new());
        for group in robots_txt.groups() {
            rules.extend(group.rules());
            groups.push((group.line(), group, rules.len()));
        }
        FileRules {
            robots_txt,
            work: WorkBudget::for_file(robots_txt.as_bytes().len()),
            rules,
            groups,
        }
    }

    /// The bytes of the file.
    pub(crate) fn bytes(&self) -> &'r [u8] {
        self.robots_txt.as_bytes()
    }

    /// The texts of some rules, by their lines, which are in the order of the file.
    pub(crate) fn texts_of(&self, lines: impl IntoIterator<Item = u32>) -> Vec<RuleText> {
        let rules = lines.into_iter().filter_map(|line| self.rule_on(line));
        rules.map(|rule| RuleText::of(self.bytes(), rule)).collect()
    }

    /// The rules of all groups.
    pub(crate) fn rules(&self) -> &[RuleRecord<'r>] {
        &self.rules
    }

    /// The rule of a line.
    pub(crate) fn rule_on(&self, line: u32) -> Option<&RuleRecord<'r>> {
        let place = self.rules.binary_search_by_key(&line, RuleRecord::line);
        self.rules.get(place.ok()?)
    }

    /// The groups, each with its rules.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (Group<'r>, &[RuleRecord<'r>])> {
        let mut start = 0;
        self.groups.iter().map(move |(_, group, end)| {
            let rules = self.rules.get(start..*end);
            start = *end;
            (*group, rules.unwrap_or_default())
        })
    }

    /// The rules of a group of the file.
    pub(crate) fn of_group(&self, group: Group<'_>) -> &[RuleRecord<'r>] {
        let place = self
            .groups
            .partition_point(|(line, ..)| *line < group.line());
        let end_of = |place: usize| self.groups.get(place).map(|(.., end)| *end);
        let start = place.checked_sub(1).and_then(end_of).unwrap_or_default();
        let rules = end_of(place).and_then(|end| self.rules.get(start..end));
        rules.unwrap_or_default()
    }
}

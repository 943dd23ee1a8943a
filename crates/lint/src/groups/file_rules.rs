//! [`FileRules`]: the rules of a file, read once however many merged groups share them.

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, RuleRecord};

/// The rules of all groups. A group that lists thousands of agents, each with a group of its own,
/// belongs to thousands of merged groups, and a value may stand before a million blanks, which each
/// reading of the record would cut again.
#[derive(Debug)]
pub(super) struct FileRules<'r> {
    rules: Vec<RuleRecord<'r>>,
    /// The line of each group, and the place of its first rule.
    starts: Vec<(u32, usize)>,
}

impl<'r> FileRules<'r> {
    pub(super) fn of(robots_txt: &'r RobotsTxt) -> FileRules<'r> {
        let (mut rules, mut starts) = (Vec::new(), Vec::new());
        for group in robots_txt.groups() {
            starts.push((group.line(), rules.len()));
            rules.extend(group.rules());
        }
        FileRules { rules, starts }
    }

    /// The rules of a group of the file.
    pub(super) fn of_group(&self, group: Group<'_>) -> &[RuleRecord<'r>] {
        let place = self
            .starts
            .partition_point(|(line, _)| *line < group.line());
        let start = |place: usize| self.starts.get(place).map(|(_, start)| *start);
        let end = start(place.saturating_add(1)).unwrap_or(self.rules.len());
        let rules = start(place).and_then(|start| self.rules.get(start..end));
        rules.unwrap_or_default()
    }
}

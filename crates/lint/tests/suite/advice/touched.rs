//! The part of a file that a proposal is about: the lines that it writes, and the agents that they
//! are for.

use std::collections::BTreeSet;
use std::ops::Range;

use polite_robots::document::{LineKind, leading_name};
use polite_robots::{RobotsTxt, Rule};
use polite_robots_audit::known;
use polite_robots_lint::Proposal;

use super::change::{Change, Kind};
use super::proof::File;

/// The lines of the old and the new version that a proposal touches, and who reads their groups.
pub(super) struct Touched<'f> {
    files: [&'f File; 2],
    /// The ranges of the edits in each version.
    ranges: [Vec<Range<usize>>; 2],
    /// The names of the agents in lower case; `*` stands for every agent without a group.
    agents: BTreeSet<String>,
}

impl<'f> Touched<'f> {
    pub(super) fn new(old: &'f File, new: &'f File, proposal: &Proposal) -> Touched<'f> {
        let mut grown = 0_isize;
        let written = proposal.edits().iter().map(|edit| {
            let start = edit.span().start.checked_add_signed(grown).unwrap();
            grown += edit.text().len() as isize - edit.span().len() as isize;
            start..start + edit.text().len()
        });
        let ranges = [
            proposal.edits().iter().map(|edit| edit.span()).collect(),
            written.collect(),
        ];
        let mut touched = Touched {
            files: [old, new],
            ranges,
            agents: BTreeSet::new(),
        };
        for dialect in [0, 1] {
            for version in [0, 1] {
                let lines = touched.lines(version, dialect);
                let agents = agents_of(&touched.files[version].readings[dialect], &lines);
                touched.agents.extend(agents);
            }
        }
        touched
    }

    /// The ranges of the new text.
    pub(super) fn written(&self) -> &[Range<usize>] {
        &self.ranges[1]
    }

    /// The numbers of the lines in a version.
    fn lines(&self, version: usize, dialect: usize) -> Vec<u32> {
        let lines = self.files[version].readings[dialect].lines();
        let is_touched = |span: &Range<usize>| {
            let mut ranges = self.ranges[version].iter();
            ranges.any(|range| range.start <= span.end && span.start <= range.end)
        };
        let touched = lines.filter(|line| is_touched(&line.span()));
        touched.map(|line| line.number()).collect()
    }

    fn has_kind(&self, dialect: usize, is_wanted: impl Fn(LineKind) -> bool) -> bool {
        [0, 1].into_iter().any(|version| {
            let numbers = self.lines(version, dialect);
            let mut lines = self.files[version].readings[dialect].lines();
            lines.any(|line| numbers.contains(&line.number()) && is_wanted(line.kind()))
        })
    }

    /// The reason why a change in a dialect is none that the proposal is about.
    pub(super) fn objection(&self, change: &Change, dialect: usize) -> Option<String> {
        let is_of_records = matches!(change.kind, Kind::Records | Kind::States);
        if is_of_records && self.is_outside_of_groups(dialect) {
            return None;
        }
        let stranger = change
            .agents
            .iter()
            .find(|agent| !self.is_for(agent, dialect));
        if let Some(stranger) = stranger {
            return Some(format!("{stranger} reads no group of the line"));
        }
        if is_of_records {
            return None;
        }
        let groups = |version: usize| self.files[version].readings[dialect].groups().count();
        let is_of_agents = self.has_kind(dialect, |kind| kind == LineKind::UserAgent);
        if is_of_agents || groups(0) != groups(1) {
            return None;
        }
        let is_of_rule = |url: &&String| {
            // Google's matcher reads a rule about an index page as one about its directory too.
            let index = match dialect {
                0 => String::new(),
                _ => format!("{url}index.html"),
            };
            [0, 1].into_iter().any(|version| {
                let lines = self.lines(version, dialect);
                let robots_txt = &self.files[version].readings[dialect];
                let robots = change
                    .agents
                    .iter()
                    .filter_map(|agent| robots_txt.robot(agent).ok());
                let robots: Vec<_> = robots.collect();
                let mut rules = robots.iter().flat_map(|robot| robot.rules());
                let matches = |rule: &Rule<'_>| rule.matches(url.as_str()) || rule.matches(&*index);
                rules.any(|rule| lines.contains(&rule.line()) && matches(&rule))
            })
        };
        let stray = change.urls.iter().find(|url| !is_of_rule(url));
        stray.map(|url| format!("{url} is no URL of the rule"))
    }

    /// Whether a line is above all groups, where records are for everyone.
    fn is_outside_of_groups(&self, dialect: usize) -> bool {
        [0, 1].into_iter().any(|version| {
            let numbers = self.lines(version, dialect);
            let groups = self.files[version].readings[dialect].groups().next();
            numbers
                .iter()
                .any(|line| groups.is_none_or(|first| *line < first.line()))
        })
    }

    fn is_for(&self, agent: &str, dialect: usize) -> bool {
        let agent = agent.to_ascii_lowercase();
        let is_touched = |name: &str| self.agents.contains(&name.to_ascii_lowercase());
        let falls_back = || {
            let names = known::find(&agent).map(|crawler| crawler.falls_back_to());
            names
                .unwrap_or_default()
                .iter()
                .any(|name| is_touched(name))
        };
        let is_unnamed = || {
            self.files.iter().any(|file| {
                let mut groups = file.readings[dialect].merged_groups();
                !groups.any(|group| group.product_token().eq_ignore_ascii_case(&agent))
            })
        };
        // The rules of a group about a use are for everyone.
        let is_of_use = self.agents.iter().any(|name| name.starts_with("__usage"));
        is_of_use || is_touched(&agent) || falls_back() || (is_touched("*") && is_unnamed())
    }
}

/// The agents of the groups that the lines are in, and of the group above, because a rule may end
/// that group.
fn agents_of(robots_txt: &RobotsTxt, lines: &[u32]) -> BTreeSet<String> {
    let groups: Vec<_> = robots_txt.groups().collect();
    let of_line = |line: &u32| {
        let at = groups.iter().rposition(|group| group.line() <= *line)?;
        groups.get(at)
    };
    let touched = lines.iter().filter_map(of_line);
    let agents = touched.flat_map(|group| group.user_agents());
    let names = agents.flat_map(|agent| match agent.is_wildcard() {
        true => vec!["*".to_owned()],
        false => {
            let name = String::from_utf8_lossy(leading_name(agent.value()));
            vec![
                agent.product_token().to_ascii_lowercase(),
                name.to_ascii_lowercase(),
            ]
        }
    });
    names.filter(|name| !name.is_empty()).collect()
}

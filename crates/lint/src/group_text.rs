//! [`GroupText`]: the lines of a group in its file.

use std::ops::Range;

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, Line, LineKind};
use polite_robots::record::ExtensionLevel;

use crate::text::line::line_at;

/// The places of the lines of a group, without their ends.
#[derive(Debug)]
pub(crate) struct GroupText {
    pub(crate) agents: Vec<Range<usize>>,
    /// Rules, and other records that are for its agents.
    pub(crate) records: Vec<Range<usize>>,
}

impl GroupText {
    /// The text of a group, before that of the next one.
    pub(crate) fn of(file: &[u8], group: Group<'_>, next: Option<Group<'_>>) -> Option<GroupText> {
        let start_of = |group: Group<'_>| {
            let first = group.user_agents().next()?;
            Some(line_at(file, first.span().start).start)
        };
        let start = start_of(group)?;
        let end = next.and_then(start_of).unwrap_or(file.len());
        let block = RobotsTxt::parse(file.get(start..end)?);
        let place = |line: Line<'_>| {
            let span = line.span();
            start.saturating_add(span.start)..start.saturating_add(span.end)
        };
        let lines_of = |is_wanted: fn(LineKind) -> bool| {
            let lines = block.lines().filter(|line| is_wanted(line.kind()));
            lines.map(place).collect()
        };
        Some(GroupText {
            agents: lines_of(|kind| kind == LineKind::UserAgent),
            records: lines_of(|kind| match kind {
                LineKind::Rule(_) => true,
                LineKind::Extension(field) => field.level() != ExtensionLevel::File,
                _ => false,
            }),
        })
    }

    /// From the first record to the last one, with the lines between them.
    pub(crate) fn all_records(&self) -> Option<Range<usize>> {
        Some(self.records.first()?.start..self.records.last()?.end)
    }
}

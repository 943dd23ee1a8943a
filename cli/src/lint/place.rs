//! Where in a file a finding is: lines and columns as editors count them.

use std::ops::Range;

use polite_robots::RobotsTxt;
use polite_robots_lint::Diagnostic;

use crate::lint::characters::characters;

/// A place between two characters. Both numbers are from 1. A column is a character, not a byte,
/// and a byte order mark has no column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// The part of a file that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: Position,
    pub(super) end: Position,
    pub(super) bytes: Range<usize>,
    /// The line on which the finding starts, without its line end. The first line includes the byte
    /// order mark if the finding is about the mark.
    pub(super) line: Range<usize>,
}

/// The lines of a file, without their ends.
pub(super) struct Lines<'a> {
    file: &'a [u8],
    spans: Vec<Range<usize>>,
}

impl<'a> Lines<'a> {
    /// The lines that findings may be about: none, if there are no findings.
    pub(super) fn of(robots_txt: &'a RobotsTxt, findings: &[Diagnostic]) -> Lines<'a> {
        let spans = match findings {
            [] => Vec::new(),
            _ => robots_txt.lines().map(|line| line.span()).collect(),
        };
        Lines {
            file: robots_txt.as_bytes(),
            spans,
        }
    }

    pub(super) fn place(&self, finding: &Diagnostic) -> Place {
        let bytes = finding.span();
        let index = usize::try_from(finding.line()).map_or(0, |line| line.saturating_sub(1));
        let line = self.spans.get(index).cloned().unwrap_or_default();
        let start = self.position(index, |character| character.end <= bytes.start);
        let last = self.line_at(bytes.end).max(index);
        // A span that begins in the middle of a character ends after it.
        let end = self.position(last, |character| character.start < bytes.end);
        Place {
            start,
            end: end.max(start),
            line: line.start.min(bytes.start)..line.end,
            bytes,
        }
    }

    /// The line that a byte is in, its end included.
    fn line_at(&self, at: usize) -> usize {
        self.spans
            .partition_point(|line| line.start <= at)
            .saturating_sub(1)
    }

    fn position(&self, index: usize, is_before: impl Fn(Range<usize>) -> bool) -> Position {
        let line = self.spans.get(index).cloned().unwrap_or_default();
        let text = self.file.get(line.clone()).unwrap_or_default();
        let in_file = |at: usize| at.saturating_add(line.start);
        let before = characters(text).take_while(|character| {
            let Range { start, end } = character.span;
            is_before(in_file(start)..in_file(end))
        });
        Position {
            line: index.saturating_add(1),
            column: before.count().saturating_add(1),
        }
    }
}

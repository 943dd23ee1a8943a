//! [`Record`]: the parts of a line that is a record, each with its place.

use std::ops::Range;

use polite_robots::document::{Line, LineKind, Separator};

use crate::proposal::Proposal;
use crate::text::part::Part;

/// A field name and a value, known or unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'r> {
    /// The field name as written, trimmed; never empty.
    pub(super) field: Part<'r>,
    /// The value without its comment, trimmed.
    pub(super) value: Part<'r>,
    pub(super) separator: Separator,
}

impl<'r> Record<'r> {
    /// `None` if the line is not a record.
    pub(super) fn of(line: &Line<'r>) -> Option<Record<'r>> {
        let whole = Part::new(line.span().start, line.as_bytes());
        let part = |span: Range<usize>| {
            let from = whole.tail(span.start.saturating_sub(whole.start));
            from.head(span.len())
        };
        Some(Record {
            field: part(line.key_span()?),
            value: part(line.value_span()?),
            separator: line.separator()?,
        })
    }

    /// The proposal with a colon after the name, without which a line has no more than two words.
    pub(super) fn with_colon(&self, proposal: Proposal) -> Proposal {
        match self.separator {
            Separator::Blank => proposal.and(self.field.end()..self.value.start, ": "),
            Separator::Colon => proposal,
        }
    }
}

/// The field name of a known record in its standard spelling; empty for every other line.
pub(super) fn standard_name(kind: LineKind) -> &'static str {
    match kind {
        LineKind::UserAgent => "User-agent",
        LineKind::Rule(access) => access.as_str(),
        LineKind::Extension(field) => field.as_str(),
        _ => "",
    }
}

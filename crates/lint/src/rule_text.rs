//! [`RuleText`]: the text of a rule, and the edits that take it out of its file.

use std::ops::Range;

use polite_robots::document::RuleRecord;

use crate::proposal::{Effect, Proposal, with_line_end};
use crate::text::line::line_at;

/// The place of a rule in its file.
#[derive(Debug, Clone)]
pub(crate) struct RuleText {
    /// The line without its end.
    pub(crate) line: Range<usize>,
    /// From the start of the line to the end of the value.
    pub(crate) text: Range<usize>,
}

impl RuleText {
    pub(crate) fn of(file: &[u8], rule: &RuleRecord<'_>) -> RuleText {
        let line = line_at(file, rule.span().start);
        let text = line.start..rule.span().end;
        RuleText { line, text }
    }

    /// The bytes that go with the rule. A comment after it stays.
    pub(crate) fn removal(&self, file: &[u8]) -> Range<usize> {
        without_text(file, self.line.clone(), self.text.clone())
    }
}

/// The file without some rules; `None` without a rule.
pub(crate) fn without_rules(file: &[u8], rules: &[RuleText], effect: Effect) -> Option<Proposal> {
    Proposal::of(rules.iter().map(|rule| (rule.removal(file), "")), effect)
}

/// The whole line with its end; or, if a comment follows the text, the text and the blanks after
/// it.
pub(crate) fn without_text(file: &[u8], line: Range<usize>, text: Range<usize>) -> Range<usize> {
    let after = file.get(text.end..line.end).unwrap_or_default();
    let blanks = after
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C))
        .count();
    let end = text.end.saturating_add(blanks);
    if end < line.end {
        return text.start..end;
    }
    with_line_end(file, line.start..end)
}

/// The end of the text above the start of a line.
pub(crate) fn without_line_end(file: &[u8], start: usize) -> usize {
    let len = match file.get(..start) {
        Some([.., b'\r', b'\n']) => 2,
        Some([.., b'\r' | b'\n']) => 1,
        _ => 0,
    };
    start.saturating_sub(len)
}

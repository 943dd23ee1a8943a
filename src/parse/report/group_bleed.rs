//! Diagnostics about agents that get the rules of the next agent, because nothing ended their group.

use alloc::format;
use alloc::string::String;

use crate::lint::code::DiagnosticCode;
use crate::options::Dialect;
use crate::parse::content::Content;
use crate::parse::field::Directive;
use crate::parse::line::{PhysicalLines, Value};
use crate::parse::report::findings::Findings;
use crate::text::quote::quote;
use crate::token::is_wildcard;

impl Findings<'_, '_> {
    /// Reports a `User-agent` line that joins the agent above, although the record `field` is between the two.
    pub(super) fn group_bleed(&mut self, above: Value<'_>, field: &[u8], dialect: Dialect) {
        let above = above.part();
        let agent = || {
            if is_wildcard(above.bytes) {
                String::from("crawlers without a group of their own get")
            } else {
                format!("{} gets", quote(above.bytes))
            }
        };
        let Some(rule) = self.rule_below(dialect) else {
            return;
        };
        let message = || {
            format!(
                "{} the rules below too{rule}, because {} above does not end a group; if that is not meant, write rules above this line",
                agent(),
                quote(field)
            )
        };
        let text = self.line.part.without_comment().trim();
        self.report(DiagnosticCode::GroupBleed, text, message);
    }

    /// The first rule below, as a part of a sentence, which is empty if the rule is far below. `None` if there is none: then
    /// no agent gets anything.
    fn rule_below(&self, dialect: Dialect) -> Option<String> {
        let below = self.file.tail(self.line.part.end());
        // The first of these is the rest of this line, which is empty.
        let mut lines = PhysicalLines::new(below.bytes);
        let rule =
            lines
                .by_ref()
                .take(MOST_LINES)
                .find_map(|line| match Content::new(&line, dialect) {
                    Content::Known(record, Directive::Rule(access), _) => {
                        let number = self
                            .line
                            .number
                            .saturating_add(line.number)
                            .saturating_sub(1);
                        let value = format!(
                            "{access}: {}",
                            String::from_utf8_lossy(record.value.bytes())
                        );
                        Some(format!(
                            ", first {} on line {number}",
                            quote(value.as_bytes())
                        ))
                    }
                    _ => None,
                });
        rule.or_else(|| lines.next().map(|_| String::new()))
    }
}

/// Lines that are looked at below one line, so that the work on a file with thousands of agents is bounded.
const MOST_LINES: usize = 50;

//! Diagnostics about agents that get the rules of the next agent, because nothing ended their
//! group.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::proposal::Proposal;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a `User-agent` line that joins the agents above, although the record `field` is
    /// between them, if one of these agents gets rules by it.
    pub(super) fn group_bleed(&mut self, field: Part<'_>) {
        let number = self.line.number;
        let groups = self.groups();
        let Some(agent) = groups.agent_with_rules_of(number) else {
            return;
        };
        let rule = groups.rule_below(number).copied();
        let is_far = |line: u32| line.saturating_sub(number) >= FAR_BELOW;
        let (file, line) = (self.file.bytes, self.line.part.span());
        let message = || {
            let gets = match agent.is_wildcard() {
                true => String::from("crawlers without a group of their own get"),
                false => format!("{} gets", quote(agent.value())),
            };
            let rule = rule.filter(|rule| !is_far(rule.line())).map(|rule| {
                let path = String::from_utf8_lossy(rule.value());
                let text = format!("{}: {path}", rule.access());
                format!(", first {} on line {}", quote(text.as_bytes()), rule.line())
            });
            let message = format!(
                "{gets} the rules below too{}, because {} above does not end a group; if that is not meant, write {EMPTY_RULE}",
                rule.unwrap_or_default(),
                quote(field.bytes)
            );
            Advice::new(message).propose(empty_rule_above(file, line))
        };
        let text = self.line.part.without_comment().trim();
        self.report(DiagnosticCode::GroupBleed, text, message);
    }
}

/// The end of the sentence about [`empty_rule_above`].
pub(crate) const EMPTY_RULE: &str =
    "`Disallow:` above this line, which allows everything, or other rules for the agents above";

/// A rule that ends the group above a line.
pub(crate) fn empty_rule_above(file: &[u8], line: std::ops::Range<usize>) -> Proposal {
    Proposal::line_above(file, line, "Disallow:")
}

/// A rule at this many lines below another one is not named with it.
const FAR_BELOW: u32 = 50;

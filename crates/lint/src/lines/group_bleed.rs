//! Diagnostics about agents that get the rules of the next agent, because nothing ended their
//! group.

use polite_robots::RobotsTxt;
use polite_robots::document::RuleRecord;
use polite_robots::document::is_wildcard;
use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a `User-agent` line that joins the agent above, although the record `field` is
    /// between the two. `file` has the rules of the file.
    pub(super) fn group_bleed(&mut self, above: Part<'_>, field: &[u8], file: &Rules<'_>) {
        let agent = || {
            if is_wildcard(above.bytes) {
                String::from("crawlers without a group of their own get")
            } else {
                format!("{} gets", quote(above.bytes))
            }
        };
        let Some(rule) = self.rule_below(file) else {
            return;
        };
        let message = || {
            format!(
                "{} the rules below too{rule}, because {} above does not end a group; if that is not meant, write rules above this line, such as `Disallow:`, which allows everything",
                agent(),
                quote(field)
            )
        };
        let text = self.line.part.without_comment().trim();
        self.report(DiagnosticCode::GroupBleed, text, message);
    }

    /// The first rule below, as a part of a sentence, which is empty if the rule is far below.
    /// `None` if the file ends soon without one: then no agent gets anything.
    fn rule_below(&self, file: &Rules<'_>) -> Option<String> {
        let number = self.line.number;
        let after = file.rules.partition_point(|rule| rule.line() <= number);
        let is_far = |line: u32| line.saturating_sub(number) >= FAR_BELOW;
        let rule = file.rules.get(after);
        let Some(rule) = rule.filter(|rule| !is_far(rule.line())) else {
            return is_far(file.last_line).then(String::new);
        };
        let text = format!(
            "{}: {}",
            rule.access(),
            String::from_utf8_lossy(rule.value())
        );
        let text = quote(text.as_bytes());
        Some(format!(", first {text} on line {}", rule.line()))
    }
}

/// The rules of a file, and the lines of its agents, in its order.
pub(super) struct Rules<'r> {
    rules: Vec<RuleRecord<'r>>,
    agents: Vec<u32>,
    last_line: u32,
}

impl<'r> Rules<'r> {
    pub(super) fn of(robots_txt: &'r RobotsTxt) -> Rules<'r> {
        let groups = robots_txt.groups();
        let agents = robots_txt.groups().flat_map(|group| group.user_agents());
        Rules {
            rules: groups.flat_map(|group| group.rules()).collect(),
            agents: agents.map(|agent| agent.line()).collect(),
            last_line: robots_txt.lines().last().map_or(0, |line| line.number()),
        }
    }

    /// The line of the next agent below a line, if no rule is between the two.
    pub(super) fn agent_before_rule(&self, line: u32) -> Option<u32> {
        let agent = self.agents.partition_point(|agent| *agent <= line);
        let agent = *self.agents.get(agent)?;
        let rule = self.rules.partition_point(|rule| rule.line() <= line);
        let rule = self.rules.get(rule);
        rule.is_none_or(|rule| agent < rule.line()).then_some(agent)
    }
}

/// A rule at this many lines below another one is not named with it.
const FAR_BELOW: u32 = 50;

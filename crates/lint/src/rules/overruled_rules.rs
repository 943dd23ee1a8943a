//! Finds rules that never decide: those that stand twice, and those that another rule shadows.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use polite_robots::document::{Group, MergedGroup, RuleRecord, UserAgent, trim};
use polite_robots::text::quote;
use polite_robots::{Access, Dialect};

use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::lines::has_dot_segment;
use crate::proposal::{Effect, Proposal};
use crate::rule_text::{RuleText, without_line_end};
use crate::rules::merged_rules::{MergedRules, Overruling, matches_everything};
use crate::sentence;

/// The rules that never decide in some merged group, by their line.
#[derive(Debug, Default)]
pub(super) struct OverruledRules {
    by_line: BTreeMap<u32, OverruledRule>,
}

#[derive(Debug)]
struct OverruledRule {
    /// The number of merged groups in which the rule never decides.
    merged_groups: usize,
    /// The reason in the last of these.
    overruling: Overruling,
}

impl OverruledRules {
    /// Adds the overruled rules of one merged group.
    pub(super) fn add_rules(&mut self, rules: &mut MergedRules<'_, '_>) {
        rules.for_each_overruled(|line, overruling| {
            let overruled = self.by_line.entry(line).or_insert(OverruledRule {
                merged_groups: 0,
                overruling,
            });
            overruled.merged_groups += 1;
            overruled.overruling = overruling;
        });
    }

    /// Reports each rule that decides in none of the merged groups that its group belongs to.
    /// `effect` says whether another dialect may need one of these.
    pub(super) fn findings<'s, 'r: 's>(
        &self,
        file: &FileRules<'r>,
        merged_groups: impl Iterator<Item = &'s MergedGroup<'r>>,
        effect: Effect,
    ) -> Vec<Diagnostic> {
        if self.by_line.is_empty() {
            return Vec::new();
        }
        let rules = RulesByLine::new(file, effect);
        let counts = rules.merged_groups_of_each_group(merged_groups);
        self.by_line
            .iter()
            .filter(|(line, overruled)| {
                counts.get(rules.group_of(**line)) == Some(&overruled.merged_groups)
            })
            .filter_map(|(line, overruled)| rules.finding(*line, overruled.overruling))
            .collect()
    }
}

/// The groups and rules of a file, to be looked up by line.
struct RulesByLine<'f, 'r> {
    file: &'r [u8],
    /// The offset after the byte order mark.
    first_line_start: usize,
    groups: Vec<Group<'r>>,
    /// The agents of each group, in words. The search for them goes through all rules of the
    /// group, each of which may have a finding, so it is done once.
    agents: Vec<OnceCell<String>>,
    rules: &'f [RuleRecord<'r>],
    /// The answers that may change without a rule that never decides.
    effect: Effect,
}

impl<'f, 'r> RulesByLine<'f, 'r> {
    fn new(file: &'f FileRules<'r>, effect: Effect) -> RulesByLine<'f, 'r> {
        let groups: Vec<Group<'r>> = file.groups().map(|(group, _)| group).collect();
        let first_line = file.robots_txt.lines().next();
        RulesByLine {
            file: file.bytes(),
            first_line_start: first_line.map_or(0, |line| line.span().start),
            agents: vec![OnceCell::new(); groups.len()],
            rules: file.rules(),
            groups,
            effect,
        }
    }

    /// The index of the group that holds a line.
    fn group_of(&self, line: u32) -> usize {
        self.groups
            .partition_point(|group| group.line() <= line)
            .saturating_sub(1)
    }

    fn merged_groups_of_each_group<'s>(
        &self,
        merged_groups: impl Iterator<Item = &'s MergedGroup<'r>>,
    ) -> Vec<usize>
    where
        'r: 's,
    {
        let mut counts = vec![0_usize; self.groups.len()];
        for group in merged_groups.flat_map(MergedGroup::groups) {
            if let Some(count) = counts.get_mut(self.group_of(group.line())) {
                *count += 1;
            }
        }
        counts
    }

    fn finding(&self, line: u32, overruling: Overruling) -> Option<Diagnostic> {
        let at = self.index_of(line)?;
        let rule = *self.rules.get(at)?;
        let is_opposite = overruling.is_opposite_of(rule.access());
        // No client requests a URL with a dot segment, so nobody gets this answer or the other one.
        if self.is_another_rule_to_google(rule, overruling)
            || is_opposite && has_dot_segment(rule.value())
        {
            return None;
        }
        let (code, mut message) = self.explain(rule, overruling);
        let span = self.span(rule);
        // Without its first rule a group would lend its agents the rules of the next group, where
        // its other rules are removed at the same time.
        let previous = at.checked_sub(1).and_then(|at| self.rules.get(at));
        let is_first_of_group =
            previous.is_none_or(|previous| self.group_of(previous.line()) != self.group_of(line));
        let says_again = matches!(
            code,
            DiagnosticCode::DuplicateRule | DiagnosticCode::RedundantRule
        );
        let is_suggestion =
            says_again && !is_first_of_group && can_be_removed(self.file, span.clone(), rule);
        let removed = match is_suggestion {
            true => span.clone(),
            false => RuleText::of(self.file, &rule).removal(self.file),
        };
        if !is_suggestion {
            message.push_str(match says_again {
                true => "; remove the line",
                false => "; remove this line, as nothing changes without it",
            });
        }
        let (severity, effect) = match overruling {
            // To Google's matcher that file is one like any other.
            Overruling::RobotsTxtItself => (Severity::Warning, Effect::Google),
            _ => (code.severity(), self.effect),
        };
        // A text in the place of the span alone is a suggestion, which is applied with others.
        let is_whole_span = removed == span && !is_suggestion;
        let proposal = match self.file.get(span.end) {
            // A NUL hides the text after it as a `#` does.
            Some(b'#' | 0) if is_whole_span => {
                Proposal::replace(span.start..span.end.saturating_add(1), "#", effect)
            }
            // The last line takes the end of the one above with it.
            None if is_whole_span => {
                let start = without_line_end(self.file, span.start);
                Proposal::replace(start..span.end, "", effect)
            }
            _ => Proposal::replace(removed, "", effect),
        };
        let finding = Diagnostic::new(code, line, span, message).with_severity(severity);
        Some(finding.with_proposal(proposal))
    }

    /// Whether Google's matcher, which compares most escapes as written, needs a rule that RFC 9309
    /// holds equal to another one: files have `/a+b` and `/a%2Bb` on purpose.
    fn is_another_rule_to_google(&self, rule: RuleRecord<'_>, overruling: Overruling) -> bool {
        let Overruling::SameRule { line } = overruling else {
            return false;
        };
        let other = self.index_of(line).and_then(|at| self.rules.get(at));
        other.is_some_and(|other| {
            rule.value() != other.value()
                && rule.pattern(Dialect::Google) != other.pattern(Dialect::Google)
        })
    }

    fn index_of(&self, line: u32) -> Option<usize> {
        self.rules
            .binary_search_by_key(&line, RuleRecord::line)
            .ok()
    }

    /// The text of a rule, from the start of its line to the end of its value.
    fn span(&self, rule: RuleRecord<'_>) -> Range<usize> {
        let end = rule.span().end;
        let before = self.file.get(..end).unwrap_or_default();
        let start = memchr::memrchr2(b'\n', b'\r', before)
            .map_or(self.first_line_start, |at| at.saturating_add(1));
        start..end
    }

    fn explain(&self, rule: RuleRecord<'_>, overruling: Overruling) -> (DiagnosticCode, String) {
        let value = |line: u32| {
            let other = self.index_of(line).and_then(|at| self.rules.get(at));
            quote(other.map_or(&b""[..], RuleRecord::value))
        };
        let agents = || self.agents_of(rule.line());
        match overruling {
            Overruling::RobotsTxtItself => (
                DiagnosticCode::ShadowedRule,
                "this line closes nothing, because crawlers may always fetch /robots.txt itself"
                    .into(),
            ),
            Overruling::SameRule { line } => (
                DiagnosticCode::DuplicateRule,
                format!(
                    "this line changes nothing for {}: the rule {} is already on line {line}",
                    agents(),
                    quote(rule.value())
                ),
            ),
            Overruling::Rule { line, .. } if !overruling.is_opposite_of(rule.access()) => (
                DiagnosticCode::RedundantRule,
                format!(
                    "this line changes nothing for {}: {} on line {line} says the same about every URL that it matches",
                    agents(),
                    value(line)
                ),
            ),
            Overruling::Rule { line, access }
                if rule.access() == Access::Disallow && matches_everything(rule.value()) =>
            {
                (
                    DiagnosticCode::SiteOpenedByAllow,
                    format!(
                        "the whole site is open to {}, although this line closes it: the `{access}` rule {} on line {line} takes precedence",
                        agents(),
                        value(line)
                    ),
                )
            }
            // Another `Allow` may open the home page.
            Overruling::Rule { line, access } if matches_everything(rule.value()) => (
                DiagnosticCode::ShadowedRule,
                format!(
                    "this line opens nothing to {}: the `{access}` rule {} on line {line} matches the same URLs and takes precedence",
                    agents(),
                    value(line)
                ),
            ),
            Overruling::Rule { line, access } => {
                let (may, says) = match access {
                    Access::Allow => ("may", "forbids"),
                    Access::Disallow => ("may not", "allows"),
                };
                (
                    DiagnosticCode::ShadowedRule,
                    format!(
                        "{} {may} fetch {}, although this line {says} it: the `{access}` rule {} on line {line} matches the same URLs and takes precedence",
                        agents(),
                        quote(rule.value()),
                        value(line)
                    ),
                )
            }
        }
    }

    /// The agents of the group that holds a line.
    fn agents_of(&self, line: u32) -> &str {
        let at = self.group_of(line);
        let (Some(group), Some(agents)) = (self.groups.get(at), self.agents.get(at)) else {
            return "";
        };
        agents.get_or_init(|| agents_in_words(group))
    }
}

fn agents_in_words(group: &Group<'_>) -> String {
    let agents = group.user_agents().take(sentence::MOST_COUNTED + 1);
    let values: Vec<&[u8]> = agents.map(|agent: UserAgent<'_>| agent.value()).collect();
    sentence::agents(&values)
}

/// Whether the text of a rule can be removed from its line. A line with another
/// suggestion is fixed first, because suggestions must not overlap.
fn can_be_removed(file: &[u8], span: Range<usize>, rule: RuleRecord<'_>) -> bool {
    let name = rule.access().as_str().as_bytes();
    let text = file.get(span.clone()).unwrap_or_default();
    let field = memchr::memchr(b':', text).and_then(|colon| text.get(..colon));
    let is_standard = field.is_some_and(|field| trim(field).eq_ignore_ascii_case(name));
    // A CR and an LF with nothing between them are one line end, so the lines below would move up
    // by one.
    let before = file.get(..span.start).unwrap_or_default();
    let is_between_cr_and_lf = before.ends_with(b"\r") && file.get(span.end) == Some(&b'\n');
    is_standard && rule.value().iter().all(u8::is_ascii_graphic) && !is_between_cr_and_lf
}

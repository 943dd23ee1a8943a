//! Finds rules that never decide: those that stand twice, and those that another rule shadows.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::document::groups::RuleRecord;
use crate::document::merged_groups::MergedGroup;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::merged_rules::{MergedRules, Overruling};
use crate::parse::line::{Separator, byte_order_mark_len, raw_record};
use crate::parse::part::Part;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

/// The rules that never decide in some merged group, by their line: the number of these merged
/// groups, and the reason in the last of them.
#[derive(Debug, Default)]
pub(super) struct OverruledRules {
    by_line: BTreeMap<u32, (usize, Overruling)>,
}

impl OverruledRules {
    /// Adds the overruled rules of one merged group.
    pub(super) fn add_rules(&mut self, rules: &MergedRules<'_>) {
        for (rule, overruling) in rules.overruled() {
            let (count, last) = self.by_line.entry(rule.line).or_insert((0, overruling));
            *count += 1;
            *last = overruling;
        }
    }

    /// Reports each rule that decides in none of the merged groups that its group belongs to.
    pub(super) fn findings<'s, 'r: 's>(
        &self,
        robots_txt: &'r RobotsTxt,
        merged_groups: impl Iterator<Item = &'s MergedGroup<'r>>,
    ) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        if self.by_line.is_empty() {
            return findings;
        }
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for group in merged_groups.flat_map(MergedGroup::groups) {
            *counts.entry(group.line()).or_default() += 1;
        }
        let rules = robots_txt.groups().flat_map(|group| group.rules());
        let rules: BTreeMap<u32, RuleRecord<'_>> = rules.map(|rule| (rule.line(), rule)).collect();
        for group in robots_txt.groups() {
            for (place, rule) in group.rules().enumerate() {
                let Some((count, overruling)) = self.by_line.get(&rule.line()) else {
                    continue;
                };
                if counts.get(&group.line()) != Some(count) {
                    continue;
                }
                let (code, message) = explain(rule, *overruling, &rules);
                let span = span(robots_txt.as_bytes(), rule);
                let finding = Diagnostic::new(code, rule.line(), span.clone(), message);
                // Without its first rule a group would lend its agents the rules of the next group.
                findings.push(
                    if place > 0 && can_be_removed(robots_txt.as_bytes(), span, rule) {
                        finding.with_suggestion("")
                    } else {
                        finding
                    },
                );
            }
        }
        findings
    }
}

/// The text of a rule, from the start of its line to the end of its value.
fn span(file: &[u8], rule: RuleRecord<'_>) -> Range<usize> {
    let end = rule.part().end();
    let before = file.get(..end).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before)
        .map_or(byte_order_mark_len(file), |at| at.saturating_add(1));
    start..end
}

fn explain(
    rule: RuleRecord<'_>,
    overruling: Overruling,
    rules: &BTreeMap<u32, RuleRecord<'_>>,
) -> (DiagnosticCode, String) {
    match overruling {
        Overruling::RobotsTxtItself => (
            DiagnosticCode::ShadowedRule,
            "this rule never decides, because /robots.txt itself is always allowed".into(),
        ),
        Overruling::SameRule { line } => (
            DiagnosticCode::DuplicateRule,
            format!("the rule {} is already on line {line}", quote(rule.value())),
        ),
        Overruling::Rule { line, access } => {
            let value = rules.get(&line).map_or(&b""[..], RuleRecord::value);
            let message = format!(
                "this rule never decides: the `{access}` rule {} on line {line} matches every URL that it matches, and takes precedence",
                quote(value)
            );
            (DiagnosticCode::ShadowedRule, message)
        }
    }
}

/// Whether the text of a rule can be removed from its line. A line that [`RobotsTxt::parse_with`]
/// has a suggestion for is fixed first, because suggestions must not overlap.
fn can_be_removed(file: &[u8], span: Range<usize>, rule: RuleRecord<'_>) -> bool {
    let name = rule.access().as_str().as_bytes();
    let text = file.get(span.clone()).unwrap_or_default();
    let is_standard = raw_record(Part::new(span.start, text)).is_some_and(|record| {
        record.separator == Separator::Colon && record.field.bytes.eq_ignore_ascii_case(name)
    });
    // A CR and an LF with nothing between them are one line end, so the lines below would move up
    // by one.
    let before = file.get(..span.start).unwrap_or_default();
    let is_between_cr_and_lf = before.ends_with(b"\r") && file.get(span.end) == Some(&b'\n');
    is_standard && rule.value().iter().all(u8::is_ascii_graphic) && !is_between_cr_and_lf
}

//! Proposals to remove the only rule of a group: without a rule the agents above would get the
//! rules below.

use std::ops::Range;

use polite_robots::RobotsTxt;
use polite_robots::document::RuleRecord;

use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::proposal::{Edit, Proposal};
use crate::rule_text::RuleText;

/// Leaves an empty `Disallow:` if a proposal removes the last rule of a group, and says so.
pub(crate) fn keep_groups_apart(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    let mut groups: Option<Vec<Vec<RuleText>>> = None;
    for finding in findings {
        if !finding.proposals().iter().any(may_remove_rule) {
            continue;
        }
        let groups = groups.get_or_insert_with(|| groups_above_others(robots_txt));
        let mut has_changed = false;
        let mut proposals = finding.proposals().to_vec();
        for proposal in &mut proposals {
            has_changed |= keep_ends(proposal, groups, robots_txt.as_bytes());
        }
        if has_changed {
            *finding = finding
                .clone()
                .with_advice(ADVICE)
                .with_proposals(proposals);
        }
    }
}

/// The rules of each group that has another one below it.
fn groups_above_others(robots_txt: &RobotsTxt) -> Vec<Vec<RuleText>> {
    let file = FileRules::of(robots_txt);
    let text = |rule: &RuleRecord<'_>| RuleText::of(file.bytes(), rule);
    let groups = file.groups();
    let groups = groups.map(|(_, rules)| rules.iter().map(text).collect());
    let mut groups: Vec<Vec<RuleText>> = groups.collect();
    groups.pop();
    groups
}

fn may_remove_rule(proposal: &Proposal) -> bool {
    proposal.edits().iter().any(is_removal)
}

/// Whether an edit leaves nothing, or only the start of a comment.
fn is_removal(edit: &Edit) -> bool {
    matches!(edit.text.as_str(), "" | "#")
}

/// Writes an empty `Disallow:` in place of the first rule of each group all of whose rules a
/// proposal removes. Returns whether there was such a group.
fn keep_ends(proposal: &mut Proposal, groups: &[Vec<RuleText>], file: &[u8]) -> bool {
    let mut has_changed = false;
    let mut at = 0;
    while let Some(edit) = proposal.edits().get(at) {
        if let Some(first) = group_that_ends(edit, proposal.edits(), groups) {
            // The end of the line, or the blanks before a comment.
            let (start, end) = (first.start, edit.span.end);
            let after = file.get(first.end..end).unwrap_or_default();
            let text = format!("Disallow:{}", String::from_utf8_lossy(after));
            proposal.rewrite(at, start..end, &text);
            has_changed = true;
        }
        at = at.saturating_add(1);
    }
    has_changed
}

/// The first rule of a group, if this edit removes it and the next ones remove the other rules of
/// the group.
fn group_that_ends(edit: &Edit, edits: &[Edit], groups: &[Vec<RuleText>]) -> Option<Range<usize>> {
    let is_before = |rules: &Vec<RuleText>| {
        let first = rules.first();
        first.is_none_or(|first| first.text.start <= edit.span.start)
    };
    let after = groups.partition_point(is_before);
    let rules = groups.get(after.checked_sub(1)?)?;
    let first = rules.first()?;
    let edits = edits
        .iter()
        .skip_while(|other| other.span.start < edit.span.start);
    let removed = edits.zip(rules).filter(|(edit, rule)| {
        let span = &edit.span;
        is_removal(edit) && span.start <= rule.text.start && rule.text.end <= span.end
    });
    (removed.count() == rules.len()).then(|| first.text.clone())
}

const ADVICE: &str =
    "an empty `Disallow:` takes its place, so that its agents do not get the rules below";

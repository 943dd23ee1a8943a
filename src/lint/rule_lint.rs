//! The lint of a file's rules: goes through its merged groups and collects the findings.

use alloc::vec::Vec;

use crate::document::merged_groups::MergedGroup;
use crate::lint::diagnostic::{Diagnostic, Sink};
use crate::lint::dropped_rules::dropped_rules;
use crate::lint::merged_rules::MergedRules;
use crate::lint::no_record::no_record;
use crate::lint::overruled_rules::OverruledRules;
use crate::lint::work_budget::WorkBudget;
use crate::robots::robots_txt::RobotsTxt;

impl RobotsTxt {
    /// Reports the mistakes that only several rules together show, in the order of the file: rules
    /// that stand twice ([`DuplicateRule`]), rules that never decide ([`ShadowedRule`]), and groups
    /// for named agents that lack rules for everyone ([`WildcardRulesDropped`]). It also reports a
    /// file in which no line is a record ([`NoRecord`]).
    ///
    /// [`NoRecord`]: crate::lint::DiagnosticCode::NoRecord
    /// [`DuplicateRule`]: crate::lint::DiagnosticCode::DuplicateRule
    /// [`ShadowedRule`]: crate::lint::DiagnosticCode::ShadowedRule
    /// [`WildcardRulesDropped`]: crate::lint::DiagnosticCode::WildcardRulesDropped
    ///
    /// Mistakes that single lines show come from [`RobotsTxt::parse_with`]. Every finding is exact:
    /// a rule reported as shadowed decides about no URL, for any agent that its group names.
    /// Patterns with an escape whose meaning depends on the query (`%2F` after a `*`) are left out.
    /// The work on one file is bounded by its length, so in hostile files, with thousands of
    /// patterns that may contain each other or thousands of groups that share rules, some findings
    /// may be missing.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::lint::Diagnostic;
    ///
    /// let robots_txt = RobotsTxt::parse(b"
    /// User-agent: *
    /// Disallow: /admin/
    /// Disallow: /search
    /// Allow: /search*
    ///
    /// User-agent: ExampleBot
    /// Crawl-delay: 5
    /// ");
    /// let mut found: Vec<Diagnostic> = Vec::new();
    /// robots_txt.lint(&mut found);
    /// let codes: Vec<(u32, &str)> = found
    ///     .iter()
    ///     .map(|finding| (finding.line(), finding.code().as_str()))
    ///     .collect();
    /// assert_eq!(codes, [(4, "shadowed-rule"), (7, "wildcard-rules-dropped")]);
    /// ```
    pub fn lint(&self, sink: &mut (impl Sink + ?Sized)) {
        if !sink.is_listening() {
            return;
        }
        let mut findings = findings(self);
        findings.sort_by_key(|finding| (finding.line(), finding.span().start));
        for finding in findings {
            sink.report(finding);
        }
    }
}

fn findings(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    let file_len = robots_txt.as_bytes().len();
    let mut work = WorkBudget::for_file(file_len);
    let mut overruled = OverruledRules::default();
    let mut dropped = Vec::new();

    let (for_everyone, for_named_agents) = merged_groups(robots_txt);
    let mut rules_for_everyone = MergedRules::new(robots_txt.dialect(), file_len);
    let mut disallows = Vec::new();
    if let Some(group) = &for_everyone {
        rules_for_everyone.compile(group.groups(), &mut work);
        overruled.add_rules(&mut rules_for_everyone, &mut work);
        disallows = rules_for_everyone.deciding_disallows(&mut work);
    }
    let mut rules = MergedRules::new(robots_txt.dialect(), file_len);
    for group in &for_named_agents {
        if work.is_spent() {
            break;
        }
        rules.compile(group.groups(), &mut work);
        overruled.add_rules(&mut rules, &mut work);
        dropped.extend(dropped_rules(group, &rules, &disallows, &mut work));
    }
    let mut findings = overruled.findings(robots_txt, for_everyone.iter().chain(&for_named_agents));
    findings.append(&mut dropped);
    findings.extend(no_record(robots_txt));
    findings
}

/// The merged group for everyone, if there is one, and every other merged group once: agents named
/// by the same groups share one.
fn merged_groups(robots_txt: &RobotsTxt) -> (Option<MergedGroup<'_>>, Vec<MergedGroup<'_>>) {
    let (for_everyone, mut for_named_agents): (Vec<_>, Vec<_>) = robots_txt
        .merged_groups()
        .partition(|group| group.user_agent().is_wildcard());
    let compare = |one: &MergedGroup<'_>, other: &MergedGroup<'_>| {
        let lines = one.groups().map(|group| group.line());
        lines.cmp(other.groups().map(|group| group.line()))
    };
    for_named_agents.sort_by(compare);
    for_named_agents.dedup_by(|one, other| compare(one, other).is_eq());
    (for_everyone.into_iter().next(), for_named_agents)
}

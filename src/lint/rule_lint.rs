//! The lint of a file's rules: goes through its merged groups and collects the findings.

use alloc::vec::Vec;

use crate::document::merged_groups::MergedGroup;
use crate::lint::closed_files::closed_files;
use crate::lint::diagnostic::{Diagnostic, Sink};
use crate::lint::dropped_rules::dropped_rules;
use crate::lint::idle_groups::idle_groups;
use crate::lint::letter_case::letter_case;
use crate::lint::merged_rules::{MergedRules, matches_everything};
use crate::lint::no_record::no_record;
use crate::lint::overruled_rules::OverruledRules;
use crate::lint::several_delays::several_delays;
use crate::lint::several_groups::{one_for_each_group, several_groups};
use crate::lint::site_closed::site_closed;
use crate::lint::sitemap_schemes::sitemap_schemes;
use crate::lint::use_lint::preferences;
use crate::lint::work_budget::WorkBudget;
use crate::robots::robots_txt::RobotsTxt;
use crate::sort;

impl RobotsTxt {
    /// Reports the mistakes that only several rules together show, in the order of the file: rules
    /// that stand twice ([`DuplicateRule`]) or repeat what a wider rule says ([`RedundantRule`]),
    /// rules whose URLs get the opposite answer ([`ShadowedRule`], [`SiteOpenedByAllow`]), sites
    /// that are closed to everyone ([`SiteClosed`]), and groups for named agents that lack rules
    /// for everyone ([`WildcardRulesDropped`]). Also groups and lines without an effect, agents with
    /// several groups or delays, files that crawlers need and that the rules close, an `Allow` in other
    /// letters than the path that it is about, and preferences about use that contradict each other
    /// or do not reach the agents and pages that they are about.
    /// A file in which no line is a record has one finding for that ([`NoRecord`]).
    ///
    /// [`NoRecord`]: crate::lint::DiagnosticCode::NoRecord
    /// [`DuplicateRule`]: crate::lint::DiagnosticCode::DuplicateRule
    /// [`RedundantRule`]: crate::lint::DiagnosticCode::RedundantRule
    /// [`ShadowedRule`]: crate::lint::DiagnosticCode::ShadowedRule
    /// [`SiteOpenedByAllow`]: crate::lint::DiagnosticCode::SiteOpenedByAllow
    /// [`SiteClosed`]: crate::lint::DiagnosticCode::SiteClosed
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
        sort::stable_by_key(&mut findings, |finding| {
            (finding.line(), finding.span().start)
        });
        for finding in findings {
            sink.report(finding);
        }
    }
}

fn findings(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    let file_len = robots_txt.as_bytes().len();
    let mut work = WorkBudget::for_file(file_len);
    let mut overruled = OverruledRules::default();
    let mut findings = Vec::new();

    idle_groups(robots_txt, &mut findings);
    closed_files(robots_txt, &mut findings);
    letter_case(robots_txt, &mut findings);
    several_delays(robots_txt, &mut findings);
    findings.extend(sitemap_schemes(robots_txt));
    let (for_everyone, for_named_agents) = merged_groups(robots_txt);
    let mut several: Vec<Diagnostic> = Vec::new();
    let wildcard: &[&[u8]] = &[b"*"];
    several.extend(
        for_everyone
            .as_ref()
            .and_then(|group| several_groups(group, wildcard)),
    );
    several.extend(
        for_named_agents
            .iter()
            .filter_map(|(group, agents)| several_groups(group, agents)),
    );
    one_for_each_group(&mut several);
    findings.append(&mut several);
    let mut rules_for_everyone = MergedRules::new(robots_txt.dialect(), file_len);
    let mut disallows = Vec::new();
    let mut closed = None;
    if let Some(group) = &for_everyone {
        rules_for_everyone.compile(group.groups(), &mut work);
        overruled.add_rules(&mut rules_for_everyone, &mut work);
        closed = rules_for_everyone.closing_line(&mut work);
        disallows = rules_for_everyone.deciding_disallows(&mut work);
    }
    // An allow-list: named groups let their crawlers into a site that is closed to all others, and
    // what they lack is what they are for.
    if disallows
        .iter()
        .any(|disallow| matches_everything(disallow.pattern))
    {
        disallows.clear();
    }
    let mut rules = MergedRules::new(robots_txt.dialect(), file_len);
    for (group, agents) in &for_named_agents {
        if work.is_spent() {
            break;
        }
        rules.compile(group.groups(), &mut work);
        overruled.add_rules(&mut rules, &mut work);
        closed = closed.filter(|_| rules.closing_line(&mut work).is_some());
        findings.extend(dropped_rules(group, agents, &rules, &disallows, &mut work));
    }
    findings.extend(
        closed
            .filter(|_| !work.is_spent())
            .map(|line| site_closed(robots_txt, line)),
    );
    let named = for_named_agents.iter().map(|(group, _)| group);
    findings.extend(overruled.findings(robots_txt, for_everyone.iter().chain(named)));
    findings.append(&mut preferences(robots_txt, &mut work));
    findings.extend(no_record(robots_txt));
    findings
}

/// A merged group with the names of all agents that read the same groups.
type NamedGroup<'r> = (MergedGroup<'r>, Vec<&'r [u8]>);

/// The merged group for everyone, if there is one, and every other merged group once: agents named
/// by the same groups share one.
fn merged_groups(robots_txt: &RobotsTxt) -> (Option<MergedGroup<'_>>, Vec<NamedGroup<'_>>) {
    let (for_everyone, mut for_named_agents): (Vec<_>, Vec<_>) = robots_txt
        .merged_groups()
        .map(|group| {
            let agent = group.user_agent().value();
            (group, [agent].to_vec())
        })
        .partition(|(group, _)| group.user_agent().is_wildcard());
    let compare = |(one, _): &NamedGroup<'_>, (other, _): &NamedGroup<'_>| {
        let lines = one.groups().map(|group| group.line());
        lines.cmp(other.groups().map(|group| group.line()))
    };
    sort::stable_by(&mut for_named_agents, compare);
    for_named_agents.dedup_by(|one, kept| {
        let is_same = compare(one, kept).is_eq();
        if is_same {
            kept.1.append(&mut one.1);
        }
        is_same
    });
    let for_everyone = for_everyone.into_iter().map(|(group, _)| group).next();
    (for_everyone, for_named_agents)
}

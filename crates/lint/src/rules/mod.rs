//! Findings that only several lines together show: goes through the merged groups and collects
//! them.

mod allow_alone;
mod closed_files;
mod compiled_rule;
mod dropped_rules;
mod generic_path;
mod glob;
mod google_reading;
mod home_page;
mod letter_case;
mod merged_rules;
mod openings;
mod overruled_rules;
mod prefix_index;
mod short_exception;
mod site_closed;
mod wildcard_index;

use polite_robots::RobotsTxt;
use polite_robots::document::MergedGroup;

use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::groups::idle_groups::idle_groups;
use crate::groups::no_record::no_record;
use crate::groups::several_delays::several_delays;
use crate::groups::several_groups::{one_for_each_group, several_groups};
use crate::groups::sitemap_hosts::sitemap_hosts;
use crate::groups::sitemap_schemes::sitemap_schemes;
use crate::lines::{Text, nearly_use};
use crate::order::in_order;
use crate::rules::allow_alone::{ForEveryone, allow_alone};
use crate::rules::closed_files::closed_files;
use crate::rules::dropped_rules::dropped_rules;
use crate::rules::google_reading::{ClosedSiteToGoogle, OtherReading, explain_google_reading};
use crate::rules::home_page::home_page;
use crate::rules::letter_case::letter_case;
use crate::rules::merged_rules::{MergedRules, matches_everything};
use crate::rules::overruled_rules::OverruledRules;
use crate::rules::short_exception::short_exception;
use crate::rules::site_closed::{ClosedSite, ToGoogle, large_engines};
use crate::text::token::use_in;
use crate::usage::preferences;
use crate::work_budget::WorkBudget;

/// The findings about rules, groups and preferences.
///
/// Each is exact: a rule reported as shadowed decides about no URL, for any agent that its group
/// names. The work on one file is bounded by its length, so in hostile files, with thousands of
/// patterns that may contain each other or thousands of groups that share rules, some findings may
/// be missing.
///
/// `keeps_open` says of the value of a `User-agent` line whether a site that is open to this agent
/// alone is open on purpose.
pub(crate) fn lint_rules(
    robots_txt: &RobotsTxt,
    text: Text,
    keeps_open: impl Fn(&[u8]) -> bool,
) -> Vec<Diagnostic> {
    let file_len = robots_txt.as_bytes().len();
    let mut work = WorkBudget::for_file(file_len);
    let mut overruled = OverruledRules::default();
    let mut findings = Vec::new();

    let file = FileRules::of(robots_txt);
    idle_groups(robots_txt, &file, &mut findings);
    closed_files(robots_txt, &file, &mut findings);
    letter_case(robots_txt, &file, &mut findings);
    several_delays(robots_txt, &mut findings);
    findings.extend(sitemap_schemes(robots_txt));
    findings.extend(sitemap_hosts(robots_txt));
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
    findings.append(&mut one_for_each_group(several));
    home_page(robots_txt, &file, &mut findings);
    short_exception(robots_txt, &file, &mut findings);
    let other = OtherReading::of(robots_txt);
    let mut to_google = ClosedSiteToGoogle::of(robots_txt);
    let mut rules_for_everyone = MergedRules::new(robots_txt.dialect());
    let mut disallows = Vec::new();
    let mut closed = None;
    if let Some(group) = &for_everyone {
        rules_for_everyone.compile(group.groups(), &file, &mut work);
        overruled.add_rules(&mut rules_for_everyone, &mut work);
        closed = rules_for_everyone.closing(&mut work).map(ClosedSite::new);
        disallows = rules_for_everyone.deciding_disallows(&mut work);
    }
    // An allow-list: named groups let their crawlers into a site that is closed to all others, and
    // what they lack is what they are for.
    let mut site = ForEveryone::Open;
    if disallows
        .iter()
        .any(|disallow| matches_everything(disallow.pattern))
    {
        site = ForEveryone::Closed;
        disallows.clear();
    }
    findings.extend(
        for_everyone
            .as_ref()
            .and_then(|group| allow_alone(group, wildcard, site, &file, &other, &mut work)),
    );
    let mut rules = MergedRules::new(robots_txt.dialect());
    for (group, agents) in &for_named_agents {
        if work.is_spent() {
            break;
        }
        rules.compile(group.groups(), &file, &mut work);
        overruled.add_rules(&mut rules, &mut work);
        // A use is no crawler: nobody fetches by its rules, or misses those for everyone. A name
        // that is nearly that of a use has a finding of its own.
        let agents = agents.iter().copied();
        let is_use = |agent: &&[u8]| use_in(agent).or_else(|| nearly_use(agent)).is_some();
        let agents: Vec<&[u8]> = agents.filter(|agent| !is_use(agent)).collect();
        let agents = agents.as_slice();
        if agents.is_empty() {
            continue;
        }
        let mut engines = large_engines(agents);
        engines.retain(|_| site == ForEveryone::Open);
        let is_asked = closed.is_some() || !engines.is_empty();
        let named = is_asked.then(|| rules.closing(&mut work)).flatten();
        closed =
            closed.and_then(|site| site.with(named, agents.iter().any(|agent| keeps_open(agent))));
        if let Some(closing) = named {
            engines.retain(|(token, _)| matches!(to_google.answer(token), ToGoogle::Closed));
            let is_closed = !engines.is_empty();
            findings.extend(is_closed.then(|| closing.of_engines(&engines, agents, &file)));
        }
        findings.extend(allow_alone(group, agents, site, &file, &other, &mut work));
        findings.extend(dropped_rules(
            group, agents, &rules, &disallows, &file, &other, &mut work,
        ));
    }
    findings.extend(
        closed
            .filter(|_| !work.is_spent())
            .map(|site| site.finding(&file, to_google.answer("Googlebot"))),
    );
    let named = for_named_agents.iter().map(|(group, _)| group);
    let mut overruled = overruled.findings(robots_txt, &file, for_everyone.iter().chain(named));
    if text == Text::Read {
        let lint = |google: &RobotsTxt| lint_rules(google, Text::Unread, keeps_any);
        explain_google_reading(&mut overruled, robots_txt, &file, lint);
    }
    findings.append(&mut overruled);
    findings.append(&mut preferences(robots_txt, &mut work));
    findings.extend(no_record(robots_txt));
    findings
}

/// Every agent may be kept out on purpose: the findings that ask are not about overruled rules.
fn keeps_any(_: &[u8]) -> bool {
    true
}

/// A merged group with the names of all agents that read the same groups.
type NamedGroup<'r> = (MergedGroup<'r>, Vec<&'r [u8]>);

/// The merged group for everyone, if there is one, and every other merged group once: agents named
/// by the same groups share one.
fn merged_groups(robots_txt: &RobotsTxt) -> (Option<MergedGroup<'_>>, Vec<NamedGroup<'_>>) {
    let (for_everyone, for_named_agents): (Vec<_>, Vec<_>) = robots_txt
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
    let mut for_named_agents = in_order(for_named_agents, compare);
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

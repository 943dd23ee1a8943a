//! Proposes to write groups of the same agents as one.

use std::cell::LazyCell;
use std::collections::HashMap;

use polite_robots::RobotsTxt;
use polite_robots::document::Group;

use crate::diagnostic::Diagnostic;
use crate::group_text::GroupText;
use crate::lines::has_another_record;
use crate::proposal::{Effect, Proposal, usual_line_end, with_line_end};
use crate::text::token::name_in;

/// Adds to findings about second groups how to write the rules into one group, if all groups have
/// the same agents. Otherwise an agent would get the rules of another one.
pub(crate) fn join_groups(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    if findings.is_empty() {
        return;
    }
    let groups: Vec<Group<'_>> = robots_txt.groups().collect();
    let names = |group: &Group<'_>| {
        let agents = group.user_agents();
        let mut names: Vec<String> = agents
            .filter_map(|agent| name_in(agent, robots_txt.dialect()))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let names: Vec<Vec<String>> = groups.iter().map(names).collect();
    let mut places: HashMap<&[String], Vec<usize>> = HashMap::new();
    let mut groups_of_name: HashMap<&str, usize> = HashMap::new();
    for (place, names) in names.iter().enumerate() {
        places.entry(names).or_default().push(place);
        for name in names {
            *groups_of_name.entry(name).or_default() += 1;
        }
    }
    // Where Google's matcher reads other records, it may see a group between the two.
    let has_other_records = LazyCell::new(|| has_another_record(robots_txt));
    for finding in findings {
        let place = groups.binary_search_by_key(&finding.line(), Group::line);
        let names = place.ok().and_then(|place| names.get(place));
        let Some(names) = names else {
            continue;
        };
        let same = places.get(names.as_slice()).map_or(&[][..], Vec::as_slice);
        let is_alone = |name: &String| groups_of_name.get(name.as_str()) == Some(&same.len());
        if !(2..=MOST_JOINED).contains(&same.len()) || !names.iter().all(is_alone) {
            continue;
        }
        let proposal = joined(robots_txt.as_bytes(), &groups, same);
        if let Some(proposal) = proposal.filter(|_| !*has_other_records) {
            let advice =
                "write the rules into one group, and nothing changes for those who join them";
            *finding = finding.clone().with_advice(advice).with_proposal(proposal);
        }
    }
}

/// The groups at these places as one.
fn joined(file: &[u8], groups: &[Group<'_>], places: &[usize]) -> Option<Proposal> {
    let (first, others) = places.split_first()?;
    let text_of = |place: &usize| {
        let group = groups.get(*place)?;
        GroupText::of(file, *group, groups.get(place.saturating_add(1)).copied())
    };
    let first_text = text_of(first)?;
    let mut edits = Vec::new();
    let mut moved = String::new();
    for (place, before) in others.iter().zip(places) {
        let text = text_of(place)?;
        // Without its agents a group continues the one above it.
        let is_next = *place == before.saturating_add(1) && moved.is_empty();
        match text.all_records().filter(|_| !is_next) {
            Some(records) => {
                let agents_end = text.agents.last()?.end;
                // A record between two agents is not moved with the others.
                if records.start < agents_end {
                    return None;
                }
                moved.push_str(usual_line_end(file));
                // A sitemap above the first rule goes along.
                let start = with_line_end(file, agents_end..agents_end).end;
                moved.push_str(core::str::from_utf8(file.get(start..records.end)?).ok()?);
                edits.push(with_line_end(file, text.agents.first()?.start..records.end));
            }
            None => {
                let lines = text.agents.iter().cloned();
                edits.extend(lines.map(|line| with_line_end(file, line)));
            }
        }
    }
    // Only the records below its last agent: those above are for some of its agents alone.
    let end = first_text.records.last()?.end;
    if first_text.agents.last()?.end > first_text.records.first()?.start {
        return None;
    }
    let edits = edits.into_iter().map(|span| (span, ""));
    let proposal = Proposal::of(edits, Effect::Nothing)?;
    Some(match moved.is_empty() {
        true => proposal,
        false => proposal.and(end..end, moved),
    })
}

/// Groups that are written as one; nobody reads a proposal about more.
const MOST_JOINED: usize = 64;

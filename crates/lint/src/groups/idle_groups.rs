//! Finds groups and lines in them that say nothing: a last group without rules, and an empty
//! `Disallow` beside another.

use std::cell::LazyCell;
use std::ops::{Deref, Range};

use polite_robots::document::{Group, RuleRecord, UserAgent, leading_token};
use polite_robots::text::quote;
use polite_robots::{Access, Options, Robot, RobotsTxt};
use polite_robots_audit::policy::use_of;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::group_index::GroupIndex;
use crate::groups::file_rules::FileRules;
use crate::lines::{EMPTY_RULE, empty_rule_above, second_record};
use crate::proposal::Proposal;
use crate::sentence;
use crate::text::line::{line_at, without_lines};
use crate::text::part::Part;
use crate::text::token::{name_in, use_in};

/// Reports the groups of a file that do not do what they seem to.
pub(crate) fn idle_groups(file: &FileRules<'_>, findings: &mut Vec<Diagnostic>) {
    let robots_txt = file.robots_txt;
    let mut last = None;
    let index = LazyCell::new(|| GroupIndex::of(robots_txt));
    for (group, rules) in file.groups() {
        findings.extend(empty_disallow(rules, robots_txt));
        if !rules.is_empty() {
            findings.extend(joined_by_a_blank_line(group, robots_txt, &index));
        }
        last = Some(group);
    }
    findings.extend(last.and_then(|last| group_without_rules(last, robots_txt, &index)));
}

/// Only the last group of a file can end before its rules: an earlier one shares those of the next.
fn group_without_rules<'r>(
    group: Group<'_>,
    robots_txt: &RobotsTxt,
    index: &impl Deref<Target = GroupIndex<'r>>,
) -> Option<Diagnostic> {
    let agents: Vec<UserAgent<'_>> = group.user_agents().collect();
    // A delay or another record of the agents is a reason for the group, and without rules for
    // everyone the group for `*` says what it should: that everything is open.
    if group.record_count() > agents.len() || agents.iter().any(UserAgent::is_wildcard) {
        return None;
    }
    let last = agents.last()?;
    // The rules that stand on its line have a finding of their own.
    if second_record(Part::new(0, last.value())).is_some() {
        return None;
    }
    let is_here = |agent: &&UserAgent<'_>| {
        name_in(**agent, robots_txt.dialect()).is_some() && !index.has_another_group(agent.line())
    };
    let mut values: Vec<&[u8]> = agents
        .iter()
        .filter(is_here)
        .map(UserAgent::value)
        .collect();
    leave_out_closed_to_google(&mut values, robots_txt);
    let (uses, values): (Vec<&[u8]>, Vec<&[u8]>) = values
        .into_iter()
        .partition(|value| use_in(value).is_some());
    if uses.is_empty() && values.is_empty() {
        return None;
    }
    let file = robots_txt.as_bytes();
    let line = line_at(file, last.span().start);
    let of_use = uses.first().filter(|_| values.is_empty());
    let proposal = match of_use {
        Some(_) => without_lines(file, agents.iter().map(|agent| agent.span().start))?,
        None => Proposal::line_below(file, line, "Disallow:"),
    };
    let message = match of_use.and_then(|value| use_in(value)) {
        Some(token) => format!(
            "this group says nothing about {}, because the file ends before its rules; remove the name",
            use_of(token)
        ),
        _ => format!(
            "{} may fetch everything, because the file ends before the rules of this group; write `Disallow:` below if that is meant",
            sentence::agents(&values)
        ),
    };
    let advice = Advice::new(message).propose(proposal);
    Some(Diagnostic::on(
        last,
        DiagnosticCode::GroupWithoutRules,
        advice,
    ))
}

/// Leaves out the agents that have rules in Google's reading: Google's matcher takes `Googlebot2`
/// for Googlebot and `Disallowed` for a `Disallow`. For a use, an `Allow` is a statement too.
fn leave_out_closed_to_google(agents: &mut Vec<&[u8]>, robots_txt: &RobotsTxt) {
    if agents.is_empty() {
        return;
    }
    let google = RobotsTxt::parse_with(robots_txt.as_bytes(), &Options::google());
    let mut left = MOST_AGENTS;
    agents.retain(|agent| {
        let Some(less) = left.checked_sub(1) else {
            return true;
        };
        left = less;
        let name = core::str::from_utf8(leading_token(agent)).unwrap_or_default();
        let is_closed = |robot: Robot| {
            let mut rules = robot.rules();
            rules.any(|rule| rule.access() == Access::Disallow || use_in(agent).is_some())
        };
        !google.robot(name).is_ok_and(is_closed)
    });
}

/// Agents of a last group whose rules are looked for in the file: a hostile one has thousands.
const MOST_AGENTS: usize = 50;

/// The first pair of `*` and a named agent, in either order, that a blank line separates: only a
/// rule ends a group. Lists of named agents have blank lines too, and are meant as lists.
fn joined_by_a_blank_line<'r>(
    group: Group<'_>,
    robots_txt: &RobotsTxt,
    index: &impl Deref<Target = GroupIndex<'r>>,
) -> Option<Diagnostic> {
    let mut above: Option<UserAgent<'_>> = None;
    let agents = group.user_agents();
    // A line without a value names nobody, and has a finding of its own.
    for below in agents.filter(|agent| !agent.value().is_empty()) {
        let Some(above) = above.replace(below) else {
            continue;
        };
        if above.is_wildcard() == below.is_wildcard() {
            continue;
        }
        let between = above.span().end..below.span().start;
        let between = robots_txt.as_bytes().get(between).unwrap_or_default();
        let Some(joint) = joint(between) else {
            continue;
        };
        if index.agent_with_rules_of(below.line()).is_none() {
            continue;
        }
        let named = if above.is_wildcard() { below } else { above };
        let message = format!(
            "the rules below are for {} and for crawlers without a group of their own, because {joint} above does not end a group; if that is not meant, write {EMPTY_RULE}",
            quote(named.value())
        );
        let file = robots_txt.as_bytes();
        let proposal = empty_rule_above(file, line_at(file, below.span().start));
        let advice = Advice::new(message).propose(proposal);
        return Some(Diagnostic::on(&below, DiagnosticCode::GroupBleed, advice));
    }
    None
}

/// The lines between two agents, in words, if one of them is blank and the others are comments. A
/// comment alone explains the next agent of a list.
fn joint(between: &[u8]) -> Option<&'static str> {
    let lines = between.split(|byte| matches!(byte, b'\n' | b'\r'));
    let mut lines = lines.map(<[u8]>::trim_ascii);
    // The first and the last are parts of the lines of the agents.
    lines.next()?;
    lines.next_back()?;
    let (mut blanks, mut has_comment) = (0, false);
    for line in lines {
        match line {
            [] => blanks += 1,
            [b'#', ..] => has_comment = true,
            _ => return None,
        }
    }
    // Between a CR and the LF after it is no line.
    let has_blank = blanks > memchr::memmem::find_iter(between, b"\r\n").count();
    match (has_blank, has_comment) {
        (false, _) => None,
        (true, false) => Some("the blank line"),
        (true, true) => Some("the comment with a blank line"),
    }
}

/// An empty `Disallow` in a group that closes something, or above a path that is not read.
fn empty_disallow(rules: &[RuleRecord<'_>], robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let mut empty = None;
    let mut closing = None;
    for rule in rules {
        match (rule.access(), rule.value()) {
            (Access::Allow, _) => {}
            (_, [b'/' | b'*', ..]) => closing = closing.or(Some(rule)),
            (_, []) => empty = empty.or(Some(rule)),
            _ => {}
        }
    }
    let empty = empty?;
    let code = DiagnosticCode::EmptyDisallow;
    let file = robots_txt.as_bytes();
    if let Some(path) = path_below(empty.span().end, robots_txt) {
        let proposal = list_as_rules(file, empty.span())?;
        let message = format!(
            "this `Disallow` closes nothing, because its path {} is on the line below, where crawlers do not read it; write {} on one line",
            quote(path),
            quote(&[b"Disallow: ", path].concat())
        );
        let advice = Advice::new(message).propose(proposal);
        return Some(Diagnostic::on(empty, code, advice));
    }
    let closing = closing?;
    let message = format!(
        "this empty `Disallow` opens nothing: {} on line {} applies all the same; remove this line",
        quote(closing.value()),
        closing.line()
    );
    let is_empty =
        |rule: &&RuleRecord<'_>| rule.access() == Access::Disallow && rule.value().is_empty();
    let empties = rules.iter().filter(is_empty);
    let proposal = without_lines(file, empties.map(|rule| rule.span().start))?;
    let advice = Advice::new(message).propose(proposal);
    Some(Diagnostic::on(empty, code, advice).with_severity(Severity::Note))
}

/// Rules in the place of an empty one and of the list of paths below it.
fn list_as_rules(file: &[u8], empty: Range<usize>) -> Option<Proposal> {
    let mut start = empty.end;
    let mut proposal: Option<Proposal> = None;
    loop {
        let rest = file.get(start..)?;
        let blanks = rest.len().saturating_sub(rest.trim_ascii_start().len());
        let line = line_at(file, start.saturating_add(blanks));
        let item = file.get(line.clone())?.trim_ascii();
        let path = item.strip_prefix(b"-").map(<[u8]>::trim_ascii_start);
        let path = path.and_then(|path| core::str::from_utf8(path).ok());
        // At the end of a file without a line feed the last line would be there again.
        let is_below = line.start >= start;
        let Some(path) = path.filter(|path| is_below && path.starts_with('/')) else {
            return proposal;
        };
        let text = format!("Disallow: {path}");
        proposal = Some(match proposal {
            None => {
                let start = line_at(file, empty.start).start;
                Proposal::write(start..line.end, text)
            }
            Some(proposal) => proposal.and(line.clone(), text),
        });
        start = line.end;
    }
}

/// The path on the line below a place in the file, as in a list: `- /admin`. A path without such a
/// sign is no record, and is reported by itself.
fn path_below(at: usize, robots_txt: &RobotsTxt) -> Option<&[u8]> {
    let after = robots_txt.as_bytes().get(at..)?;
    let line_end = memchr::memchr2(b'\n', b'\r', after)?;
    let below = after.get(line_end..)?.trim_ascii_start();
    let end = memchr::memchr2(b'\n', b'\r', below).unwrap_or(below.len());
    let below = below.get(..end)?;
    let path = below.strip_prefix(b"-")?.trim_ascii();
    path.starts_with(b"/").then_some(path)
}

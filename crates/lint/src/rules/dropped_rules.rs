//! Finds groups for named agents that lack rules for everyone.

use polite_robots::Robot;
use polite_robots::document::MergedGroup;
use polite_robots::text::quote;
use polite_robots_audit::example_path::example_path;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::rules::closed_files::{is_googlebot, is_of_resources};
use crate::rules::google_reading::OtherReading;
use crate::rules::merged_rules::{DecidingDisallow, MergedRules};
use crate::sentence;
use crate::work_budget::WorkBudget;

/// Reports a named group if a `Disallow` for everyone closes paths that no rule of the group
/// matches.
pub(super) fn dropped_rules(
    group: &MergedGroup<'_>,
    agents: &[&[u8]],
    rules: &MergedRules<'_>,
    for_everyone: &[DecidingDisallow<'_>],
    file: &FileRules<'_>,
    other: &OtherReading<'_>,
    work: &mut WorkBudget,
) -> Option<Diagnostic> {
    // An empty `Disallow:` states that the agent may fetch everything.
    let is_complete = for_everyone.is_empty()
        || rules.match_everything(work)
        || group.groups().any(|group| {
            let mut rules = file.of_group(group).iter();
            rules.any(|rule| rule.value().is_empty())
        });
    if is_complete {
        return None;
    }
    let agent = group.user_agent();
    // Google asks for styles and scripts, so a copy of such a rule would be a mistake of its own.
    // Asked once, as a group may have as many agents as the file has rules.
    let is_googlebot = is_googlebot(agents);
    let is_missed = |pattern: &[u8]| !is_googlebot || !is_of_resources(pattern);
    let in_other_reading = |work: &mut WorkBudget| other.robot(agent, work);
    let dropped = list_of_dropped(rules, for_everyone, is_missed, work, in_other_reading)?;
    let message = format!(
        "{} may fetch {dropped}, which the group for `*` closes, because a crawler with a group of its own reads no other; if that is not meant, repeat those rules here",
        sentence::agents(agents),
    );
    let code = DiagnosticCode::WildcardRulesDropped;
    Some(Diagnostic::new(code, agent.line(), agent.span(), message))
}

/// The first of the rules that the group lacks, as a part of a sentence. `None` if it lacks none.
fn list_of_dropped(
    rules: &MergedRules<'_>,
    for_everyone: &[DecidingDisallow<'_>],
    is_missed: impl Fn(&[u8]) -> bool,
    work: &mut WorkBudget,
    in_other_reading: impl Fn(&mut WorkBudget) -> Option<Robot>,
) -> Option<String> {
    let mut other = None;
    let prefixes = rules.prefix_index();
    let mut list: Vec<String> = Vec::new();
    let mut last_line = 0;
    for disallow in for_everyone {
        // A crawler may always fetch that file, so nobody misses the rule.
        let is_robots_txt = disallow.pattern == b"/robots.txt";
        if disallow.line == last_line
            || is_robots_txt
            || rules.match_path_of(disallow, &prefixes, work)
            || !is_missed(disallow.pattern)
        {
            continue;
        }
        if work.is_spent() {
            break;
        }
        let other = other.get_or_insert_with(|| in_other_reading(work));
        if other
            .as_ref()
            .is_some_and(|robot| is_closed(robot, disallow))
        {
            continue;
        }
        if list.len() == MAX_LISTED {
            return Some(format!("{} and more", list.join(", ")));
        }
        last_line = disallow.line;
        list.push(format!("{} (line {last_line})", quote(disallow.pattern)));
    }
    (!list.is_empty()).then(|| list.join(", "))
}

/// Whether the group has the rule all the same where a dialect takes another record for one.
fn is_closed(robot: &Robot, disallow: &DecidingDisallow<'_>) -> bool {
    let pattern = core::str::from_utf8(disallow.pattern);
    pattern.is_ok_and(|pattern| !robot.allowed(&example_path(pattern, "x")))
}

/// Rules that one finding lists.
const MAX_LISTED: usize = 3;

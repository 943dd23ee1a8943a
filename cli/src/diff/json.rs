//! The document of `--json`.

use std::collections::HashSet;
use std::io::{self, Write};

use polite_robots::record::PolicyToken;
use polite_robots::{Rule, Verdict};
use polite_robots_audit::answer::Answers;
use polite_robots_audit::difference::{AgentChange, Difference, Question, VerdictChange, Versions};
use polite_robots_audit::policy::category;
use polite_robots_records::UsageCategory;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use crate::diff::noted::Noted;
use crate::input::Input;
use crate::json::{self, Fields, Object, object};
use crate::reading::Dialect;
use crate::verdict_fields::{rule_on_line, verdict_fields};

/// The difference, and what it is about.
pub(super) struct Answer<'a> {
    pub(super) old: &'a Input,
    pub(super) new: &'a Input,
    /// The dialect of the command line; each agent has its own.
    pub(super) dialect: Option<Dialect>,
    pub(super) versions: &'a Versions<'a>,
    pub(super) difference: &'a Difference,
    pub(super) noted: Option<Noted<'a>>,
    /// The bytes of both files.
    pub(super) bytes: usize,
}

pub(super) fn write(out: &mut dyn Write, answer: &Answer<'_>) -> io::Result<()> {
    let difference = answer.difference;
    let document = object! {
        "old": answer.old.argument(),
        "new": answer.new.argument(),
        "dialect": answer.dialect,
        "changed": difference.is_change(),
        "urls": match difference.question() {
            Question::Urls(_) => "given",
            Question::Rules => "of_rules",
        },
        "complete": difference.is_complete(),
        // Sitemaps and others.
        "records": sides(difference.records().removed(), difference.records().added()),
        "agents": AgentList(answer),
    };
    json::write(out, &document)
}

/// The agents. Each is made when it is written, because the lists of all agents together may be
/// long.
struct AgentList<'a>(&'a Answer<'a>);

impl Serialize for AgentList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let AgentList(answer) = self;
        let changes = answer.difference.changes();
        let mut agents = serializer.serialize_seq(Some(answer.difference.agents().len()))?;
        let mut written = HashSet::new();
        let mut left = MOST_REPEATED_BYTES;
        for (agent, place) in answer.difference.agents() {
            let Some(change) = changes.get(place) else {
                continue;
            };
            // Without lists, the lines of the agent's groups are not needed. To find them takes as
            // long as reading both files.
            if written.insert(place) || change.listed_bytes() == 0 {
                agents.serialize_element(&agent_fields(answer, agent, change, true))?;
                continue;
            }
            let bytes = change.listed_bytes().saturating_add(answer.bytes);
            let own = left.checked_sub(bytes).and_then(|less| {
                left = less;
                answer.versions.change_for(agent, change).ok()
            });
            match own {
                Some(own) => agents.serialize_element(&agent_fields(answer, agent, &own, true))?,
                None => agents.serialize_element(&agent_fields(answer, agent, change, false))?,
            }
        }
        agents.end()
    }
}

/// An agent with its lists, or without them if the first agent with this change has the same lists.
fn agent_fields<'a>(
    answer: &Answer<'a>,
    agent: &'a str,
    change: &'a AgentChange,
    has_lists: bool,
) -> Object<impl Fields> {
    let lists = has_lists.then_some(change);
    let rules = |of: fn(&'a AgentChange) -> Vec<Rule<'a>>| {
        let rules = lists.map(of).unwrap_or_default().into_iter();
        rules.map(rule_on_line).collect::<Vec<_>>()
    };
    let records = lists.map(AgentChange::records);
    let mut verdicts = lists.into_iter().flat_map(AgentChange::verdicts).peekable();
    let noted = answer.noted.as_ref().filter(|_| verdicts.peek().is_some());
    let answers = noted.and_then(|noted| noted.answers(agent));
    let is_noted = noted.is_none() || answers.is_some();
    let left_out = change.left_out();
    object! {
        "agent": agent,
        "dialect": answer.versions.dialect(agent).map(Dialect::from),
        // The use that the name stands for, which is no crawler.
        "use"?: PolicyToken::find(agent).and_then(category).map(UsageCategory::as_str),
        "changed": change.is_change(),
        "agent_match": sides(change.old_agent_match().as_str(), change.new_agent_match().as_str()),
        "rules": sides(rules(AgentChange::removed_rules), rules(AgentChange::added_rules)),
        "records": sides(
            records.map_or(&[][..], |records| records.removed()),
            records.map_or(&[][..], |records| records.added()),
        ),
        "verdicts": verdicts
            .map(|verdict| verdict_sides(&verdict, answers.as_ref()))
            .collect::<Vec<_>>(),
        "usage": lists
            .into_iter()
            .flat_map(AgentChange::usages)
            .map(|change| object! {
                "url": &change.url,
                "category": change.category.as_str(),
                ..sides(change.old.as_str(), change.new.as_str()),
            })
            .collect::<Vec<_>>(),
        "content_use": lists
            .into_iter()
            .flat_map(AgentChange::content_uses)
            .map(|change| object! { "url": &change.url, ..sides(&change.old, &change.new) })
            .collect::<Vec<_>>(),
        // The agent with the same lists, which are left out here.
        "same_as"?: change.agents().first().filter(|_| !has_lists),
        // The number of changes that are left out of the lists, because there are too many.
        "left_out"?: (left_out > 0).then_some(left_out),
        // Whether the verdicts have their notes: files of 500 KB have them for 60 agents.
        "noted"?: (!is_noted).then_some(false),
        // `false` if not everything could be compared for this agent.
        "complete"?: (!change.is_complete()).then_some(false),
    }
}

/// Both verdicts, each with its note if the user asked about the URL.
fn verdict_sides<'a>(
    change: &VerdictChange<'a>,
    answers: Option<&[Answers<'_>; 2]>,
) -> Object<impl Fields + use<'a>> {
    let noted = |verdict: &Verdict<'a>, answers: Option<&Answers<'_>>| {
        let note = answers.and_then(|answers| answers.about(change.url).note());
        object! { ..verdict_fields(verdict), "note": note }
    };
    let [old, new] = match answers {
        Some([old, new]) => [Some(old), Some(new)],
        None => [None, None],
    };
    object! { "url": change.url, ..sides(noted(&change.old, old), noted(&change.new, new)) }
}

fn sides<T: Serialize>(old: T, new: T) -> Object<impl Fields> {
    object! { "old": old, "new": new }
}

/// The most bytes of repeated lists, and of files that are read again: agents that share their
/// changes each have them, with the lines of their own groups. Enough for two files of 5 KB and
/// 3,000 agents, or of 500 KB and 30.
const MOST_REPEATED_BYTES: usize = 32_000_000;

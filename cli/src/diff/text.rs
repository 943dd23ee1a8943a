//! The changes for people: agents with the same changes together.

use std::collections::HashMap;
use std::io::{self, Write};

use polite_robots::record::PolicyToken;
use polite_robots::{AgentMatch, Reason, Rule, Verdict};
use polite_robots_audit::difference::{
    AgentChange, ContentUseChange, Difference, Question, RecordChanges, UsageChange, VerdictChange,
};
use polite_robots_audit::policy::use_of;

use crate::columns::{self, Cell};
use crate::counted::counted;
use crate::terminal::{ADDED, ALLOWED, ASIDE, DISALLOWED, EMPHASIS, REMOVED, printable};

pub(super) fn write(
    out: &mut dyn Write,
    difference: &Difference,
    notes: &[String],
) -> io::Result<()> {
    for block in blocks(difference)? {
        writeln!(out, "{EMPHASIS}{}{EMPHASIS:#}", block.names())?;
        write_agent(out, block.change, LineNumbers::Written)?;
        writeln!(out)?;
    }
    if !difference.records().is_empty() {
        writeln!(out, "{EMPHASIS}the whole file{EMPHASIS:#}")?;
        write_records(out, difference.records())?;
        writeln!(out)?;
    }
    for note in notes {
        writeln!(out, "{EMPHASIS}note:{EMPHASIS:#} {}", printable(note))?;
    }
    if !notes.is_empty() {
        writeln!(out)?;
    }
    write_summary(out, difference)
}

/// A row for each block, and the summary.
pub(super) fn write_stat(out: &mut dyn Write, difference: &Difference) -> io::Result<()> {
    let head = ["agents", "rules", "now allowed", "now disallowed"];
    let mut rows = vec![head.map(|name| Cell::styled(EMPHASIS, name)).to_vec()];
    for block in blocks(difference)? {
        let change = block.change;
        let (removed, added) = (change.removed_rule_count(), change.added_rule_count());
        let (allowed, disallowed) = (change.allowed_count(), change.disallowed_count());
        let count = |style, count: usize| match count {
            0 => Cell::new(""),
            count => Cell::styled(style, &counted(count, "URL")),
        };
        rows.push(vec![
            Cell::new(&block.names()),
            Cell::new(&format!("-{removed} +{added}")),
            count(ALLOWED, allowed),
            count(DISALLOWED, disallowed),
        ]);
    }
    if rows.len() > 1 {
        columns::write_table(out, rows)?;
        writeln!(out)?;
    }
    write_summary(out, difference)
}

/// Agents with the same changes, wherever in the file their groups stand.
struct Block<'a> {
    agents: Vec<String>,
    change: &'a AgentChange,
}

impl Block<'_> {
    fn names(&self) -> String {
        match self.agents.get(MOST_NAMES..) {
            Some(others) if others.len() > 1 => {
                let shown = self.agents.get(..MOST_NAMES).unwrap_or_default();
                format!("{} and {} more", shown.join(", "), others.len())
            }
            _ => self.agents.join(", "),
        }
    }
}

fn blocks(difference: &Difference) -> io::Result<Vec<Block<'_>>> {
    // The key is the printed part without line numbers.
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut block_of_change = Vec::new();
    for change in difference.changes() {
        let mut body = Vec::new();
        write_agent(&mut body, change, LineNumbers::LeftOut)?;
        if body.is_empty() {
            block_of_change.push(None);
            continue;
        }
        let place = *places.entry(body).or_insert(blocks.len());
        if place == blocks.len() {
            let agents = Vec::new();
            blocks.push(Block { agents, change });
        }
        block_of_change.push(Some(place));
    }
    for (agent, change) in difference.agents() {
        let place = block_of_change.get(change).copied().flatten();
        if let Some(block) = place.and_then(|place| blocks.get_mut(place)) {
            block.agents.push(name(agent));
        }
    }
    Ok(blocks)
}

fn name(agent: &str) -> String {
    match agent {
        EVERYONE => "* (any other agent)".to_owned(),
        agent => match PolicyToken::find(agent) {
            Some(token) => format!("{} ({}, no crawler)", token.as_str(), use_of(token)),
            None => printable(agent),
        },
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineNumbers {
    Written,
    LeftOut,
}

fn write_agent(out: &mut dyn Write, agent: &AgentChange, numbers: LineNumbers) -> io::Result<()> {
    if !agent.is_change() && !agent.has_other_rules() {
        return Ok(());
    }
    let (old, new) = (agent.old_agent_match(), agent.new_agent_match());
    if old != new {
        writeln!(out, "  {ASIDE}{new} applies, before: {old}{ASIDE:#}")?;
    }
    if agent.is_change() {
        match (old, agent.removed_rule_count()) {
            (AgentMatch::Wildcard, count) if old != new && count > MOST_RULES_OF_OTHERS => {
                writeln!(
                    out,
                    "  {REMOVED}- {count} rules for everyone, which no longer apply{REMOVED:#}"
                )?
            }
            _ => write_rules(out, "-", &agent.removed_rules(), numbers)?,
        }
        match (new, agent.added_rule_count()) {
            (AgentMatch::Wildcard, count) if old != new && count > MOST_RULES_OF_OTHERS => {
                writeln!(
                    out,
                    "  {ADDED}+ {count} rules for everyone, which now apply{ADDED:#}"
                )?
            }
            _ => write_rules(out, "+", &agent.added_rules(), numbers)?,
        }
    } else {
        writeln!(
            out,
            "  {ASIDE}no answer changes (rules: {} less, {} more){ASIDE:#}",
            agent.removed_rule_count(),
            agent.added_rule_count()
        )?;
    }
    write_records(out, agent.records())?;
    let verdicts = agent.verdicts();
    let mut rows: Vec<Vec<Cell>> = verdicts
        .map(|change| verdict_row(&change, numbers))
        .collect();
    rows.extend(agent.usages().iter().map(usage_row));
    rows.extend(agent.content_uses().iter().map(content_use_row));
    columns::write_folded(out, &rows)?;
    if agent.is_change() && agent.left_out() > 0 {
        writeln!(
            out,
            "  {ASIDE}{} more, of rules, URLs and records, which would be too many to list{ASIDE:#}",
            counted(agent.left_out(), "change")
        )?;
    }
    if !agent.is_complete() {
        writeln!(
            out,
            "  {ASIDE}more answers may change: there are too many ways in which these rules meet{ASIDE:#}"
        )?;
    }
    Ok(())
}

fn write_rules(
    out: &mut dyn Write,
    sign: &str,
    rules: &[Rule<'_>],
    numbers: LineNumbers,
) -> io::Result<()> {
    let style = if sign == "+" { ADDED } else { REMOVED };
    for rule in rules {
        write!(out, "  {style}{sign} {rule}{style:#}")?;
        match numbers {
            LineNumbers::Written => writeln!(out, "  {ASIDE}(line {}){ASIDE:#}", rule.line())?,
            LineNumbers::LeftOut => writeln!(out)?,
        }
    }
    Ok(())
}

fn write_records(out: &mut dyn Write, records: &RecordChanges) -> io::Result<()> {
    let removed = records
        .removed()
        .iter()
        .map(|record| ("-", REMOVED, record));
    let added = records.added().iter().map(|record| ("+", ADDED, record));
    for (sign, style, record) in removed.chain(added) {
        writeln!(out, "  {style}{sign} {}{style:#}", printable(record))?;
    }
    Ok(())
}

fn verdict_row(change: &VerdictChange<'_>, numbers: LineNumbers) -> Vec<Cell> {
    let (style, now) = if change.new.is_allowed() {
        (ALLOWED, "  now allowed")
    } else {
        (DISALLOWED, "  now disallowed")
    };
    vec![
        Cell::styled(style, now),
        Cell::new(change.url),
        Cell::new(&reason(&change.new, numbers)),
        Cell::styled(ASIDE, &format!("before: {}", reason(&change.old, numbers))),
    ]
}

fn reason(verdict: &Verdict<'_>, numbers: LineNumbers) -> String {
    match (numbers, verdict.reason()) {
        (LineNumbers::LeftOut, Reason::Rule(rule)) => rule.to_string(),
        (_, reason) => reason.to_string(),
    }
}

fn usage_row(change: &UsageChange) -> Vec<Cell> {
    vec![
        Cell::new(&format!("  {}", change.category)),
        Cell::new(&change.url),
        Cell::new(&change.new.to_string()),
        Cell::styled(ASIDE, &format!("before: {}", change.old)),
    ]
}

fn content_use_row(change: &ContentUseChange) -> Vec<Cell> {
    let written = |uses: &[String]| match uses {
        [] => "not stated".to_owned(),
        uses => uses.join(" and "),
    };
    vec![
        Cell::new("  use"),
        Cell::new(&change.url),
        Cell::new(&written(&change.new)),
        Cell::styled(ASIDE, &format!("before: {}", written(&change.old))),
    ]
}

fn write_summary(out: &mut dyn Write, difference: &Difference) -> io::Result<()> {
    let about = match difference.question() {
        _ if !difference.is_complete() => {
            format!(
                "not all URLs could be looked at for {}",
                incomplete(difference)
            )
        }
        Question::Urls(urls) => format!("{} asked about", counted(urls.len(), "URL")),
        Question::Rules => "all URLs looked at".to_owned(),
    };
    let agents = counted(difference.agents().len(), "agent");
    let changed = difference.changes().iter();
    let changed = changed.filter(|change| change.is_change());
    match changed.map(|change| change.agents().len()).sum() {
        0 if difference.is_change() => {
            writeln!(
                out,
                "no answer changes for {agents} ({about}), but what the whole file says"
            )
        }
        0 if !difference.is_complete() => {
            writeln!(out, "nothing was found that changes for {agents} ({about})")
        }
        0 => writeln!(out, "nothing changes for {agents} ({about})"),
        changed => writeln!(out, "something changes for {changed} of {agents} ({about})"),
    }
}

/// The first few of the agents whose comparison is incomplete.
fn incomplete(difference: &Difference) -> String {
    let is_incomplete = |place: usize| {
        let change = difference.changes().get(place);
        change.is_some_and(|change| !change.is_complete())
    };
    let agents = difference.agents();
    let agents = agents.filter(|(_, change)| is_incomplete(*change));
    let mut agents = agents.map(|(agent, _)| name(agent));
    let shown: Vec<String> = agents.by_ref().take(MOST_NAMES).collect();
    match agents.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

const EVERYONE: &str = "*";

/// The most names of a block. A list of AI crawlers may have a hundred names.
const MOST_NAMES: usize = 6;

/// The most rules for everyone that are shown. They belong to another group, so the rest is
/// counted.
const MOST_RULES_OF_OTHERS: usize = 5;

//! The changes for people: agents with the same changes together.

use std::io::{self, Write};

use polite_robots::Verdict;
use polite_robots_audit::difference::{
    AgentChange, Difference, Question, RecordChanges, UsageChange, VerdictChange,
};

use crate::columns::{self, Cell};
use crate::counted::counted;
use crate::terminal::{ADDED, ALLOWED, ASIDE, DISALLOWED, EMPHASIS, REMOVED, printable};

pub(super) fn write(out: &mut dyn Write, difference: &Difference<'_>) -> io::Result<()> {
    for (agents, body) in together(difference.agents())? {
        writeln!(out, "{EMPHASIS}{}{EMPHASIS:#}", agents.join(", "))?;
        out.write_all(&body)?;
        writeln!(out)?;
    }
    if !difference.records().is_empty() {
        writeln!(out, "{EMPHASIS}the whole file{EMPHASIS:#}")?;
        write_records(out, difference.records())?;
        writeln!(out)?;
    }
    write_summary(out, difference)
}

/// What is printed of each agent, once for all of whom it is true.
fn together(agents: &[AgentChange<'_>]) -> io::Result<Vec<(Vec<String>, Vec<u8>)>> {
    let mut together: Vec<(Vec<String>, Vec<u8>)> = Vec::new();
    for agent in agents {
        let mut body = Vec::new();
        write_agent(&mut body, agent)?;
        if body.is_empty() {
            continue;
        }
        match together.iter_mut().find(|(_, other)| *other == body) {
            Some((names, _)) => names.push(name(agent)),
            None => together.push((vec![name(agent)], body)),
        }
    }
    Ok(together)
}

fn name(agent: &AgentChange<'_>) -> String {
    match agent.agent() {
        EVERYONE => "* (any other agent)".to_owned(),
        agent => printable(agent),
    }
}

fn write_agent(out: &mut dyn Write, agent: &AgentChange<'_>) -> io::Result<()> {
    if !agent.is_change() && !agent.has_other_rules() {
        return Ok(());
    }
    let (old, new) = (agent.old_agent_match(), agent.new_agent_match());
    if old != new {
        writeln!(out, "  {ASIDE}{new} applies, before: {old}{ASIDE:#}")?;
    }
    if agent.is_change() {
        let removed = agent
            .removed_rules()
            .iter()
            .map(|rule| ("-", REMOVED, rule));
        let added = agent.added_rules().iter().map(|rule| ("+", ADDED, rule));
        for (sign, style, rule) in removed.chain(added) {
            writeln!(
                out,
                "  {style}{sign} {rule}{style:#}  {ASIDE}(line {}){ASIDE:#}",
                rule.line()
            )?;
        }
    } else {
        writeln!(
            out,
            "  {ASIDE}no answer changes (rules: {} less, {} more){ASIDE:#}",
            agent.removed_rules().len(),
            agent.added_rules().len()
        )?;
    }
    write_records(out, agent.records())?;
    let mut rows: Vec<Vec<Cell>> = agent.verdicts().iter().map(verdict_row).collect();
    rows.extend(agent.usages().iter().map(usage_row));
    columns::write(out, &rows)?;
    if !agent.is_complete() {
        writeln!(
            out,
            "  {ASIDE}more answers may change: there are too many ways in which these rules meet{ASIDE:#}"
        )?;
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

fn verdict_row(change: &VerdictChange<'_>) -> Vec<Cell> {
    let (style, now) = if change.new.is_allowed() {
        (ALLOWED, "  now allowed")
    } else {
        (DISALLOWED, "  now disallowed")
    };
    vec![
        Cell::styled(style, now),
        Cell::new(&change.url),
        Cell::new(&reason(&change.new)),
        Cell::styled(ASIDE, &format!("before: {}", reason(&change.old))),
    ]
}

fn reason(verdict: &Verdict<'_>) -> String {
    verdict.reason().to_string()
}

fn usage_row(change: &UsageChange) -> Vec<Cell> {
    vec![
        Cell::new(&format!("  {}", change.category)),
        Cell::new(&change.url),
        Cell::new(&change.new.to_string()),
        Cell::styled(ASIDE, &format!("before: {}", change.old)),
    ]
}

fn write_summary(out: &mut dyn Write, difference: &Difference<'_>) -> io::Result<()> {
    let about = match difference.question() {
        _ if !difference.is_complete() => "not all URLs could be looked at".to_owned(),
        Question::Urls(urls) => format!("{} asked about", counted(urls.len(), "URL")),
        Question::Rules => "all URLs looked at".to_owned(),
    };
    let agents = counted(difference.agents().len(), "agent");
    let changed = difference.agents().iter().filter(|agent| agent.is_change());
    match changed.count() {
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

const EVERYONE: &str = "*";

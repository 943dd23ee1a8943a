//! The answers about several agents: a table of agents and URLs, and below it the lines that the
//! table refers to.

use std::collections::BTreeMap;
use std::io::{self, Write};

use polite_robots::Verdict;

use crate::check::questions::Asked;
use crate::columns::{self, Cell};
use crate::terminal::{ALLOWED, ASIDE, DISALLOWED};

/// Writes the table. The longer list, agents or URLs, has the rows, because a terminal scrolls
/// down.
pub(super) fn write(out: &mut dyn Write, asked: &[Asked<'_>]) -> io::Result<()> {
    let answers: Vec<Vec<Verdict<'_>>> = asked
        .iter()
        .map(|asked| asked.checked().map(|(_, verdict)| verdict).collect())
        .collect();
    let agents = asked.iter().map(|asked| Cell::new(asked.agent()));
    let urls = asked.first().map(|asked| asked.urls).unwrap_or_default();
    let urls = urls.iter().map(|url| Cell::new(url));
    let answer = |agent: usize, url: usize| answers.get(agent)?.get(url).map(cell);
    let rows = if agents.len() > urls.len() {
        table(urls, agents, answer)
    } else {
        table(agents, urls, |url, agent| answer(agent, url))
    };
    columns::write_table(out, rows)?;
    write_lines(out, answers.iter().flatten())
}

fn table(
    across: impl Iterator<Item = Cell>,
    down: impl Iterator<Item = Cell>,
    cell: impl Fn(usize, usize) -> Option<Cell>,
) -> Vec<Vec<Cell>> {
    let head: Vec<Cell> = core::iter::once(Cell::new("")).chain(across).collect();
    let columns = head.len().saturating_sub(1);
    let rows = down.enumerate().map(|(row, name)| {
        let cells = (0..columns).filter_map(|column| cell(row, column));
        core::iter::once(name).chain(cells).collect()
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    core::iter::once(head).chain(rows).collect()
}

/// The cell of a verdict, with the number of the deciding line if one decides.
fn cell(verdict: &Verdict<'_>) -> Cell {
    let (style, answer) = if verdict.is_allowed() {
        (ALLOWED, "allowed")
    } else {
        (DISALLOWED, "disallowed")
    };
    match verdict.rule() {
        Some(rule) => Cell::styled(style, &format!("{answer} ({})", rule.line())),
        None => Cell::styled(style, answer),
    }
}

/// The deciding lines, each once.
fn write_lines<'a>(
    out: &mut dyn Write,
    verdicts: impl Iterator<Item = &'a Verdict<'a>>,
) -> io::Result<()> {
    let lines: BTreeMap<u32, String> = verdicts
        .filter_map(|verdict| Some((verdict.rule()?.line(), verdict.reason().to_string())))
        .collect();
    if !lines.is_empty() {
        writeln!(out)?;
    }
    lines
        .values()
        .try_for_each(|reason| writeln!(out, "{ASIDE}{reason}{ASIDE:#}"))
}

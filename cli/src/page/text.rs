//! The uses of a page for people: a list for each agent.

use std::io::{self, Write};

use polite_robots_records::Preference;

use crate::columns::{self, Cell};
use crate::fetched_page::FetchedPage;
use crate::page::effects::{AgentPage, Strength};
use crate::page::verdict::Gate;
use crate::terminal::{ALLOWED, ASIDE, DISALLOWED, EMPHASIS, WARNING, printable};

pub(super) fn write(
    out: &mut dyn Write,
    page: &AgentPage<'_>,
    gate: Option<&Gate<'_>>,
) -> io::Result<()> {
    write_agent(out, page.agent)?;
    let mut rows = Vec::new();
    let effects = page.effects().into_iter();
    // The row `index` says it already.
    let is_said = |name: &str| name == "available_until" && page.has_expired();
    for effect in effects.filter(|effect| !is_said(effect.name)) {
        let style = match effect.strength {
            Strength::Free => ALLOWED,
            Strength::Limited => WARNING,
            Strength::Forbidden => DISALLOWED,
        };
        let decided_by = effect.decided_by.map(|statement| statement.to_string());
        rows.push(vec![
            Cell::new(&format!("  {}", effect.title)),
            Cell::styled(style, &effect.words),
            Cell::styled(ASIDE, &decided_by.unwrap_or_default()),
        ]);
    }
    for (_, category, preference, evidence) in page.preferences() {
        let (style, words) = match preference {
            Preference::Disallowed => (DISALLOWED, "asks not to"),
            _ => (ALLOWED, "yes"),
        };
        rows.push(vec![
            Cell::new(&format!("  use for {category}")),
            Cell::styled(style, words),
            Cell::styled(ASIDE, &evidence),
        ]);
    }
    for license in page.controls().licenses() {
        rows.push(vec![
            Cell::new("  license"),
            Cell::new(""),
            Cell::new(license.target()),
        ]);
    }
    columns::write(out, &rows)?;
    match gate {
        Some(gate) => {
            let style = match gate.hides_a_rule(page) {
                true => WARNING,
                false => EMPHASIS,
            };
            writeln!(out, "  {style}robots.txt:{style:#} {}", gate.sentence(page))
        }
        None => Ok(()),
    }
}

/// Writes an agent whose page was not read, so that its uses are unknown.
pub(super) fn write_unread(out: &mut dyn Write, agent: &str, gate: &Gate<'_>) -> io::Result<()> {
    write_agent(out, agent)?;
    let style = match gate.verdict().is_allowed() {
        true => EMPHASIS,
        false => WARNING,
    };
    let sentence = gate.sentence_alone(agent);
    writeln!(out, "  {style}robots.txt:{style:#} {sentence}")
}

/// The requests for a live page, each with its answer.
pub(super) fn write_requests(out: &mut dyn Write, page: &FetchedPage) -> io::Result<()> {
    for request in &page.requests {
        let url = printable(&request.url);
        match (request.status, &request.location, &request.problem) {
            (Some(status @ 300..=399), Some(location), _) => {
                writeln!(out, "{status}  {url} → {}", printable(location))?;
            }
            (Some(status), ..) => writeln!(out, "{status}  {url}")?,
            (None, _, problem) => {
                let problem = problem.as_deref().unwrap_or_default();
                writeln!(out, "–    {url}  {ASIDE}{problem}{ASIDE:#}")?;
            }
        }
    }
    writeln!(out)
}

fn write_agent(out: &mut dyn Write, agent: &str) -> io::Result<()> {
    let agent = match agent {
        "*" => String::from("* (any other agent)"),
        agent => printable(agent),
    };
    writeln!(out, "{EMPHASIS}{agent}{EMPHASIS:#}")
}

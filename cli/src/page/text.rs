//! The uses of a page for people: a list for each agent.

use std::io::{self, Write};

use polite_robots::record::Preference;

use crate::columns::{self, Cell};
use crate::page::effects::{AgentPage, Strength};
use crate::page::verdict::Gate;
use crate::terminal::{ALLOWED, ASIDE, DISALLOWED, EMPHASIS, WARNING, printable};

pub(super) fn write(
    out: &mut dyn Write,
    page: &AgentPage<'_>,
    gate: Option<&Gate<'_>>,
) -> io::Result<()> {
    let agent = match page.agent {
        "*" => String::from("* (any other agent)"),
        agent => printable(agent),
    };
    writeln!(out, "{EMPHASIS}{agent}{EMPHASIS:#}")?;
    let mut rows = Vec::new();
    for effect in page.effects() {
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

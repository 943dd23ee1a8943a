//! The notes below the answers: facts about the agents, and URLs for which another reading of the
//! file gives another answer.

use std::io::{self, Write};

use crate::check::questions::Asked;
use crate::counted::counted;
use crate::terminal::{EMPHASIS, printable};

/// Writes the notes about all agents, under a blank line if there are any.
pub(super) fn write(out: &mut dyn Write, asked: &[Asked<'_>]) -> io::Result<()> {
    let notes: Vec<String> = asked.iter().flat_map(notes_about).collect();
    if !notes.is_empty() {
        writeln!(out)?;
    }
    notes
        .iter()
        .try_for_each(|note| writeln!(out, "{EMPHASIS}note:{EMPHASIS:#} {}", printable(note)))
}

fn notes_about(asked: &Asked<'_>) -> Vec<String> {
    let answers = &asked.answers;
    let mut notes: Vec<String> = answers.remarks().collect();
    let mut of_urls = asked.urls.iter().filter_map(|url| {
        let note = answers.about(url).note()?;
        Some(match asked.urls {
            [_] => note,
            _ => format!("{url}: {note}"),
        })
    });
    let shown: Vec<String> = (&mut of_urls).take(MOST_SHOWN).collect();
    let more = of_urls.count();
    match (shown.is_empty(), answers.statement()) {
        (true, Some(statement)) => {
            notes.push(format!("{statement}: then every answer is the same"))
        }
        _ => notes.extend(shown),
    }
    if more > 0 {
        notes.push(format!("{} more like these", counted(more, "URL")));
    }
    notes
}

const MOST_SHOWN: usize = 3;

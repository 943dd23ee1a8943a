//! The notes below the answers: what the operators of known crawlers say.

use std::io::{self, Write};

use polite_robots_audit::operator::OperatorReading;

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
    let operator = asked.operator.iter();
    let mut notes = asked.remarks();
    notes.extend(operator.map(|operator| operators_answers(asked, operator)));
    notes
}

/// The first few answers that are others, which most files have one or none of.
fn operators_answers(asked: &Asked<'_>, operator: &OperatorReading) -> String {
    let statement = operator.statement();
    if let [url] = asked.urls {
        return operator.sentence(url);
    }
    let mut others = asked
        .checked()
        .filter(|checked| operator.check(checked.url).is_allowed() != checked.verdict.is_allowed());
    let shown: Vec<String> = (&mut others)
        .take(MOST_SHOWN)
        .map(|checked| format!("{} {}", checked.url, operator.check(checked.url)))
        .collect();
    match (shown.is_empty(), others.count()) {
        (true, _) => format!("{statement}: then every answer is the same"),
        (false, 0) => format!("{statement}: then {}", shown.join("; ")),
        (false, more) => format!(
            "{statement}: then {}; and {} more",
            shown.join("; "),
            counted(more, "other answer")
        ),
    }
}

const MOST_SHOWN: usize = 3;

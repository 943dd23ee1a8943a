//! The end of a survey: its page, its counts and its answer.

use std::io::{self, Write};
use std::path::Path;

use polite_robots_survey::{Part, report};

use crate::counted::counted;
use crate::outcome::{Answer, Failure};
use crate::survey::text;
use crate::terminal;

/// The answer of a complete survey: was everything read?
pub(super) fn answer(part: &Part) -> Answer {
    match part.unreadable() {
        0 => Answer::Yes,
        _ => Answer::Partial,
    }
}

/// Writes the page with charts, if one is wanted, and prints the counts. Neither is lost because the other cannot be
/// written.
pub(super) fn show(part: &Part, report: Option<&Path>) -> Result<(), Failure> {
    let reported = match report {
        Some(_) => text::write_report(report, &report::survey(REPORT, part)),
        None => Ok(()),
    };
    terminal::print(|out| write(out, part))?;
    Ok(reported?)
}

fn write(out: &mut dyn Write, part: &Part) -> io::Result<()> {
    writeln!(out, "{}", counted(part.input_count(), "input"))?;
    text::write(out, &report::overview(part))
}

/// The title of a report.
const REPORT: &str = "The state of robots.txt";

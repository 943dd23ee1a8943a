//! The findings as workflow commands of GitHub Actions, which shows them beside the lines of a
//! change.

use std::io::{self, Write};

use polite_robots_lint::Severity;

use crate::input::Input;
use crate::lint::human::LONGEST_SUGGESTION;
use crate::lint::linted::Finding;
use crate::lint::report::Report;
use crate::terminal::printable;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    for linted in &report.linted {
        for finding in &linted.findings {
            write_finding(out, linted.input, finding)?;
        }
    }
    for failed in &report.failed {
        let (file, title) = (file_property(failed.input), failed.how.as_str());
        let message = escaped_data(&failed.message);
        writeln!(out, "::error {file}title={title}::{message}")?;
    }
    Ok(())
}

fn write_finding(out: &mut dyn Write, input: &Input, finding: &Finding) -> io::Result<()> {
    let command = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let (start, end) = (finding.place.start, finding.place.end);
    write!(
        out,
        "::{command} {}line={},endLine={},col={},",
        file_property(input),
        start.line,
        end.line,
        start.column,
    )?;
    // GitHub reads the last column only if the finding is on one line.
    if end.line == start.line {
        let last = end.column.saturating_sub(1).max(start.column);
        write!(out, "endColumn={last},")?;
    }
    let title = finding.code();
    let message = escaped_data(finding.diagnostic.message());
    write!(out, "title={title}::{message}")?;
    match finding.suggestion() {
        None => writeln!(out),
        Some("") => writeln!(out, " [suggestion: remove it]"),
        Some(suggestion) if suggestion.len() > LONGEST_SUGGESTION => writeln!(out),
        Some(suggestion) => writeln!(out, " [suggestion: write {}]", quoted(suggestion)),
    }
}

/// Quotes a suggestion. A suggestion may be a colon and a blank, which only quotes make readable.
fn quoted(suggestion: &str) -> String {
    let quote = if suggestion.contains('`') { '"' } else { '`' };
    format!("{quote}{}{quote}", escaped_data(suggestion))
}

/// Standard input has no lines that could be annotated.
fn file_property(input: &Input) -> String {
    match input {
        Input::StandardInput => String::new(),
        Input::File(_) => format!("file={},", escaped_property(&input.argument())),
    }
}

/// Escapes as GitHub's toolkit does, and spells out control characters, which a terminal would
/// obey.
fn escaped_data(text: &str) -> String {
    printable(
        &text
            .replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A"),
    )
}

fn escaped_property(text: &str) -> String {
    escaped_data(text).replace(':', "%3A").replace(',', "%2C")
}

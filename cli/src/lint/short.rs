//! `--format short`: a line for each finding, as editors and grep read them.

use std::io::{self, Write};

use polite_robots_lint::Severity;

use crate::lint::report::Report;
use crate::terminal::{ASIDE, EMPHASIS, ERROR, WARNING, printable};

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    for linted in &report.linted {
        let name = printable(&linted.input.argument());
        for finding in &linted.findings {
            let style = match finding.severity() {
                Severity::Error => ERROR,
                Severity::Warning => WARNING,
                Severity::Note => EMPHASIS,
            };
            let start = finding.place.start;
            writeln!(
                out,
                "{name}:{}:{}: {style}{}{style:#}{ASIDE}[{}]{ASIDE:#}: {}",
                start.line,
                start.column,
                finding.severity().as_str(),
                finding.code(),
                printable(finding.diagnostic.message()),
            )?;
        }
    }
    Ok(())
}

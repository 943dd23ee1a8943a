//! `--format short`: a line for each finding, as editors and grep read them.

use std::io::{self, Write};

use crate::lint::report::Report;
use crate::lint::volume::style_of;
use crate::terminal::{ASIDE, printable};

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    for linted in &report.linted {
        let name = printable(&linted.input.argument());
        for finding in &linted.findings {
            let style = style_of(finding.severity());
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

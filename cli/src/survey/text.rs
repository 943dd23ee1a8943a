//! A survey for people: tables on the terminal, and the page with charts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use polite_robots_survey::report::{self, Cell, Document, Table};

use crate::columns;
use crate::survey::output::write_whole;
use crate::terminal::{ASIDE, printable};

/// Prints the tables under their titles.
pub(crate) fn write(out: &mut dyn Write, tables: &[Table]) -> io::Result<()> {
    for table in tables {
        if !table.title.is_empty() {
            writeln!(out, "\n{ASIDE}{}{ASIDE:#}", table.title)?;
        }
        write_table(out, table)?;
    }
    Ok(())
}

/// Prints a table in columns, the numbers to the right.
pub(crate) fn write_table(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let heads = table
        .columns
        .iter()
        .map(|column| Cell::Text(column.clone()));
    let heads = Some(heads.collect::<Vec<Cell>>()).filter(|heads| !heads.is_empty());
    let rows: Vec<&Vec<Cell>> = heads.iter().chain(&table.rows).collect();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let width = |column: usize| {
        let first = table.rows.first().and_then(|row| row.get(column));
        let is_right = matches!(first, Some(Cell::Number(_)));
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|cell| cell.as_str().chars().count());
        widths.max().filter(|_| is_right).unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let padded = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths);
        let cells =
            cells.map(|(cell, width)| columns::Cell::new(&format!("{:>width$}", cell.as_str())));
        cells.collect()
    });
    columns::write(out, &padded.collect::<Vec<Vec<columns::Cell>>>())
}

/// Writes a document as an HTML page, if one is wanted.
pub(crate) fn write_report(path: Option<&Path>, document: &Document) -> Result<(), ReportError> {
    let Some(path) = path else {
        return Ok(());
    };
    let html = report::html(document);
    let path = path.to_owned();
    write_whole(&path, |file| file.write_all(html.as_bytes()))
        .map_err(|source| ReportError { path, source })
}

/// A report that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the report to {}: {source}", printable(&path.to_string_lossy()))]
pub(crate) struct ReportError {
    path: PathBuf,
    source: io::Error,
}

//! Rows: one line for each site, for databases and data frames.
//!
//! A row is written while its batch is counted, in the order of the inputs, so memory is bounded
//! and a file can be of any size.

mod compression;
mod csv;
mod json;
mod row;

use std::io::{self, Write};
use std::path::Path;

pub use crate::rows::compression::RowWriter;
pub(crate) use crate::rows::compression::open;

use crate::rows::compression::RowCompression;
use crate::rows::json::Form;
use crate::rows::row::Row;
use crate::summary::site::Site;

/// The form of the rows.
///
/// ```
/// use polite_robots_survey::rows::RowFormat;
///
/// assert_eq!(RowFormat::from_path("rows.csv".as_ref()), Some(RowFormat::Csv));
/// assert_eq!(RowFormat::from_path("rows.jsonl.zst".as_ref()), Some(RowFormat::JsonLines));
/// assert_eq!(RowFormat::from_path("rows.parquet".as_ref()), None);
/// assert_eq!(RowFormat::JsonLines.compact(), Some(RowFormat::CompactJsonLines));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// One JSON object a line.
    JsonLines,
    /// One JSON object of a few hundred bytes a line. Agents are in sets by how much they may
    /// fetch, only the known crawlers that may fetch more or less than `*` are listed, and places
    /// in inputs are left out.
    CompactJsonLines,
    /// Comma-separated values with a head (RFC 4180), and a column for each known crawler.
    Csv,
}

impl RowFormat {
    /// The form that the name of a file states: `.jsonl` or `.csv`, optionally followed by `.gz` or
    /// `.zst`.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<RowFormat> {
        let name = match RowCompression::of(path) {
            Some(_) => path.file_stem()?,
            None => path.file_name()?,
        };
        let ending = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "jsonl" => Some(RowFormat::JsonLines),
            "csv" => Some(RowFormat::Csv),
            _ => None,
        }
    }

    /// The compact form of this one; `None` for a table, in which each crawler has its column.
    #[must_use]
    pub fn compact(self) -> Option<RowFormat> {
        match self {
            RowFormat::JsonLines | RowFormat::CompactJsonLines => Some(RowFormat::CompactJsonLines),
            RowFormat::Csv => None,
        }
    }
}

/// The writer of the rows of a run.
#[expect(
    missing_debug_implementations,
    reason = "a writer need not implement it"
)]
pub struct Rows<'w> {
    pub(crate) format: RowFormat,
    out: &'w mut (dyn Write + Send),
}

impl<'w> Rows<'w> {
    /// Begins the rows: a CSV has a head.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn new(format: RowFormat, out: &'w mut (dyn Write + Send)) -> io::Result<Rows<'w>> {
        if format == RowFormat::Csv {
            out.write_all(csv::head().as_bytes())?;
        }
        Ok(Rows { format, out })
    }

    /// Writes lines that [`render`] made.
    pub(crate) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.out.write_all(lines)
    }
}

/// Appends the line of a site to `line`.
pub(crate) fn render(format: RowFormat, site: &Site<'_>, line: &mut Vec<u8>) {
    let row = Row::new(site);
    match format {
        RowFormat::JsonLines => json::write(&row, Form::Full, line),
        RowFormat::CompactJsonLines => json::write(&row, Form::Compact, line),
        RowFormat::Csv => csv::write(&row, line),
    }
}

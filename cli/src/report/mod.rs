//! What people are shown of a survey: a page with charts, and a short summary for the terminal.
//!
//! `contents` decides what is told, as a document of sections with charts and tables; `page` and `text` show it.

mod chart;
pub(crate) mod contents;
pub(crate) mod document;
pub(crate) mod number;
mod page;
pub(crate) mod text;

use std::io;
use std::path::{Path, PathBuf};

use crate::report::document::Document;
use crate::rewrite::write_whole;
use crate::terminal::printable;

/// Writes a document as one HTML page that needs nothing else.
pub(crate) fn write(path: &Path, document: &Document) -> Result<(), ReportError> {
    let html = page::html(document).map_err(|source| ReportError::Chart {
        path: path.to_owned(),
        source,
    })?;
    write_whole(path, |file| file.write_all(html.as_bytes())).map_err(|source| {
        ReportError::Unwritable {
            path: path.to_owned(),
            source,
        }
    })
}

/// A report that cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    #[error("cannot write the report to {}: {source}", printable(&path.to_string_lossy()))]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot draw a chart of {}: {source}", printable(&path.to_string_lossy()))]
    Chart {
        path: PathBuf,
        source: charts_rs::Error,
    },
}

#[cfg(test)]
mod tests;

//! Reports of a survey: a page with charts, and tables that fit on a terminal.
//!
//! [`survey`] makes a [`Document`] of key figures, charts and tables, and [`html`] makes a page of
//! it; [`overview`] has the few tables that a reader wants first.
//!
//! ```
//! use polite_robots_survey::{Depth, Part, report};
//!
//! let part = Part::new(Vec::new(), 512_000, Depth::Thorough)?;
//! let [responses, ..] = &report::overview(&part)[0].rows[..] else { panic!() };
//! assert_eq!(responses.iter().map(|cell| cell.as_str()).collect::<Vec<_>>(), ["responses", "0"]);
//! # Ok::<(), polite_robots_survey::SurveyError>(())
//! ```

mod chart;
mod contents;
mod document;
pub(crate) mod number;
mod overview;
mod page;

pub use crate::report::document::{Cell, Chart, Document, Figure, Section, Series, Table};
pub(crate) use crate::report::document::{MOST_BARS, code, number, right_aligned, share, text};
pub use crate::report::page::ChartError;

use crate::part::Part;

/// The report of a survey, under a title.
#[must_use]
pub fn survey(title: &str, part: &Part) -> Document {
    let mut document = contents::of_survey(title, &part.summary);
    if let (Some(strata), Some(outcome)) = (
        contents::strata::table(&part.strata, &part.summary),
        document.sections.first_mut(),
    ) {
        outcome.tables.insert(0, strata);
    }
    document
}

/// A short summary; its first table has no title.
#[must_use]
pub fn overview(part: &Part) -> Vec<Table> {
    let mut tables = overview::tables(&part.summary);
    tables.extend(contents::strata::table(&part.strata, &part.summary));
    tables
}

/// A document as one HTML page without external resources.
///
/// # Errors
///
/// If a chart cannot be drawn.
pub fn html(document: &Document) -> Result<String, ChartError> {
    Ok(page::html(document)?)
}

#[cfg(test)]
mod tests;

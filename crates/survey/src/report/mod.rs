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
pub(crate) mod measures;
pub(crate) mod number;
mod overview;
mod page;
pub(crate) mod provenance;
mod shares;

pub(crate) use crate::report::contents::NONE_PART_ALL;
pub use crate::report::document::{
    Cell, Chart, ChartForm, Document, Fact, Figure, Section, Series, Table,
};
pub(crate) use crate::report::document::{
    MOST_BARS, MOST_COLUMNS, code, number, right_aligned, share, text,
};

pub use crate::report::page::html;
pub use crate::report::shares::large_shares;

use crate::part::Part;

/// The report of a survey. `title` is used if the survey was given no title of its own.
#[must_use]
pub fn survey(title: &str, part: &Part) -> Document {
    let titles: Vec<&str> = part.titles().collect();
    let title = match titles.is_empty() {
        true => String::from(title),
        false => titles.join(", "),
    };
    let mut document = contents::of_survey(&title, &part.summary);
    document.dates = provenance::dates_in_words(part);
    document.source = provenance::source(&title, part);
    document.provenance = provenance::facts(part);
    for (unit, share) in large_shares(part) {
        let caution = format!("{share}; `--by {unit}` counts each {unit} once.");
        document.cautions.push(caution);
    }
    document.cautions.extend(shares::family(part));
    if let Some(section) = document.sections.first_mut() {
        section.tables.push(provenance::inputs_table(part));
    }
    if let Some(strata) = contents::strata::section(&part.strata, &part.summary) {
        let agents = document.sections.iter();
        let agents = agents.take_while(|section| section.id != "agents").count();
        document.sections.insert(agents, strata);
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

#[cfg(test)]
mod tests;

//! The changes between two or more surveys, as shares of their files.
//!
//! ```
//! use polite_robots_survey::compare::SurveyComparison;
//! use polite_robots_survey::{Depth, Part};
//!
//! let old = Part::new(Vec::new(), 512_000, Depth::Thorough)?;
//! let new = Part::new(Vec::new(), 512_000, Depth::Thorough)?;
//! let surveys = [(String::from("2019"), &old), (String::from("2024"), &new)];
//! let comparison = SurveyComparison::new(surveys);
//! assert_eq!(comparison.document().title, "robots.txt: 2019 and 2024");
//! # Ok::<(), polite_robots_survey::SurveyError>(())
//! ```

mod change;
mod comparison;
mod document;
mod json;
mod measure;

use crate::compare::change::changes;
pub use crate::compare::comparison::SurveyComparison;
use crate::part::Part;
use crate::report::{self, Fact};
use crate::summary::Summary;

impl SurveyComparison {
    /// Compares surveys under their labels, the earliest first.
    pub fn new<'p>(surveys: impl IntoIterator<Item = (String, &'p Part)>) -> SurveyComparison {
        let surveys = surveys.into_iter();
        let (labels, parts): (Vec<String>, Vec<&Part>) = surveys.unzip();
        let provenance = parts.iter().map(|part| report::provenance::facts(part));
        let provenance: Vec<Vec<Fact>> = provenance.collect();
        let summaries: Vec<&Summary> = parts.iter().map(|part| &part.summary).collect();
        SurveyComparison {
            labels,
            provenance,
            files: summaries.iter().map(|summary| summary.files).collect(),
            changes: changes(&summaries),
        }
    }
}

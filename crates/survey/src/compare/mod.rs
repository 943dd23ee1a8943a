//! The changes between two surveys, as shares of their files.
//!
//! ```
//! use polite_robots_survey::compare::SurveyComparison;
//! use polite_robots_survey::{Depth, Part};
//!
//! let old = Part::new(Vec::new(), 512_000, Depth::Thorough)?;
//! let new = Part::new(Vec::new(), 512_000, Depth::Thorough)?;
//! let comparison = SurveyComparison::new([String::from("2019"), String::from("2024")], &old, &new);
//! assert_eq!(comparison.document().title, "robots.txt: 2019 and 2024");
//! # Ok::<(), polite_robots_survey::SurveyError>(())
//! ```

mod change;
mod comparison;
mod document;
mod json;
mod measure;

use serde::{Serialize, Serializer};

use crate::compare::change::changes;
pub use crate::compare::comparison::SurveyComparison;
use crate::part::Part;
use crate::report::{self, Document, Table};

impl SurveyComparison {
    /// Compares two surveys, under these labels.
    #[must_use]
    pub fn new(labels: [String; 2], old: &Part, new: &Part) -> SurveyComparison {
        SurveyComparison {
            labels,
            provenance: [old, new].map(report::provenance::facts),
            files: [old.summary.files, new.summary.files],
            changes: changes(&old.summary, &new.summary),
        }
    }

    /// The report of the comparison, with charts.
    #[must_use]
    pub fn document(&self) -> Document {
        document::document(self)
    }

    /// A short table for each topic.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        document::short_tables(self)
    }
}

impl Serialize for SurveyComparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::Document::new(self).serialize(serializer)
    }
}

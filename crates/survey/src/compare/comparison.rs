//! The type of a comparison: surveys side by side.

use crate::compare::change::Change;
use crate::report::Fact;

/// Surveys side by side, the earliest first. Its JSON has every measure.
#[derive(Debug)]
pub struct SurveyComparison {
    pub(super) labels: Vec<String>,
    pub(super) files: Vec<u64>,
    /// The provenance of each survey.
    pub(super) provenance: Vec<Vec<Fact>>,
    pub(super) changes: Vec<Change>,
}

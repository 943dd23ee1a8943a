//! The type of a comparison: surveys side by side.

use crate::compare::change::Change;

/// Surveys side by side, the earliest first. Its JSON has every measure.
#[derive(Debug)]
pub struct SurveyComparison {
    pub(super) labels: Vec<String>,
    pub(super) files: Vec<u64>,
    pub(super) changes: Vec<Change>,
}

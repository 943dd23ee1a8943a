//! The type of a comparison: two surveys side by side.

use crate::compare::change::Change;
use crate::report::Fact;

/// Two surveys side by side. Its JSON has every measure.
#[derive(Debug)]
pub struct SurveyComparison {
    pub(super) labels: [String; 2],
    pub(super) files: [u64; 2],
    /// The provenance of each survey.
    pub(super) provenance: [Vec<Fact>; 2],
    pub(super) changes: Vec<Change>,
}

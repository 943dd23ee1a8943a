//! The merge of several parts of a survey into one.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::depth::Depth;
use crate::error::SurveyError;
use crate::part::Part;

/// Adds up finished parts from their files. The result equals one survey of all their inputs.
///
/// ```
/// let none: [std::path::PathBuf; 0] = [];
/// assert_eq!(polite_robots_survey::merge(&none)?.input_count(), 0);
/// # Ok::<(), polite_robots_survey::SurveyError>(())
/// ```
///
/// # Errors
///
/// If a part cannot be read, is not finished, has another limit or depth than the first, shares
/// an input with another, or counts each body or domain once.
pub fn merge(paths: &[PathBuf]) -> Result<Part, SurveyError> {
    let mut merged: Option<Part> = None;
    let mut inputs = BTreeSet::new();
    for path in paths {
        let part = Part::load_finished(path)?;
        for input in part.paths() {
            if !inputs.insert(input.clone()) {
                return Err(SurveyError::InTwoParts {
                    input: input.clone(),
                    part: path.clone(),
                });
            }
        }
        match &mut merged {
            None => merged = Some(part),
            Some(merged) => {
                part.check_counted_as(merged.max_bytes, merged.depth, path)?;
                part.check_same_labels(merged.labels.as_deref(), path)?;
                merged.merge(part)?;
            }
        }
    }
    merged.map_or_else(|| Part::new(Vec::new(), 0, Depth::Sampled), Ok)
}

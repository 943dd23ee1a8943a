//! The JSON form of a comparison. Its names are part of the contract of the command.

use serde::Serialize;

use crate::compare::change::Change;
use crate::compare::comparison::SurveyComparison;
use crate::compare::measure::Value;

/// The JSON document.
#[derive(Serialize)]
pub(super) struct Document<'c> {
    /// The first and the last survey, if there are two.
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Survey<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Survey<'c>>,
    surveys: Vec<Survey<'c>>,
    measures: Vec<Measure<'c>>,
}

impl<'c> Document<'c> {
    pub(super) fn new(comparison: &'c SurveyComparison) -> Document<'c> {
        let surveys = comparison.labels.iter().zip(&comparison.files);
        let surveys: Vec<Survey<'_>> = surveys
            .map(|(label, files)| Survey {
                label,
                files: *files,
            })
            .collect();
        let (old, new) = match surveys[..] {
            [old, new] => (Some(old), Some(new)),
            _ => (None, None),
        };
        Document {
            old,
            new,
            surveys,
            measures: comparison.changes.iter().map(Measure::new).collect(),
        }
    }
}

#[derive(Clone, Copy, Serialize)]
struct Survey<'c> {
    label: &'c str,
    files: u64,
}

#[derive(Serialize)]
struct Measure<'c> {
    topic: &'static str,
    name: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Value>,
    /// The value in each survey.
    values: &'c [Value],
    /// The difference in percentage points, or in the unit of the number.
    change: f64,
}

impl<'c> Measure<'c> {
    fn new(change: &'c Change) -> Measure<'c> {
        let (old, new) = match change.values[..] {
            [old, new] => (Some(old), Some(new)),
            _ => (None, None),
        };
        Measure {
            topic: change.topic.as_str(),
            name: &change.name,
            old,
            new,
            values: &change.values,
            change: change.difference(),
        }
    }
}

//! The JSON form of a comparison. Its names are part of the contract of the command.

use serde::Serialize;

use crate::compare::change::Change;
use crate::compare::comparison::SurveyComparison;
use crate::compare::measure::{Topic, Value};

/// The JSON document.
#[derive(Serialize)]
pub(super) struct Document<'c> {
    old: Survey<'c>,
    new: Survey<'c>,
    measures: Vec<Measure<'c>>,
}

impl<'c> Document<'c> {
    pub(super) fn new(comparison: &'c SurveyComparison) -> Document<'c> {
        let [old, new] = &comparison.labels;
        let [old_files, new_files] = comparison.files;
        Document {
            old: Survey {
                label: old,
                files: old_files,
            },
            new: Survey {
                label: new,
                files: new_files,
            },
            measures: comparison.changes.iter().map(Measure::new).collect(),
        }
    }
}

#[derive(Serialize)]
struct Survey<'c> {
    label: &'c str,
    files: u64,
}

#[derive(Serialize)]
struct Measure<'c> {
    topic: Topic,
    name: &'c str,
    old: Number,
    new: Number,
    /// The difference in percentage points, or in the unit of the number.
    change: f64,
}

/// A number, or a share as a count of a whole.
#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Share { count: u64, of: u64, percent: f64 },
    Number(u64),
}

impl<'c> Measure<'c> {
    fn new(change: &'c Change) -> Measure<'c> {
        Measure {
            topic: change.topic,
            name: &change.name,
            old: change.old.into(),
            new: change.new.into(),
            change: change.difference(),
        }
    }
}

impl From<Value> for Number {
    fn from(value: Value) -> Number {
        match value {
            Value::Share { count, of } => Number::Share {
                count,
                of,
                percent: value.as_f64(),
            },
            Value::Number(number) => Number::Number(number),
        }
    }
}

//! A comparison for programs: one JSON document, whose names are part of the command's contract.

use serde::Serialize;

use crate::compare::change::Change;
use crate::compare::comparison::SurveyComparison;
use crate::compare::measure::{Topic, Value};

#[derive(Serialize)]
pub(super) struct Document<'c> {
    old: Survey<'c>,
    new: Survey<'c>,
    measures: Vec<Measure<'c>>,
}

impl<'c> Document<'c> {
    pub(super) fn new(compared: &'c SurveyComparison) -> Document<'c> {
        let [old, new] = &compared.labels;
        let [old_files, new_files] = compared.files;
        Document {
            old: Survey {
                label: old,
                files: old_files,
            },
            new: Survey {
                label: new,
                files: new_files,
            },
            measures: compared.changes.iter().map(Measure::new).collect(),
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
    /// In percentage points, or in the number's own unit.
    change: f64,
}

/// A number, or a count with what it is a share of.
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

//! The changes of the measures between two surveys.

use std::collections::BTreeMap;

use crate::compare::measure::{Topic, Value, measures};
use crate::summary::Summary;

/// A measure of the old and the new survey.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) topic: Topic,
    pub(super) name: String,
    pub(super) old: Value,
    pub(super) new: Value,
}

impl Change {
    /// The difference in percentage points, or in the unit of the number.
    pub(super) fn difference(&self) -> f64 {
        self.new.as_f64() - self.old.as_f64()
    }
}

/// The changes by topic. Within a topic the largest changes come first, except where the measures
/// have their own order.
pub(super) fn changes(old: &Summary, new: &Summary) -> Vec<Change> {
    let mut both: BTreeMap<(Topic, String), (Option<Value>, Option<Value>)> = BTreeMap::new();
    let mut order = Vec::new();
    for measure in measures(old) {
        let key = (measure.topic, measure.name);
        order.push(key.clone());
        both.entry(key).or_default().0 = Some(measure.value);
    }
    for measure in measures(new) {
        let key = (measure.topic, measure.name);
        order.push(key.clone());
        both.entry(key).or_default().1 = Some(measure.value);
    }
    let mut changes = Vec::new();
    for key in order {
        // Most keys occur twice, once for each survey.
        let Some((before, after)) = both.remove(&key) else {
            continue;
        };
        let (topic, name) = key;
        changes.push(Change {
            topic,
            name,
            old: before.unwrap_or_else(|| absent_value(topic, old)),
            new: after.unwrap_or_else(|| absent_value(topic, new)),
        });
    }
    changes.sort_by(|one, other| {
        one.topic.cmp(&other.topic).then_with(|| match one.topic {
            Topic::Outcome | Topic::Size | Topic::Files => std::cmp::Ordering::Equal,
            _ => f64::total_cmp(&other.difference().abs(), &one.difference().abs()),
        })
    });
    changes
}

/// The value of a measure that a survey does not have.
fn absent_value(topic: Topic, summary: &Summary) -> Value {
    let of = match topic {
        Topic::Outcome => summary.responses,
        Topic::Dialects => summary.dialects.compared,
        _ => summary.files,
    };
    match topic {
        Topic::Size => Value::Number(0),
        _ => Value::Share { count: 0, of },
    }
}

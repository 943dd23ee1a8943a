//! The changes of the measures over several surveys.

use std::collections::BTreeMap;

use crate::compare::measure::{Topic, Value, measures};
use crate::summary::Summary;

/// A measure with its value in each survey.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) topic: Topic,
    pub(super) name: String,
    pub(super) values: Vec<Value>,
}

impl Change {
    /// The difference of the last and the first survey in percentage points, or in the unit of the
    /// number.
    pub(super) fn difference(&self) -> f64 {
        self.last().as_f64() - self.first().as_f64()
    }

    /// The value in the first survey.
    pub(super) fn first(&self) -> Value {
        self.values.first().copied().unwrap_or(Value::Number(0))
    }

    /// The value in the last survey.
    pub(super) fn last(&self) -> Value {
        self.values.last().copied().unwrap_or(Value::Number(0))
    }
}

/// The changes by topic. Within a topic the largest changes come first, except where the measures
/// have their own order.
pub(super) fn changes(summaries: &[&Summary]) -> Vec<Change> {
    let mut found: BTreeMap<(Topic, String), Vec<Option<Value>>> = BTreeMap::new();
    let mut order = Vec::new();
    for (at, summary) in summaries.iter().enumerate() {
        for (topic, name, value) in measures(summary) {
            let values = found.entry((topic, name)).or_insert_with_key(|key| {
                order.push(key.clone());
                vec![None; summaries.len()]
            });
            if let Some(place) = values.get_mut(at) {
                *place = Some(value);
            }
        }
    }
    let mut changes = Vec::new();
    for key in order {
        let Some(values) = found.remove(&key) else {
            continue;
        };
        let (topic, name) = key;
        let values = values.into_iter().zip(summaries);
        let values = values
            .map(|(value, summary)| value.unwrap_or_else(|| topic.value(0, summary)))
            .collect();
        changes.push(Change {
            topic,
            name,
            values,
        });
    }
    changes.sort_by(|one, other| {
        one.topic.cmp(&other.topic).then_with(|| match one.topic {
            Topic::Outcome | Topic::OutcomeByRfc | Topic::Size | Topic::Files => {
                std::cmp::Ordering::Equal
            }
            _ => f64::total_cmp(&other.difference().abs(), &one.difference().abs()),
        })
    });
    changes
}

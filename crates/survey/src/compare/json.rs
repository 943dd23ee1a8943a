//! The JSON form of a comparison. Its names are part of the contract of the command.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::compare::change::Change;
use crate::compare::comparison::SurveyComparison;

impl Serialize for SurveyComparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Survey<'c> {
            label: &'c str,
            files: u64,
        }
        let surveys = self.labels.iter().zip(&self.files);
        let surveys = surveys.map(|(label, files)| Survey {
            label,
            files: *files,
        });
        let surveys: Vec<Survey<'_>> = surveys.collect();
        let mut map = serializer.serialize_map(None)?;
        serialize_pair(&mut map, &surveys)?;
        map.serialize_entry("surveys", &surveys)?;
        map.serialize_entry("measures", &self.changes)?;
        map.end()
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("topic", self.topic.as_str())?;
        map.serialize_entry("name", &self.name)?;
        serialize_pair(&mut map, &self.values)?;
        map.serialize_entry("values", &self.values)?;
        // The difference is in percentage points, or in the unit of the number.
        map.serialize_entry("change", &self.difference())?;
        map.end()
    }
}

/// Writes the values of the first and the last survey as `old` and `new`, if there are two surveys.
fn serialize_pair<M: SerializeMap>(
    map: &mut M,
    of_each: &[impl Serialize],
) -> Result<(), M::Error> {
    if let [old, new] = of_each {
        map.serialize_entry("old", old)?;
        map.serialize_entry("new", new)?;
    }
    Ok(())
}

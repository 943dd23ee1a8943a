//! Every choice that the sources leave open.

use std::time::Duration;

use polite_robots_policy::Profile;
use serde_json::{Map, Value, json};
use wasm_bindgen::prelude::*;

use crate::names::{camel_case, snake_case, upper_camel_case};
use crate::shapes;

/// A status, a failure, an age: what each of them means.
#[wasm_bindgen(js_name = Profile)]
#[derive(Debug)]
pub struct JsProfile(pub(crate) Profile);

#[wasm_bindgen(js_class = Profile)]
impl JsProfile {
    pub fn rfc9309() -> JsProfile {
        JsProfile(Profile::rfc9309())
    }

    pub fn google() -> JsProfile {
        JsProfile(Profile::google())
    }

    pub fn ibm() -> JsProfile {
        JsProfile(Profile::ibm())
    }

    #[wasm_bindgen(js_name = ignoreRobots)]
    pub fn ignore_robots(&self) -> JsProfile {
        JsProfile(self.0.ignore_robots())
    }

    /// The settings about robots.txt: durations are seconds, choices are strings.
    #[wasm_bindgen(getter)]
    pub fn access(&self) -> Result<JsValue, JsValue> {
        Ok(shapes::parsed(&readable(settings(&self.0)?).to_string()))
    }

    /// The same profile with other settings.
    pub fn with(&self, changes: &JsValue) -> Result<JsProfile, JsValue> {
        let mut access = settings(&self.0)?;
        // Its settings have every part that a setting can have.
        let forms = settings(&Profile::ibm())?;
        let changes = shapes::written(changes).unwrap_or_default();
        let changes: Map<String, Value> = serde_json::from_str(&changes).map_err(invalid)?;
        for (name, value) in changes {
            let (known, form) =
                named(forms.as_object(), &name).ok_or_else(|| shapes::unknown("setting", &name))?;
            if let Some(fields) = access.as_object_mut() {
                fields.insert(known.clone(), stored(value, form)?);
            }
        }
        let mut profile = self.0;
        profile.access = serde_json::from_value(access).map_err(invalid)?;
        Ok(JsProfile(profile))
    }
}

fn settings(profile: &Profile) -> Result<Value, JsValue> {
    serde_json::to_value(profile.access).map_err(invalid)
}

fn invalid(error: serde_json::Error) -> JsValue {
    shapes::invalid_setting(&error.to_string())
}

/// A value as JavaScript has it, from its form in serde.
fn readable(value: Value) -> Value {
    match value {
        Value::String(name) => Value::String(snake_case(&name)),
        Value::Object(fields) => match duration(&fields) {
            // Above what a `Date` can have.
            Some(Duration::MAX) => Value::Null,
            Some(duration) => json!(duration.as_secs_f64()),
            None => {
                let fields = fields.into_iter();
                fields
                    .map(|(name, value)| (camel_case(&name), readable(value)))
                    .collect()
            }
        },
        other => other,
    }
}

/// The opposite, for a setting whose other values have the form `form`.
fn stored(value: Value, form: &Value) -> Result<Value, JsValue> {
    let Value::Object(fields) = form else {
        return Ok(match (value, form) {
            // The names of dialects are written as they are, and those of choices as in Rust.
            (Value::String(name), Value::String(form)) if form.starts_with(char::is_uppercase) => {
                Value::String(upper_camel_case(&name))
            }
            (value, _) => value,
        });
    };
    if duration(fields).is_some() {
        let duration = match value {
            // `JSON.stringify` makes it of `Infinity`.
            Value::Null => Duration::MAX,
            value => match value.as_f64().map(Duration::try_from_secs_f64) {
                Some(Ok(duration)) => duration,
                _ => {
                    return Err(shapes::invalid_setting(
                        "a duration is a number of seconds from 0",
                    ));
                }
            },
        };
        return Ok(json!({"secs": duration.as_secs(), "nanos": duration.subsec_nanos()}));
    }
    match value {
        Value::String(name) => Ok(Value::String(upper_camel_case(&name))),
        Value::Object(parts) => {
            let mut read = Map::new();
            for (name, part) in parts {
                let (known, form) =
                    named(Some(fields), &name).ok_or_else(|| shapes::unknown("part", &name))?;
                read.insert(known.clone(), stored(part, form)?);
            }
            Ok(Value::Object(read))
        }
        other => Ok(other),
    }
}

/// The field that has this name in JavaScript.
fn named<'f>(
    fields: Option<&'f Map<String, Value>>,
    name: &str,
) -> Option<(&'f String, &'f Value)> {
    fields?.iter().find(|(known, _)| camel_case(known) == name)
}

fn duration(fields: &Map<String, Value>) -> Option<Duration> {
    let seconds = fields.get("secs")?.as_u64()?;
    let nanoseconds = u32::try_from(fields.get("nanos")?.as_u64()?).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

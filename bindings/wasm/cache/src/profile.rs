//! Every choice that the sources leave open.

use std::time::Duration;

use polite_robots_policy::settings::{Backoff, CrawlDelayPolicy, Levels, Obedience, Reward};
use polite_robots_policy::{HostRule, Profile};
use serde::Serialize;
use serde::de::DeserializeOwned;
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
        object(&self.0.access)
    }

    /// The settings about the pace of hosts.
    #[wasm_bindgen(getter)]
    pub fn pace(&self) -> Result<JsValue, JsValue> {
        object(&self.0.pace)
    }

    /// The same profile with other settings about robots.txt.
    pub fn with(&self, changes: &JsValue) -> Result<JsProfile, JsValue> {
        let mut profile = self.0;
        // Its settings have every part that a setting can have.
        let forms = value(&Profile::ibm().access)?;
        profile.access = changed(&profile.access, &forms, changes)?;
        Ok(JsProfile(profile))
    }

    /// The same profile with other settings about the pace of hosts.
    #[wasm_bindgen(js_name = withPace)]
    pub fn with_pace(&self, changes: &JsValue) -> Result<JsProfile, JsValue> {
        let mut profile = self.0;
        profile.pace = changed(&profile.pace, &pace_forms()?, changes)?;
        Ok(JsProfile(profile))
    }
}

/// The settings of the pace with every part that a setting can have.
fn pace_forms() -> Result<Value, JsValue> {
    let mut settings = Profile::ibm().pace;
    settings.crawl_delay = WINDOW;
    let mut levels = Levels::default();
    levels.reward = Some(Reward::default());
    let doubling = Backoff::Doubling {
        first: Duration::ZERO,
        max: Duration::ZERO,
        forget_after: Duration::ZERO,
        jitter_percent: 0,
    };
    let throttle = Backoff::AutoThrottle {
        start: Duration::ZERO,
        max: Duration::ZERO,
    };
    let mut forms = value(&settings)?;
    if let Some(Value::Object(setting)) = forms.get_mut("backoff") {
        for kind in [Backoff::Levels(levels), doubling, throttle] {
            setting.extend(value(&kind)?.as_object().cloned().unwrap_or_default());
        }
    }
    Ok(forms)
}

const WINDOW: CrawlDelayPolicy = CrawlDelayPolicy::Window {
    min: Duration::ZERO,
    max: Duration::ZERO,
};

/// The rule of an operator that JavaScript has written.
pub(crate) fn host_rule(written: &JsValue) -> Result<HostRule, JsValue> {
    let forms = HostRule::new()
        .min_delay(Duration::ZERO)
        .max_in_flight(1)
        .crawl_delay(WINDOW)
        .obedience(Obedience::Obey);
    changed(&HostRule::new(), &value(&forms)?, written)
}

fn value(settings: &impl Serialize) -> Result<Value, JsValue> {
    serde_json::to_value(settings).map_err(impossible)
}

/// Settings as an object of JavaScript.
pub(crate) fn object(settings: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(shapes::parsed(&readable(value(settings)?).to_string()))
}

/// The same settings but for those that JavaScript names; each has the form of that in `forms`.
fn changed<T: Serialize + DeserializeOwned>(
    settings: &T,
    forms: &Value,
    changes: &JsValue,
) -> Result<T, JsValue> {
    let mut changed = value(settings)?;
    let written = shapes::written(changes);
    let named_changes: Map<String, Value> =
        serde_json::from_str(written.as_deref().unwrap_or_default())
            .map_err(|_| shapes::no_settings(written.as_deref()))?;
    for (name, value) in named_changes {
        let (known, form) =
            named(forms.as_object(), &name).ok_or_else(|| shapes::unknown("setting", &name))?;
        let mut with = |value: Value| {
            if let Some(fields) = changed.as_object_mut() {
                fields.insert(known.clone(), value);
            }
            T::deserialize(&changed).err()
        };
        if let Some(problem) = with(stored(value, form)?) {
            // The message about an empty text, which no setting is, says what there is.
            let of_text = with(json!(""));
            let problems = [Some(problem), of_text].into_iter().flatten();
            let parts = form.as_object().into_iter().flat_map(Map::keys);
            return Err(shapes::invalid_setting(
                changes,
                &name,
                problems.map(|problem| problem.to_string()).collect(),
                parts.map(|part| camel_case(part)).collect(),
            ));
        }
    }
    T::deserialize(&changed).map_err(impossible)
}

/// Settings of the library have a form in serde, which reads back.
fn impossible(error: serde_json::Error) -> JsValue {
    JsError::new(&error.to_string()).into()
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
        let duration = match value.as_f64().map(Duration::try_from_secs_f64) {
            Some(Ok(duration)) => duration,
            // `JSON.stringify` makes it of `Infinity`.
            _ if value.is_null() => Duration::MAX,
            // No setting is an empty text, so it is refused where it is read.
            _ => return Ok(json!("")),
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

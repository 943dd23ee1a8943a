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

/// Every choice that the sources leave open: what a status, a failure and an age mean.
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

    /// The settings about robots.txt: the name of a duration ends in `Ms`, choices are strings.
    #[wasm_bindgen(getter)]
    pub fn access(&self) -> Result<JsValue, JsValue> {
        object(&self.0.access, &access_forms()?)
    }

    /// The settings about the pace of hosts.
    #[wasm_bindgen(getter)]
    pub fn pace(&self) -> Result<JsValue, JsValue> {
        object(&self.0.pace, &pace_forms()?)
    }

    /// The same profile with other settings about robots.txt.
    pub fn with(&self, changes: &JsValue) -> Result<JsProfile, JsValue> {
        let mut profile = self.0;
        profile.access = changed(&profile.access, &access_forms()?, changes)?;
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

/// The settings about robots.txt with every part that a setting can have.
fn access_forms() -> Result<Value, JsValue> {
    value(&Profile::ibm().access)
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
    changed(&HostRule::new(), &rule_forms()?, written)
}

/// Converts the rule to an object of JavaScript.
pub(crate) fn written_rule(rule: &HostRule) -> Result<JsValue, JsValue> {
    object(rule, &rule_forms()?)
}

fn rule_forms() -> Result<Value, JsValue> {
    value(
        &HostRule::new()
            .min_delay(Duration::ZERO)
            .max_in_flight(1)
            .crawl_delay(WINDOW)
            .obedience(Obedience::Obey),
    )
}

fn value(settings: &impl Serialize) -> Result<Value, JsValue> {
    serde_json::to_value(settings).map_err(impossible)
}

/// Settings as an object of JavaScript; each has the form of that in `forms`.
fn object(settings: &impl Serialize, forms: &Value) -> Result<JsValue, JsValue> {
    let written = readable(&value(settings)?, forms);
    Ok(shapes::parsed(&written.to_string()))
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
        let (known, form) = named("setting", forms, &name, &value)?;
        let mut with = |value: Value| {
            if let Some(fields) = changed.as_object_mut() {
                fields.insert(known.clone(), value);
            }
            T::deserialize(&changed).err()
        };
        if let Some(problem) = with(stored(value, form)?) {
            // No value of a setting is an empty text; the message about one names those that are.
            let of_text = with(json!(""));
            let problems = [Some(problem), of_text].into_iter().flatten();
            return Err(shapes::invalid_setting(
                changes,
                &name,
                problems.map(|problem| problem.to_string()).collect(),
                parts(form)
                    .flat_map(|(name, form)| [(name, form)].into_iter().chain(parts(form)))
                    .map(|(name, form)| js_name(name, form))
                    .collect(),
            ));
        }
    }
    T::deserialize(&changed).map_err(impossible)
}

fn parts(form: &Value) -> impl Iterator<Item = (&String, &Value)> {
    form.as_object().into_iter().flatten()
}

/// Settings of the library have a form in serde, which reads back.
fn impossible(error: serde_json::Error) -> JsValue {
    JsError::new(&error.to_string()).into()
}

/// A value as JavaScript has it, from its form in serde. A field that is `null` is named as a
/// duration if its value in `form` is one.
fn readable(value: &Value, form: &Value) -> Value {
    match value {
        Value::String(name) => Value::String(snake_case(name)),
        Value::Object(fields) => match duration(value) {
            // Above what a `Date` can have.
            Some(Duration::MAX) => Value::Null,
            Some(duration) => json!(milliseconds(duration)),
            None => {
                let fields = fields.iter();
                fields
                    .map(|(name, value)| {
                        let form = form.get(name).unwrap_or(value);
                        (js_name(name, form), readable(value, form))
                    })
                    .collect()
            }
        },
        other => other.clone(),
    }
}

/// The opposite, for a setting whose other values have the form `form`.
fn stored(value: Value, form: &Value) -> Result<Value, JsValue> {
    if duration(form).is_some() {
        let seconds = value.as_f64().map(|milliseconds| milliseconds / 1_000.0);
        let duration = match seconds.map(Duration::try_from_secs_f64) {
            Some(Ok(duration)) => duration,
            // `JSON.stringify` makes it of `Infinity`.
            _ if value.is_null() => Duration::MAX,
            // No setting is an empty text, so it is refused where it is read.
            _ => return Ok(json!("")),
        };
        return Ok(json!({"secs": duration.as_secs(), "nanos": duration.subsec_nanos()}));
    }
    // The names of dialects are written as they are, and those of choices as in Rust.
    let is_choice = form.as_str().map_or(form.is_object(), |form| {
        form.starts_with(char::is_uppercase)
    });
    match value {
        Value::String(name) if is_choice => Ok(Value::String(upper_camel_case(&name))),
        Value::Object(parts) if form.is_object() => {
            let mut read = Map::new();
            for (name, part) in parts {
                let (known, form) = named("part", form, &name, &part)?;
                read.insert(known.clone(), stored(part, form)?);
            }
            Ok(Value::Object(read))
        }
        other => Ok(other),
    }
}

/// The field that has this name in JavaScript. The error about any other has the value that was
/// given for it, as it may be one of seconds.
fn named<'f>(
    what: &str,
    form: &'f Value,
    name: &str,
    given: &Value,
) -> Result<(&'f String, &'f Value), JsValue> {
    let field = parts(form).find(|(known, form)| js_name(known, form) == name);
    field.ok_or_else(|| {
        let known = parts(form).map(|(known, form)| js_name(known, form));
        shapes::unknown_name(what, name, given.as_f64(), known.collect())
    })
}

/// The name of a field in JavaScript, where that of a duration says its unit.
fn js_name(name: &str, form: &Value) -> String {
    camel_case(name) + duration(form).map_or("", |_| "Ms")
}

/// Not by way of `as_secs_f64`, by which 1,001 ms would be 1000.9999999999999.
#[allow(clippy::cast_precision_loss)]
fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs() as f64 * 1_000.0 + f64::from(duration.subsec_nanos()) / 1_000_000.0
}

fn duration(form: &Value) -> Option<Duration> {
    let seconds = form.get("secs")?.as_u64()?;
    let nanoseconds = u32::try_from(form.get("nanos")?.as_u64()?).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

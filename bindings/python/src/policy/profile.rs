//! `Profile`: every choice that the sources leave open.

use std::collections::BTreeSet;
use std::time::Duration;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::errors::shortened;
use crate::names::{listed, names_in};
use crate::pickle::{Reduced, reduce, restore};
use crate::policy::time;

/// Every choice that the sources leave open: what a status, a failure and an age mean.
#[pyclass(frozen, eq, hash, from_py_object, module = "polite_robots.policy")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Profile {
    pub(crate) inner: polite_robots_policy::Profile,
}

#[pymethods]
impl Profile {
    /// RFC 9309, with the stricter answer where it says MAY and a polite crawler's where it is
    /// silent.
    #[staticmethod]
    fn rfc9309() -> Profile {
        let inner = polite_robots_policy::Profile::rfc9309();
        Profile { inner }
    }

    /// The rules that Google documents for its crawlers.
    #[staticmethod]
    fn google() -> Profile {
        let inner = polite_robots_policy::Profile::google();
        Profile { inner }
    }

    /// The procedure of the IBM Web crawler.
    #[staticmethod]
    fn ibm() -> Profile {
        let inner = polite_robots_policy::Profile::ibm();
        Profile { inner }
    }

    /// Leaves robots.txt out: it is not fetched and everything is allowed.
    fn ignore_robots(&self) -> Profile {
        let inner = self.inner.ignore_robots();
        Profile { inner }
    }

    /// The settings about robots.txt, by the names that they have in Rust: durations are seconds,
    /// choices are strings.
    #[getter]
    fn access<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json(&self.inner.access)?)
    }

    /// The settings about the pace of a host, in the same way.
    #[getter]
    fn pace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json(&self.inner.pace)?)
    }

    /// The same profile with other settings of `access` and `pace`:
    /// `Profile.rfc9309().replace(forbidden="disallow", min_delay=5)`. `max_retry_after` is one of
    /// both. A choice that has parts is a dictionary, as `backoff={"levels": {"base": 2}}`, and the
    /// parts that it leaves out have their defaults.
    ///
    /// Raises `TypeError` for an unknown setting, and `ValueError` for a value that a setting
    /// cannot have.
    #[pyo3(signature = (**settings))]
    fn replace(&self, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Profile> {
        let mut profile = json(&self.inner)?;
        let forms = forms()?;
        for (name, value) in settings.into_iter().flatten() {
            let name: String = name.extract()?;
            let mut is_known = false;
            for half in ["access", "pace"] {
                let forms: Vec<&Value> = forms
                    .iter()
                    .filter_map(|form| form.get(half)?.get(&name))
                    .collect();
                let settings = profile.get_mut(half).and_then(Value::as_object_mut);
                if let Some(settings) = settings.filter(|_| !forms.is_empty()) {
                    let read = from_python(&value, &forms);
                    let read = read.map_err(|reason| refused(&name, &value, &forms, reason))?;
                    settings.insert(name.clone(), read);
                    is_known = true;
                    self::read::<polite_robots_policy::Profile>(profile.clone())
                        .map_err(|reason| refused(&name, &value, &forms, reason))?;
                }
            }
            if !is_known {
                let halves = profile.as_object().into_iter().flat_map(Map::values);
                let names: Vec<&String> = halves
                    .filter_map(Value::as_object)
                    .flat_map(Map::keys)
                    .collect();
                return Err(PyTypeError::new_err(format!(
                    "no setting {:?}; there are {}",
                    shortened(&name),
                    listed(&names)
                )));
            }
        }
        let inner = read(profile).map_err(|_| PyValueError::new_err("no profile"))?;
        Ok(Profile { inner })
    }

    fn __repr__(&self) -> String {
        let name = match self.inner {
            profile if profile == polite_robots_policy::Profile::rfc9309() => "rfc9309()",
            profile if profile == polite_robots_policy::Profile::google() => "google()",
            profile if profile == polite_robots_policy::Profile::ibm() => "ibm()",
            _ => "with settings of its own",
        };
        format!("<Profile {name}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduce(slf.as_any(), &slf.get().inner)
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let inner = restore(state.as_bytes())?;
        Ok(Profile { inner })
    }
}

/// Profiles that together have every part that a setting can have.
fn forms() -> PyResult<Vec<Value>> {
    use polite_robots_policy::settings::{Backoff, CrawlDelayPolicy, Levels, Reward};

    let second = Duration::from_secs(1);
    let mut levels = Levels::default();
    levels.reward = Some(Reward::default());
    let backoffs = [
        Backoff::Levels(levels),
        Backoff::Doubling {
            first: second,
            max: second,
            forget_after: second,
            jitter_percent: 0,
        },
        Backoff::AutoThrottle {
            start: second,
            max: second,
        },
    ];
    let profiles = backoffs.map(|backoff| {
        let mut profile = polite_robots_policy::Profile::ibm();
        profile.pace.backoff = backoff;
        profile.pace.crawl_delay = CrawlDelayPolicy::Window {
            min: second,
            max: second,
        };
        json(&profile)
    });
    profiles.into_iter().collect()
}

/// The value that a setting of the pace has in Python.
pub(crate) fn choice<T: DeserializeOwned>(setting: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let forms = forms()?;
    let forms: Vec<&Value> = forms
        .iter()
        .filter_map(|form| form.get("pace")?.get(setting))
        .collect();
    let read = from_python(value, &forms).and_then(read);
    read.map_err(|reason| refused(setting, value, &forms, reason))
}

/// Reads a value, or gives the reason in the words of Python.
fn read<T: DeserializeOwned>(value: Value) -> Result<T, Reason> {
    serde_json::from_value(value).map_err(|error| reason_of(&error.to_string()))
}

/// The values that there are, if they are known.
type Reason = Option<String>;

/// The reason in a message of serde, which has the names of Rust.
fn reason_of(message: &str) -> Reason {
    let names = names_in(message);
    if !names.is_empty() {
        return Some(format!("there are {}", listed(&names)));
    }
    if let Some((part, _)) = message
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split_once('`'))
    {
        return Some(format!("its part \"{part}\" is missing"));
    }
    let most = match message.rsplit_once("expected ")?.1 {
        "u8" => u8::MAX.into(),
        "u32" => u32::MAX.into(),
        "u64" | "usize" => u64::MAX,
        _ => return None,
    };
    Some(format!("it is a whole number from 0 to {most}"))
}

/// The error for a value that a setting cannot have.
fn refused(name: &str, value: &Bound<'_, PyAny>, forms: &[&Value], reason: Reason) -> PyErr {
    let text = |value: &Bound<'_, PyAny>| value.repr().map(|repr| repr.to_string());
    let example = || {
        let example = to_python(value.py(), forms.first()?).ok()?;
        Some(format!("it may be {}", text(&example).ok()?))
    };
    let reason = reason.or_else(example).unwrap_or_default();
    match text(value) {
        Ok(value) => {
            PyValueError::new_err(format!("{name} cannot be {}: {reason}", shortened(&value)))
        }
        Err(error) => error,
    }
}

pub(crate) fn json(value: &impl serde::Serialize) -> PyResult<Value> {
    serde_json::to_value(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null | Value::Array(_) => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match number.as_u64() {
            Some(number) => number.into_pyobject(py)?.into_any(),
            None => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(name) => name.to_snake_case().into_pyobject(py)?.into_any(),
        Value::Object(fields) => match duration(fields) {
            Some(duration) => duration.as_secs_f64().into_pyobject(py)?.into_any(),
            None => {
                let parts = PyDict::new(py);
                for (name, part) in fields {
                    parts.set_item(name.to_snake_case(), to_python(py, part)?)?;
                }
                parts.into_any()
            }
        },
    })
}

/// A value of Python in the form that other values of the setting have.
fn from_python(value: &Bound<'_, PyAny>, forms: &[&Value]) -> Result<Value, Reason> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    let objects = || forms.iter().filter_map(|form| form.as_object());
    if objects().any(|fields| duration(fields).is_some()) {
        let seconds = value.extract().ok().map(time::duration);
        let read = seconds.and_then(|duration| json(&duration.ok()?).ok());
        return read.ok_or_else(|| Some("it is a number of seconds from 0".to_string()));
    }
    if let Ok(parts) = value.cast::<PyDict>() {
        let mut read = Map::new();
        for (name, part) in parts {
            let name = name.to_string();
            let known = |fields: &'_ Map<String, Value>| {
                let mut names = fields.keys();
                names.find(|known| known.to_snake_case() == name).cloned()
            };
            let Some(known) = objects().find_map(known) else {
                let names: BTreeSet<String> = objects()
                    .flat_map(Map::keys)
                    .map(|known| known.to_snake_case())
                    .collect();
                let names = listed(&Vec::from_iter(names));
                return Err((!names.is_empty())
                    .then(|| format!("no part {:?}; there are {names}", shortened(&name))));
            };
            let forms: Vec<&Value> = objects().filter_map(|fields| fields.get(&known)).collect();
            read.insert(known, from_python(&part, &forms)?);
        }
        return Ok(Value::Object(read));
    }
    if let Ok(name) = value.extract::<String>() {
        // The names of dialects are written as in Python, those of choices as in Rust.
        let mut names = forms.iter().filter_map(|form| form.as_str());
        return Ok(Value::String(
            if names.any(|form| form.starts_with(char::is_lowercase)) {
                name
            } else {
                name.to_upper_camel_case()
            },
        ));
    }
    value.extract::<u64>().map(Value::from).map_err(|_| None)
}

fn duration(fields: &Map<String, Value>) -> Option<Duration> {
    let seconds = fields.get("secs")?.as_u64()?;
    let nanoseconds = u32::try_from(fields.get("nanos")?.as_u64()?).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

//! `Profile`: every choice that the sources leave open.

use std::time::Duration;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use serde_json::{Map, Value, json};

use crate::pickle::{Reduced, reduce, restore};

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

    /// The same profile with other settings: `Profile.rfc9309().replace(forbidden="disallow",
    /// min_ttl=60)`.
    ///
    /// Raises `TypeError` for a setting that there is none of, and `ValueError` for a value that it
    /// cannot have.
    #[pyo3(signature = (**settings))]
    fn replace(&self, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Profile> {
        let mut access = json(&self.inner.access)?;
        // Its settings have every part that a setting can have.
        let forms = json(&polite_robots_policy::Profile::ibm().access)?;
        for (name, value) in settings.into_iter().flatten() {
            let name: String = name.extract()?;
            let Some(form) = forms.get(&name) else {
                let names: Vec<&String> =
                    forms.as_object().into_iter().flat_map(Map::keys).collect();
                return Err(PyTypeError::new_err(format!(
                    "no setting {name:?}; there are {names:?}"
                )));
            };
            if let Some(settings) = access.as_object_mut() {
                settings.insert(name, from_python(&value, form)?);
            }
        }
        let mut inner = self.inner;
        inner.access = serde_json::from_value(access)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
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

fn json(value: &impl serde::Serialize) -> PyResult<Value> {
    serde_json::to_value(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
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

/// A value of Python in the form that another value of the setting has.
fn from_python(value: &Bound<'_, PyAny>, form: &Value) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Value::Object(fields) = form {
        if duration(fields).is_some() {
            let seconds: f64 = value.extract()?;
            if seconds.is_nan() || seconds < 0.0 {
                return Err(PyValueError::new_err(
                    "a duration is a number of seconds from 0",
                ));
            }
            let duration = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            return Ok(json!({"secs": duration.as_secs(), "nanos": duration.subsec_nanos()}));
        }
        if let Ok(parts) = value.cast::<PyDict>() {
            let mut read = Map::new();
            for (name, part) in parts {
                let name: String = name.extract()?;
                let known = fields
                    .iter()
                    .find(|(known, _)| known.to_snake_case() == name);
                let Some((known, form)) = known else {
                    return Err(PyValueError::new_err(format!("no part {name:?}")));
                };
                read.insert(known.clone(), from_python(&part, form)?);
            }
            return Ok(Value::Object(read));
        }
    }
    if let Ok(name) = value.extract::<String>() {
        // The names of dialects are written as in Python, those of choices as in Rust.
        let is_name = matches!(form, Value::String(form) if form.starts_with(char::is_lowercase));
        return Ok(Value::String(if is_name {
            name
        } else {
            name.to_upper_camel_case()
        }));
    }
    Ok(Value::from(value.extract::<u64>()?))
}

fn duration(fields: &Map<String, Value>) -> Option<Duration> {
    let seconds = fields.get("secs")?.as_u64()?;
    let nanoseconds = u32::try_from(fields.get("nanos")?.as_u64()?).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

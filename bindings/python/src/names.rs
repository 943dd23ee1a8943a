//! Enums of the library as the strings that stand for them in Python.

use std::fmt::{self, Display};
use std::time::Duration;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use polite_robots::{Access, Cause, Dialect, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::Value;

use crate::errors::shortened;
use crate::text::unicode;

/// The status of an HTTP response.
pub(crate) struct Status(pub(crate) u16);

impl<'a, 'py> FromPyObject<'a, 'py> for Status {
    type Error = PyErr;

    fn extract(status: Borrowed<'a, 'py, PyAny>) -> PyResult<Status> {
        let number = status.extract().map(Status);
        number.map_err(|error: PyErr| {
            if status.is_instance_of::<PyInt>() {
                PyValueError::new_err("an HTTP status is a number of three digits")
            } else {
                error
            }
        })
    }
}

/// The options of a document.
pub(crate) fn options(dialect: &str, max_bytes: Option<&Bound<'_, PyAny>>) -> PyResult<Options> {
    let dialect = match dialect {
        "rfc9309" => Dialect::Rfc9309,
        "google" => Dialect::Google,
        other => return Err(no_such("dialect", other, &["rfc9309", "google"])),
    };
    let options = Options::new(dialect);
    Ok(match max_bytes {
        Some(max_bytes) => options.with_max_bytes(number_of_bytes(max_bytes)?),
        None => options,
    })
}

/// A number that no memory has is the greatest.
fn number_of_bytes(number: &Bound<'_, PyAny>) -> PyResult<usize> {
    if !number.is_instance_of::<PyInt>() {
        let kind = number.get_type();
        return Err(PyTypeError::new_err(format!(
            "max_bytes must be an int or None, not {kind}"
        )));
    }
    if number.lt(0)? {
        return Err(PyValueError::new_err(
            "max_bytes must not be negative; None is the default",
        ));
    }
    Ok(number.extract().unwrap_or(usize::MAX))
}

pub(crate) fn access_name(access: Access) -> &'static str {
    match access {
        Access::Allow => "allow",
        Access::Disallow => "disallow",
    }
}

/// A cause in Python: the status of an HTTP response, or a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, IntoPyObject, serde::Serialize, serde::Deserialize)]
pub(crate) enum CauseName {
    Status(u16),
    Name(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for CauseName {
    type Error = PyErr;

    fn extract(cause: Borrowed<'a, 'py, PyAny>) -> PyResult<CauseName> {
        if let Ok(name) = cause.cast::<PyString>() {
            return Ok(CauseName::Name(unicode(&name)?.into_owned()));
        }
        if !cause.is_instance_of::<PyInt>() {
            let kind = cause.get_type();
            return Err(PyTypeError::new_err(format!(
                "cause must be an HTTP status or the name of a cause, not {kind}"
            )));
        }
        let status = cause.extract().map_err(|_| {
            PyValueError::new_err("cause must be an HTTP status, or the name of a cause")
        })?;
        Ok(CauseName::Status(status))
    }
}

impl From<Cause> for CauseName {
    fn from(cause: Cause) -> CauseName {
        match (cause, serde_json::to_value(cause)) {
            (Cause::Status(status), _) => CauseName::Status(status),
            (_, Ok(Value::String(name))) => CauseName::Name(name),
            _ => CauseName::Name("other".to_string()),
        }
    }
}

/// The value of the library that has this name in Python: `cut_short` is `CutShort` there.
pub(crate) fn named<T: DeserializeOwned>(what: &str, name: &str) -> PyResult<T> {
    let read = |variant: &str| {
        let read: StrDeserializer<'_, Error> = variant.into_deserializer();
        T::deserialize(read)
    };
    let variant = name.to_upper_camel_case();
    match read(&variant) {
        Ok(value) if variant.to_snake_case() == name => Ok(value),
        _ => {
            let names = read("").err().map(|error| names_in(&error.to_string()));
            Err(no_such(what, name, &names.unwrap_or_default()))
        }
    }
}

/// The error for an unknown name.
pub(crate) fn no_such(what: &str, name: &str, names: &[impl Display]) -> PyErr {
    PyValueError::new_err(format!(
        "no {what} {:?}; there are {}",
        shortened(name),
        listed(names)
    ))
}

pub(crate) fn listed(names: &[impl Display]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(", ")
}

/// The names that serde's message about an unknown name has: "unknown variant `Nope`, expected one
/// of `Complete`, `CutShort`".
pub(crate) fn names_in(message: &str) -> Vec<String> {
    let expected = message
        .strip_prefix("unknown variant ")
        .and_then(|message| message.split_once(", expected "));
    let names = expected.map_or("", |(_, names)| names).split('`');
    names.skip(1).step_by(2).map(str::to_snake_case).collect()
}

/// The name in Python of a value without parts: `cut_short` for `CutShort`.
pub(crate) fn name_of(value: impl fmt::Debug) -> String {
    format!("{value:?}").to_snake_case()
}

impl CauseName {
    pub(crate) fn configured() -> CauseName {
        CauseName::from(Cause::Configured)
    }

    /// The cause that a status or a name stands for.
    pub(crate) fn cause(&self) -> PyResult<Cause> {
        match self {
            CauseName::Status(status) => Ok(Cause::Status(*status)),
            CauseName::Name(name) => {
                let named = CAUSES
                    .iter()
                    .find(|cause| CauseName::from(**cause) == *self);
                named.copied().ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "no cause {:?}; there are {}, or an HTTP status",
                        shortened(name),
                        listed(&CAUSES.map(CauseName::from))
                    ))
                })
            }
        }
    }
}

impl Display for CauseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CauseName::Status(status) => status.fmt(f),
            CauseName::Name(name) => f.write_str(name),
        }
    }
}

/// The causes that have a name.
const CAUSES: [Cause; 10] = [
    Cause::Configured,
    Cause::NotFetched,
    Cause::Unreachable,
    Cause::TooManyRedirects,
    Cause::Truncated,
    Cause::ParseErrors,
    Cause::NoCopy,
    Cause::GaveUp,
    Cause::Encoded,
    Cause::Full,
];

/// Seconds; a delay of 584 billion years has no `timedelta`, but is a float.
pub(crate) fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}

/// The hash of a value, the same in every process.
pub(crate) fn hash(value: &impl std::hash::Hash) -> u64 {
    use std::hash::{DefaultHasher, Hasher as _};

    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

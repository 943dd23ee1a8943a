//! Enums of the library as the strings that stand for them in Python.

use std::time::Duration;

use polite_robots::{Access, Cause, Dialect, Options, Reason};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use serde_json::Value;

/// The options of a document.
pub(crate) fn options(dialect: &str, max_bytes: Option<usize>) -> PyResult<Options> {
    let dialect = match dialect {
        "rfc9309" => Dialect::Rfc9309,
        "google" => Dialect::Google,
        other => {
            return Err(PyValueError::new_err(format!(
                "no dialect {other:?}; there are \"rfc9309\" and \"google\""
            )));
        }
    };
    let options = Options::new(dialect);
    Ok(match max_bytes {
        Some(max_bytes) => options.with_max_bytes(max_bytes),
        None => options,
    })
}

pub(crate) fn access_name(access: Access) -> &'static str {
    match access {
        Access::Allow => "allow",
        Access::Disallow => "disallow",
    }
}

/// A reason that a later library adds is `other` until it has a name here.
pub(crate) fn reason_name(reason: Reason<'_>) -> &'static str {
    match reason {
        Reason::Rule(_) => "rule",
        Reason::DirectoryOfIndex(_) => "directory_of_index",
        Reason::NoRuleMatches => "no_rule_matches",
        Reason::NoGroup => "no_group",
        Reason::RobotsTxtItself => "robots_txt_itself",
        Reason::Blanket(_) => "blanket",
        _ => "other",
    }
}

/// A cause in Python: the status of an HTTP response, or a name.
#[derive(
    Debug,
    Clone,
    PartialEq,
    Eq,
    Hash,
    FromPyObject,
    IntoPyObject,
    serde::Serialize,
    serde::Deserialize,
)]
pub(crate) enum CauseName {
    Status(u16),
    Name(String),
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

impl CauseName {
    pub(crate) fn configured() -> CauseName {
        CauseName::from(Cause::Configured)
    }

    /// The cause that a status or a name stands for.
    pub(crate) fn cause(&self) -> PyResult<Cause> {
        match self {
            CauseName::Status(status) => Ok(Cause::Status(*status)),
            CauseName::Name(name) => {
                let name: StrDeserializer<'_, Error> = name.as_str().into_deserializer();
                Cause::deserialize(name).map_err(|error| PyValueError::new_err(error.to_string()))
            }
        }
    }
}

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

//! Pickles: the serde form of a value in a compact binary format.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The answer of `__reduce__`: a function and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

/// The class method `_restore` of the object's class, and the bytes that it takes.
pub(crate) fn reduce<'py>(
    object: &Bound<'py, PyAny>,
    value: &impl Serialize,
) -> PyResult<Reduced<'py>> {
    let restore = object.get_type().getattr("_restore")?;
    Ok((restore, (stored(object.py(), value)?,)))
}

/// The bytes that `restore` takes.
pub(crate) fn stored<'py>(
    py: Python<'py>,
    value: &impl Serialize,
) -> PyResult<Bound<'py, PyBytes>> {
    let state = postcard::to_allocvec(&(FORMAT, value)).map_err(invalid)?;
    Ok(PyBytes::new(py, &state))
}

pub(crate) fn restore<T: DeserializeOwned>(state: &[u8]) -> PyResult<T> {
    match state.split_first() {
        Some((&FORMAT, state)) => match postcard::take_from_bytes(state) {
            Ok((value, [])) => Ok(value),
            Ok(_) => Err(invalid("bytes are left")),
            Err(error) => Err(invalid(error)),
        },
        Some((format, _)) => Err(invalid(format_args!("format {format} instead of {FORMAT}"))),
        None => Err(invalid("it is empty")),
    }
}

/// The first byte of a state. Raise it with every change of the bytes after it: a state does not
/// name its fields, so one of another release could be read as another value.
const FORMAT: u8 = 3;

fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(format!("no pickle of this release: {error}"))
}

//! Pickles: the serde form of a value in a compact binary format.

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
    let state = postcard::to_allocvec(value).map_err(invalid)?;
    let restore = object.get_type().getattr("_restore")?;
    Ok((restore, (PyBytes::new(object.py(), &state),)))
}

pub(crate) fn restore<T: DeserializeOwned>(state: &[u8]) -> PyResult<T> {
    postcard::from_bytes(state).map_err(invalid)
}

fn invalid(error: postcard::Error) -> PyErr {
    PyValueError::new_err(format!("no pickle of this release: {error}"))
}

//! `to_dict`: the attributes of a value as a dictionary that `json` writes.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTime, PyTuple};

/// A dictionary of attributes, with the values within as dictionaries too.
pub(crate) fn fields<'py>(
    value: &Bound<'py, PyAny>,
    attributes: &[&str],
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(value.py());
    for attribute in attributes {
        fields.set_item(attribute, plain(value.getattr(*attribute)?)?)?;
    }
    Ok(fields)
}

/// A value of JSON: `None`, text and numbers as they are, a time as `HH:MM:SS`.
fn plain(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items: Vec<_> = value.try_iter()?.collect::<PyResult<_>>()?;
        let items = items.into_iter().map(plain);
        return Ok(PyList::new(value.py(), items.collect::<PyResult<Vec<_>>>()?)?.into_any());
    }
    if value.is_instance_of::<PyTime>() {
        return value.call_method0("isoformat");
    }
    match value.getattr_opt("to_dict")? {
        Some(to_dict) => to_dict.call0(),
        None => Ok(value),
    }
}

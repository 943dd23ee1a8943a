//! The form in which values are saved: that of serde, in a compact binary format.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::shapes;

pub(crate) fn save(value: &impl Serialize) -> Result<Vec<u8>, JsValue> {
    postcard::to_allocvec(&(FORMAT, value)).map_err(|error| shapes::not_saved(&error.to_string()))
}

pub(crate) fn load<T: DeserializeOwned>(saved: &[u8]) -> Result<T, JsValue> {
    match saved.split_first() {
        Some((&FORMAT, saved)) => match postcard::take_from_bytes(saved) {
            Ok((value, [])) => Ok(value),
            Ok(_) => Err(shapes::not_saved("bytes are left")),
            Err(_) => Err(shapes::not_saved("they are cut short or damaged")),
        },
        Some((format, _)) => Err(shapes::not_saved(&format!(
            "format {format} instead of {FORMAT}"
        ))),
        None => Err(shapes::not_saved("it is empty")),
    }
}

/// The first byte. Raise it with every change of the bytes after it: the format does not name its
/// fields, so bytes of another release could be read as another value.
const FORMAT: u8 = 1;

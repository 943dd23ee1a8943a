//! The names that JavaScript has for choices of the machines.

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use polite_robots::Cause;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use wasm_bindgen::prelude::*;

use crate::{shapes, shared};

/// A status, or 0 and a name.
pub(crate) fn cause(cause: Cause) -> (u16, &'static str) {
    match cause {
        // The answer of a browser's `fetch`, which hides a redirect that it does not follow.
        Cause::Status(0) => (0, "opaque_redirect"),
        Cause::Status(status) => (status, ""),
        other => (0, shared::cause_name(other)),
    }
}

/// The value of the library that has this name in JavaScript: `cut_short` is `CutShort` there.
pub(crate) fn named<T: DeserializeOwned>(what: &str, name: &str) -> Result<T, JsValue> {
    let variant = name.to_upper_camel_case();
    let read: StrDeserializer<'_, Error> = variant.as_str().into_deserializer();
    match T::deserialize(read) {
        Ok(value) if variant.to_snake_case() == name => Ok(value),
        _ => Err(shapes::unknown(what, name)),
    }
}

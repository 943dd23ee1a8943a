//! The names that JavaScript has for choices of the machines.

use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use wasm_bindgen::prelude::*;

use crate::shapes;

/// The value of the library that has this name in JavaScript: `cut_short` is `CutShort` there.
pub(crate) fn named<T: DeserializeOwned>(what: &str, name: &str) -> Result<T, JsValue> {
    let variant = upper_camel_case(name);
    let read: StrDeserializer<'_, Error> = variant.as_str().into_deserializer();
    match T::deserialize(read) {
        Ok(value) if snake_case(&variant) == name => Ok(value),
        _ => Err(shapes::unknown(what, name)),
    }
}

// Names of this library are ASCII. The tables of letters in the crate heck would add 19 KB to the
// module, compressed.

pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

pub(crate) fn upper_camel_case(name: &str) -> String {
    let words = name.split('_');
    words
        .flat_map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters)
        })
        .collect()
}

pub(crate) fn camel_case(name: &str) -> String {
    let mut letters = upper_camel_case(name);
    if let Some(first) = letters.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    letters
}

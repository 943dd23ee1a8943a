//! Questions about URLs and names that need no file.

use polite_robots::{ProductToken, Target};
use wasm_bindgen::prelude::*;

use crate::shapes;

#[wasm_bindgen(js_name = robotsUrl)]
pub fn robots_url(url: &str) -> Result<String, JsValue> {
    polite_robots::robots_url(url).map_err(|error| shapes::invalid_url(&error))
}

/// Refuses a text that may be a relative link.
#[wasm_bindgen(js_name = checkAbsolute)]
pub fn check_absolute(url: &str) -> Result<(), JsValue> {
    let target = Target::absolute(url);
    target
        .map(drop)
        .map_err(|error| shapes::invalid_url(&error))
}

#[wasm_bindgen(js_name = productToken)]
pub fn product_token(user_agent: &str) -> Option<String> {
    ProductToken::from_user_agent(user_agent).map(|token| token.as_str().to_owned())
}

//! The scope of one robots.txt.

use polite_robots_policy::Origin;
use wasm_bindgen::prelude::*;

use crate::shared;

/// Scheme, host and port of a URL.
#[wasm_bindgen(js_name = Origin)]
#[derive(Debug)]
pub struct JsOrigin(pub(crate) Origin);

#[wasm_bindgen(js_class = Origin)]
impl JsOrigin {
    pub fn of(url: &str) -> Result<JsOrigin, JsValue> {
        origin(url).map(JsOrigin)
    }

    #[wasm_bindgen(getter)]
    pub fn host(&self) -> String {
        self.0.host().to_owned()
    }

    #[wasm_bindgen(getter, js_name = robotsUrl)]
    pub fn robots_url(&self) -> String {
        self.0.robots_url()
    }

    #[wasm_bindgen(getter, js_name = partitionKey)]
    pub fn partition_key(&self) -> u64 {
        self.0.partition_key()
    }

    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.0.to_string()
    }
}

pub(crate) fn origin(url: &str) -> Result<Origin, JsValue> {
    Origin::of(url).map_err(|error| shared::invalid_url(&error))
}

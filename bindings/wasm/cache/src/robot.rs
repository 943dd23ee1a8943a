//! The rules that a machine gives out.

use polite_robots::Robot;
use wasm_bindgen::prelude::*;

use crate::shared;

/// The rules in force for one origin, which stay as they are.
#[wasm_bindgen(js_name = CachedRobot)]
#[derive(Debug)]
pub struct JsRobot(pub(crate) Robot);

#[wasm_bindgen(js_class = CachedRobot)]
impl JsRobot {
    pub fn allowed(&self, url: &str) -> bool {
        self.0.allowed(url)
    }

    pub fn check(&self, url: &str) -> JsValue {
        shared::verdict(self.0.check(url))
    }

    #[wasm_bindgen(getter, js_name = crawlDelay)]
    pub fn crawl_delay(&self) -> Option<f64> {
        self.0.crawl_delay().map(|delay| delay.as_secs_f64())
    }

    #[wasm_bindgen(getter)]
    pub fn sitemaps(&self) -> Vec<String> {
        self.0.sitemaps().map(str::to_owned).collect()
    }
}

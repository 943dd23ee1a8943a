//! Programs that write a file.

use std::time::Duration;

use polite_robots_build::{GroupBuilder, InvalidRecord, PathPattern, RobotsTxtBuilder};
use wasm_bindgen::prelude::*;

use crate::shapes;

/// The class `GroupBuilder` of the package; a refused record leaves it as it was.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawGroupBuilder(GroupBuilder);

impl RawGroupBuilder {
    fn put(
        &mut self,
        change: impl FnOnce(GroupBuilder) -> Result<GroupBuilder, InvalidRecord>,
    ) -> Result<(), JsValue> {
        self.0 = change(self.0.clone()).map_err(refused)?;
        Ok(())
    }
}

#[wasm_bindgen]
impl RawGroupBuilder {
    pub fn start(agent: &str) -> Result<RawGroupBuilder, JsValue> {
        GroupBuilder::new(agent)
            .map(RawGroupBuilder)
            .map_err(refused)
    }

    #[wasm_bindgen(js_name = userAgent)]
    pub fn user_agent(&mut self, agent: &str) -> Result<(), JsValue> {
        self.put(|group| group.user_agent(agent))
    }

    pub fn comment(&mut self, text: &str) -> Result<(), JsValue> {
        self.put(|group| group.comment(text))
    }

    /// `kind` is `pattern`, `prefix` or `exact`.
    pub fn rule(&mut self, allows: bool, path: &str, kind: &str) -> Result<(), JsValue> {
        let path = match kind {
            "prefix" => PathPattern::prefix(path),
            "exact" => PathPattern::exact(path),
            _ => PathPattern::new(path),
        };
        self.put(|group| match allows {
            true => group.allow(path),
            false => group.disallow(path),
        })
    }

    /// Seconds, at least 0 and finite: the caller has made sure.
    #[wasm_bindgen(js_name = crawlDelay)]
    pub fn crawl_delay(&mut self, seconds: f64) -> Result<(), JsValue> {
        let delay = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        self.put(|group| Ok(group.crawl_delay(delay)))
    }

    #[wasm_bindgen(js_name = requestRate)]
    pub fn request_rate(&mut self, documents: u32, seconds: u32) -> Result<(), JsValue> {
        let per = Duration::from_secs(seconds.into());
        self.put(|group| group.request_rate(documents, per))
    }

    /// `keys` and `values` are of equal length.
    pub fn preferences(
        &mut self,
        is_signal: bool,
        path: Option<String>,
        keys: Vec<String>,
        values: Vec<String>,
    ) -> Result<(), JsValue> {
        let stated = pairs(&keys, &values);
        self.put(|group| match is_signal {
            true => group.content_signal(path.as_deref(), &stated),
            false => group.content_usage(path.as_deref(), &stated),
        })
    }

    pub fn license(&mut self, url: &str) -> Result<(), JsValue> {
        self.put(|group| group.license(url))
    }
}

/// The class `RobotsTxtBuilder` of the package; a refused record leaves it as it was.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawRobotsTxtBuilder(RobotsTxtBuilder);

impl RawRobotsTxtBuilder {
    fn put(
        &mut self,
        change: impl FnOnce(RobotsTxtBuilder) -> Result<RobotsTxtBuilder, InvalidRecord>,
    ) -> Result<(), JsValue> {
        self.0 = change(self.0.clone()).map_err(refused)?;
        Ok(())
    }
}

#[wasm_bindgen]
impl RawRobotsTxtBuilder {
    pub fn start() -> RawRobotsTxtBuilder {
        RawRobotsTxtBuilder(RobotsTxtBuilder::new())
    }

    pub fn comment(&mut self, text: &str) -> Result<(), JsValue> {
        self.put(|file| file.comment(text))
    }

    pub fn group(&mut self, group: &RawGroupBuilder) -> Result<(), JsValue> {
        self.put(|file| Ok(file.group(group.0.clone())))
    }

    pub fn sitemap(&mut self, url: &str) -> Result<(), JsValue> {
        self.put(|file| file.sitemap(url))
    }

    #[wasm_bindgen(js_name = cleanParam)]
    pub fn clean_param(
        &mut self,
        parameters: Vec<String>,
        path: Option<String>,
    ) -> Result<(), JsValue> {
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        self.put(|file| file.clean_param(&parameters, path.as_deref()))
    }

    #[wasm_bindgen(js_name = contentSignal)]
    pub fn content_signal(
        &mut self,
        path: Option<String>,
        keys: Vec<String>,
        values: Vec<String>,
    ) -> Result<(), JsValue> {
        self.put(|file| file.content_signal(path.as_deref(), &pairs(&keys, &values)))
    }

    pub fn license(&mut self, url: &str) -> Result<(), JsValue> {
        self.put(|file| file.license(url))
    }

    pub fn build(&self) -> String {
        self.0.clone().build()
    }
}

fn pairs<'a>(keys: &'a [String], values: &'a [String]) -> Vec<(&'a str, &'a str)> {
    let text = String::as_str;
    keys.iter().map(text).zip(values.iter().map(text)).collect()
}

#[allow(clippy::needless_pass_by_value)]
fn refused(error: InvalidRecord) -> JsValue {
    shapes::invalid_record(&error)
}

//! The rules of one agent.

use std::str::from_utf8;

use memchr::memchr_iter;
use polite_robots::Robot;
use polite_robots_records::{License, RequestRate, Usage, UsageCategory};
use wasm_bindgen::prelude::*;

use crate::answer_buffer::write_answers;
use crate::file_buffer::with_file;
use crate::options::options;
use crate::shapes;
use crate::url_buffer::with_written;

/// The class `Robot` of the package without its conveniences.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawRobot(Robot);

impl RawRobot {
    pub(crate) fn new(robot: Robot) -> RawRobot {
        RawRobot(robot)
    }

    /// Not inlined: each caller would have a copy of the code.
    #[inline(never)]
    fn answer(&self, url: &str) -> bool {
        self.0.allowed(url)
    }
}

#[wasm_bindgen]
impl RawRobot {
    /// Reads the file in the first `length` bytes of the file buffer.
    pub fn parse(
        agent: &str,
        length: usize,
        is_google: bool,
        max_bytes: f64,
    ) -> Result<RawRobot, JsValue> {
        let options = options(is_google, max_bytes);
        with_file(length, |file| Robot::with_options(agent, file, &options))
            .map(RawRobot)
            .map_err(|error| shapes::invalid_token(&error))
    }

    /// As [`RawRobot::parse`], for an agent in the first `agent_length` bytes of the URL buffer.
    /// `undefined` where that has an error: a result that may be one costs JavaScript an array.
    #[wasm_bindgen(js_name = parseWritten)]
    pub fn parse_written(
        agent_length: usize,
        length: usize,
        is_google: bool,
        max_bytes: f64,
    ) -> Option<RawRobot> {
        let options = options(is_google, max_bytes);
        let robot = with_written(agent_length, |agent| {
            with_file(length, |file| Robot::with_options(agent, file, &options))
        });
        robot.ok().map(RawRobot)
    }

    /// `status` is 0 for a cause that is not an HTTP status. `undefined` for an unknown cause.
    pub fn blanket(allows: bool, status: u16, cause: &str) -> Option<RawRobot> {
        let cause = shapes::cause(status, cause)?;
        Some(RawRobot(match allows {
            true => Robot::allow_all(cause),
            false => Robot::disallow_all(cause),
        }))
    }

    pub fn allowed(&self, url: &str) -> bool {
        self.answer(url)
    }

    /// The answer about the URL in the first `length` bytes of the URL buffer.
    #[wasm_bindgen(js_name = allowedWritten)]
    pub fn allowed_written(&self, length: usize) -> bool {
        with_written(length, |url| self.answer(url))
    }

    /// Writes the answers about URLs with a line feed after each, in the first `length` bytes of
    /// the file buffer, and returns their number: no more than there is room for.
    #[wasm_bindgen(js_name = allowedMany)]
    pub fn allowed_many(&self, length: usize) -> usize {
        with_file(length, |urls| {
            let text = from_utf8(urls).unwrap_or_default();
            let mut start = 0;
            write_answers(memchr_iter(b'\n', urls).map(|end| {
                let url = text.get(start..end).unwrap_or_default();
                start = end + 1;
                self.answer(url)
            }))
        })
    }

    pub fn check(&self, url: &str) -> JsValue {
        shapes::verdict(self.0.check(url))
    }

    /// The preferences for search, AI input and AI training, in the order of the categories.
    pub fn usage(&self, url: &str) -> Vec<JsValue> {
        let usage = Usage::of(&self.0, url);
        UsageCategory::ALL
            .iter()
            .map(|&category| shapes::preference(&usage, category))
            .collect()
    }

    #[wasm_bindgen(js_name = namedOnly)]
    pub fn named_only(&self) -> RawRobot {
        RawRobot(self.0.clone().named_only())
    }

    #[wasm_bindgen(js_name = agentMatch)]
    pub fn agent_match(&self) -> String {
        self.0.agent_match().as_str().to_owned()
    }

    #[wasm_bindgen(js_name = groupLines)]
    pub fn group_lines(&self) -> Vec<u32> {
        self.0.group_lines().collect()
    }

    pub fn rules(&self) -> Vec<JsValue> {
        self.0.rules().map(shapes::rule).collect()
    }

    #[wasm_bindgen(js_name = crawlDelay)]
    pub fn crawl_delay(&self) -> Option<f64> {
        self.0.crawl_delay().map(|delay| delay.as_secs_f64())
    }

    #[wasm_bindgen(js_name = requestRates)]
    pub fn request_rates(&self) -> Vec<JsValue> {
        RequestRate::of(&self.0).map(shapes::request_rate).collect()
    }

    pub fn sitemaps(&self) -> Vec<String> {
        self.0.sitemaps().map(str::to_owned).collect()
    }

    pub fn licenses(&self) -> Vec<String> {
        let licenses = License::of(&self.0);
        licenses.map(|license| license.uri().to_owned()).collect()
    }
}

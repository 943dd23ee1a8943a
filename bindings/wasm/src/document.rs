//! A file for every agent.

use polite_robots::{Access, InvalidToken, Robot, RobotsTxt};
use wasm_bindgen::prelude::*;

use crate::file_buffer::with_file;
use crate::options::options;
use crate::robot::RawRobot;
use crate::shapes;

/// The class `RobotsTxt` of the package without its conveniences.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawRobotsTxt(RobotsTxt);

#[wasm_bindgen]
impl RawRobotsTxt {
    /// The file that a response with this status is, whose body is in the first `length` bytes of
    /// the file buffer.
    #[wasm_bindgen(js_name = fromStatus)]
    pub fn from_status(
        status: u16,
        length: usize,
        is_google: bool,
        max_bytes: f64,
    ) -> RawRobotsTxt {
        let options = options(is_google, max_bytes);
        with_file(length, |body| {
            RawRobotsTxt(RobotsTxt::from_status_with(status, body, &options))
        })
    }

    /// As [`RawRobot::blanket`].
    pub fn blanket(allows: bool, status: u16, cause: &str) -> Option<RawRobotsTxt> {
        let cause = shapes::cause(status, cause)?;
        Some(RawRobotsTxt(match allows {
            true => RobotsTxt::allow_all(cause),
            false => RobotsTxt::disallow_all(cause),
        }))
    }

    pub fn robot(&self, agent: &str) -> Result<RawRobot, JsValue> {
        raw(self.0.robot(agent))
    }

    #[wasm_bindgen(js_name = robotFirst)]
    pub fn robot_first(&self, agents: Vec<String>) -> Result<RawRobot, JsValue> {
        raw(self.0.robot_first(&borrowed(&agents)))
    }

    #[wasm_bindgen(js_name = robotMerged)]
    pub fn robot_merged(&self, agents: Vec<String>) -> Result<RawRobot, JsValue> {
        raw(self.0.robot_merged(&borrowed(&agents)))
    }

    #[wasm_bindgen(js_name = cleanUrl)]
    pub fn clean_url(&self, url: &str) -> String {
        self.0.clean_url(url).into_owned()
    }

    pub fn groups(&self) -> Vec<JsValue> {
        self.0.groups().map(shapes::group).collect()
    }

    pub fn sitemaps(&self) -> Vec<String> {
        self.0.sitemaps().map(str::to_owned).collect()
    }

    pub fn extensions(&self) -> Vec<JsValue> {
        self.0.extensions().map(shapes::extension).collect()
    }

    pub fn host(&self) -> Option<String> {
        self.0.host().map(|host| host.to_string())
    }

    #[wasm_bindgen(js_name = truncatedAt)]
    pub fn truncated_at(&self) -> Option<usize> {
        self.0.truncated_at()
    }

    /// The bytes that were read. A site that is closed has none, and a file without any would open
    /// it: whoever keeps them gets one that closes it.
    pub fn bytes(&self) -> Vec<u8> {
        match self.0.blanket() {
            Some((Access::Disallow, _)) => b"User-agent: *\nDisallow: /\n".to_vec(),
            _ => self.0.as_bytes().to_vec(),
        }
    }
}

fn raw(robot: Result<Robot, InvalidToken>) -> Result<RawRobot, JsValue> {
    robot
        .map(RawRobot::new)
        .map_err(|error| shapes::invalid_token(&error))
}

fn borrowed(agents: &[String]) -> Vec<&str> {
    agents.iter().map(String::as_str).collect()
}

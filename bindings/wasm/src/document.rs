//! A file for every agent.

use std::cell::OnceCell;

use polite_robots::{Access, InvalidToken, Robot, RobotsTxt};
use polite_robots_records::{CleanParams, Host};
use wasm_bindgen::prelude::*;

use crate::file_buffer::with_file;
use crate::options::options;
use crate::robot::RawRobot;
use crate::shapes;

/// The class `RobotsTxt` of the package without its conveniences.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawRobotsTxt {
    file: RobotsTxt,
    /// Built when the first URL is cleaned.
    clean_params: OnceCell<CleanParams>,
}

impl From<RobotsTxt> for RawRobotsTxt {
    fn from(file: RobotsTxt) -> RawRobotsTxt {
        RawRobotsTxt {
            file,
            clean_params: OnceCell::new(),
        }
    }
}

#[wasm_bindgen]
impl RawRobotsTxt {
    /// Reads a response with this status, whose body is in the first `length` bytes of the file
    /// buffer.
    #[wasm_bindgen(js_name = fromStatus)]
    pub fn from_status(
        status: u16,
        length: usize,
        is_google: bool,
        max_bytes: f64,
    ) -> RawRobotsTxt {
        let options = options(is_google, max_bytes);
        with_file(length, |body| {
            RobotsTxt::from_status_with(status, body, &options).into()
        })
    }

    /// As [`RawRobot::blanket`].
    pub fn blanket(allows: bool, status: u16, cause: &str) -> Option<RawRobotsTxt> {
        let cause = shapes::cause(status, cause)?;
        let file = match allows {
            true => RobotsTxt::allow_all(cause),
            false => RobotsTxt::disallow_all(cause),
        };
        Some(file.into())
    }

    pub fn robot(&self, agent: &str) -> Result<RawRobot, JsValue> {
        raw(self.file.robot(agent))
    }

    #[wasm_bindgen(js_name = robotFirst)]
    pub fn robot_first(&self, agents: Vec<String>) -> Result<RawRobot, JsValue> {
        raw(self.file.robot_first(&borrowed(&agents)))
    }

    #[wasm_bindgen(js_name = robotMerged)]
    pub fn robot_merged(&self, agents: Vec<String>) -> Result<RawRobot, JsValue> {
        raw(self.file.robot_merged(&borrowed(&agents)))
    }

    #[wasm_bindgen(js_name = cleanUrl)]
    pub fn clean_url(&self, url: &str) -> String {
        let clean_params = || CleanParams::of(&self.file);
        let clean_params = self.clean_params.get_or_init(clean_params);
        clean_params.clean(url).into_owned()
    }

    pub fn groups(&self) -> Vec<JsValue> {
        self.file.groups().map(shapes::group).collect()
    }

    pub fn sitemaps(&self) -> Vec<String> {
        self.file.sitemaps().map(str::to_owned).collect()
    }

    pub fn extensions(&self) -> Vec<JsValue> {
        self.file.extensions().map(shapes::extension).collect()
    }

    pub fn host(&self) -> Option<String> {
        Host::of(&self.file).map(|host| host.to_string())
    }

    #[wasm_bindgen(js_name = truncatedAt)]
    pub fn truncated_at(&self) -> Option<usize> {
        self.file.truncated_at()
    }

    /// The bytes that were read. A closed site has none, and an empty file would open it, so its
    /// bytes are a file that closes it.
    pub fn bytes(&self) -> Vec<u8> {
        match self.file.blanket() {
            Some((Access::Disallow, _)) => b"User-agent: *\nDisallow: /\n".to_vec(),
            _ => self.file.as_bytes().to_vec(),
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

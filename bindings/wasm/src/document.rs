//! A file for every agent.

use polite_robots::build::CommentPolicy;
use polite_robots::lint::Diagnostic;
use polite_robots::{InvalidToken, Options, Robot, RobotsTxt};
use wasm_bindgen::prelude::*;

use crate::options::options;
use crate::robot::RawRobot;
use crate::shapes;

/// The class `RobotsTxt` of the package without its conveniences.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawRobotsTxt {
    robots_txt: RobotsTxt,
    options: Options,
    /// The findings about the size, which the bytes that were kept do not show.
    size: Vec<Diagnostic>,
}

#[wasm_bindgen]
impl RawRobotsTxt {
    pub fn parse(robots_txt: &[u8], is_google: bool, max_bytes: f64) -> RawRobotsTxt {
        let options = options(is_google, max_bytes);
        let kept = RobotsTxt::parse_with(robots_txt, &options, &mut ());
        let mut size = Vec::new();
        if kept.truncated_at().is_some() {
            let mut found: Vec<Diagnostic> = Vec::new();
            let _ = RobotsTxt::parse_with(robots_txt, &options, &mut found);
            let end = kept.as_bytes().len();
            size = found
                .into_iter()
                .filter(|finding| finding.span().start >= end)
                .collect();
        }
        RawRobotsTxt {
            robots_txt: kept,
            options,
            size,
        }
    }

    pub fn robot(&self, agent: &str) -> Result<RawRobot, JsValue> {
        raw(self.robots_txt.robot(agent))
    }

    #[wasm_bindgen(js_name = robotFirst)]
    pub fn robot_first(&self, agents: Vec<String>) -> Result<RawRobot, JsValue> {
        raw(self.robots_txt.robot_first(&borrowed(&agents)))
    }

    #[wasm_bindgen(js_name = robotMerged)]
    pub fn robot_merged(&self, agents: Vec<String>) -> Result<RawRobot, JsValue> {
        raw(self.robots_txt.robot_merged(&borrowed(&agents)))
    }

    /// The findings of single lines, of the size, and of the rules together.
    pub fn lint(&self) -> Vec<JsValue> {
        let mut found: Vec<Diagnostic> = Vec::new();
        let _ = RobotsTxt::parse_with(self.robots_txt.as_bytes(), &self.options, &mut found);
        found.extend(self.size.iter().cloned());
        self.robots_txt.lint(&mut found);
        found.iter().map(shapes::diagnostic).collect()
    }

    #[wasm_bindgen(js_name = toCanonical)]
    pub fn to_canonical(&self, keeps_comments: bool) -> Vec<u8> {
        self.robots_txt.to_canonical(if keeps_comments {
            CommentPolicy::Keep
        } else {
            CommentPolicy::Drop
        })
    }

    #[wasm_bindgen(js_name = cleanUrl)]
    pub fn clean_url(&self, url: &str) -> String {
        self.robots_txt.clean_url(url).into_owned()
    }

    pub fn groups(&self) -> Vec<JsValue> {
        self.robots_txt.groups().map(shapes::group).collect()
    }

    pub fn sitemaps(&self) -> Vec<String> {
        self.robots_txt.sitemaps().map(str::to_owned).collect()
    }

    pub fn extensions(&self) -> Vec<JsValue> {
        self.robots_txt
            .extensions()
            .map(shapes::extension)
            .collect()
    }

    pub fn host(&self) -> Option<String> {
        self.robots_txt.host().map(|host| host.to_string())
    }

    #[wasm_bindgen(js_name = truncatedAt)]
    pub fn truncated_at(&self) -> Option<usize> {
        self.robots_txt.truncated_at()
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.robots_txt.as_bytes().to_vec()
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

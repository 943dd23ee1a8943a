//! The memory of one origin's robots.txt.

use polite_robots::InvalidToken;
use polite_robots_policy::{Entry, Timestamp};
use wasm_bindgen::prelude::*;

use crate::fetch::JsOutcome;
use crate::names;
use crate::origin::JsOrigin;
use crate::profile::JsProfile;
use crate::robot::JsRobot;
use crate::saved;
use crate::time::timestamp;
use crate::{shapes, shared};

/// The memory of one origin's robots.txt, and what applies by it at a given time.
#[wasm_bindgen(js_name = Entry)]
#[derive(Debug)]
pub struct JsEntry(pub(crate) Entry);

#[wasm_bindgen(js_class = Entry)]
impl JsEntry {
    #[wasm_bindgen(constructor)]
    pub fn new(origin: &JsOrigin) -> JsEntry {
        JsEntry(Entry::for_origin(&origin.0))
    }

    pub fn handle(&mut self, outcome: &JsOutcome, profile: &JsProfile, now: f64) {
        self.0.handle(outcome.0.clone(), &profile.0, timestamp(now));
    }

    pub fn robot(
        &self,
        agent: &str,
        profile: &JsProfile,
        site: &str,
        now: f64,
    ) -> Result<JsRobot, JsValue> {
        let site = names::named("site", site)?;
        let robots_txt = self.0.robots_txt(&profile.0, site, timestamp(now));
        let robot = robots_txt.robot(agent);
        robot
            .map(JsRobot)
            .map_err(|error: InvalidToken| shared::invalid_token(&error))
    }

    #[wasm_bindgen(js_name = nextFetch)]
    pub fn next_fetch(&self, profile: &JsProfile, now: f64) -> JsValue {
        shapes::next_fetch(self.0.next_fetch(&profile.0, timestamp(now)))
    }

    #[wasm_bindgen(js_name = setSite)]
    pub fn set_site(&mut self, site: &str, profile: &JsProfile, now: f64) -> Result<(), JsValue> {
        self.0
            .set_site(names::named("site", site)?, &profile.0, timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(getter)]
    pub fn failures(&self) -> u32 {
        self.0.failures()
    }

    #[wasm_bindgen(getter, js_name = robotsDate)]
    pub fn robots_date(&self) -> JsValue {
        date(self.0.robots_date())
    }

    #[wasm_bindgen(getter, js_name = freshUntil)]
    pub fn fresh_until(&self) -> JsValue {
        date(self.0.fresh_until())
    }

    #[wasm_bindgen(getter)]
    pub fn etag(&self) -> Option<String> {
        self.0.validators().etag.as_deref().map(str::to_owned)
    }

    #[wasm_bindgen(getter, js_name = lastModified)]
    pub fn last_modified(&self) -> Option<String> {
        self.0
            .validators()
            .last_modified
            .as_deref()
            .map(str::to_owned)
    }

    pub fn reset(&mut self) {
        self.0.reset();
    }

    pub fn explain(&self, profile: &JsProfile, site: &str, now: f64) -> Result<String, JsValue> {
        let site = names::named("site", site)?;
        Ok(self.0.explain(&profile.0, site, timestamp(now)).to_string())
    }

    pub fn save(&self) -> Result<Vec<u8>, JsValue> {
        saved::save(&self.0)
    }

    pub fn load(saved: &[u8]) -> Result<JsEntry, JsValue> {
        saved::load(saved).map(JsEntry)
    }
}

fn date(time: Option<Timestamp>) -> JsValue {
    time.map_or(JsValue::UNDEFINED, shapes::date)
}

//! The pace of one host.

use polite_robots_policy::{Pacer, Turn};
use wasm_bindgen::prelude::*;

use crate::profile::JsProfile;
use crate::reply::{JsReply, seconds};
use crate::time::timestamp;
use crate::{saved, shapes};

/// When the next request to one host may start.
#[wasm_bindgen(js_name = Pacer)]
#[derive(Debug)]
pub struct JsPacer(pub(crate) Pacer);

#[wasm_bindgen(js_class = Pacer)]
impl JsPacer {
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript has no defaults")]
    pub fn new() -> JsPacer {
        JsPacer(Pacer::new())
    }

    #[wasm_bindgen(js_name = forHost)]
    pub fn for_host(host: &str) -> JsPacer {
        JsPacer(Pacer::for_host(host))
    }

    #[wasm_bindgen(js_name = afterGap)]
    pub fn after_gap(now: f64) -> JsPacer {
        JsPacer(Pacer::after_gap(timestamp(now)))
    }

    #[wasm_bindgen(js_name = setCrawlDelay)]
    pub fn set_crawl_delay(&mut self, delay: Option<f64>) {
        self.0.set_crawl_delay(delay.map(seconds));
    }

    pub fn poll(&self, profile: &JsProfile, now: f64) -> JsValue {
        turn(self.0.poll(&profile.0, timestamp(now)))
    }

    #[wasm_bindgen(js_name = handleStart)]
    pub fn handle_start(&mut self, now: f64) {
        self.0.handle_start(timestamp(now));
    }

    #[wasm_bindgen(js_name = handleCancelled)]
    pub fn handle_cancelled(&mut self, profile: &JsProfile, now: f64) {
        self.0.handle_cancelled(&profile.0, timestamp(now));
    }

    #[wasm_bindgen(js_name = takeReply)]
    pub fn handle_reply(&mut self, reply: JsReply, profile: &JsProfile, now: f64) {
        self.0.handle_reply(reply.0, &profile.0, timestamp(now));
    }

    #[wasm_bindgen(js_name = isAsNew)]
    pub fn is_as_new(&self, profile: &JsProfile, now: f64) -> bool {
        self.0.is_as_new(&profile.0, timestamp(now))
    }

    pub fn level(&self, profile: &JsProfile) -> u8 {
        self.0.level(&profile.0)
    }

    #[wasm_bindgen(js_name = longCrawlDelay)]
    pub fn long_crawl_delay(&self, profile: &JsProfile) -> Option<f64> {
        let delay = self.0.long_crawl_delay(&profile.0);
        delay.map(|delay| delay.as_secs_f64())
    }

    pub fn save(&self) -> Result<Vec<u8>, JsValue> {
        saved::save(&self.0)
    }

    pub fn load(saved: &[u8]) -> Result<JsPacer, JsValue> {
        saved::load(saved).map(JsPacer)
    }
}

pub(crate) fn turn(turn: Turn) -> JsValue {
    match turn {
        Turn::Ready => "ready".into(),
        Turn::Busy => "busy".into(),
        Turn::NotBefore(time) => shapes::turn(time),
        // `Turn::Skip`; there are no others.
        _ => "skip".into(),
    }
}

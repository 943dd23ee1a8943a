//! The paces of many hosts, and which of them is next.

use polite_robots_policy::{HostId, IpGroup, Scheduler, Timestamp};
use wasm_bindgen::prelude::*;

use crate::origin::JsOrigin;
use crate::pacer::{JsPacer, turn};
use crate::profile::{self, JsProfile};
use crate::reply::{JsReply, seconds};
use crate::time::{span, timestamp};
use crate::{saved, shapes};

/// The class `Scheduler` of the package. The handle of a host is a number of 64 bits there, which
/// holds no memory of the module.
#[wasm_bindgen(js_name = Scheduler)]
#[derive(Debug)]
pub struct JsScheduler(Scheduler);

#[wasm_bindgen(js_class = Scheduler)]
impl JsScheduler {
    #[wasm_bindgen(constructor)]
    pub fn new(profile: &JsProfile) -> JsScheduler {
        JsScheduler(Scheduler::new(profile.0))
    }

    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.0.len()
    }

    pub fn insert(&mut self, host: &str, group: Option<u64>) -> u64 {
        self.0.insert(host, group.map(IpGroup)).to_bits()
    }

    #[wasm_bindgen(js_name = insertWith)]
    pub fn insert_with(&mut self, host: &str, pacer: &JsPacer, group: Option<u64>) -> u64 {
        let pacer = pacer.0.clone();
        self.0
            .insert_with(host, group.map(IpGroup), pacer)
            .to_bits()
    }

    pub fn join(&mut self, host: u64, pacer: &JsPacer) {
        self.0.join(HostId::from_bits(host), pacer.0.clone());
    }

    pub fn find(&self, host: &str) -> Option<u64> {
        self.0.find(host).map(HostId::to_bits)
    }

    pub fn hosts(&self) -> Vec<u64> {
        self.0.hosts().map(HostId::to_bits).collect()
    }

    pub fn contains(&self, host: u64) -> bool {
        self.0.contains(HostId::from_bits(host))
    }

    #[wasm_bindgen(js_name = setGroup)]
    pub fn set_group(&mut self, host: u64, group: Option<u64>) {
        self.0
            .set_group(HostId::from_bits(host), group.map(IpGroup));
    }

    pub fn pacer(&self, host: u64) -> Option<JsPacer> {
        self.0.pacer(HostId::from_bits(host)).map(JsPacer)
    }

    pub fn host(&self, host: u64) -> String {
        self.0.host(HostId::from_bits(host)).to_owned()
    }

    pub fn turn(&self, host: u64, now: f64) -> JsValue {
        turn(self.0.turn(HostId::from_bits(host), timestamp(now)))
    }

    #[wasm_bindgen(js_name = nextReady)]
    pub fn next_ready(&mut self, now: f64) -> Option<u64> {
        self.0.next_ready(timestamp(now)).map(HostId::to_bits)
    }

    #[wasm_bindgen(js_name = nextWakeup)]
    pub fn next_wakeup(&self) -> JsValue {
        let next = self.0.next_wakeup();
        // A host that is blocked for ever needs no alarm.
        let next = next.filter(|next| *next != Timestamp::MAX);
        next.map_or(JsValue::UNDEFINED, shapes::date)
    }

    #[wasm_bindgen(js_name = handleStart)]
    pub fn handle_start(&mut self, host: u64, now: f64) {
        self.0.handle_start(HostId::from_bits(host), timestamp(now));
    }

    #[wasm_bindgen(js_name = takeReply)]
    pub fn handle_reply(&mut self, host: u64, reply: JsReply, now: f64) {
        self.0
            .handle_reply(HostId::from_bits(host), reply.0, timestamp(now));
    }

    #[wasm_bindgen(js_name = handleCancelled)]
    pub fn handle_cancelled(&mut self, host: u64, now: f64) {
        self.0
            .handle_cancelled(HostId::from_bits(host), timestamp(now));
    }

    #[wasm_bindgen(js_name = setCrawlDelay)]
    pub fn set_crawl_delay(&mut self, host: u64, origin: &JsOrigin, delay: Option<f64>) {
        let delay = delay.map(seconds);
        self.0
            .set_crawl_delay(HostId::from_bits(host), &origin.0, delay);
    }

    pub fn defer(&mut self, host: u64, until: f64) {
        self.0.defer(HostId::from_bits(host), timestamp(until));
    }

    pub fn block(&mut self, host: u64, until: f64) {
        self.0.block(HostId::from_bits(host), timestamp(until));
    }

    pub fn unblock(&mut self, host: u64) {
        self.0.unblock(HostId::from_bits(host));
    }

    #[wasm_bindgen(js_name = setRule)]
    pub fn set_rule(&mut self, host: u64, rule: &JsValue) -> Result<(), JsValue> {
        self.0
            .set_rule(HostId::from_bits(host), profile::host_rule(rule)?);
        Ok(())
    }

    pub fn rule(&self, host: u64) -> Result<JsValue, JsValue> {
        profile::written_rule(&self.0.rule(HostId::from_bits(host)))
    }

    #[wasm_bindgen(js_name = setWaiting)]
    pub fn set_waiting(&mut self, host: u64) {
        self.0.set_waiting(HostId::from_bits(host));
    }

    #[wasm_bindgen(js_name = setIdle)]
    pub fn set_idle(&mut self, host: u64) {
        self.0.set_idle(HostId::from_bits(host));
    }

    pub fn remove(&mut self, host: u64) {
        self.0.remove(HostId::from_bits(host));
    }

    #[wasm_bindgen(js_name = isAsNew)]
    pub fn is_as_new(&self, host: u64, now: f64) -> bool {
        self.0.is_as_new(HostId::from_bits(host), timestamp(now))
    }

    /// `horizon` is in milliseconds.
    pub fn capacity(&self, host: u64, horizon: f64) -> usize {
        self.0.capacity(HostId::from_bits(host), span(horizon))
    }

    pub fn save(&self) -> Result<Vec<u8>, JsValue> {
        saved::save(&self.0)
    }

    pub fn load(saved: &[u8]) -> Result<JsScheduler, JsValue> {
        saved::load(saved).map(JsScheduler)
    }
}

//! The objects that JavaScript gets: each is made by one call of a function there. The functions
//! that take a round's outcome or a ticket are declared beside those.

use polite_robots::Cause;
use polite_robots_policy::cache::NextFetch;
use polite_robots_policy::fetch::RobotsRequest;
use polite_robots_policy::{RobotsCheck, Timestamp};
use wasm_bindgen::prelude::*;

use crate::robot::JsRobot;
use crate::shared;
use crate::time::milliseconds;

#[wasm_bindgen(raw_module = "../src/cache/shapes.js")]
extern "C" {
    #[wasm_bindgen(js_name = unknown)]
    pub(crate) fn unknown(what: &str, name: &str) -> JsValue;
    /// The error for an unknown name among others; a number may be meant in seconds.
    #[wasm_bindgen(js_name = unknownName)]
    pub(crate) fn unknown_name(
        what: &str,
        name: &str,
        given: Option<f64>,
        known: Vec<String>,
    ) -> JsValue;
    #[wasm_bindgen(js_name = notSaved)]
    pub(crate) fn not_saved(message: &str) -> JsValue;
    #[wasm_bindgen(js_name = invalidSetting)]
    pub(crate) fn invalid_setting(
        settings: &JsValue,
        name: &str,
        problems: Vec<String>,
        parts: Vec<String>,
    ) -> JsValue;
    #[wasm_bindgen(js_name = noSettings)]
    pub(crate) fn no_settings(written: Option<&str>) -> JsValue;
    #[wasm_bindgen(js_name = cause)]
    fn js_cause(status: u16, name: &str) -> JsValue;
    #[wasm_bindgen(js_name = get)]
    fn js_get(
        url: &str,
        host: &str,
        address: Option<&str>,
        max_bytes: usize,
        etag: Option<&str>,
        last_modified: Option<&str>,
    ) -> JsValue;
    #[wasm_bindgen(js_name = resolve)]
    pub(crate) fn resolve(host: &str) -> JsValue;
    #[wasm_bindgen(js_name = state)]
    fn js_state(kind: &str, until: Option<f64>) -> JsValue;
    #[wasm_bindgen(js_name = ready)]
    pub(crate) fn ready(robot: JsRobot) -> JsValue;
    #[wasm_bindgen(js_name = closed)]
    fn js_closed(robot: JsRobot, status: u16, name: &str, since: f64, retry: f64) -> JsValue;
    #[wasm_bindgen(js_name = nextFetch)]
    fn js_next_fetch(retry: f64) -> JsValue;
    #[wasm_bindgen(js_name = access)]
    fn js_access(
        allowed: bool,
        closed: bool,
        status: u16,
        name: &str,
        retry_at: Option<f64>,
        line: Option<u32>,
        explanation: &str,
        error: JsValue,
    ) -> JsValue;
    #[wasm_bindgen(js_name = granted)]
    pub(crate) fn granted(page: u32) -> JsValue;
    #[wasm_bindgen(js_name = disallowed)]
    pub(crate) fn disallowed(page: u32, robots_url: &str, verdict: JsValue) -> JsValue;
    #[wasm_bindgen(js_name = refused)]
    fn js_refused(page: u32, status: u16, name: &str, since: f64, retry: f64) -> JsValue;
    #[wasm_bindgen(js_name = busy)]
    fn js_busy(page: u32, reason: &str, retry: Option<f64>) -> JsValue;
    #[wasm_bindgen(js_name = roundRequest)]
    pub(crate) fn round_request(round: u32, request: JsValue) -> JsValue;
    #[wasm_bindgen(js_name = parsed)]
    pub(crate) fn parsed(json: &str) -> JsValue;
    #[wasm_bindgen(js_name = written)]
    pub(crate) fn written(value: &JsValue) -> Option<String>;
}

pub(crate) fn date(time: Timestamp) -> JsValue {
    js_next_fetch(milliseconds(time))
}

pub(crate) fn turn(time: Timestamp) -> JsValue {
    js_next_fetch(match time {
        Timestamp::MAX => f64::INFINITY,
        time => milliseconds(time),
    })
}

pub(crate) fn wait(until: Timestamp) -> JsValue {
    js_state("wait", Some(milliseconds(until)))
}

pub(crate) fn request(request: &RobotsRequest<'_>) -> JsValue {
    let address = request.address.map(|address| address.to_string());
    let validators = request.validators;
    js_get(
        request.url,
        request.host,
        address.as_deref(),
        request.max_bytes,
        validators.etag.as_deref(),
        validators.last_modified.as_deref(),
    )
}

pub(crate) fn refused(page: u32, cause: Cause, since: Timestamp, next: NextFetch) -> JsValue {
    let (status, name) = status_and_name(cause);
    js_refused(page, status, name, milliseconds(since), retry(next))
}

pub(crate) fn busy(page: u32, reason: &str, retry: Option<Timestamp>) -> JsValue {
    js_busy(page, reason, retry.map(milliseconds))
}

pub(crate) fn pending() -> JsValue {
    js_state("pending", None)
}

pub(crate) fn full() -> JsValue {
    js_state("full", None)
}

pub(crate) fn cause(cause: Cause) -> JsValue {
    let (status, name) = status_and_name(cause);
    js_cause(status, name)
}

pub(crate) fn closed(robot: JsRobot, cause: Cause, since: Timestamp, next: NextFetch) -> JsValue {
    let (status, name) = status_and_name(cause);
    js_closed(robot, status, name, milliseconds(since), retry(next))
}

pub(crate) fn next_fetch(next: NextFetch) -> JsValue {
    js_next_fetch(retry(next))
}

pub(crate) fn access(check: &RobotsCheck, error: JsValue) -> JsValue {
    let (status, name) = check.cause.map_or((0, ""), status_and_name);
    let hidden = "the client hides where robots.txt is redirected to";
    js_access(
        check.allowed,
        check.closed,
        status,
        name,
        check.retry_at.map(milliseconds),
        check.line,
        &match check.cause {
            Some(cause @ Cause::Status(0)) => check.to_string().replace(&cause.to_string(), hidden),
            _ => check.to_string(),
        },
        error,
    )
}

/// A status, or 0 and a name.
fn status_and_name(cause: Cause) -> (u16, &'static str) {
    match cause {
        // The answer of a browser's `fetch`, which hides a redirect that it does not follow.
        Cause::Status(0) => (0, "opaque_redirect"),
        Cause::Status(status) => (status, ""),
        other => (0, shared::cause_name(other)),
    }
}

/// Milliseconds; before 1970 for now, and infinite for never.
fn retry(next: NextFetch) -> f64 {
    match next {
        NextFetch::Now => -1.0,
        NextFetch::At(time) => milliseconds(time),
        // `NextFetch::Never`; there are no others.
        _ => f64::INFINITY,
    }
}

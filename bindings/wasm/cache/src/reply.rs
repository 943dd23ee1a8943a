//! The end of a request as the pace of its host sees it.

use std::time::Duration;

use polite_robots_policy::{NetError, PageSignal, Reply};
use wasm_bindgen::prelude::*;

use crate::fetch::with_headers;
use crate::time::timestamp;
use crate::{names, shapes};

/// The end of a request, which JavaScript hands on at once.
#[wasm_bindgen(js_name = Reply)]
#[derive(Debug)]
pub struct JsReply(pub(crate) Reply);

#[wasm_bindgen(js_class = Reply)]
impl JsReply {
    /// `fields` are the names and the values of the headers in turn; they and `now` are for the
    /// wait that they ask for.
    pub fn answered(status: u16, fields: Vec<String>, started: f64, now: f64) -> JsReply {
        let reply = with_headers(&fields, |headers| {
            Reply::of_headers(status, &headers, timestamp(started), timestamp(now))
        });
        JsReply(reply)
    }

    pub fn failed(error: &str, started: f64) -> Result<JsReply, JsValue> {
        let error: NetError = names::named("error", error)?;
        Ok(JsReply(Reply::new(Err(error), timestamp(started))))
    }

    /// The same reply with a sign in the content.
    #[wasm_bindgen(js_name = withSignal)]
    pub fn with_signal(self, signal: &str) -> Result<JsReply, JsValue> {
        Ok(JsReply(self.0.with_signal(Some(page_signal(signal)?))))
    }
}

pub(crate) fn page_signal(name: &str) -> Result<PageSignal, JsValue> {
    match name {
        "challenge" => Ok(PageSignal::Challenge),
        "soft_block" => Ok(PageSignal::SoftBlock),
        "honeypot" => Ok(PageSignal::Honeypot),
        other => Err(shapes::unknown("signal", other)),
    }
}

/// Seconds of JavaScript; a number that is not a duration becomes zero, or the longest one.
pub(crate) fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number.max(0.0)).unwrap_or(Duration::MAX)
}

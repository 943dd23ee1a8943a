//! One round for one robots.txt, with its steps and its outcome.

use std::net::IpAddr;

use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Step, Validators};
use polite_robots_policy::{NetError, Outcome};
use wasm_bindgen::prelude::*;

use crate::names;
use crate::origin::JsOrigin;
use crate::profile::JsProfile;
use crate::shapes;
use crate::time::timestamp;

#[wasm_bindgen(raw_module = "../src/cache/shapes.js")]
extern "C" {
    fn done(outcome: JsOutcome) -> JsValue;
}

/// The class `Fetch` of the package, to which JavaScript adds `handle`.
#[wasm_bindgen(js_name = Fetch)]
#[derive(Debug)]
pub struct JsFetch(pub(crate) Fetch);

#[wasm_bindgen(js_class = Fetch)]
impl JsFetch {
    #[wasm_bindgen(constructor)]
    pub fn new(
        origin: &JsOrigin,
        profile: &JsProfile,
        now: f64,
        etag: Option<String>,
        last_modified: Option<String>,
    ) -> JsFetch {
        let validators = Validators {
            etag: etag.map(Box::from),
            last_modified: last_modified.map(Box::from),
        };
        let now = timestamp(now);
        JsFetch(Fetch::new(&origin.0, validators, &profile.0, now))
    }

    pub fn poll(&self, now: f64) -> JsValue {
        match self.0.poll(timestamp(now)) {
            Step::Done(outcome) => done(JsOutcome(outcome.clone())),
            Step::Get(request) => shapes::request(&request),
            Step::Resolve(host) => shapes::resolve(host),
            Step::Wait(until) => shapes::wait(until),
            // There are no others.
            _ => JsValue::UNDEFINED,
        }
    }

    /// `fields` are the names and the values of the headers in turn.
    #[wasm_bindgen(js_name = handleResponse)]
    pub fn handle_response(
        &mut self,
        status: u16,
        fields: Vec<String>,
        body: &[u8],
        end: &str,
        now: f64,
    ) -> Result<(), JsValue> {
        let end = names::named("end", end)?;
        with_headers(&fields, |headers| {
            let event = response(status, headers, body, end);
            self.0.handle(event, timestamp(now));
        });
        Ok(())
    }

    #[wasm_bindgen(js_name = handleFailed)]
    pub fn handle_failed(&mut self, error: &str, now: f64) -> Result<(), JsValue> {
        let error: NetError = names::named("error", error)?;
        self.0.handle(Event::Failed(error), timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(js_name = handleRefused)]
    pub fn handle_refused(&mut self, now: f64) {
        self.0.handle(Event::Refused, timestamp(now));
    }

    #[wasm_bindgen(js_name = handleResolved)]
    pub fn handle_resolved(&mut self, addresses: Vec<String>, now: f64) -> Result<(), JsValue> {
        let addresses: Vec<IpAddr> = addresses
            .iter()
            .map(|address| {
                address
                    .parse()
                    .map_err(|_| shapes::unknown("address", address))
            })
            .collect::<Result<_, JsValue>>()?;
        self.0.handle(Event::Resolved(&addresses), timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(js_name = handleByName)]
    pub fn handle_by_name(&mut self, now: f64) {
        self.0.handle(Event::ByName, timestamp(now));
    }

    #[wasm_bindgen(js_name = intoOutcome)]
    pub fn outcome(&self) -> JsOutcome {
        JsOutcome(self.0.clone().into_outcome())
    }
}

/// The event of a response. Where the header names no coding there is none that a decoder cannot
/// read: the body broke off.
pub(crate) fn response<'a>(
    status: u16,
    headers: Headers<'a>,
    body: &'a [u8],
    end: BodyEnd,
) -> Event<'a> {
    let is_cut = end == BodyEnd::Undecodable && headers.content_encoding.is_none();
    Event::Response(RawResponse {
        status,
        headers,
        body,
        end: if is_cut { BodyEnd::CutShort } else { end },
    })
}

/// Reads the names and the values of headers in turn.
pub(crate) fn with_headers<T>(fields: &[String], read: impl FnOnce(Headers<'_>) -> T) -> T {
    let fields: Vec<(&str, Vec<u8>)> = fields
        .chunks_exact(2)
        .filter_map(|field| match field {
            [name, value] => Some((name.as_str(), bytes(value))),
            _ => None,
        })
        .collect();
    let mut headers = Headers::default();
    for (name, value) in &fields {
        headers.insert_bytes(name, value);
    }
    read(headers)
}

/// The bytes that came for a value. A client of JavaScript has a character for each byte, and one
/// above U+00FF only where it has decoded UTF-8.
fn bytes(value: &str) -> Vec<u8> {
    let latin1: Result<Vec<u8>, _> = value.chars().map(u8::try_from).collect();
    latin1.unwrap_or_else(|_| value.as_bytes().to_vec())
}

/// The end of a round.
#[wasm_bindgen(js_name = Outcome)]
#[derive(Debug)]
pub struct JsOutcome(pub(crate) Outcome);

#[wasm_bindgen(js_class = Outcome)]
impl JsOutcome {
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        self.0.as_str().to_owned()
    }

    #[wasm_bindgen(getter)]
    pub fn cause(&self) -> JsValue {
        match self.0 {
            Outcome::Unavailable(cause)
            | Outcome::Forbidden(cause)
            | Outcome::Blanket { cause, .. }
            | Outcome::Unreachable { cause, .. } => shapes::cause(cause),
            _ => JsValue::UNDEFINED,
        }
    }
}

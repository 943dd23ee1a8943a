//! The names that JavaScript has for choices of the machines.

use polite_robots::Cause;
use polite_robots_policy::{BodyEnd, NetError, Obedience, Site};
use wasm_bindgen::prelude::*;

use crate::{shapes, shared};

/// A status, or 0 and a name.
pub(crate) fn cause(cause: Cause) -> (u16, &'static str) {
    match cause {
        // The answer of a browser's `fetch`, which hides a redirect that it does not follow.
        Cause::Status(0) => (0, "opaque_redirect"),
        Cause::Status(status) => (status, ""),
        other => (0, shared::cause_name(other)),
    }
}

pub(crate) fn net_error(name: &str) -> Result<NetError, JsValue> {
    Ok(match name {
        "dns" => NetError::Dns,
        "connect" => NetError::Connect,
        "read" => NetError::Read,
        "reset" => NetError::Reset,
        "tls" => NetError::Tls,
        "invalid_response" => NetError::InvalidResponse,
        "local" => NetError::Local,
        "encoded" => NetError::Encoded,
        "other" => NetError::Other,
        _ => return Err(shapes::unknown("error", name)),
    })
}

pub(crate) fn end(name: &str) -> Result<BodyEnd, JsValue> {
    Ok(match name {
        "complete" => BodyEnd::Complete,
        "cut_short" => BodyEnd::CutShort,
        "limit_reached" => BodyEnd::LimitReached,
        _ => return Err(shapes::unknown("end", name)),
    })
}

pub(crate) fn site(name: &str) -> Result<Site, JsValue> {
    Ok(match name {
        "available" => Site::Available,
        "unavailable" => Site::Unavailable,
        "unknown" => Site::Unknown,
        _ => return Err(shapes::unknown("site", name)),
    })
}

pub(crate) fn obedience(name: &str) -> Result<Obedience, JsValue> {
    Ok(match name {
        "obey" => Obedience::Obey,
        "ignore" => Obedience::Ignore,
        _ => return Err(shapes::unknown("obedience", name)),
    })
}

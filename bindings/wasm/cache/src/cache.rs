//! The robots.txt of many origins.

use polite_robots::Robot;
use polite_robots_policy::cache::{Closed, Ticket};
use polite_robots_policy::{Cache, Lookup, Origin, RobotsCheck};
use wasm_bindgen::prelude::*;

use crate::entry::JsEntry;
use crate::fetch::{JsFetch, JsOutcome};
use crate::names;
use crate::origin::{JsOrigin, origin};
use crate::profile::JsProfile;
use crate::robot::JsRobot;
use crate::saved;
use crate::time::timestamp;
use crate::url_buffer::with_written;
use crate::{shapes, shared};

#[wasm_bindgen(raw_module = "../src/cache/shapes.js")]
extern "C" {
    fn ticketed(ticket: JsTicket) -> JsValue;
}

/// The class `Cache` of the package.
#[wasm_bindgen(js_name = Cache)]
#[derive(Debug)]
pub struct JsCache(Cache);

#[wasm_bindgen(js_class = Cache)]
impl JsCache {
    #[wasm_bindgen(constructor)]
    pub fn new(
        profile: &JsProfile,
        agents: Vec<String>,
        capacity: f64,
        documents: Option<bool>,
    ) -> Result<JsCache, JsValue> {
        let agents: Vec<&str> = agents.iter().map(String::as_str).collect();
        // Numbers below zero become zero, and those above the address space its end.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let cache = Cache::new(profile.0, &agents, capacity as usize)
            .map_err(|error| shared::invalid_token(&error))?;
        Ok(JsCache(if documents == Some(true) {
            cache.keep_documents()
        } else {
            cache
        }))
    }

    pub fn poll(&mut self, origin: &JsOrigin, now: f64) -> JsValue {
        lookup(self.0.poll(&origin.0, timestamp(now)))
    }

    #[wasm_bindgen(js_name = pollAhead)]
    pub fn poll_ahead(&mut self, origin: &JsOrigin, now: f64) -> JsValue {
        lookup(self.0.poll_ahead(&origin.0, timestamp(now)))
    }

    /// The answer about the URL in the first `length` bytes of the URL buffer: 1 for allowed, 0 for
    /// disallowed by an answer of the site, 2 where [`JsCache::check`] has more to say.
    #[wasm_bindgen(js_name = allowedWritten)]
    pub fn allowed_written(&mut self, length: usize, now: f64) -> u8 {
        with_written(length, |url| {
            let Ok(origin) = Origin::of(url) else {
                return 2;
            };
            match self.0.poll_and_release(&origin, timestamp(now)) {
                Lookup::Ready(robot) => u8::from(robot.allowed(url)),
                // A ticket that is dropped is given back.
                _ => 2,
            }
        })
    }

    /// The answer about a URL; a ticket if its robots.txt has to be fetched first; `undefined`
    /// while that is under way. `error` goes into the answer as it is.
    pub fn check(&mut self, url: &str, now: f64, error: JsValue) -> Result<JsValue, JsValue> {
        self.answer(url, now, |access| {
            shapes::access(&RobotsCheck::new(url, access), error)
        })
    }

    /// As [`JsCache::check`], with the rules themselves; those of a closed origin disallow all.
    pub fn robot(&mut self, url: &str, now: f64) -> Result<JsValue, JsValue> {
        self.answer(url, now, |access| {
            JsRobot(access.unwrap_or_else(|closed| closed.robot)).into()
        })
    }

    /// The round to run for a ticket; `undefined` if it was used already.
    pub fn begin(&mut self, ticket: &mut JsTicket, now: f64) -> Option<JsFetch> {
        let fetch = self.0.begin(ticket.0.as_mut()?, timestamp(now));
        Some(JsFetch(fetch))
    }

    /// Takes a ticket and its round, wherever that stands; whether the ticket was not used before.
    pub fn end(&mut self, ticket: &mut JsTicket, fetch: &JsFetch, now: f64) -> bool {
        let taken = ticket.0.take();
        let used = taken.is_some();
        if let Some(ticket) = taken {
            self.0.end(ticket, fetch.0.clone(), timestamp(now));
        }
        used
    }

    /// Whether the ticket had an outcome to take; not if it was used already.
    pub fn handle(&mut self, ticket: &mut JsTicket, outcome: &JsOutcome, now: f64) -> bool {
        let taken = ticket.0.take();
        let used = taken.is_some();
        if let Some(ticket) = taken {
            self.0.handle(ticket, outcome.0.clone(), timestamp(now));
        }
        used
    }

    #[wasm_bindgen(js_name = giveBack)]
    pub fn give_back(&mut self, ticket: &mut JsTicket, now: f64) {
        if let Some(ticket) = ticket.0.take() {
            self.0.give_back(ticket, timestamp(now));
        }
    }

    pub fn renew(&mut self, ticket: &JsTicket, now: f64) {
        if let Some(ticket) = &ticket.0 {
            self.0.renew(ticket, timestamp(now));
        }
    }

    pub fn hold(&mut self, origin: &JsOrigin) {
        self.0.hold(&origin.0);
    }

    pub fn release(&mut self, origin: &JsOrigin) {
        self.0.release(&origin.0);
    }

    pub fn forgo(&mut self, origin: &JsOrigin, now: f64) {
        self.0.forgo(&origin.0, timestamp(now));
    }

    pub fn reset(&mut self, origin: &JsOrigin) {
        self.0.reset(&origin.0);
    }

    #[wasm_bindgen(js_name = setSite)]
    pub fn set_site(&mut self, origin: &JsOrigin, site: &str, now: f64) -> Result<(), JsValue> {
        self.0
            .set_site(&origin.0, names::named("site", site)?, timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(js_name = setObedience)]
    pub fn set_obedience(&mut self, host: &str, obedience: &str) -> Result<(), JsValue> {
        self.0
            .set_obedience(host, names::named("obedience", obedience)?);
        Ok(())
    }

    pub fn contains(&self, origin: &JsOrigin) -> bool {
        self.0.contains(&origin.0)
    }

    pub fn explain(&self, origin: &JsOrigin, now: f64) -> Option<String> {
        let explanation = self.0.explain(&origin.0, timestamp(now))?;
        Some(explanation.to_string())
    }

    pub fn entry(&self, origin: &JsOrigin) -> Option<JsEntry> {
        self.0.entry(&origin.0).map(JsEntry)
    }

    pub fn insert(&mut self, origin: &JsOrigin, entry: &JsEntry, now: f64) {
        self.0.insert(&origin.0, entry.0.clone(), timestamp(now));
    }

    #[wasm_bindgen(js_name = nextWakeup)]
    pub fn next_wakeup(&self) -> JsValue {
        let next = self.0.next_wakeup();
        next.map_or(JsValue::UNDEFINED, shapes::date)
    }

    pub fn save(&self) -> Result<Vec<u8>, JsValue> {
        saved::save(&self.0.save())
    }

    /// Takes what [`JsCache::save`] gave, in place of what is known.
    pub fn load(&mut self, saved: &[u8], now: f64) -> Result<(), JsValue> {
        self.0.load(saved::load(saved)?, timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.0.len()
    }

    #[wasm_bindgen(getter)]
    pub fn forgotten(&self) -> usize {
        self.0.forgotten()
    }

    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl JsCache {
    /// The access to the site of a URL, unless its robots.txt is due or under way.
    fn answer(
        &mut self,
        url: &str,
        now: f64,
        read: impl FnOnce(Result<Robot, Closed>) -> JsValue,
    ) -> Result<JsValue, JsValue> {
        let lookup = self.0.poll_and_release(&origin(url)?, timestamp(now));
        Ok(match lookup {
            Lookup::Ready(robot) => read(Ok(robot)),
            Lookup::Closed(closed) => read(Err(closed)),
            Lookup::Fetch(ticket) => JsTicket(Some(ticket)).into(),
            _ => JsValue::UNDEFINED,
        })
    }
}

/// The right to fetch one robots.txt, once.
#[wasm_bindgen(js_name = Ticket)]
#[derive(Debug)]
pub struct JsTicket(Option<Ticket>);

#[wasm_bindgen(js_class = Ticket)]
impl JsTicket {
    /// `undefined` once the ticket was used.
    #[wasm_bindgen(getter)]
    pub fn origin(&self) -> Option<JsOrigin> {
        let ticket = self.0.as_ref()?;
        Some(JsOrigin(ticket.origin().clone()))
    }

    #[wasm_bindgen(getter)]
    pub fn etag(&self) -> Option<String> {
        let etag = self.0.as_ref()?.validators().etag.as_deref();
        etag.map(str::to_owned)
    }

    #[wasm_bindgen(getter, js_name = lastModified)]
    pub fn last_modified(&self) -> Option<String> {
        let date = self.0.as_ref()?.validators().last_modified.as_deref();
        date.map(str::to_owned)
    }
}

fn lookup(found: Lookup) -> JsValue {
    match found {
        Lookup::Ready(robot) => shapes::ready(JsRobot(robot)),
        Lookup::Closed(closed) => shapes::closed(
            JsRobot(closed.robot),
            closed.cause,
            closed.since,
            closed.retry,
        ),
        Lookup::Fetch(ticket) => ticketed(JsTicket(Some(ticket))),
        Lookup::Pending => shapes::pending(),
        // `Lookup::Full`; there are no others.
        _ => shapes::full(),
    }
}

//! The robots.txt of many origins.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use polite_robots::Robot;
use polite_robots_policy::cache::{Closed, Ticket};
use polite_robots_policy::crawl::{Crawl, Limits};
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

/// The class `Cache` of the package: a cache alone, or that of a crawl, which goes on to use it.
#[wasm_bindgen(js_name = Cache)]
#[derive(Debug)]
pub struct JsCache(pub(crate) Rc<RefCell<Crawl>>);

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
        let mut cache = Cache::new(profile.0, &agents, capacity as usize)
            .map_err(|error| shared::invalid_token(&error))?;
        if documents == Some(true) {
            cache = cache.keep_documents();
        }
        let crawl = Crawl::over(cache, Limits::default());
        Ok(JsCache(Rc::new(RefCell::new(crawl))))
    }

    pub fn poll(&self, origin: &JsOrigin, now: f64) -> JsValue {
        lookup(self.cache().poll(&origin.0, timestamp(now)))
    }

    #[wasm_bindgen(js_name = pollAhead)]
    pub fn poll_ahead(&self, origin: &JsOrigin, now: f64) -> JsValue {
        lookup(self.cache().poll_ahead(&origin.0, timestamp(now)))
    }

    /// The answer about the URL in the first `length` bytes of the URL buffer: 1 for allowed, 0 for
    /// disallowed by an answer of the site, 2 where [`JsCache::check`] has more to say.
    #[wasm_bindgen(js_name = allowedWritten)]
    pub fn allowed_written(&self, length: usize, now: f64) -> u8 {
        with_written(length, |url| {
            let Ok(origin) = Origin::of(url) else {
                return 2;
            };
            match self.cache().poll_and_release(&origin, timestamp(now)) {
                Lookup::Ready(robot) => u8::from(robot.allowed(url)),
                // A ticket that is dropped is given back.
                _ => 2,
            }
        })
    }

    /// The answer about a URL; a ticket if its robots.txt has to be fetched first; `undefined`
    /// while that is under way. `error` goes into the answer as it is.
    pub fn check(&self, url: &str, now: f64, error: JsValue) -> Result<JsValue, JsValue> {
        self.answer(url, now, |access| {
            shapes::access(&RobotsCheck::new(url, access), error)
        })
    }

    /// As [`JsCache::check`], with the rules themselves; those of a closed origin disallow all.
    pub fn robot(&self, url: &str, now: f64) -> Result<JsValue, JsValue> {
        self.answer(url, now, |access| {
            JsRobot(access.unwrap_or_else(|closed| closed.robot)).into()
        })
    }

    /// The round to run for a ticket; `undefined` if it was used already.
    pub fn begin(&self, ticket: &mut JsTicket, now: f64) -> Option<JsFetch> {
        let fetch = self.cache().begin(ticket.0.as_mut()?, timestamp(now));
        Some(JsFetch(fetch))
    }

    /// Takes a ticket back with its round, at whatever step the round is. Returns whether the
    /// ticket was unused before.
    pub fn end(&self, ticket: &mut JsTicket, fetch: &JsFetch, now: f64) -> bool {
        let taken = ticket.0.take();
        let used = taken.is_some();
        if let Some(ticket) = taken {
            self.cache().end(ticket, fetch.0.clone(), timestamp(now));
        }
        used
    }

    /// Takes the outcome of a ticket's fetch. Returns whether the ticket was unused before.
    pub fn handle(&self, ticket: &mut JsTicket, outcome: &JsOutcome, now: f64) -> bool {
        let taken = ticket.0.take();
        let used = taken.is_some();
        if let Some(ticket) = taken {
            self.cache()
                .handle(ticket, outcome.0.clone(), timestamp(now));
        }
        used
    }

    #[wasm_bindgen(js_name = giveBack)]
    pub fn give_back(&self, ticket: &mut JsTicket, now: f64) {
        if let Some(ticket) = ticket.0.take() {
            self.cache().give_back(ticket, timestamp(now));
        }
    }

    pub fn renew(&self, ticket: &JsTicket, now: f64) {
        if let Some(ticket) = &ticket.0 {
            self.cache().renew(ticket, timestamp(now));
        }
    }

    pub fn hold(&self, origin: &JsOrigin) {
        self.cache().hold(&origin.0);
    }

    pub fn release(&self, origin: &JsOrigin) {
        self.cache().release(&origin.0);
    }

    pub fn forgo(&self, origin: &JsOrigin, now: f64) {
        self.cache().forgo(&origin.0, timestamp(now));
    }

    pub fn reset(&self, origin: &JsOrigin) {
        self.cache().reset(&origin.0);
    }

    #[wasm_bindgen(js_name = setSite)]
    pub fn set_site(&self, origin: &JsOrigin, site: &str, now: f64) -> Result<(), JsValue> {
        self.cache()
            .set_site(&origin.0, names::named("site", site)?, timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(js_name = setObedience)]
    pub fn set_obedience(&self, host: &str, obedience: &str) -> Result<(), JsValue> {
        self.cache()
            .set_obedience(host, names::named("obedience", obedience)?);
        Ok(())
    }

    pub fn contains(&self, origin: &JsOrigin) -> bool {
        self.cache().contains(&origin.0)
    }

    pub fn explain(&self, origin: &JsOrigin, now: f64) -> Option<String> {
        let explanation = self.cache().explain(&origin.0, timestamp(now))?;
        Some(explanation.to_string())
    }

    pub fn entry(&self, origin: &JsOrigin) -> Option<JsEntry> {
        self.cache().entry(&origin.0).map(JsEntry)
    }

    pub fn insert(&self, origin: &JsOrigin, entry: &JsEntry, now: f64) {
        self.cache()
            .insert(&origin.0, entry.0.clone(), timestamp(now));
    }

    #[wasm_bindgen(js_name = nextWakeup)]
    pub fn next_wakeup(&self) -> JsValue {
        let next = self.cache().next_wakeup();
        next.map_or(JsValue::UNDEFINED, shapes::date)
    }

    pub fn save(&self) -> Result<Vec<u8>, JsValue> {
        saved::save(&self.cache().save())
    }

    /// Takes what [`JsCache::save`] gave, in place of what is known.
    pub fn load(&self, saved: &[u8], now: f64) -> Result<(), JsValue> {
        self.cache().load(saved::load(saved)?, timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.cache().len()
    }

    #[wasm_bindgen(getter)]
    pub fn forgotten(&self) -> usize {
        self.cache().forgotten()
    }

    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> usize {
        self.cache().bytes()
    }
}

impl JsCache {
    fn cache(&self) -> RefMut<'_, Cache> {
        RefMut::map(self.0.borrow_mut(), Crawl::cache_mut)
    }

    /// The access to the site of a URL, unless its robots.txt is due or under way.
    fn answer(
        &self,
        url: &str,
        now: f64,
        read: impl FnOnce(Result<Robot, Closed>) -> JsValue,
    ) -> Result<JsValue, JsValue> {
        let lookup = self.cache().poll_and_release(&origin(url)?, timestamp(now));
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

//! The class `Crawl` of the package.

use std::cell::RefCell;
use std::rc::Rc;

use polite_robots::InvalidToken;
use polite_robots_policy::crawl::{Crawl, Limits, PageRequest, Refusal, Step};
use polite_robots_policy::fetch::{BodyEnd, Event};
use polite_robots_policy::{Cache, NetError, Reply};
use wasm_bindgen::prelude::*;

use crate::cache::JsCache;
use crate::fetch::{response, with_headers};
use crate::profile::JsProfile;
use crate::reply::page_signal;
use crate::time::{span, timestamp};
use crate::{names, saved, shapes, shared};

/// The machine of a crawl.
#[wasm_bindgen(js_name = Crawl)]
#[derive(Debug)]
pub struct JsCrawl(Rc<RefCell<Crawl>>);

#[wasm_bindgen(js_class = Crawl)]
impl JsCrawl {
    /// `max_wait` is in milliseconds.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn new(
        profile: &JsProfile,
        agents: Vec<String>,
        capacity: f64,
        max_wait: f64,
        max_in_flight: f64,
        max_queue: f64,
    ) -> Result<JsCrawl, JsValue> {
        let agents: Vec<&str> = agents.iter().map(String::as_str).collect();
        let limits = Limits {
            wait: span(max_wait),
            in_flight: max_in_flight.ceil() as usize,
            line: max_queue.ceil() as usize,
        };
        Cache::new(profile.0, &agents, capacity as usize)
            .map(|cache| JsCrawl(Rc::new(RefCell::new(Crawl::over(cache, limits)))))
            .map_err(|error: InvalidToken| shared::invalid_token(&error))
    }

    /// The cache of the crawl itself, not a copy of it.
    #[wasm_bindgen(getter)]
    pub fn cache(&self) -> JsCache {
        JsCache(Rc::clone(&self.0))
    }

    /// `steady` is the time in milliseconds by a clock that nobody sets, here and in `poll`.
    /// `asked` is the URL as it was asked for, where the client sends another text: a rule for
    /// either forbids the page. `max_wait` is in milliseconds. A `patient` page waits for a closed
    /// site too.
    #[allow(clippy::too_many_arguments)]
    pub fn enter(
        &self,
        url: &str,
        lent: bool,
        now: f64,
        steady: f64,
        asked: Option<String>,
        max_wait: Option<f64>,
        patient: bool,
    ) -> Result<u32, JsValue> {
        let request = PageRequest::new(url).with_asked(asked);
        let mut request = request.with_lent(lent).with_patience(patient);
        if let Some(wait) = max_wait {
            request = request.with_max_wait(span(wait));
        }
        self.0
            .borrow_mut()
            .enter(request, span(steady), timestamp(now))
            .map_err(|error| shared::invalid_url(&error))
    }

    pub fn leave(&self, page: u32, now: f64) {
        self.0.borrow_mut().leave(page, timestamp(now));
    }

    pub fn poll(&self, now: f64, steady: f64) -> JsValue {
        let mut crawl = self.0.borrow_mut();
        let now = timestamp(now);
        match crawl.poll(span(steady), now) {
            Step::Turn(page, _) => shapes::granted(page),
            Step::Refused(page, Refusal::Disallowed(robot)) => shapes::disallowed(
                page.number(),
                &page.origin().robots_url(),
                shared::verdict(robot.check(page.disallowed_by(&robot).unwrap_or(page.url()))),
            ),
            Step::Refused(page, Refusal::Closed(closed)) => {
                shapes::refused(page.number(), closed.cause, closed.since, closed.retry)
            }
            Step::Refused(page, Refusal::Busy { reason, retry }) => {
                shapes::busy(page.number(), &reason.to_string(), retry)
            }
            Step::Get(number) => crawl
                .request(number, now)
                .map_or(JsValue::UNDEFINED, |request| {
                    shapes::round_request(number, shapes::request(&request))
                }),
            Step::Wait(Some(until)) => shapes::wait(until),
            // `Wait(None)`; there are no others.
            _ => JsValue::UNDEFINED,
        }
    }

    /// `fields` are the names and the values of the headers in turn.
    #[wasm_bindgen(js_name = finishResponse)]
    pub fn finish_response(
        &self,
        page: u32,
        status: u16,
        fields: Vec<String>,
        signal: Option<String>,
        now: f64,
    ) -> Result<(), JsValue> {
        let signal = signal.as_deref().map(page_signal).transpose()?;
        let now = timestamp(now);
        with_headers(&fields, |headers| {
            let reply = Reply::of_headers(status, &headers, now, now).with_signal(signal);
            self.0.borrow_mut().finish(page, reply, now);
        });
        Ok(())
    }

    #[wasm_bindgen(js_name = finishFailed)]
    pub fn finish_failed(&self, page: u32, error: &str, now: f64) -> Result<(), JsValue> {
        let error: NetError = names::named("error", error)?;
        let now = timestamp(now);
        self.0
            .borrow_mut()
            .finish(page, Reply::new(Err(error), now), now);
        Ok(())
    }

    #[wasm_bindgen(js_name = handleResponse)]
    pub fn handle_response(
        &self,
        round: u32,
        status: u16,
        fields: Vec<String>,
        body: &[u8],
        end: &str,
        now: f64,
    ) -> Result<(), JsValue> {
        let end: BodyEnd = names::named("end", end)?;
        with_headers(&fields, |headers| {
            let event = response(status, headers, body, end);
            self.0.borrow_mut().handle(round, event, timestamp(now));
        });
        Ok(())
    }

    #[wasm_bindgen(js_name = handleFailed)]
    pub fn handle_failed(&self, round: u32, error: &str, now: f64) -> Result<(), JsValue> {
        let error: NetError = names::named("error", error)?;
        self.0
            .borrow_mut()
            .handle(round, Event::Failed(error), timestamp(now));
        Ok(())
    }

    #[wasm_bindgen(js_name = pagesOf)]
    pub fn pages_of(&self, round: u32) -> Vec<u32> {
        self.0.borrow_mut().pages_of(round)
    }

    #[wasm_bindgen(getter)]
    pub fn hosts(&self) -> usize {
        self.0.borrow().scheduler().len()
    }

    pub fn save(&self) -> Result<Vec<u8>, JsValue> {
        let crawl = self.0.borrow();
        let cache = saved::save(&crawl.cache().save())?;
        let scheduler = saved::save(crawl.scheduler())?;
        // The length of the first is that of bytes in a memory of 32 bits.
        let length = u32::try_from(cache.len()).unwrap_or(u32::MAX);
        Ok([&length.to_be_bytes(), &*cache, &scheduler].concat())
    }

    pub fn load(&self, saved: &[u8], now: f64) -> Result<(), JsValue> {
        let (length, rest) = saved.split_first_chunk().unwrap_or((&[0; 4], saved));
        let length = u32::from_be_bytes(*length) as usize;
        let (cache, scheduler) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        let (cache, scheduler) = (saved::load(cache)?, saved::load(scheduler)?);
        self.0.borrow_mut().load(cache, &scheduler, timestamp(now));
        Ok(())
    }
}

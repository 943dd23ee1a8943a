//! A cache and a pace of C beside those of the policy: each call goes to both, and what they answer
//! is the same.

use std::ffi::c_char;
use std::ptr;

use polite_robots::*;
use polite_robots_policy::cache::NextFetch;
use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Step};
use polite_robots_policy::{
    Cache, HostId, Lookup, NetError, Origin, Profile, Reply, Scheduler, Timestamp, Turn,
};
use robots::{Cause, Reason, Robot};

const SITE: &str = "https://example.com/";

/// The end of a request, for robots.txt or for a page.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// 0 if there was no response.
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    pub(crate) is_cut: bool,
    pub(crate) error: Option<(u8, NetError)>,
    pub(crate) is_refused: bool,
}

/// A machine of C and one of Rust for the cache, and the same for the pace.
pub(crate) struct Both {
    name: String,
    pub(crate) number: u8,
    profile: Profile,
    pub(crate) now: u64,
    pub(crate) rounds: usize,
    started: u64,
    cache: Cache,
    scheduler: Scheduler,
    host: HostId,
    c_cache: *mut polite_cache,
    c_pace: *mut polite_pace,
}

impl Drop for Both {
    fn drop(&mut self) {
        unsafe { polite_cache_free(self.c_cache) };
        unsafe { polite_pace_free(self.c_pace) };
    }
}

pub(crate) fn str(text: &[u8]) -> polite_str {
    polite_str {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

fn text(text: polite_str) -> String {
    if text.data.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A cache of C for `ExampleBot`.
pub(crate) fn c_cache(profile: u8) -> *mut polite_cache {
    let policy = polite_policy {
        size: size_of::<polite_policy>() as u32,
        profile,
        reserved: [0; 3],
        max_memory: 0,
        min_delay_ms: 0,
    };
    let mut cache = ptr::null_mut();
    let agent = str(b"ExampleBot");
    let made = unsafe { polite_cache_new(&raw const agent, 1, &raw const policy, &raw mut cache) };
    assert_eq!(made, polite_result::POLITE_OK);
    cache
}

/// The answer of C about a URL, with the fetch and the robot that come with it.
pub(crate) fn ask(
    cache: *mut polite_cache,
    url: &str,
    now: u64,
) -> (polite_access, *mut polite_robot, *mut polite_fetch) {
    let mut access: polite_access = unsafe { std::mem::zeroed() };
    access.size = size_of::<polite_access>() as u32;
    let (mut robot, mut fetch) = (ptr::null_mut(), ptr::null_mut());
    let asked = unsafe {
        polite_cache_ask(
            cache,
            url.as_ptr().cast(),
            url.len(),
            polite_page::POLITE_PAGE_ALONE as u8,
            now,
            &raw mut access,
            &raw mut robot,
            &raw mut fetch,
        )
    };
    assert_eq!(asked, polite_result::POLITE_OK, "{url}");
    (access, robot, fetch)
}

pub(crate) fn next(fetch: *mut polite_fetch, now: u64) -> polite_fetch_step {
    let mut step: polite_fetch_step = unsafe { std::mem::zeroed() };
    step.size = size_of::<polite_fetch_step>() as u32;
    let result = unsafe { polite_fetch_next(fetch, now, &raw mut step) };
    assert_eq!(result, polite_result::POLITE_OK);
    step
}

impl Answer {
    pub(crate) fn c_headers(&self) -> Vec<polite_header> {
        let headers = self.headers.iter();
        headers
            .map(|(name, value)| polite_header {
                name: str(name.as_bytes()),
                value: str(value),
            })
            .collect()
    }

    fn headers(&self) -> Headers<'_> {
        let mut headers = Headers::default();
        for (name, value) in &self.headers {
            headers.insert_bytes(name, value);
        }
        headers
    }

    /// Reports it to a fetch of C. `max_bytes` is the limit of its request.
    pub(crate) fn to_c(&self, fetch: *mut polite_fetch, max_bytes: usize, now: u64) {
        let body = &self.body[..self.body.len().min(max_bytes)];
        let headers = self.c_headers();
        let end = match self.is_cut {
            true => polite_body_end::POLITE_BODY_CUT_SHORT,
            false if body.len() == max_bytes => polite_body_end::POLITE_BODY_LIMIT_REACHED,
            false => polite_body_end::POLITE_BODY_COMPLETE,
        };
        let result = unsafe {
            match self.error {
                Some((error, _)) => polite_fetch_failed(fetch, error, now),
                None if self.is_refused => polite_fetch_refused(fetch, now),
                None => polite_fetch_response(
                    fetch,
                    self.status,
                    headers.as_ptr(),
                    headers.len(),
                    body.as_ptr().cast(),
                    body.len(),
                    end as u8,
                    now,
                ),
            }
        };
        assert_eq!(result, polite_result::POLITE_OK);
    }

    fn to_rust(&self, fetch: &mut Fetch, max_bytes: usize, now: Timestamp) {
        let body = &self.body[..self.body.len().min(max_bytes)];
        let event = match self.error {
            Some((_, error)) => Event::Failed(error),
            None if self.is_refused => Event::Refused,
            None => Event::Response(RawResponse {
                status: self.status,
                headers: self.headers(),
                body,
                end: match self.is_cut {
                    true => BodyEnd::CutShort,
                    false if body.len() == max_bytes => BodyEnd::LimitReached,
                    false => BodyEnd::Complete,
                },
            }),
        };
        fetch.handle(event, now);
    }
}

impl Both {
    pub(crate) fn new(name: &str, number: u8, profile: Profile, now: u64) -> Both {
        let policy = polite_policy {
            size: size_of::<polite_policy>() as u32,
            profile: number,
            reserved: [0; 3],
            max_memory: 0,
            min_delay_ms: 0,
        };
        let mut c_pace = ptr::null_mut();
        let made = unsafe { polite_pace_new(&raw const policy, &raw mut c_pace) };
        assert_eq!(made, polite_result::POLITE_OK);
        let mut scheduler = Scheduler::new(profile);
        let host = scheduler.insert("example.com", None);
        Both {
            name: name.to_owned(),
            number,
            profile,
            now,
            rounds: 0,
            started: now,
            cache: Cache::new(profile, &["ExampleBot"], 64 << 20).unwrap(),
            scheduler,
            host,
            c_cache: c_cache(number),
            c_pace,
        }
    }

    fn time(&self) -> Timestamp {
        Timestamp::from_millis(self.now)
    }

    pub(crate) fn reset(&mut self) {
        self.cache.reset(&Origin::of(SITE).unwrap());
        unsafe { polite_cache_reset(self.c_cache, SITE.as_ptr().cast(), SITE.len()) };
    }

    /// Goes on with machines that know nothing.
    pub(crate) fn lose(&mut self) {
        let mut next = Both::new(&self.name, self.number, self.profile, self.now);
        next.rounds = self.rounds;
        *self = next;
    }

    /// Saves both machines, and goes on with others that have loaded that.
    pub(crate) fn reload(&mut self) {
        let (mut data, mut length) = (ptr::null_mut::<c_char>(), 0);
        let mut next = Both::new(&self.name, self.number, self.profile, self.now);
        unsafe {
            polite_cache_save(self.c_cache, &raw mut data, &raw mut length);
            let loaded = polite_cache_load(next.c_cache, data, length, self.now);
            assert_eq!(loaded, polite_result::POLITE_OK);
            polite_saved_free(data, length);
            polite_pace_save(self.c_pace, self.now, &raw mut data, &raw mut length);
            let loaded = polite_pace_load(next.c_pace, data, length);
            assert_eq!(loaded, polite_result::POLITE_OK);
            polite_saved_free(data, length);
        }
        let now = self.time();
        next.cache.load(self.cache.save(), now);
        self.scheduler.next_ready(now);
        let saved = postcard::to_allocvec(&self.scheduler).unwrap();
        next.scheduler = postcard::from_bytes(&saved).unwrap();
        next.host = next.scheduler.find("example.com").unwrap_or(self.host);
        (next.rounds, next.started) = (self.rounds, self.started);
        *self = next;
    }

    /// One round against a server that gives the answers in order and repeats the last, if the
    /// caches ask for one now.
    pub(crate) fn round(&mut self, answers: &[Answer], addresses: &[String]) {
        let origin = Origin::of(SITE).unwrap();
        let lookup = self.cache.poll_and_release(&origin, self.time());
        let (access, robot, c_fetch) = ask(self.c_cache, SITE, self.now);
        unsafe { polite_robot_free(robot) };
        let Lookup::Fetch(mut ticket) = lookup else {
            assert!(c_fetch.is_null(), "{}: {access:?}", self.name);
            return;
        };
        assert!(!c_fetch.is_null(), "{}: {access:?}", self.name);
        self.rounds += 1;
        let mut fetch = self.cache.begin(&mut ticket, self.time());
        let mut asked = 0;
        loop {
            let step = next(c_fetch, self.now);
            let found = (
                step.step,
                text(step.url),
                text(step.host),
                text(step.address),
            );
            let validators = (text(step.etag), text(step.last_modified), step.until_ms);
            match fetch.poll(self.time()) {
                Step::Get(request) => {
                    let address = request.address.map_or(String::new(), |ip| ip.to_string());
                    let expected = (1, request.url.to_owned(), request.host.to_owned(), address);
                    assert_eq!(found, expected, "{}", self.name);
                    let etag = request.validators.etag.as_deref().unwrap_or_default();
                    let date = request.validators.last_modified.as_deref();
                    let expected = (etag.to_owned(), date.unwrap_or_default().to_owned(), 0);
                    assert_eq!(validators, expected, "{}", self.name);
                    assert_eq!(step.max_bytes, request.max_bytes as u64);
                    let max_bytes = request.max_bytes;
                    let answer = &answers[asked.min(answers.len() - 1)];
                    asked += 1;
                    answer.to_rust(&mut fetch, max_bytes, self.time());
                    answer.to_c(c_fetch, max_bytes, self.now);
                }
                Step::Resolve(host) => {
                    assert_eq!((found.0, &*found.2), (2, host), "{}", self.name);
                    let parsed: Vec<_> = addresses.iter().map(|ip| ip.parse().unwrap()).collect();
                    fetch.handle(Event::Resolved(&parsed), self.time());
                    let c: Vec<_> = addresses.iter().map(|ip| str(ip.as_bytes())).collect();
                    unsafe { polite_fetch_resolved(c_fetch, c.as_ptr(), c.len(), self.now) };
                }
                Step::Wait(until) => {
                    assert_eq!(
                        (found.0, validators.2),
                        (3, until.as_millis()),
                        "{}",
                        self.name
                    );
                    self.now = until.as_millis();
                }
                _ => {
                    assert_eq!(found.0, 4, "{}", self.name);
                    break;
                }
            }
        }
        self.cache
            .end(ticket, fetch, Timestamp::from_millis(self.now));
        let ended = unsafe { polite_cache_end(self.c_cache, c_fetch, self.now) };
        assert_eq!(ended, polite_result::POLITE_OK);
    }

    /// Compares the answers about a path, and what is said about the site.
    pub(crate) fn compare(&mut self, path: &str) {
        let origin = Origin::of(SITE).unwrap();
        let url = format!("https://example.com{path}");
        let lookup = self.cache.poll_and_release(&origin, self.time());
        let (access, robot, fetch) = ask(self.c_cache, &url, self.now);
        let expected = match &lookup {
            Lookup::Ready(robot) => {
                let verdict = robot.check(&url);
                let cause = match verdict.reason() {
                    Reason::Blanket(cause) => number(cause),
                    _ => (0, 0),
                };
                let line = verdict.rule().map_or(0, |rule| rule.line());
                (if verdict.is_allowed() { 1 } else { 2 }, cause, line, 0)
            }
            Lookup::Closed(closed) => {
                let retry = match closed.retry {
                    NextFetch::At(time) => time.as_millis(),
                    NextFetch::Now => closed.since.as_millis(),
                    _ => u64::MAX,
                };
                (3, number(closed.cause), 0, retry)
            }
            Lookup::Fetch(_) => (4, (0, 0), 0, 0),
            Lookup::Pending => (5, (0, 0), 0, 0),
            other => panic!("{other:?}"),
        };
        let cause = (access.cause, access.status);
        let found = (access.answer, cause, access.line, access.retry_at_ms);
        assert_eq!(found, expected, "{} {path}", self.name);
        assert_eq!(robot.is_null(), access.answer > 3);
        assert_eq!(fetch.is_null(), access.answer != 4);
        unsafe { polite_robot_free(robot) };
        unsafe { polite_fetch_free(fetch) };
        drop(lookup);
        let explained = self.cache.explain(&origin, self.time());
        let explained = explained.map_or(String::new(), |sentence| sentence.to_string());
        let mut buffer = [0_u8; 1000];
        let length = unsafe {
            let buffer = buffer.as_mut_ptr().cast();
            polite_cache_explain(
                self.c_cache,
                url.as_ptr().cast(),
                url.len(),
                self.now,
                buffer,
                1000,
            )
        };
        assert_eq!(
            std::str::from_utf8(&buffer[..length]).unwrap(),
            explained,
            "{}",
            self.name
        );
    }

    /// Sets the delay in both, read by the parser.
    pub(crate) fn crawl_delay(&mut self, delay: &str) {
        let file = format!("User-agent: *\nCrawl-delay: {delay}\nDisallow: /x\n");
        let robot = Robot::new("ExampleBot", file.as_bytes()).unwrap();
        let origin = Origin::of(SITE).unwrap();
        self.scheduler
            .set_crawl_delay(self.host, &origin, robot.crawl_delay());
        let mut c_robot = ptr::null_mut();
        unsafe {
            polite_robot_new(
                str(b"ExampleBot"),
                str(file.as_bytes()),
                ptr::null(),
                &raw mut c_robot,
            );
            polite_pace_crawl_delay(
                self.c_pace,
                SITE.as_ptr().cast(),
                SITE.len(),
                c_robot,
                self.now,
            );
            polite_robot_free(c_robot);
        }
    }

    /// Starts a request in both, if there is a turn.
    pub(crate) fn start(&mut self) {
        self.scheduler.next_ready(self.time());
        let turn = self.scheduler.turn(self.host, self.time());
        if turn == Turn::Ready {
            self.started = self.now;
            self.scheduler.handle_start(self.host, self.time());
        }
        let mut found = self.c_turn();
        let url = SITE.as_ptr().cast();
        unsafe { polite_pace_start(self.c_pace, url, SITE.len(), self.now, &raw mut found) };
        assert_eq!(found.turn == 1, turn == Turn::Ready, "{}", self.name);
    }

    /// Ends a request in both.
    pub(crate) fn reply(&mut self, reply: &Answer, started: Option<u64>) {
        let (now, url, length) = (self.now, SITE.as_ptr().cast(), SITE.len());
        let started = started.unwrap_or(self.started);
        let began = Timestamp::from_millis(started);
        let result = match reply.error {
            Some((error, kind)) => {
                self.scheduler
                    .handle_reply(self.host, Reply::new(Err(kind), began), self.time());
                unsafe { polite_pace_failed(self.c_pace, url, length, error, started, now) }
            }
            None => {
                let told = Reply::of_headers(reply.status, &reply.headers(), began, self.time());
                self.scheduler.handle_reply(self.host, told, self.time());
                let headers = reply.c_headers();
                let (fields, n) = (headers.as_ptr(), headers.len());
                let status = reply.status;
                unsafe {
                    polite_pace_response(
                        self.c_pace,
                        url,
                        length,
                        status,
                        fields,
                        n,
                        0,
                        started,
                        now,
                    )
                }
            }
        };
        assert_eq!(result, polite_result::POLITE_OK);
    }

    /// Compares the turns, and goes to the next one.
    pub(crate) fn wait(&mut self) {
        let turn = self.turn();
        if turn.turn == polite_turn_kind::POLITE_TURN_NOT_BEFORE as u8 {
            self.now = turn.until_ms;
        }
    }

    pub(crate) fn turn(&mut self) -> polite_turn {
        self.scheduler.next_ready(self.time());
        let expected = match self.scheduler.turn(self.host, self.time()) {
            Turn::Ready => (1, 0),
            Turn::NotBefore(time) => (2, time.as_millis()),
            Turn::Busy => (3, 0),
            Turn::Skip => (4, 0),
            other => panic!("{other:?}"),
        };
        let found = self.c_turn();
        assert_eq!((found.turn, found.until_ms), expected, "{}", self.name);
        found
    }

    fn c_turn(&self) -> polite_turn {
        let mut turn: polite_turn = unsafe { std::mem::zeroed() };
        turn.size = size_of::<polite_turn>() as u32;
        let url = SITE.as_ptr().cast();
        unsafe { polite_pace_turn(self.c_pace, url, SITE.len(), self.now, &raw mut turn) };
        turn
    }
}

/// The number that a cause has in C, and its status.
fn number(cause: Cause) -> (u8, u16) {
    match cause {
        Cause::Configured => (1, 0),
        Cause::Status(status) => (2, status),
        Cause::NotFetched => (3, 0),
        Cause::Unreachable => (4, 0),
        Cause::TooManyRedirects => (5, 0),
        Cause::Truncated => (6, 0),
        Cause::ParseErrors => (7, 0),
        Cause::NoCopy => (8, 0),
        Cause::GaveUp => (9, 0),
        Cause::Encoded => (10, 0),
        Cause::Full => (11, 0),
        other => panic!("{other:?}"),
    }
}

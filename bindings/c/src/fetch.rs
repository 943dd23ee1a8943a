//! One round for one robots.txt, which a program in C drives.

use std::ffi::c_char;
use std::net::IpAddr;

use polite_robots_policy::Timestamp;
use polite_robots_policy::cache::Ticket;
use polite_robots_policy::fetch::{Event, Fetch, RawResponse, Step};

use crate::error::{null, polite_result};
use crate::reply::{body_end, headers, net_error, polite_header};
use crate::sized::write_sized;
use crate::text::{polite_str, texts};

/// The right to fetch one robots.txt, and its round: redirects, addresses, and the meaning of the
/// answer. `polite_cache_ask` gives it; `polite_cache_end` takes it back.
///
/// One thread at a time may use it, whichever that is. It does not refer to the cache, which may be
/// freed before it.
#[derive(Debug)]
pub struct polite_fetch {
    pub(crate) ticket: Ticket,
    pub(crate) round: Fetch,
    /// The address of the last step, as text.
    pub(crate) address: String,
}

/// The next action of a program for a robots.txt.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_step {
    /// Nothing: there is no fetch.
    POLITE_STEP_NONE = 0,
    /// Send a GET request for `url`, without following redirects, and report its end by
    /// `polite_fetch_response`, `polite_fetch_failed` or `polite_fetch_refused`.
    POLITE_STEP_GET = 1,
    /// Look up the addresses of `host`, and report them by `polite_fetch_resolved`, or leave that
    /// to the client by `polite_fetch_by_name`. Only `POLITE_PROFILE_IBM` asks for it.
    POLITE_STEP_RESOLVE = 2,
    /// Come back at `until_ms`, or end the fetch: a later question goes on with it.
    POLITE_STEP_WAIT = 3,
    /// The round is over: give it to `polite_cache_end`.
    POLITE_STEP_DONE = 4,
}

/// The next step of a fetch. Set `size` before each call, which lets the struct grow:
/// `polite_fetch_step step = {.size = sizeof step};`.
///
/// A plain value of the caller. Its texts belong to the fetch, and are valid until the next call
/// with that fetch.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_fetch_step {
    /// `sizeof(polite_fetch_step)` of the caller. Nothing beyond it is written.
    pub size: u32,
    /// A `polite_step`.
    pub step: u8,
    /// Zeros.
    pub reserved: [u8; 3],
    /// The end of `POLITE_STEP_WAIT`, in milliseconds since 1970.
    pub until_ms: u64,
    /// The bytes of the body to read at most, after decoding.
    pub max_bytes: u64,
    /// The URL to ask for.
    pub url: polite_str,
    /// The host of the URL, whose turn the request needs. After a redirect it may be another one.
    pub host: polite_str,
    /// The address to connect to; empty if the client chooses.
    pub address: polite_str,
    /// The value of `If-None-Match`; empty if the request has none.
    pub etag: polite_str,
    /// The value of `If-Modified-Since`; empty if the request has none.
    pub last_modified: polite_str,
}

/// Writes the next step of a fetch. It stays the same until something is reported, or a wait is
/// over.
///
/// `now_ms`, here and elsewhere, is the time in milliseconds since 1970. The texts in `out` are
/// valid until the next call with this fetch. Fails with `POLITE_NULL` if the fetch or `out` is
/// NULL. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_fetch_next(
    fetch: *mut polite_fetch,
    now_ms: u64,
    out: *mut polite_fetch_step,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        if out.is_null() {
            return null("the place for the step");
        }
        // SAFETY: the caller gives a fetch that is not freed yet, or NULL.
        let Some(fetch) = (unsafe { fetch.as_mut() }) else {
            return null("the fetch");
        };
        let step = fetch.step(Timestamp::from_millis(now_ms));
        // SAFETY: the caller gives a place of the size that they state.
        unsafe { write_sized(step, out) };
        polite_result::POLITE_OK
    })
}

/// Reports the response to the request of `POLITE_STEP_GET`, whatever its status: its header as it
/// came, `length` bytes of its body, and how that ended, a `polite_body_end`. Gzip and deflate are
/// undone here where the client has not done so.
///
/// Nothing is kept of the arguments. `headers` and `body` may be NULL if there are none. Fails with
/// `POLITE_NULL` if the fetch is NULL. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_fetch_response(
    fetch: *mut polite_fetch,
    status: u16,
    headers: *const polite_header,
    count: usize,
    body: *const c_char,
    length: usize,
    body_end: u8,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let response = RawResponse {
            status,
            // SAFETY: the caller gives `count` readable fields, or NULL.
            headers: unsafe { self::headers(headers, count) },
            // SAFETY: the caller gives `length` readable bytes, or NULL.
            body: unsafe { polite_str { data: body, length }.bytes() },
            end: self::body_end(body_end),
        };
        // SAFETY: the caller gives a fetch that is not freed yet, or NULL.
        unsafe { handle(fetch, Event::Response(response), now_ms) }
    })
}

/// Reports that there was no response, or no address of the host. `error` is a `polite_net_error`.
///
/// Fails with `POLITE_NULL` if the fetch is NULL. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_fetch_failed(
    fetch: *mut polite_fetch,
    error: u8,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a fetch that is not freed yet, or NULL.
        unsafe { handle(fetch, Event::Failed(net_error(error)), now_ms) }
    })
}

/// Reports that the caller does not want to ask this URL, such as one that a redirect aims at its
/// own network. The round ends as a failed one.
///
/// Fails with `POLITE_NULL` if the fetch is NULL. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_fetch_refused(
    fetch: *mut polite_fetch,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a fetch that is not freed yet, or NULL.
        unsafe { handle(fetch, Event::Refused, now_ms) }
    })
}

/// Reports the addresses of the host of `POLITE_STEP_RESOLVE`, such as `192.0.2.1` and
/// `2001:db8::1`, in the order in which to try them. Texts that are not addresses are left out, and
/// a list without an address is a failure.
///
/// Fails with `POLITE_NULL` if the fetch, or the list of `n` addresses, is NULL. One thread at a
/// time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_fetch_resolved(
    fetch: *mut polite_fetch,
    addresses: *const polite_str,
    n: usize,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives `n` readable texts, or NULL.
        let Some(addresses) = (unsafe { texts(addresses, n) }) else {
            return null("the list of addresses");
        };
        let addresses = addresses.iter().filter_map(|address| address.parse().ok());
        let addresses: Vec<IpAddr> = addresses.collect();
        // SAFETY: the caller gives a fetch that is not freed yet, or NULL.
        unsafe { handle(fetch, Event::Resolved(&addresses), now_ms) }
    })
}

/// Leaves it to the client to look up the host of `POLITE_STEP_RESOLVE`. The host then counts as
/// one with a single address.
///
/// Fails with `POLITE_NULL` if the fetch is NULL. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_fetch_by_name(
    fetch: *mut polite_fetch,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a fetch that is not freed yet, or NULL.
        unsafe { handle(fetch, Event::ByName, now_ms) }
    })
}

/// Frees a fetch that was not given to `polite_cache_end`, for example because its caller went
/// away: no failure is counted, and the next question gets another fetch. Nothing happens for NULL.
/// Thread-safe, once for each fetch and after its last use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_fetch_free(fetch: *mut polite_fetch) {
    guard!((), {
        if !fetch.is_null() {
            // SAFETY: the caller gives a fetch of `polite_cache_ask`, for the first and last time.
            drop(unsafe { Box::from_raw(fetch) });
        }
    });
}

/// # Safety
///
/// `fetch` is NULL or a fetch that is not freed yet.
unsafe fn handle(fetch: *mut polite_fetch, event: Event<'_>, now_ms: u64) -> polite_result {
    // SAFETY: the caller promises it.
    let Some(fetch) = (unsafe { fetch.as_mut() }) else {
        return null("the fetch");
    };
    fetch.round.handle(event, Timestamp::from_millis(now_ms));
    polite_result::POLITE_OK
}

impl polite_fetch {
    fn step(&mut self, now: Timestamp) -> polite_fetch_step {
        let text = |text: &str| polite_str::new(text.as_bytes());
        let optional = |text: &Option<Box<str>>| {
            let text = text.as_deref();
            text.map_or(polite_str::EMPTY, |text| polite_str::new(text.as_bytes()))
        };
        let none = polite_fetch_step {
            size: 0,
            step: polite_step::POLITE_STEP_DONE as u8,
            reserved: [0; 3],
            until_ms: 0,
            max_bytes: 0,
            url: polite_str::EMPTY,
            host: polite_str::EMPTY,
            address: polite_str::EMPTY,
            etag: polite_str::EMPTY,
            last_modified: polite_str::EMPTY,
        };
        match self.round.poll(now) {
            Step::Get(request) => {
                self.address = request.address.map_or(String::new(), |ip| ip.to_string());
                polite_fetch_step {
                    step: polite_step::POLITE_STEP_GET as u8,
                    max_bytes: request.max_bytes as u64,
                    url: text(request.url),
                    host: text(request.host),
                    address: text(&self.address),
                    etag: optional(&request.validators.etag),
                    last_modified: optional(&request.validators.last_modified),
                    ..none
                }
            }
            Step::Resolve(host) => polite_fetch_step {
                step: polite_step::POLITE_STEP_RESOLVE as u8,
                host: text(host),
                ..none
            },
            Step::Wait(until) => polite_fetch_step {
                step: polite_step::POLITE_STEP_WAIT as u8,
                until_ms: until.as_millis(),
                ..none
            },
            // `Step::Done`; there are no others.
            _ => none,
        }
    }
}

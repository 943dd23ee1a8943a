//! The robots.txt of many sites: whether a URL may be asked for now, and which robots.txt is due.

use std::borrow::Cow;
use std::ffi::c_char;
use std::sync::{Mutex, MutexGuard, PoisonError};

use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::{Cache, Lookup, Origin, Timestamp};
use robots::Robot;

use crate::error::{fail, null, polite_result};
use crate::fetch::polite_fetch;
use crate::profile::polite_policy;
use crate::robot::polite_robot;
use crate::saved;
use crate::sized::write_sized;
use crate::text::{polite_str, texts, write_text};
use crate::verdict::{cause_of, polite_cause, polite_verdict};

/// A time that never comes.
pub const POLITE_NEVER: u64 = u64::MAX;

/// The robots.txt of many sites: each is fetched when it is due, by one caller at a time, and kept
/// in bounded memory. It has no connections and no clock: the caller sends its requests, and passes
/// the time to each call.
///
/// Any number of threads may use one cache at the same time: there is a lock inside, which is held
/// only during each call. Free it once with `polite_cache_free`, when no thread uses it any more.
#[derive(Debug)]
pub struct polite_cache(Mutex<Cache>);

/// The way in which the page of a question is sent.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_page {
    /// The caller keeps no turns of hosts: it sends the page at once, or waits by itself.
    POLITE_PAGE_ALONE = 0,
    /// The host has its turn now, by `polite_pace_turn`. The answer to a fetch counts until it is
    /// asked for in a turn, so that a host with a long delay gets its pages too.
    POLITE_PAGE_IN_TURN = 1,
    /// The host has no turn yet, and the question is asked again when it has.
    POLITE_PAGE_IN_LINE = 2,
}

/// The answer of a cache about a URL.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_answer {
    /// There was nothing to ask; no permission.
    POLITE_ANSWER_NONE = 0,
    /// The URL may be fetched.
    POLITE_ANSWER_ALLOWED = 1,
    /// The site disallows the URL, by the rule on `line` or for the whole site by `cause`.
    POLITE_ANSWER_DISALLOWED = 2,
    /// Nothing of the site may be fetched before `retry_at_ms`, and no rule says so: its robots.txt
    /// could not be had, by `cause`. Keep the URL until then.
    POLITE_ANSWER_CLOSED = 3,
    /// robots.txt is due: drive the fetch, and ask again.
    POLITE_ANSWER_FETCH = 4,
    /// Another caller's fetch is under way: ask again after its end.
    POLITE_ANSWER_PENDING = 5,
    /// The site is new, and the cache has no room for it before others are done: come back later.
    POLITE_ANSWER_FULL = 6,
}

/// Whether a URL may be fetched now. Set `size` before each call, which lets the struct grow:
/// `polite_access access = {.size = sizeof access};`.
///
/// A plain value of the caller, with nothing to be freed. Threads need one each while it is
/// written.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_access {
    /// `sizeof(polite_access)` of the caller. Nothing beyond it is written.
    pub size: u32,
    /// A `polite_answer`. Only `POLITE_ANSWER_ALLOWED` is a permission.
    pub answer: u8,
    /// A `polite_cause`, if no rule of a file decided.
    pub cause: u8,
    /// The HTTP status of `POLITE_CAUSE_STATUS`; 0 otherwise.
    pub status: u16,
    /// The line of the rule that decided, from 1; 0 if none did.
    pub line: u32,
    /// The line of the `User-agent` record by which the group applies to the agent; 0 if none does.
    pub group_line: u32,
    /// For `POLITE_ANSWER_CLOSED`, the time at which robots.txt is due again, in milliseconds since
    /// 1970, which may be past; `POLITE_NEVER` if the site was given up. 0 otherwise.
    pub retry_at_ms: u64,
}

/// Whether a page of a site came. It separates an outage of robots.txt alone from one of the site.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_site {
    /// Nobody knows. Values that this version does not know count as this one.
    POLITE_SITE_UNKNOWN = 0,
    /// A page came.
    POLITE_SITE_AVAILABLE = 1,
    /// Pages do not come either.
    POLITE_SITE_UNAVAILABLE = 2,
}

/// A cache without a site. The rules are those of the first of `n` agents that a file names, else
/// those of `*`: the most specific one first, `ExampleBot-Image`, then `ExampleBot`.
///
/// On `POLITE_OK`, `*out` is a new cache that the caller frees with `polite_cache_free`. `policy`
/// may be NULL. Fails with `POLITE_INVALID_TOKEN` for the first agent that is not a product token,
/// and with `POLITE_NULL` if the list of `n` agents or `out` is NULL. Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_new(
    agents: *const polite_str,
    n: usize,
    policy: *const polite_policy,
    out: *mut *mut polite_cache,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        if out.is_null() {
            return null("the place for the cache");
        }
        // SAFETY: the caller gives `n` readable texts, or NULL.
        let Some(agents) = (unsafe { texts(agents, n) }) else {
            return null("the list of agents");
        };
        let agents: Vec<&str> = agents.iter().map(Cow::as_ref).collect();
        // SAFETY: the caller gives a policy of the size that they state, or NULL.
        let policy = unsafe { polite_policy::read(policy) };
        match Cache::new(policy.profile(), &agents, policy.capacity()) {
            Ok(cache) => {
                let cache = Box::new(polite_cache(Mutex::new(cache)));
                // SAFETY: the caller gives a writable place, which is not NULL.
                unsafe { out.write(Box::into_raw(cache)) };
                polite_result::POLITE_OK
            }
            Err(error) => fail(polite_result::POLITE_INVALID_TOKEN, error),
        }
    })
}

/// Whether a URL may be fetched now. `url` is a whole http or https URL of `length` bytes,
/// percent-encoded as it will be requested, and `page` a `polite_page`. Each hop of a redirect is a
/// question of its own.
///
/// On `POLITE_OK` the answer is in `out`. With `POLITE_ANSWER_FETCH`, `*fetch` is a new fetch for
/// the caller to drive and to give to `polite_cache_end`; if `fetch` is NULL the next caller gets
/// it. With an answer that is about the site, `*robot` is a new robot of the rules in force, for
/// its sentences, its sitemaps and its `Crawl-delay`, which the caller frees with
/// `polite_robot_free`; that of a closed site disallows everything. `*fetch` and `*robot` are NULL
/// otherwise. Each place may be NULL.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
/// with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_ask(
    cache: *mut polite_cache,
    url: *const c_char,
    length: usize,
    page: u8,
    now_ms: u64,
    out: *mut polite_access,
    robot: *mut *mut polite_robot,
    fetch: *mut *mut polite_fetch,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let text = polite_str { data: url, length };
        // SAFETY: the caller gives a cache that is not freed yet or NULL, and readable bytes.
        let (mut cache, origin) = match unsafe { at(cache, text) } {
            Ok(found) => found,
            Err(result) => return result,
        };
        let now = Timestamp::from_millis(now_ms);
        let lookup = match page {
            n if n == polite_page::POLITE_PAGE_IN_TURN as u8 => cache.poll(&origin, now),
            n if n == polite_page::POLITE_PAGE_IN_LINE as u8 => cache.poll_ahead(&origin, now),
            _ => cache.poll_and_release(&origin, now),
        };
        let mut begun = std::ptr::null_mut();
        let (access, rules) = match lookup {
            // SAFETY: the caller gives readable bytes.
            Lookup::Ready(rules) => (
                polite_access::ruled(&rules, unsafe { text.bytes() }),
                Some(rules),
            ),
            Lookup::Closed(closed) => {
                let (cause, status) = cause_of(closed.cause);
                let access = polite_access {
                    cause: cause as u8,
                    status,
                    retry_at_ms: match closed.retry {
                        NextFetch::At(time) => time.as_millis(),
                        // Any past time will do.
                        NextFetch::Now => closed.since.as_millis(),
                        _ => POLITE_NEVER,
                    },
                    ..polite_access::of(polite_answer::POLITE_ANSWER_CLOSED)
                };
                (access, Some(closed.robot))
            }
            Lookup::Fetch(mut ticket) => {
                if !fetch.is_null() {
                    begun = Box::into_raw(Box::new(polite_fetch {
                        round: cache.begin(&mut ticket, now),
                        ticket,
                        address: String::new(),
                    }));
                }
                (polite_access::of(polite_answer::POLITE_ANSWER_FETCH), None)
            }
            Lookup::Pending => (
                polite_access::of(polite_answer::POLITE_ANSWER_PENDING),
                None,
            ),
            // `Lookup::Full`; there are no others.
            _ => (polite_access::of(polite_answer::POLITE_ANSWER_FULL), None),
        };
        if !fetch.is_null() {
            // SAFETY: the caller gives a writable place, which is not NULL.
            unsafe { fetch.write(begun) };
        }
        if !robot.is_null() {
            let rules = rules.map_or(std::ptr::null_mut(), polite_robot::into_handle);
            // SAFETY: the caller gives a writable place, which is not NULL.
            unsafe { robot.write(rules) };
        }
        // SAFETY: the caller gives a place of the size that they state, or NULL.
        unsafe { write_sized(access, out) };
        polite_result::POLITE_OK
    })
}

/// Takes a fetch back, at whatever step it is, and frees it. The outcome of a fetch that is done
/// counts. A fetch that waits goes on with a later question. Any other fetch counts as given up: no
/// failure is counted, and robots.txt is due again at once.
///
/// A fetch of another cache, or one whose lease was over, has no effect. Nothing happens for a
/// fetch that is NULL; if the cache is NULL the fetch is freed, and the result is `POLITE_NULL`.
/// Thread-safe, also with one cache; once for each fetch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_end(
    cache: *mut polite_cache,
    fetch: *mut polite_fetch,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let fetch = match fetch.is_null() {
            true => None,
            // SAFETY: the caller gives a fetch of `polite_cache_ask`, for the first and last time.
            false => Some(unsafe { Box::from_raw(fetch) }),
        };
        // SAFETY: the caller gives a cache that is not freed yet, or NULL.
        let Some(cache) = (unsafe { cache.as_ref() }) else {
            return null("the cache");
        };
        if let Some(fetch) = fetch {
            let polite_fetch { ticket, round, .. } = *fetch;
            lock(&cache.0).end(ticket, round, Timestamp::from_millis(now_ms));
        }
        polite_result::POLITE_OK
    })
}

/// Notes that the caller of a fetch is at work: its lease of ten minutes begins anew. Call it now
/// and then while a fetch waits long for the turn of a host, or another caller gets a second one.
///
/// Fails with `POLITE_NULL` if the cache or the fetch is NULL. Thread-safe, also with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_renew(
    cache: *mut polite_cache,
    fetch: *const polite_fetch,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a cache and a fetch that are not freed yet, or NULL.
        let (Some(cache), Some(fetch)) = (unsafe { (cache.as_ref(), fetch.as_ref()) }) else {
            return null("the cache or the fetch");
        };
        lock(&cache.0).renew(&fetch.ticket, Timestamp::from_millis(now_ms));
        polite_result::POLITE_OK
    })
}

/// Notes that the pages of a URL's site are done: the site is then forgotten before others.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
/// with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_release(
    cache: *mut polite_cache,
    url: *const c_char,
    length: usize,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a cache that is not freed yet or NULL, and readable bytes.
        unsafe {
            with_site(cache, polite_str { data: url, length }, |cache, origin| {
                cache.release(origin)
            })
        }
    })
}

/// Forgets the failures of a URL's site and makes its robots.txt due, even if the site was given
/// up.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
/// with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_reset(
    cache: *mut polite_cache,
    url: *const c_char,
    length: usize,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a cache that is not freed yet or NULL, and readable bytes.
        unsafe {
            with_site(cache, polite_str { data: url, length }, |cache, origin| {
                cache.reset(origin)
            })
        }
    })
}

/// Notes whether a page of a URL's site came; `site` is a `polite_site`. In an outage a page that
/// came makes robots.txt due, as the site is back.
///
/// Fails with `POLITE_INVALID_URL`, and with `POLITE_NULL` if the cache is NULL. Thread-safe, also
/// with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_set_site(
    cache: *mut polite_cache,
    url: *const c_char,
    length: usize,
    site: u8,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        let site = match site {
            n if n == polite_site::POLITE_SITE_AVAILABLE as u8 => Site::Available,
            n if n == polite_site::POLITE_SITE_UNAVAILABLE as u8 => Site::Unavailable,
            _ => Site::Unknown,
        };
        // SAFETY: the caller gives a cache that is not freed yet or NULL, and readable bytes.
        unsafe {
            with_site(cache, polite_str { data: url, length }, |cache, origin| {
                cache.set_site(origin, site, Timestamp::from_millis(now_ms))
            })
        }
    })
}

/// Writes a sentence about a URL's site: what applies, since when, until when, and when the next
/// fetch is. Writes as `snprintf` would: at most `capacity` bytes with the NUL at the end. Returns
/// the length of the whole sentence without the NUL. Changes nothing.
///
/// Returns 0 and writes nothing if the site is not known, if the URL is not valid, or if the cache
/// is NULL. `buffer` may be NULL if only the length is wanted. Thread-safe, also with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_explain(
    cache: *mut polite_cache,
    url: *const c_char,
    length: usize,
    now_ms: u64,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    guard!(0, {
        // SAFETY: the caller gives a cache that is not freed yet or NULL, and readable bytes.
        let Ok((cache, origin)) = (unsafe { at(cache, polite_str { data: url, length }) }) else {
            return 0;
        };
        match cache.explain(&origin, Timestamp::from_millis(now_ms)) {
            // SAFETY: the caller gives `capacity` writable bytes, or NULL.
            Some(sentence) => unsafe { write_text(&sentence.to_string(), buffer, capacity) },
            None => 0,
        }
    })
}

/// Saves the memory of the cache, to go on after a restart: an outage stays an outage, and no
/// robots.txt is fetched again because of it. Fetches that are out are not saved.
///
/// On `POLITE_OK`, `*data` are `*length` new bytes that the caller frees with `polite_saved_free`.
/// Fails with `POLITE_NULL` if the cache or a place is NULL. Thread-safe, also with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_save(
    cache: *mut polite_cache,
    data: *mut *mut c_char,
    length: *mut usize,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a cache that is not freed yet, or NULL.
        let Some(cache) = (unsafe { cache.as_ref() }) else {
            return null("the cache");
        };
        let saved = lock(&cache.0).save();
        // SAFETY: the caller gives writable places, or NULL.
        unsafe { saved::save(&saved, data, length) }
    })
}

/// Loads the bytes that `polite_cache_save` gave, best before the first question: each saved site
/// replaces the site that is known here. Rules that were compiled for other agents are left out.
///
/// Fails with `POLITE_INVALID_SAVED` for other bytes, which change nothing, and with `POLITE_NULL`
/// if the cache is NULL. Thread-safe, also with one cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_load(
    cache: *mut polite_cache,
    data: *const c_char,
    length: usize,
    now_ms: u64,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller gives a cache that is not freed yet, or NULL.
        let Some(cache) = (unsafe { cache.as_ref() }) else {
            return null("the cache");
        };
        // SAFETY: the caller gives readable bytes.
        match unsafe { saved::load(polite_str { data, length }) } {
            Ok(saved) => {
                lock(&cache.0).load(saved, Timestamp::from_millis(now_ms));
                polite_result::POLITE_OK
            }
            Err(result) => result,
        }
    })
}

/// Frees a cache. Its robots and fetches stay. Nothing happens for NULL. Thread-safe, once for each
/// cache and after its last use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_cache_free(cache: *mut polite_cache) {
    guard!((), {
        if !cache.is_null() {
            // SAFETY: the caller gives a cache of `polite_cache_new`, for the first and last time.
            drop(unsafe { Box::from_raw(cache) });
        }
    });
}

/// Notes something about the site of a URL.
///
/// # Safety
///
/// As for [`at`].
unsafe fn with_site(
    cache: *mut polite_cache,
    url: polite_str,
    note: impl FnOnce(&mut Cache, &Origin),
) -> polite_result {
    // SAFETY: the caller promises it.
    match unsafe { at(cache, url) } {
        Ok((mut cache, origin)) => {
            note(&mut cache, &origin);
            polite_result::POLITE_OK
        }
        Err(result) => result,
    }
}

/// The cache, locked, and the origin of a URL.
///
/// # Safety
///
/// `cache` is NULL or a cache that stays during `'a`, and the bytes of `url` are readable.
unsafe fn at<'a>(
    cache: *mut polite_cache,
    url: polite_str,
) -> Result<(MutexGuard<'a, Cache>, Origin), polite_result> {
    // SAFETY: the caller promises it.
    let cache = unsafe { cache.as_ref() }.ok_or_else(|| null("the cache"))?;
    // SAFETY: the caller promises it.
    let origin = unsafe { origin(url) }?;
    Ok((lock(&cache.0), origin))
}

/// The origin of a URL.
///
/// # Safety
///
/// The bytes of `url` are readable.
pub(crate) unsafe fn origin(url: polite_str) -> Result<Origin, polite_result> {
    // SAFETY: the caller promises it.
    Origin::of(&unsafe { url.text() })
        .map_err(|error| fail(polite_result::POLITE_INVALID_URL, error))
}

/// The lock of a machine, also after a fault that was caught.
pub(crate) fn lock<T>(machine: &Mutex<T>) -> MutexGuard<'_, T> {
    machine.lock().unwrap_or_else(PoisonError::into_inner)
}

impl polite_access {
    fn of(answer: polite_answer) -> polite_access {
        polite_access {
            size: 0,
            answer: answer as u8,
            cause: polite_cause::POLITE_CAUSE_NONE as u8,
            status: 0,
            line: 0,
            group_line: 0,
            retry_at_ms: 0,
        }
    }

    fn ruled(rules: &Robot, url: &[u8]) -> polite_access {
        let verdict = polite_verdict::new(&rules.check(url));
        polite_access {
            cause: verdict.cause,
            status: verdict.status,
            line: verdict.line,
            group_line: verdict.group_line,
            ..polite_access::of(match verdict.allowed {
                true => polite_answer::POLITE_ANSWER_ALLOWED,
                false => polite_answer::POLITE_ANSWER_DISALLOWED,
            })
        }
    }
}

//! A robots.txt for one agent.

use std::ffi::c_char;

use robots::{Cause, Robot};

use crate::error::{fail, null, polite_result};
use crate::options::{options, polite_options};
use crate::text::{polite_str, write_list, write_text};
use crate::verdict::polite_verdict;

/// A robots.txt for one agent: the rules that apply to it, compiled. It outlives the document that
/// it was made from.
///
/// It never changes: any number of threads may ask one robot at the same time, without a lock. Free
/// it once with `polite_robot_free`, when no thread uses it any more.
#[derive(Debug)]
pub struct polite_robot(pub(crate) Robot);

impl polite_robot {
    /// Gives a robot away as a handle that `polite_robot_free` takes back.
    pub(crate) fn into_handle(robot: Robot) -> *mut polite_robot {
        Box::into_raw(Box::new(polite_robot(robot)))
    }
}

/// Reads a robots.txt for one agent, in one pass; the records of other agents are not kept.
/// `robots_txt` may be any bytes, and nothing is borrowed from it. `agent` is a product token such
/// as `ExampleBot`, or `*`.
///
/// On `POLITE_OK`, `*out` is a new robot that the caller frees with `polite_robot_free`. `options`
/// may be NULL. Fails with `POLITE_INVALID_TOKEN`, and with `POLITE_NULL` if `out` is NULL.
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_new(
    agent: polite_str,
    robots_txt: polite_str,
    options: *const polite_options,
    out: *mut *mut polite_robot,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        if out.is_null() {
            return null("the place for the robot");
        }
        // SAFETY: the caller gives options of the size that they state, or NULL.
        let options = unsafe { self::options(options) };
        // SAFETY: the caller gives readable bytes.
        let agent = unsafe { agent.text() };
        // SAFETY: the caller gives readable bytes.
        let robots_txt = unsafe { robots_txt.bytes() };
        match Robot::with_options(&agent, robots_txt, &options) {
            Ok(robot) => {
                // SAFETY: the caller gives a writable place, which is not NULL.
                unsafe { out.write(polite_robot::into_handle(robot)) };
                polite_result::POLITE_OK
            }
            Err(error) => fail(polite_result::POLITE_INVALID_TOKEN, error),
        }
    })
}

/// A robot that allows everything, for a site without a robots.txt: RFC 9309 asks for it after a
/// status from 400 to 499. `status` is that HTTP status, or 0 if the operator of the crawler
/// decided so.
///
/// The caller frees it with `polite_robot_free`. Never NULL, but for a fault that was caught.
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn polite_robot_allow_all(status: u16) -> *mut polite_robot {
    guard!(std::ptr::null_mut(), {
        polite_robot::into_handle(Robot::allow_all(cause(status)))
    })
}

/// A robot that disallows everything but `/robots.txt`: RFC 9309 asks for it after a status from
/// 500 to 599. `status` is that HTTP status, or 0 if the operator of the crawler decided so.
///
/// The caller frees it with `polite_robot_free`. Never NULL, but for a fault that was caught.
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn polite_robot_disallow_all(status: u16) -> *mut polite_robot {
    guard!(std::ptr::null_mut(), {
        polite_robot::into_handle(Robot::disallow_all(cause(status)))
    })
}

fn cause(status: u16) -> Cause {
    match status {
        0 => Cause::Configured,
        status => Cause::Status(status),
    }
}

/// A second handle of the same robot, for another owner. It costs a counter, and each handle is
/// freed for itself.
///
/// The caller frees it with `polite_robot_free`. NULL for NULL. Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_clone(robot: *const polite_robot) -> *mut polite_robot {
    guard!(std::ptr::null_mut(), {
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        match unsafe { robot.as_ref() } {
            Some(robot) => polite_robot::into_handle(robot.0.clone()),
            None => std::ptr::null_mut(),
        }
    })
}

/// A robot without the `User-agent: *` groups: if no group names the agent, nothing applies. Some
/// crawlers read robots.txt like this on sites whose owners asked for them; do not do so without
/// their consent.
///
/// `robot` stays as it is, and the caller frees both. NULL for NULL. Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_named_only(robot: *const polite_robot) -> *mut polite_robot {
    guard!(std::ptr::null_mut(), {
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        match unsafe { robot.as_ref() } {
            Some(robot) => polite_robot::into_handle(robot.0.clone().named_only()),
            None => std::ptr::null_mut(),
        }
    })
}

/// Whether the agent may fetch the URL, which may be any bytes: a whole URL, or from its path on.
/// Percent-encode it as it will be requested.
///
/// False if `robot` is NULL. Thread-safe, also with one robot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_allowed(robot: *const polite_robot, url: polite_str) -> bool {
    guard!(false, {
        // SAFETY: the caller gives readable bytes.
        let url = unsafe { url.bytes() };
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        let robot = unsafe { robot.as_ref() };
        robot.is_some_and(|robot| robot.0.allowed(url))
    })
}

/// Whether the agent may fetch the URL, and why: writes as much of the verdict as `out->size`,
/// which the caller sets, has room for.
///
/// If `robot` is NULL, the verdict disallows with `POLITE_REASON_NO_ROBOT`; if `out` is NULL,
/// nothing happens. The patterns in the verdict are valid until this handle is freed. Thread-safe,
/// also with one robot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_check(
    robot: *const polite_robot,
    url: polite_str,
    out: *mut polite_verdict,
) {
    let verdict = guard!(polite_verdict::NO_ROBOT, {
        // SAFETY: the caller gives readable bytes.
        let url = unsafe { url.bytes() };
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        let robot = unsafe { robot.as_ref() };
        robot.map_or(polite_verdict::NO_ROBOT, |robot| {
            polite_verdict::new(&robot.0.check(url))
        })
    });
    // SAFETY: the caller gives a place of the size that it states, or NULL.
    unsafe { verdict.write(out) };
}

/// Writes the verdict about a URL as one sentence for a log or a person, as `snprintf` would: at
/// most `capacity` bytes with the NUL at the end. Returns the length of the whole sentence without
/// the NUL.
///
/// Returns 0 and writes nothing if `robot` is NULL. `buffer` may be NULL if only the length is
/// wanted. Thread-safe, also with one robot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_explain(
    robot: *const polite_robot,
    url: polite_str,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    guard!(0, {
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        let Some(robot) = (unsafe { robot.as_ref() }) else {
            null("the robot");
            return 0;
        };
        // SAFETY: the caller gives readable bytes.
        let url = unsafe { url.bytes() };
        let sentence = robot.0.check(url).to_string();
        // SAFETY: the caller gives `capacity` writable bytes, or NULL.
        unsafe { write_text(&sentence, buffer, capacity) }
    })
}

/// The `Crawl-delay` that the file asks of the agent, exactly: `*seconds` and `*nanoseconds` more,
/// fewer than a billion. It has no upper bound: a hostile file may ask for 584 billion years, so
/// cap it.
///
/// False if there is none or if `robot` is NULL; then nothing is written. A place that is NULL is
/// left out. Thread-safe, also with one robot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_crawl_delay(
    robot: *const polite_robot,
    seconds: *mut u64,
    nanoseconds: *mut u32,
) -> bool {
    guard!(false, {
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        let robot = unsafe { robot.as_ref() };
        let Some(delay) = robot.and_then(|robot| robot.0.crawl_delay()) else {
            return false;
        };
        if !seconds.is_null() {
            // SAFETY: the caller gives a writable place, which is not NULL.
            unsafe { seconds.write(delay.as_secs()) };
        }
        if !nanoseconds.is_null() {
            // SAFETY: the caller gives a writable place, which is not NULL.
            unsafe { nanoseconds.write(delay.subsec_nanos()) };
        }
        true
    })
}

/// Writes the values of the file's `Sitemap` records from the number `from` on, counted from 0, and
/// at most `capacity` of them. Returns how many there are from there on, so a call without room
/// counts them. They are for every agent: in the order of the file, as written, in UTF-8.
///
/// Each is valid until this handle is freed. 0 if `robot` is NULL; `out` may be NULL. Thread-safe,
/// also with one robot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_sitemaps(
    robot: *const polite_robot,
    from: usize,
    out: *mut polite_str,
    capacity: usize,
) -> usize {
    guard!(0, {
        // SAFETY: the caller gives a robot that is not freed yet, or NULL.
        let robot = unsafe { robot.as_ref() };
        let sitemaps = robot.into_iter().flat_map(|robot| robot.0.sitemaps());
        // SAFETY: the caller gives `capacity` writable places, or NULL.
        unsafe { write_list(sitemaps, from, out, capacity) }
    })
}

/// Frees a robot. Nothing happens for NULL. Thread-safe, once for each handle and after its last
/// use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_free(robot: *mut polite_robot) {
    guard!((), {
        if !robot.is_null() {
            // SAFETY: the caller gives a handle of `into_handle`, for the first and last time.
            drop(unsafe { Box::from_raw(robot) });
        }
    });
}

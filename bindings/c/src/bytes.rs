//! Variants of functions for callers that cannot pass a struct by value, or that move between
//! threads: cgo, JNA, ctypes, ffi. Texts come as a pointer and a length, and the sentence of a
//! failure goes into a buffer of the caller.

use std::ffi::c_char;

use crate::document::{
    polite_robots_txt, polite_robots_txt_from_status, polite_robots_txt_parse,
    polite_robots_txt_robot,
};
use crate::error::{polite_last_error, polite_result};
use crate::options::polite_options;
use crate::robot::{
    polite_robot, polite_robot_allowed, polite_robot_check, polite_robot_explain, polite_robot_new,
};
use crate::text::polite_str;
use crate::url::{polite_product_token, polite_robots_url};
use crate::verdict::polite_verdict;

/// `polite_robots_txt_parse` with the bytes as a pointer and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_parse_bytes(
    robots_txt: *const c_char,
    length: usize,
    options: *const polite_options,
) -> *mut polite_robots_txt {
    // SAFETY: the caller gives `length` readable bytes or NULL, and options or NULL.
    unsafe { polite_robots_txt_parse(text(robots_txt, length), options) }
}

/// `polite_robots_txt_from_status` with the body as a pointer and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_from_status_bytes(
    status: u16,
    body: *const c_char,
    length: usize,
    options: *const polite_options,
) -> *mut polite_robots_txt {
    // SAFETY: the caller gives `length` readable bytes or NULL, and options or NULL.
    unsafe { polite_robots_txt_from_status(status, text(body, length), options) }
}

/// `polite_robots_txt_robot` for one agent. The sentence of a failure is written into `error`, as
/// `polite_last_error` does; `error` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_robot_bytes(
    robots_txt: *const polite_robots_txt,
    agent: *const c_char,
    agent_length: usize,
    out: *mut *mut polite_robot,
    error: *mut c_char,
    error_capacity: usize,
) -> polite_result {
    let agent = text(agent, agent_length);
    // SAFETY: the caller gives a document or NULL, and a writable place or NULL; the agent is a
    // local whose bytes are readable.
    let result = unsafe { polite_robots_txt_robot(robots_txt, &raw const agent, 1, out) };
    // SAFETY: the caller gives `error_capacity` writable bytes, or NULL.
    unsafe { report(result, error, error_capacity) }
}

/// `polite_robot_new` with both texts as a pointer and a length. The sentence of a failure is
/// written into `error`, as `polite_last_error` does; `error` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_new_bytes(
    agent: *const c_char,
    agent_length: usize,
    robots_txt: *const c_char,
    length: usize,
    options: *const polite_options,
    out: *mut *mut polite_robot,
    error: *mut c_char,
    error_capacity: usize,
) -> polite_result {
    let (agent, robots_txt) = (text(agent, agent_length), text(robots_txt, length));
    // SAFETY: the caller gives readable bytes, options and a writable place, each of them or NULL.
    let result = unsafe { polite_robot_new(agent, robots_txt, options, out) };
    // SAFETY: the caller gives `error_capacity` writable bytes, or NULL.
    unsafe { report(result, error, error_capacity) }
}

/// `polite_robot_allowed` with the URL as a pointer and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_allowed_bytes(
    robot: *const polite_robot,
    url: *const c_char,
    length: usize,
) -> bool {
    // SAFETY: the caller gives a robot or NULL, and `length` readable bytes or NULL.
    unsafe { polite_robot_allowed(robot, text(url, length)) }
}

/// `polite_robot_check` with the URL as a pointer and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_check_bytes(
    robot: *const polite_robot,
    url: *const c_char,
    length: usize,
    out: *mut polite_verdict,
) {
    // SAFETY: the caller gives a robot, readable bytes and a verdict, each of them or NULL.
    unsafe { polite_robot_check(robot, text(url, length), out) }
}

/// `polite_robot_explain` with the URL as a pointer and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robot_explain_bytes(
    robot: *const polite_robot,
    url: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller gives a robot, readable bytes and a buffer, each of them or NULL.
    unsafe { polite_robot_explain(robot, text(url, length), buffer, capacity) }
}

/// `polite_robots_url` with the URL as a pointer and a length. If it returns 0, the reason is
/// written into `error`, as `polite_last_error` does; `error` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_url_bytes(
    url: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut c_char,
    error_capacity: usize,
) -> usize {
    // SAFETY: the caller gives readable bytes and a buffer, each of them or NULL.
    let written = unsafe { polite_robots_url(text(url, length), buffer, capacity) };
    let result = match written {
        0 => polite_result::POLITE_INVALID_URL,
        _ => polite_result::POLITE_OK,
    };
    // SAFETY: the caller gives `error_capacity` writable bytes, or NULL.
    unsafe { report(result, error, error_capacity) };
    written
}

/// `polite_product_token` with the header as a pointer and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_product_token_bytes(
    user_agent: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller gives readable bytes and a buffer, each of them or NULL.
    unsafe { polite_product_token(text(user_agent, length), buffer, capacity) }
}

fn text(data: *const c_char, length: usize) -> polite_str {
    polite_str { data, length }
}

/// Writes the sentence of a failure that this thread just had.
///
/// # Safety
///
/// `error` has `capacity` writable bytes, or is NULL.
unsafe fn report(result: polite_result, error: *mut c_char, capacity: usize) -> polite_result {
    if result != polite_result::POLITE_OK {
        // SAFETY: as this function asks for.
        unsafe { polite_last_error(error, capacity) };
    }
    result
}

//! A robots.txt for every agent: the document, its robots and its lines.

use std::borrow::Cow;
use std::ffi::c_void;

use robots::document::{Line, LineKind, Separator};
use robots::record::ExtensionField;
use robots::{Access, InvalidToken, Robot, RobotsTxt};

use crate::error::{fail, null, polite_result};
use crate::options::{options, polite_options};
use crate::robot::polite_robot;
use crate::text::{polite_str, texts, write_list};

/// A robots.txt for every agent.
///
/// It never changes: any number of threads may use one document at the same time, without a lock.
/// Free it once with `polite_robots_txt_free`, when no thread uses it any more.
#[derive(Debug)]
pub struct polite_robots_txt(RobotsTxt);

/// Reads a robots.txt for every agent. `robots_txt` may be any bytes, and is copied. For one agent,
/// `polite_robot_new` takes less time and memory.
///
/// The caller frees the document with `polite_robots_txt_free`. `options` may be NULL. Never NULL,
/// but for a fault that was caught. Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_parse(
    robots_txt: polite_str,
    options: *const polite_options,
) -> *mut polite_robots_txt {
    guard!(std::ptr::null_mut(), {
        // SAFETY: the caller gives options of the size that they state, or NULL.
        let options = unsafe { self::options(options) };
        // SAFETY: the caller gives readable bytes.
        let robots_txt = unsafe { robots_txt.bytes() };
        let document = RobotsTxt::parse_with(robots_txt, &options);
        Box::into_raw(Box::new(polite_robots_txt(document)))
    })
}

/// Reads a response to `GET /robots.txt` by its status: the rules of `body` count after 200 to 299
/// but 206, everything is allowed after 400 to 499 but 429, and nothing after any other (RFC 9309
/// section 2.3.1). `body` is whole and its content coding is undone; follow redirects first.
///
/// The caller frees the document with `polite_robots_txt_free`. `options` may be NULL. Never NULL,
/// but for a fault that was caught. Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_from_status(
    status: u16,
    body: polite_str,
    options: *const polite_options,
) -> *mut polite_robots_txt {
    guard!(std::ptr::null_mut(), {
        // SAFETY: the caller gives options of the size that they state, or NULL.
        let options = unsafe { self::options(options) };
        // SAFETY: the caller gives readable bytes.
        let body = unsafe { body.bytes() };
        let document = RobotsTxt::from_status_with(status, body, &options);
        Box::into_raw(Box::new(polite_robots_txt(document)))
    })
}

/// Compiles the rules of `n` agents as one set: if the file names any of them, the rules of all
/// groups that do, else those of `*`. One agent is the usual case; no agent asks for `*`. Google's
/// matcher does the same with several agents.
///
/// On `POLITE_OK`, `*out` is a new robot that the caller frees with `polite_robot_free`. Fails with
/// `POLITE_INVALID_TOKEN` for the first agent that is neither a product token nor `*`, and with
/// `POLITE_NULL` if the document, the list of `n` agents or `out` is NULL. Thread-safe, also with
/// one document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_robot(
    robots_txt: *const polite_robots_txt,
    agents: *const polite_str,
    n: usize,
    out: *mut *mut polite_robot,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller promises what `robot` asks for.
        unsafe { robot(robots_txt, agents, n, out, RobotsTxt::robot_merged) }
    })
}

/// Compiles the rules of the first of `n` agents that the file names, else those of `*`. Give the
/// names of a crawler with the most specific one first: `ExampleBot-Image`, then `ExampleBot`.
///
/// Results and failures are those of `polite_robots_txt_robot`. Thread-safe, also with one
/// document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_robot_first(
    robots_txt: *const polite_robots_txt,
    agents: *const polite_str,
    n: usize,
    out: *mut *mut polite_robot,
) -> polite_result {
    guard!(polite_result::POLITE_PANIC, {
        // SAFETY: the caller promises what `robot` asks for.
        unsafe { robot(robots_txt, agents, n, out, RobotsTxt::robot_first) }
    })
}

/// # Safety
///
/// `robots_txt` is NULL or a document that is not freed yet, `agents` is NULL or has `n` readable
/// texts, and `out` is NULL or a writable place.
unsafe fn robot(
    robots_txt: *const polite_robots_txt,
    agents: *const polite_str,
    n: usize,
    out: *mut *mut polite_robot,
    compile: fn(&RobotsTxt, &[&str]) -> Result<Robot, InvalidToken>,
) -> polite_result {
    if out.is_null() {
        return null("the place for the robot");
    }
    // SAFETY: the caller gives a document that is not freed yet, or NULL.
    let Some(robots_txt) = (unsafe { robots_txt.as_ref() }) else {
        return null("the document");
    };
    // SAFETY: the caller gives `n` readable texts, or NULL.
    let Some(agents) = (unsafe { texts(agents, n) }) else {
        return null("the list of agents");
    };
    let agents: Vec<&str> = agents.iter().map(Cow::as_ref).collect();
    match compile(&robots_txt.0, &agents) {
        Ok(robot) => {
            // SAFETY: the caller gives a writable place, which is not NULL.
            unsafe { out.write(polite_robot::into_handle(robot)) };
            polite_result::POLITE_OK
        }
        Err(error) => fail(polite_result::POLITE_INVALID_TOKEN, error),
    }
}

/// Writes the values of the `Sitemap` records from the number `from` on, counted from 0, and at
/// most `capacity` of them. Returns how many there are from there on, so a call without room counts
/// them. They are in the order of the file, as written, in UTF-8.
///
/// Each is valid until the document is freed. 0 if the document is NULL; `out` may be NULL.
/// Thread-safe, also with one document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_sitemaps(
    robots_txt: *const polite_robots_txt,
    from: usize,
    out: *mut polite_str,
    capacity: usize,
) -> usize {
    guard!(0, {
        // SAFETY: the caller gives a document that is not freed yet, or NULL.
        let robots_txt = unsafe { robots_txt.as_ref() };
        let sitemaps = robots_txt.into_iter().flat_map(|file| file.0.sitemaps());
        // SAFETY: the caller gives `capacity` writable places, or NULL.
        unsafe { write_list(sitemaps, from, out, capacity) }
    })
}

/// The meaning of a line.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_tag {
    /// No record, or a record with another field name.
    POLITE_TAG_UNKNOWN = 0,
    /// A `User-agent` record.
    POLITE_TAG_USER_AGENT = 1,
    /// An `Allow` record.
    POLITE_TAG_ALLOW = 2,
    /// A `Disallow` record.
    POLITE_TAG_DISALLOW = 3,
    /// A `Sitemap` record.
    POLITE_TAG_SITEMAP = 4,
}

/// A line of a robots.txt, as the dialect of the document reads it. It is valid until the function
/// that gets it returns, its texts until the document is freed. A plain value: a copy may go to any
/// thread.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_line {
    /// `sizeof(polite_line)` of the library. Fields beyond it are not there.
    pub size: u32,
    /// The number of the line, from 1.
    pub line: u32,
    /// A `polite_tag`.
    pub tag: u8,
    /// The field name is a misspelling of one that `tag` names, such as `Disalow`.
    pub is_typo: bool,
    /// Nothing or white space.
    pub is_empty: bool,
    /// A comment and nothing else.
    pub is_comment: bool,
    /// A comment, maybe after something else.
    pub has_comment: bool,
    /// A record: `name` and `value` are set.
    pub has_directive: bool,
    /// More than the 16,663 bytes that Google's matcher reads.
    pub is_line_too_long: bool,
    /// A record with white space in place of its colon.
    pub is_missing_colon: bool,
    /// The field name as written, without white space around it; empty if the line is not a record.
    pub name: polite_str,
    /// The value as written, without white space around it and without a comment; empty if the line
    /// is not a record.
    pub value: polite_str,
}

/// A function that gets a line, on the thread that asked for the lines. It must return: neither
/// `longjmp` nor an exception may leave it. `context` stays the caller's.
pub type polite_line_fn =
    Option<unsafe extern "C" fn(context: *mut c_void, line: *const polite_line)>;

/// Calls `line_fn` for every line of the file, in order, with `context` as it was given.
///
/// Nothing happens if the document or `line_fn` is NULL. Thread-safe, also with one document; the
/// calls come on the caller's thread, before this function returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_lines(
    robots_txt: *const polite_robots_txt,
    line_fn: polite_line_fn,
    context: *mut c_void,
) {
    guard!((), {
        // SAFETY: the caller gives a document that is not freed yet, or NULL.
        let robots_txt = unsafe { robots_txt.as_ref() };
        if let (Some(robots_txt), Some(line_fn)) = (robots_txt, line_fn) {
            for line in robots_txt.0.lines() {
                let line = polite_line::new(&line);
                // SAFETY: the caller's function takes its own context, and a line for the time of
                // the call.
                unsafe { line_fn(context, &raw const line) };
            }
        }
    });
}

impl polite_line {
    fn new(line: &Line<'_>) -> polite_line {
        let text = |text: Option<&[u8]>| text.map_or(polite_str::EMPTY, polite_str::new);
        let (tag, field) = tag(line.kind());
        let begins_with_field = line.key().is_some_and(|key| {
            let head = key.get(..field.len()).unwrap_or_default();
            head.eq_ignore_ascii_case(field.as_bytes())
        });
        let is_blank = line.kind() == LineKind::Blank;
        let has_comment = line.comment().is_some();
        polite_line {
            size: u32::try_from(size_of::<polite_line>()).unwrap_or(u32::MAX),
            line: line.number(),
            tag: tag as u8,
            is_typo: tag != polite_tag::POLITE_TAG_UNKNOWN && !begins_with_field,
            is_empty: is_blank && !has_comment,
            is_comment: is_blank && has_comment,
            has_comment,
            has_directive: line.key().is_some(),
            is_line_too_long: line.is_too_long(),
            is_missing_colon: line.separator() == Some(Separator::Blank),
            name: text(line.key()),
            value: text(line.value()),
        }
    }
}

/// The tag of a line, and the name of the field that it stands for.
fn tag(kind: LineKind) -> (polite_tag, &'static str) {
    match kind {
        LineKind::UserAgent => (polite_tag::POLITE_TAG_USER_AGENT, "User-agent"),
        LineKind::Rule(Access::Allow) => (polite_tag::POLITE_TAG_ALLOW, "Allow"),
        LineKind::Rule(Access::Disallow) => (polite_tag::POLITE_TAG_DISALLOW, "Disallow"),
        LineKind::Extension(ExtensionField::Sitemap) => (polite_tag::POLITE_TAG_SITEMAP, "Sitemap"),
        _ => (polite_tag::POLITE_TAG_UNKNOWN, ""),
    }
}

/// Frees a document. Its robots stay. Nothing happens for NULL. Thread-safe, once for each document
/// and after its last use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_txt_free(robots_txt: *mut polite_robots_txt) {
    guard!((), {
        if !robots_txt.is_null() {
            // SAFETY: the caller gives a document of `polite_robots_txt_parse`, for the first and
            // last time.
            drop(unsafe { Box::from_raw(robots_txt) });
        }
    });
}

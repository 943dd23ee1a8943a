//! The border from the side of Rust, small enough for Miri; `tests/c` has it from the side of C.

use std::ffi::{c_char, c_void};
use std::ptr;

use crate::polite_result::{POLITE_INVALID_TOKEN, POLITE_NULL, POLITE_OK, POLITE_PANIC};
use crate::*;

const FILE: &str = "User-agent: ExampleBot\nDisallow: /cart/\nAllow: /cart/help$\nCrawl-delay: 2.5\n\nUser-agent: *\nDisallow: /\n\nSitemap: https://example.com/a.xml\nSitemap: /b.xml\n";

fn str(text: &str) -> polite_str {
    polite_str::new(text.as_bytes())
}

/// The bytes of a text as a `String`, for as long as its owner lives.
unsafe fn string(text: polite_str) -> String {
    unsafe { text.text() }.into_owned()
}

fn robot(agent: &str, file: &str) -> *mut polite_robot {
    let mut robot = ptr::null_mut();
    let result = unsafe { polite_robot_new(str(agent), str(file), ptr::null(), &raw mut robot) };
    assert_eq!(result, POLITE_OK);
    robot
}

fn check(robot: *const polite_robot, url: &str) -> polite_verdict {
    let mut verdict = polite_verdict {
        size: size_of::<polite_verdict>() as u32,
        ..polite_verdict::NO_ROBOT
    };
    unsafe { polite_robot_check(robot, str(url), &raw mut verdict) };
    assert_eq!(verdict.allowed, unsafe {
        polite_robot_allowed(robot, str(url))
    });
    verdict
}

fn last_error() -> String {
    written(|buffer, capacity| unsafe { polite_last_error(buffer, capacity) })
}

/// The text of a function that writes as `snprintf` does, into a buffer with just enough room.
fn written(write: impl Fn(*mut c_char, usize) -> usize) -> String {
    let length = write(ptr::null_mut(), 0);
    let mut buffer = vec![0xAA_u8; length + 1];
    assert_eq!(write(buffer.as_mut_ptr().cast(), buffer.len()), length);
    assert_eq!(buffer.pop(), Some(0));
    String::from_utf8(buffer).unwrap()
}

#[test]
fn a_robot_is_asked_and_outlives_its_first_handle() {
    let first = robot("ExampleBot", FILE);
    let verdict = check(first, "/cart/help");
    assert!(verdict.allowed);
    assert_eq!(
        (verdict.line, verdict.overruled_line, verdict.group_line),
        (3, 2, 1)
    );
    assert_eq!(unsafe { string(verdict.pattern) }, "/cart/help$");
    assert_eq!(unsafe { string(verdict.overruled_pattern) }, "/cart/");
    let second = unsafe { polite_robot_clone(first) };
    unsafe { polite_robot_free(first) };
    assert!(!check(second, "/cart/1").allowed);
    let sentence = written(|buffer, capacity| unsafe {
        polite_robot_explain(second, str("/cart/1"), buffer, capacity)
    });
    assert_eq!(
        sentence,
        "disallowed by line 2: Disallow: /cart/ in the named group on line 1"
    );
    let (mut seconds, mut nanoseconds) = (0, 0);
    assert!(unsafe { polite_robot_crawl_delay(second, &raw mut seconds, &raw mut nanoseconds) });
    assert_eq!((seconds, nanoseconds), (2, 500_000_000));
    let mut sitemaps = [polite_str::EMPTY; 3];
    assert_eq!(
        unsafe { polite_robot_sitemaps(second, 1, sitemaps.as_mut_ptr(), 3) },
        1
    );
    assert_eq!(unsafe { string(sitemaps[0]) }, "/b.xml");
    unsafe { polite_robot_free(second) };
}

#[test]
fn robots_without_a_file_and_without_the_wildcard() {
    let allow = polite_robot_allow_all(404);
    let verdict = check(allow, "/x");
    assert!(verdict.allowed);
    assert_eq!(verdict.reason, polite_reason::POLITE_REASON_BLANKET as u8);
    assert_eq!(
        (verdict.cause, verdict.status),
        (polite_cause::POLITE_CAUSE_STATUS as u8, 404)
    );
    unsafe { polite_robot_free(allow) };
    let disallow = polite_robot_disallow_all(0);
    let verdict = check(disallow, "/x");
    assert_eq!(
        (verdict.allowed, verdict.cause),
        (false, polite_cause::POLITE_CAUSE_CONFIGURED as u8)
    );
    assert!(check(disallow, "/robots.txt").allowed);
    unsafe { polite_robot_free(disallow) };
    let wildcard = robot("OtherBot", FILE);
    let named = unsafe { polite_robot_named_only(wildcard) };
    unsafe { polite_robot_free(wildcard) };
    assert_eq!(
        check(named, "/x").reason,
        polite_reason::POLITE_REASON_NO_GROUP as u8
    );
    unsafe { polite_robot_free(named) };
}

#[test]
fn a_status_says_what_a_response_is() {
    let closed = "User-agent: *\nDisallow: /\n";
    for (status, allowed) in [
        (200, false),
        (404, true),
        (429, false),
        (206, false),
        (301, false),
    ] {
        let mut robot = ptr::null_mut();
        let body = if status == 206 { "" } else { closed };
        let document = unsafe { polite_robots_txt_from_status(status, str(body), ptr::null()) };
        let result = unsafe { polite_robots_txt_robot(document, ptr::null(), 0, &raw mut robot) };
        assert_eq!(result, POLITE_OK);
        assert_eq!(check(robot, "/x").allowed, allowed, "{status}");
        unsafe { polite_robot_free(robot) };
        unsafe { polite_robots_txt_free(document) };
    }
}

#[test]
fn a_document_gives_robots_lines_and_sitemaps() {
    let document = unsafe { polite_robots_txt_parse(str(FILE), ptr::null()) };
    let agents = [str("ExampleBot-Image"), str("ExampleBot")];
    let mut robot = ptr::null_mut();
    for compile in [polite_robots_txt_robot, polite_robots_txt_robot_first] {
        assert_eq!(
            unsafe { compile(document, agents.as_ptr(), 2, &raw mut robot) },
            POLITE_OK
        );
        assert!(check(robot, "/x").allowed);
        unsafe { polite_robot_free(robot) };
        assert_eq!(
            unsafe { compile(document, ptr::null(), 0, &raw mut robot) },
            POLITE_OK
        );
        assert!(!check(robot, "/x").allowed);
        unsafe { polite_robot_free(robot) };
        assert_eq!(
            unsafe { compile(document, ptr::null(), 1, &raw mut robot) },
            POLITE_NULL
        );
        assert_eq!(
            unsafe { compile(document, agents.as_ptr(), 2, ptr::null_mut()) },
            POLITE_NULL
        );
        assert_eq!(
            unsafe { compile(ptr::null(), agents.as_ptr(), 2, &raw mut robot) },
            POLITE_NULL
        );
        let refused = [str("a b")];
        assert_eq!(
            unsafe { compile(document, refused.as_ptr(), 1, &raw mut robot) },
            POLITE_INVALID_TOKEN
        );
    }
    let mut sitemaps = [polite_str::EMPTY; 1];
    assert_eq!(
        unsafe { polite_robots_txt_sitemaps(document, 0, sitemaps.as_mut_ptr(), 1) },
        2
    );
    assert_eq!(unsafe { string(sitemaps[0]) }, "https://example.com/a.xml");

    unsafe extern "C" fn keep(lines: *mut c_void, line: *const polite_line) {
        let line = unsafe { *line };
        let text = unsafe { format!("{} {}={}", line.line, string(line.name), string(line.value)) };
        unsafe { (*lines.cast::<Vec<String>>()).push(text) };
    }
    let mut lines: Vec<String> = Vec::new();
    unsafe { polite_robots_txt_lines(document, Some(keep), (&raw mut lines).cast()) };
    unsafe { polite_robots_txt_lines(document, None, ptr::null_mut()) };
    assert_eq!((lines.len(), &*lines[2]), (11, "3 Allow=/cart/help$"));
    unsafe { polite_robots_txt_free(document) };
}

#[test]
fn errors_are_sentences_of_the_thread() {
    let mut none = ptr::null_mut();
    let new = |agent: &str, out| unsafe { polite_robot_new(str(agent), str(""), ptr::null(), out) };
    assert_eq!(new("ExampleBot/2.1", &raw mut none), POLITE_INVALID_TOKEN);
    assert!(none.is_null());
    assert!(last_error().ends_with("`ExampleBot` was probably meant"));
    assert_eq!(std::thread::spawn(last_error).join().unwrap(), "");
    assert_eq!(new("a", ptr::null_mut()), POLITE_NULL);
    assert_eq!(last_error(), "the place for the robot is NULL");
    let url = |url: &str| {
        written(|buffer, capacity| unsafe { polite_robots_url(str(url), buffer, capacity) })
    };
    assert_eq!(url("http://h:8080/x"), "http://h:8080/robots.txt");
    assert_eq!(
        url("https://bücher.de/x"),
        "https://xn--bcher-kva.de/robots.txt"
    );
    let mut buffer = [1; 1];
    assert_eq!(
        unsafe { polite_robots_url(str("h"), buffer.as_mut_ptr(), 1) },
        0
    );
    assert_eq!(buffer, [1]);
    let token = written(|buffer, capacity| unsafe {
        polite_product_token(str("ExampleBot/2"), buffer, capacity)
    });
    assert_eq!(token, "ExampleBot");
    assert_eq!(
        unsafe { polite_product_token(str("()"), buffer.as_mut_ptr(), 1) },
        0
    );
}

#[test]
fn a_panic_becomes_an_answer_and_a_sentence() {
    // Unwinds as a panic does, without its message on the terminal.
    use std::panic::resume_unwind;
    let result = guard!(POLITE_PANIC, {
        resume_unwind(Box::new(String::from("line 7")))
    });
    assert_eq!(result, POLITE_PANIC);
    assert_eq!(
        last_error(),
        "a fault of polite-robots, please report it: line 7"
    );
    let answer = guard!(false, { resume_unwind(Box::new("as it is")) });
    assert!(!answer && last_error().ends_with(": as it is"));
    guard!((), { resume_unwind(Box::new(7)) });
    assert!(last_error().ends_with(": no message"));
    assert_eq!(guard!(1, { 2 }), 2);
}

#[test]
fn null_and_empty_texts_are_empty() {
    for text in [
        polite_str::EMPTY,
        polite_str {
            length: 9,
            ..polite_str::EMPTY
        },
        str(""),
    ] {
        let mut handle = ptr::null_mut();
        let result = unsafe { polite_robot_new(str("a"), text, ptr::null(), &raw mut handle) };
        assert_eq!(result, POLITE_OK);
        assert!(unsafe { polite_robot_allowed(handle, text) });
        unsafe { polite_robot_free(handle) };
        let result = unsafe { polite_robot_new(text, text, ptr::null(), &raw mut handle) };
        assert_eq!(result, POLITE_INVALID_TOKEN);
        unsafe { polite_robots_txt_free(polite_robots_txt_parse(text, ptr::null())) };
    }
    let verdict = check(ptr::null(), "/");
    assert_eq!(verdict.reason, polite_reason::POLITE_REASON_NO_ROBOT as u8);
    unsafe {
        assert_eq!(
            polite_robot_explain(ptr::null(), str("/"), ptr::null_mut(), 0),
            0
        );
        assert!(!polite_robot_crawl_delay(
            ptr::null(),
            ptr::null_mut(),
            ptr::null_mut()
        ));
        assert_eq!(polite_robot_sitemaps(ptr::null(), 0, ptr::null_mut(), 1), 0);
        assert_eq!(
            polite_robots_txt_sitemaps(ptr::null(), 0, ptr::null_mut(), 1),
            0
        );
        assert!(polite_robot_clone(ptr::null()).is_null());
        assert!(polite_robot_named_only(ptr::null()).is_null());
        polite_robots_txt_lines(ptr::null(), None, ptr::null_mut());
        polite_robot_check(ptr::null(), str("/"), ptr::null_mut());
        polite_robot_free(ptr::null_mut());
        polite_robots_txt_free(ptr::null_mut());
    }
    let version = u32::from(POLITE_ABI_MAJOR) << 16 | u32::from(POLITE_ABI_MINOR);
    assert_eq!(polite_abi_version(), version);
}

#[test]
fn structs_of_any_size_are_read_and_written_up_to_it() {
    let handle = robot("a", "User-agent: *\nDisallow: /");
    for size in 0..size_of::<polite_verdict>() + 9 {
        // With no byte more than a caller of this size has.
        let mut words = vec![0_u64; size.max(4).div_ceil(8)];
        let place: *mut u8 = words.as_mut_ptr().cast();
        unsafe { place.cast::<u32>().write(size as u32) };
        unsafe { polite_robot_check(handle, str("/x"), place.cast()) };
        assert_eq!(unsafe { place.cast::<u32>().read() }, size as u32);
        if size > std::mem::offset_of!(polite_verdict, reason) {
            let reason = unsafe { place.add(5).read() };
            assert_eq!(reason, polite_reason::POLITE_REASON_RULE as u8);
        }
    }
    unsafe { polite_robot_free(handle) };

    for (size, dialect, limit) in [
        (4, "rfc9309", None),
        (5, "google", None),
        (16, "google", Some(33)),
    ] {
        let whole = polite_options {
            size: 16,
            dialect: polite_dialect::POLITE_DIALECT_GOOGLE as u8,
            reserved: [0; 3],
            max_bytes: 33,
        };
        let mut words = [0_u64; 2];
        let place: *mut u8 = words.as_mut_ptr().cast();
        unsafe { ptr::copy_nonoverlapping((&raw const whole).cast(), place, 16) };
        unsafe { place.cast::<u32>().write(size) };
        let read = unsafe { options::options(place.cast()) };
        assert_eq!((read.dialect.as_str(), read.max_bytes), (dialect, limit));
    }
}

#[test]
fn threads_ask_one_robot() {
    let handle = robot("ExampleBot", FILE);
    let shared: &polite_robot = unsafe { &*handle };
    std::thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || {
                let own = unsafe { polite_robot_clone(shared) };
                assert!(!check(own, &format!("/cart/{number}")).allowed);
                assert!(check(shared, "/cart/help").allowed);
                unsafe { polite_robot_free(own) };
            });
        }
    });
    unsafe { polite_robot_free(handle) };
}

const fn is_shared<T: Send + Sync>() {}

const _: () = is_shared::<polite_robot>();
const _: () = is_shared::<polite_robots_txt>();
const _: () = is_shared::<polite_cache>();
const _: () = is_shared::<polite_pace>();

const fn is_moved<T: Send>() {}

const _: () = is_moved::<polite_fetch>();

/// `tests/policy` and `tests/c/policy.c` have the answers; this is for Miri.
#[test]
fn a_cache_and_a_pace_are_asked_saved_and_freed() {
    let (url, now) = ("https://example.com/cart/1", 1_767_225_600_000);
    let (data, length) = (url.as_ptr().cast(), url.len());
    let agent = str("ExampleBot");
    unsafe {
        let (mut cache, mut fetch, mut robot) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let result = polite_cache_new(&raw const agent, 1, ptr::null(), &raw mut cache);
        assert_eq!(result, POLITE_OK);
        let mut ask = |access: &mut polite_access| {
            access.size = size_of::<polite_access>() as u32;
            let (robot, fetch) = (&raw mut robot, &raw mut fetch);
            assert_eq!(
                polite_cache_ask(cache, data, length, 0, now, access, robot, fetch),
                POLITE_OK
            );
            (*robot, *fetch)
        };
        let mut access: polite_access = std::mem::zeroed();
        let (_, fetch) = ask(&mut access);
        assert_eq!(access.answer, polite_answer::POLITE_ANSWER_FETCH as u8);
        let mut step: polite_fetch_step = std::mem::zeroed();
        step.size = size_of::<polite_fetch_step>() as u32;
        assert_eq!(polite_fetch_next(fetch, now, &raw mut step), POLITE_OK);
        assert_eq!(string(step.url), "https://example.com/robots.txt");
        let header = polite_header {
            name: str("ETag"),
            value: str("1"),
        };
        let (body, size) = (FILE.as_ptr().cast(), FILE.len());
        polite_fetch_response(fetch, 200, &raw const header, 1, body, size, 0, now);
        assert_eq!(polite_cache_end(cache, fetch, now), POLITE_OK);
        let (robot, fetch) = ask(&mut access);
        assert!(fetch.is_null() && access.line == 2);
        let (mut saved, mut size) = (ptr::null_mut(), 0);
        assert_eq!(
            polite_cache_save(cache, &raw mut saved, &raw mut size),
            POLITE_OK
        );
        assert_eq!(polite_cache_load(cache, saved, size, now), POLITE_OK);
        polite_saved_free(saved, size);
        polite_cache_free(cache);

        let mut pace = ptr::null_mut();
        assert_eq!(polite_pace_new(ptr::null(), &raw mut pace), POLITE_OK);
        let mut turn: polite_turn = std::mem::zeroed();
        turn.size = size_of::<polite_turn>() as u32;
        assert_eq!(
            polite_pace_crawl_delay(pace, data, length, robot, now),
            POLITE_OK
        );
        assert_eq!(
            polite_pace_start(pace, data, length, now, &raw mut turn),
            POLITE_OK
        );
        assert_eq!(turn.turn, polite_turn_kind::POLITE_TURN_READY as u8);
        assert_eq!(polite_pace_cancel(pace, data, length, now), POLITE_OK);
        assert_eq!(
            polite_pace_turn(pace, data, length, now, &raw mut turn),
            POLITE_OK
        );
        assert_eq!(turn.until_ms, now + 2500);
        polite_robot_free(robot);
        polite_pace_free(pace);
    }
}

//! Any bytes through every function of C: the answers are those of the core, nothing is written
//! beyond a buffer, and every NULL has an answer.
#![no_main]

use std::ffi::{c_char, c_void};
use std::ptr;

use libfuzzer_sys::fuzz_target;
use polite_robots::{Dialect, ProductToken, Robot, RobotsTxt, robots_url};
use polite_robots_fuzz::Question;
use polite_robots_in_c::{
    polite_abi_version, polite_cache_ask, polite_cache_end, polite_cache_free, polite_cache_load,
    polite_cache_new, polite_fetch_response, polite_header, polite_last_error, polite_line,
    polite_options, polite_pace_free, polite_pace_load, polite_pace_new, polite_pace_response,
    polite_product_token, polite_reason, polite_result, polite_robot, polite_robot_allow_all,
    polite_robot_allowed, polite_robot_check, polite_robot_clone, polite_robot_crawl_delay,
    polite_robot_disallow_all, polite_robot_explain, polite_robot_free, polite_robot_named_only,
    polite_robot_new, polite_robot_sitemaps, polite_robots_txt_free, polite_robots_txt_lines,
    polite_robots_txt_parse, polite_robots_txt_robot, polite_robots_txt_robot_first,
    polite_robots_txt_sitemaps, polite_robots_url, polite_str, polite_verdict,
};
use polite_robots_policy::Origin;

// This target reads a question as the other targets do, so that it can begin with their seeds. The
// bytes of the question also serve as sizes, agents and headers, so that each function gets any of
// them.
fuzz_target!(|question: Question<'_>| {
    // 0 is no limit in C, and a limit of 0 in Rust.
    if question.max_bytes == Some(0) {
        return;
    }
    let any = |place: usize| question.file.get(place).copied().unwrap_or_default();
    // SAFETY: each handle and text below lives until it is freed at the end of its function.
    unsafe {
        one_agent(&question, any(0));
        any_agent(&question, any(1));
        document(&question, any(2));
        texts(&question, any(3));
        policy(&question, any(6));
        nulls(&question, u16::from_le_bytes([any(4), any(5)]));
    }
});

/// Checks a robot for the agent of the question.
unsafe fn one_agent(question: &Question<'_>, capacity: u8) {
    unsafe {
        let expected =
            Robot::with_options(question.agent(), question.file, &question.options()).unwrap();
        let options = options(question);
        let mut handle = ptr::null_mut();
        let agent = str(question.agent().as_bytes());
        let result = polite_robot_new(
            agent,
            str(question.file),
            &raw const options,
            &raw mut handle,
        );
        assert_eq!(result, polite_result::POLITE_OK);
        same_robot(handle, &expected, question, capacity);

        let second = polite_robot_clone(handle);
        let named = polite_robot_named_only(handle);
        polite_robot_free(handle);
        same_robot(second, &expected, question, capacity);
        same_robot(named, &expected.named_only(), question, capacity);
        polite_robot_free(second);
        polite_robot_free(named);
    }
}

/// Checks a robot whose agent is the bytes of the URL: C refuses or answers as the core does.
unsafe fn any_agent(question: &Question<'_>, capacity: u8) {
    unsafe {
        let agent = String::from_utf8_lossy(question.url.as_bytes());
        let expected = Robot::with_options(&agent, question.file, &question.options());
        let options = options(question);
        let mut handle = ptr::null_mut();
        let result = polite_robot_new(
            str(question.url.as_bytes()),
            str(question.file),
            &raw const options,
            &raw mut handle,
        );
        match expected {
            Ok(expected) => {
                assert_eq!(result, polite_result::POLITE_OK);
                same_robot(handle, &expected, question, capacity);
                polite_robot_free(handle);
            }
            Err(error) => {
                assert_eq!(result, polite_result::POLITE_INVALID_TOKEN);
                assert!(handle.is_null());
                same_text(Some(error.to_string()), capacity, |buffer, capacity| {
                    polite_last_error(buffer, capacity)
                });
            }
        }
    }
}

/// Checks a document with its lines, and its robots for two agents.
unsafe fn document(question: &Question<'_>, capacity: u8) {
    unsafe {
        let expected = RobotsTxt::parse_with(question.file, &question.options());
        let options = options(question);
        let document = polite_robots_txt_parse(str(question.file), &raw const options);
        assert!(!document.is_null());
        let agents = [question.agent(), "ExampleBot"];
        let strs = agents.map(|agent| str(agent.as_bytes()));
        for n in 0..=agents.len() {
            let mut handle = ptr::null_mut();
            let result = polite_robots_txt_robot(document, strs.as_ptr(), n, &raw mut handle);
            assert_eq!(result, polite_result::POLITE_OK);
            same_robot(
                handle,
                &expected.robot_merged(&agents[..n]).unwrap(),
                question,
                capacity,
            );
            polite_robot_free(handle);
            let result = polite_robots_txt_robot_first(document, strs.as_ptr(), n, &raw mut handle);
            assert_eq!(result, polite_result::POLITE_OK);
            same_robot(
                handle,
                &expected.robot_first(&agents[..n]).unwrap(),
                question,
                capacity,
            );
            polite_robot_free(handle);
        }
        same_list(expected.sitemaps(), capacity, |from, out, capacity| {
            polite_robots_txt_sitemaps(document, from, out, capacity)
        });

        let mut lines: Vec<polite_line> = Vec::new();
        polite_robots_txt_lines(document, Some(keep_line), (&raw mut lines).cast());
        assert_eq!(lines.len(), expected.lines().count());
        for (line, expected) in lines.iter().zip(expected.lines()) {
            assert_eq!(line.line, expected.number());
            assert_eq!(line.has_directive, expected.key().is_some());
            assert_eq!(bytes(line.name), expected.key().unwrap_or_default());
            assert_eq!(bytes(line.value), expected.value().unwrap_or_default());
            assert_eq!(line.has_comment, expected.comment().is_some());
            assert!(!(line.is_empty && line.is_comment) && line.has_comment >= line.is_comment);
            assert!(line.has_directive || line.tag == 0 && !line.is_typo && !line.is_missing_colon);
        }
        polite_robots_txt_free(document);
    }
}

unsafe extern "C" fn keep_line(lines: *mut c_void, line: *const polite_line) {
    unsafe { (*lines.cast::<Vec<polite_line>>()).push(*line) };
}

/// Checks the functions that need no robot.
unsafe fn texts(question: &Question<'_>, capacity: u8) {
    for text in [question.url.as_bytes(), question.file] {
        let lossy = String::from_utf8_lossy(text);
        let url = Origin::of(&lossy).ok().map(|origin| origin.robots_url());
        // C leaves only a host outside of ASCII to the policy.
        if let Ok(by_core) = robots_url(&lossy) {
            assert_eq!(url.as_deref(), Some(&*by_core));
        }
        same_text(url, capacity, |buffer, capacity| unsafe {
            polite_robots_url(str(text), buffer, capacity)
        });
        let token = ProductToken::from_user_agent(&lossy).map(|token| token.to_string());
        same_text(token, capacity, |buffer, capacity| unsafe {
            polite_product_token(str(text), buffer, capacity)
        });
    }
}

/// Gives the bytes of the question to a cache and a pace, as what was saved and as a response.
unsafe fn policy(question: &Question<'_>, any: u8) {
    unsafe {
        let (file, url) = (str(question.file), str(question.url.as_bytes()));
        let (mut cache, mut pace, mut fetch) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        polite_cache_new(&raw const file, 0, ptr::null(), &raw mut cache);
        polite_pace_new(ptr::null(), &raw mut pace);
        let status = 100 + u16::from(any) * 2;
        let (header, now) = (
            polite_header {
                name: url,
                value: file,
            },
            1_767_225_600_000,
        );
        for _ in 0..2 {
            let (data, length) = (url.data, url.length);
            let (none, out) = (ptr::null_mut(), ptr::null_mut());
            polite_cache_ask(cache, data, length, any, now, out, none, &raw mut fetch);
            let (data, length) = (file.data, file.length);
            let header = &raw const header;
            polite_fetch_response(fetch, status, header, 1, data, length, any % 6, now);
            polite_cache_end(cache, fetch, now);
            polite_pace_response(pace, url.data, url.length, status, header, 1, any, now, now);
            polite_cache_load(cache, data, length, now);
            polite_pace_load(pace, data, length);
            fetch = ptr::null_mut();
        }
        polite_cache_free(cache);
        polite_pace_free(pace);
    }
}

/// Calls every function with some of its pointers NULL.
unsafe fn nulls(question: &Question<'_>, status: u16) {
    unsafe {
        let url = str(question.url.as_bytes());
        let null = polite_str {
            data: ptr::null(),
            length: usize::from(status),
        };
        let mut handle = ptr::null_mut();
        let new = polite_robot_new(url, str(question.file), ptr::null(), ptr::null_mut());
        assert_eq!(new, polite_result::POLITE_NULL);
        let agent = str(b"a");
        let by = [polite_robots_txt_robot, polite_robots_txt_robot_first];
        for robot in by {
            let result = robot(ptr::null(), &raw const agent, 1, &raw mut handle);
            assert_eq!(
                (result, handle),
                (polite_result::POLITE_NULL, ptr::null_mut())
            );
        }
        assert!(!polite_robot_allowed(ptr::null(), url));
        assert_eq!(
            polite_robot_explain(ptr::null(), url, ptr::null_mut(), 9),
            0
        );
        assert!(!polite_robot_crawl_delay(
            ptr::null(),
            ptr::null_mut(),
            ptr::null_mut()
        ));
        assert_eq!(polite_robot_sitemaps(ptr::null(), 0, ptr::null_mut(), 9), 0);
        assert_eq!(
            polite_robots_txt_sitemaps(ptr::null(), 0, ptr::null_mut(), 9),
            0
        );
        polite_robots_txt_lines(ptr::null(), Some(keep_line), ptr::null_mut());
        assert!(polite_robot_clone(ptr::null()).is_null());
        assert!(polite_robot_named_only(ptr::null()).is_null());
        polite_robot_free(ptr::null_mut());
        polite_robots_txt_free(ptr::null_mut());
        let mut verdict = verdict();
        polite_robot_check(ptr::null(), null, &raw mut verdict);
        assert_eq!(verdict.reason, polite_reason::POLITE_REASON_NO_ROBOT as u8);
        assert!(polite_abi_version() > 0);

        for (robot, allowed) in [
            (polite_robot_allow_all(status), true),
            (polite_robot_disallow_all(status), false),
        ] {
            polite_robot_check(robot, url, ptr::null_mut());
            assert_eq!(polite_robot_allowed(robot, null), allowed);
            polite_robot_check(robot, null, &raw mut verdict);
            assert_eq!((verdict.allowed, verdict.status), (allowed, status));
            polite_robot_free(robot);
        }
        let empty = polite_robots_txt_parse(null, ptr::null());
        for robot in by {
            assert_eq!(
                robot(empty, ptr::null(), 1, &raw mut handle),
                polite_result::POLITE_NULL
            );
        }
        polite_robots_txt_lines(empty, None, ptr::null_mut());
        polite_robots_txt_free(empty);
    }
}

/// Compares all answers of a robot with those of the core.
unsafe fn same_robot(
    handle: *const polite_robot,
    expected: &Robot,
    question: &Question<'_>,
    capacity: u8,
) {
    unsafe {
        let url = str(question.url.as_bytes());
        let answer = expected.check(question.url.as_bytes());
        assert_eq!(polite_robot_allowed(handle, url), answer.is_allowed());

        // C writes as much of a verdict as a size has room for, and no byte more.
        let mut whole = verdict();
        polite_robot_check(handle, url, &raw mut whole);
        assert_eq!(whole.allowed, answer.is_allowed());
        assert_eq!(whole.line, answer.rule().map_or(0, |rule| rule.line()));
        assert_eq!(
            whole.overruled_line,
            answer.overruled().map_or(0, |rule| rule.line())
        );
        assert_eq!(whole.group_line, answer.group_line().unwrap_or(0));
        let pattern = answer.rule().map_or("", |rule| rule.pattern());
        assert_eq!(bytes(whole.pattern), pattern.as_bytes());
        let size = usize::from(capacity) % (size_of::<polite_verdict>() + 8);
        let mut room = [0xAAAA_AAAA_AAAA_AAAA_u64; size_of::<polite_verdict>() / 8 + 2];
        room.as_mut_ptr().cast::<u32>().write(size as u32);
        polite_robot_check(handle, url, room.as_mut_ptr().cast());
        let room = std::slice::from_raw_parts(room.as_ptr().cast::<u8>(), size_of_val(&room));
        let written = size.max(size_of::<u32>());
        assert!(room[written..].iter().all(|byte| *byte == 0xAA));

        same_text(Some(answer.to_string()), capacity, |buffer, capacity| {
            polite_robot_explain(handle, url, buffer, capacity)
        });
        let (mut seconds, mut nanoseconds) = (0, 0);
        let has_delay = polite_robot_crawl_delay(handle, &raw mut seconds, &raw mut nanoseconds);
        assert_eq!(has_delay, expected.crawl_delay().is_some());
        let delay = expected.crawl_delay().unwrap_or_default();
        assert_eq!(
            (seconds, nanoseconds),
            (delay.as_secs(), delay.subsec_nanos())
        );
        same_list(expected.sitemaps(), capacity, |from, out, capacity| {
            polite_robot_sitemaps(handle, from, out, capacity)
        });
    }
}

/// Checks a function that writes as `snprintf` does, into a buffer of any size.
fn same_text(expected: Option<String>, capacity: u8, write: impl Fn(*mut c_char, usize) -> usize) {
    let capacity = usize::from(capacity);
    let mut buffer = vec![b'#'; capacity + 1];
    let length = write(buffer.as_mut_ptr().cast(), capacity);
    assert_eq!(length, expected.as_ref().map_or(0, String::len));
    assert_eq!(write(ptr::null_mut(), capacity), length);
    let written = match (&expected, capacity) {
        (None, _) | (_, 0) => 0,
        (Some(expected), _) => {
            let copied = length.min(capacity - 1);
            assert_eq!(buffer[..copied], expected.as_bytes()[..copied]);
            assert_eq!(buffer[copied], 0);
            copied + 1
        }
    };
    assert!(buffer[written..].iter().all(|byte| *byte == b'#'));
}

/// Checks a function that lists texts from a number on.
fn same_list<'a>(
    expected: impl Iterator<Item = &'a str>,
    capacity: u8,
    list: impl Fn(usize, *mut polite_str, usize) -> usize,
) {
    let expected: Vec<&str> = expected.collect();
    let (from, capacity) = (usize::from(capacity % 4), usize::from(capacity / 4));
    let sentinel = polite_str {
        data: ptr::null(),
        length: 7,
    };
    let mut out = vec![sentinel; capacity + 1];
    let count = list(from, out.as_mut_ptr(), capacity);
    assert_eq!(count, expected.len().saturating_sub(from));
    assert_eq!(list(from, ptr::null_mut(), capacity), count);
    for (place, text) in out.iter().enumerate() {
        if place < count.min(capacity) {
            assert_eq!(unsafe { bytes(*text) }, expected[from + place].as_bytes());
        } else {
            assert!(text.data.is_null() && text.length == 7);
        }
    }
}

fn options(question: &Question<'_>) -> polite_options {
    polite_options {
        size: size_of::<polite_options>() as u32,
        dialect: u8::from(question.dialect() == Dialect::Google),
        reserved: [0; 3],
        max_bytes: question.options().max_bytes.map_or(0, |max| max as u64),
    }
}

fn verdict() -> polite_verdict {
    // SAFETY: zeros are a verdict.
    let mut verdict: polite_verdict = unsafe { std::mem::zeroed() };
    verdict.size = size_of::<polite_verdict>() as u32;
    verdict
}

fn str(bytes: &[u8]) -> polite_str {
    polite_str {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    }
}

unsafe fn bytes<'a>(text: polite_str) -> &'a [u8] {
    match text.data.is_null() {
        true => &[],
        false => unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) },
    }
}

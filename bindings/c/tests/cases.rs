//! Recorded verdicts through the functions of C, called from Rust; and the same cases in a form
//! that C reads easily.
//!
//! It asks about all cases of `testdata/recorded`. After that, or in its place, `cases recorded`
//! and `cases google < cases.jsonl` write cases to the standard output: body, agent and URL, each
//! as a length of four bytes, the least first, and its bytes; then, for the Google dialect and for
//! that of RFC 9309, a byte that is 1 if the URL is allowed, and the line in four bytes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::ffi::c_char;
use std::io::{BufRead, Read, Write};
use std::ptr;

use base64::Engine;
use polite_robots::{
    polite_dialect, polite_options, polite_result, polite_robot, polite_robot_allowed,
    polite_robot_check, polite_robot_free, polite_robot_new, polite_str, polite_verdict,
};
use serde_json::Value;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("recorded") => {
            let cases = recorded();
            check(&cases);
            write(&cases);
        }
        Some("google") => write(&google()),
        _ => check(&recorded()),
    }
}

struct Case {
    body: Vec<u8>,
    agent: String,
    url: String,
    google: Expected,
    rfc9309: Expected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Expected {
    is_allowed: bool,
    line: u32,
}

fn recorded() -> Vec<Case> {
    let packed = include_bytes!("../../../testdata/recorded/verdicts.jsonl.xz");
    let mut text = String::new();
    lzma_rust2::XzReader::new(&packed[..], true)
        .read_to_string(&mut text)
        .unwrap();
    let cases = text.lines().map(|line| {
        let [body, agent, url, google, rfc9309]: [String; 5] = serde_json::from_str(line).unwrap();
        Case {
            body: body
                .chars()
                .map(|byte| u8::try_from(byte).unwrap())
                .collect(),
            agent,
            url,
            google: expected(&google),
            rfc9309: expected(&rfc9309),
        }
    });
    cases.collect()
}

fn expected(verdict: &str) -> Expected {
    let (access, line) = verdict.split_once(' ').unwrap();
    assert!(access == "allow" || access == "disallow");
    Expected {
        is_allowed: access == "allow",
        line: line.parse().unwrap(),
    }
}

fn google() -> Vec<Case> {
    let cases = std::io::stdin().lock().lines().map(|line| {
        let case: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = |field: &str| case[field].as_str().unwrap().to_owned();
        let expected = |allowed: &str, line: &str| Expected {
            is_allowed: case[allowed].as_bool().unwrap(),
            line: u32::try_from(case[line].as_u64().unwrap()).unwrap(),
        };
        Case {
            body: base64::engine::general_purpose::STANDARD
                .decode(text("body"))
                .unwrap(),
            agent: text("agent"),
            url: text("url"),
            google: expected("allowed", "line"),
            rfc9309: expected("rfc9309", "rfc9309_line"),
        }
    });
    cases.collect()
}

fn write(cases: &[Case]) {
    let mut out = std::io::stdout().lock();
    for case in cases {
        for text in [&case.body[..], case.agent.as_bytes(), case.url.as_bytes()] {
            let length = u32::try_from(text.len()).unwrap();
            out.write_all(&length.to_le_bytes()).unwrap();
            out.write_all(text).unwrap();
        }
        for expected in [case.google, case.rfc9309] {
            out.write_all(&[u8::from(expected.is_allowed)]).unwrap();
            out.write_all(&expected.line.to_le_bytes()).unwrap();
        }
    }
    out.flush().unwrap();
}

fn check(cases: &[Case]) {
    for case in cases {
        for (dialect, expected) in [
            (polite_dialect::POLITE_DIALECT_GOOGLE, case.google),
            (polite_dialect::POLITE_DIALECT_RFC9309, case.rfc9309),
        ] {
            let found = ask(case, dialect);
            assert!(
                found == expected,
                "{dialect:?}: {found:?}, not {expected:?}: {} and {} in {:?}",
                case.agent,
                case.url,
                String::from_utf8_lossy(&case.body)
            );
        }
    }
    assert!(cases.len() >= 20_000, "only {} cases", cases.len());
}

fn ask(case: &Case, dialect: polite_dialect) -> Expected {
    let text = |bytes: &[u8]| polite_str {
        data: bytes.as_ptr().cast::<c_char>(),
        length: bytes.len(),
    };
    let options = polite_options {
        size: u32::try_from(size_of::<polite_options>()).unwrap(),
        dialect: dialect as u8,
        reserved: [0; 3],
        max_bytes: 0,
    };
    let mut robot: *mut polite_robot = ptr::null_mut();
    // SAFETY: the texts, the options and the place for the robot are locals.
    let result = unsafe {
        polite_robot_new(
            text(case.agent.as_bytes()),
            text(&case.body),
            &raw const options,
            &raw mut robot,
        )
    };
    assert_eq!(result, polite_result::POLITE_OK);
    // SAFETY: zeros are a verdict.
    let mut verdict: polite_verdict = unsafe { std::mem::zeroed() };
    verdict.size = u32::try_from(size_of::<polite_verdict>()).unwrap();
    let url = text(case.url.as_bytes());
    // SAFETY: the robot was made above, and the verdict is as large as it says.
    unsafe { polite_robot_check(robot, url, &raw mut verdict) };
    // SAFETY: the robot was made above.
    let allowed = unsafe { polite_robot_allowed(robot, url) };
    assert_eq!(allowed, verdict.allowed);
    // SAFETY: this is the last use of the robot.
    unsafe { polite_robot_free(robot) };
    Expected {
        is_allowed: verdict.allowed,
        line: verdict.line,
    }
}

//! Any bytes as a serialised robot or document, and real ones with changed bytes: nothing panics,
//! and an accepted value is one that a file can produce.
#![no_main]

use std::fmt::Debug;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots::{AgentMatch, Options, Robot, RobotsTxt};
use polite_robots_lint::{Diagnostic, lint};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    form: u8,
    google: bool,
    url: &'a str,
    changes: Vec<(u16, u8)>,
    bytes: &'a [u8],
}

fuzz_target!(|input: Input<'_>| {
    let Input {
        form,
        google,
        url,
        changes,
        bytes,
    } = input;
    match form % 6 {
        0 => check_robot(postcard::from_bytes(bytes).ok(), url),
        1 => check_robot(serde_json::from_slice(bytes).ok(), url),
        2 => check_document(postcard::from_bytes(bytes).ok(), url),
        3 => check_document(serde_json::from_slice(bytes).ok(), url),
        4 => {
            if let Ok(found) = serde_json::from_slice::<Vec<Diagnostic>>(bytes) {
                round_trip(&found);
            }
        }
        _ => {
            let options = if google {
                Options::google()
            } else {
                Options::rfc9309()
            };
            let document = RobotsTxt::parse_with(bytes, &options);
            round_trip(&lint(&document));
            let robot = document.robot("a").unwrap();
            let changed = |bytes| changed(bytes, &changes);
            let text = changed(serde_json::to_vec(&robot).unwrap());
            check_robot(serde_json::from_slice(&text).ok(), url);
            let binary = changed(postcard::to_allocvec(&robot).unwrap());
            check_robot(postcard::from_bytes(&binary).ok(), url);
            let binary = changed(postcard::to_allocvec(&document).unwrap());
            check_document(postcard::from_bytes(&binary).ok(), url);
            check_document(Some(document), url);
        }
    }
});

fn changed(mut bytes: Vec<u8>, changes: &[(u16, u8)]) -> Vec<u8> {
    let len = bytes.len();
    for (at, byte) in changes {
        bytes[usize::from(*at) % len] = *byte;
    }
    bytes
}

fn check_document(document: Option<RobotsTxt>, url: &str) {
    let Some(document) = document else { return };
    round_trip(&document);
    for agent in ["*", "a"] {
        check_robot(Some(document.robot(agent).unwrap()), url);
    }
}

fn check_robot(robot: Option<Robot>, url: &str) {
    let Some(robot) = robot else { return };
    let mut lines: Vec<u32> = robot.rules().map(|rule| rule.line()).collect();
    lines.sort_unstable();
    assert!(lines.first() != Some(&0) && lines.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(robot.agent_match() != AgentMatch::None || lines.is_empty());
    for rule in robot.rules() {
        assert!(rule.pattern().is_ascii() && rule.pattern().len() == rule.length());
    }
    let verdict = robot.check(url);
    assert_eq!(verdict.is_allowed(), robot.allowed(url));
    if let Some(rule) = verdict.rule() {
        assert!(rule.matches(url));
    }
    round_trip(&robot);
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_vec(value).unwrap();
    assert_eq!(serde_json::from_slice::<T>(&text).unwrap(), *value);
    let bytes = postcard::to_allocvec(value).unwrap();
    assert_eq!(postcard::from_bytes::<T>(&bytes).unwrap(), *value);
}

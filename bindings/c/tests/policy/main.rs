//! The scenarios of `testdata/policy` and the answers of `testdata/wire.toml` through the functions
//! of C, called from Rust: a cache and a pace of C answer as those of the policy do.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    missing_docs
)]

mod both;
mod wire;

use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use polite_robots_policy::{NetError, Profile};
use toml::{Table, Value};

use self::both::{Answer, Both};

/// 2026-01-01.
const START: u64 = 1_767_225_600_000;

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(name)
}

#[test]
fn scenarios_are_those_of_the_policy() {
    let (mut runs, mut rounds) = (0, 0);
    for file in std::fs::read_dir(testdata("policy")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let parsed: Table = toml::from_str(&text).unwrap();
        for case in list(parsed.get("case")) {
            // A program in C chooses a profile, and of its settings the least delay alone.
            if case.get("set").is_some() {
                continue;
            }
            let all = ["rfc9309", "google", "ibm"].map(Value::from);
            let profiles = case.get("profiles").and_then(Value::as_array);
            for profile in profiles.map_or(&all[..], Vec::as_slice) {
                runs += 1;
                let name = format!("{} in {profile}", case["name"]);
                rounds += run(&name, profile.as_str().unwrap(), list(case.get("steps")));
            }
        }
    }
    println!("C: {runs} scenarios with {rounds} rounds, 0 apart from Rust");
    assert!(runs > 100 && rounds > 100, "{runs} {rounds}");
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Runs the steps of a scenario, and counts its rounds.
fn run(name: &str, profile: &str, steps: &[Value]) -> usize {
    let (number, profile) = match profile {
        "google" => (1, Profile::google()),
        "ibm" => (2, Profile::ibm()),
        _ => (0, Profile::rfc9309()),
    };
    let mut both = Both::new(name, number, profile, START);
    for step in steps {
        let text = |key: &str| step.get(key).and_then(Value::as_str);
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_integer);
        let is = |key: &str| {
            step.get(key)
                .is_some_and(|value| *value == Value::from(true))
        };
        if let Some(at) = text("at") {
            both.now = moment(at);
        }
        if is("reset") {
            both.reset();
        }
        if is("reload") {
            both.reload();
        }
        if is("lost") {
            both.lose();
        }
        if let Some(answers) = step.get("fetch") {
            let answers: Vec<Answer> = list(Some(answers)).iter().map(answer).collect();
            let addresses = step.get("addresses").map(|all| list(Some(all)).iter());
            let addresses = addresses.map(|all| all.map(|ip| ip.as_str().unwrap().to_owned()));
            let addresses = addresses.map_or(vec![String::from("192.0.2.1")], Iterator::collect);
            both.round(&answers, &addresses);
        }
        if let Some(delay) = text("crawl_delay") {
            both.crawl_delay(delay);
        }
        for _ in 0..number(step, "start").unwrap_or(0) {
            both.start();
        }
        if let Some(reply) = step.get("reply") {
            for _ in 0..number(step, "replies").unwrap_or(1).max(1) {
                both.reply(&page_reply(reply), reply_started(reply));
            }
        }
        if let Some(run) = step.get("run") {
            for _ in 0..number(run, "count").unwrap() {
                both.wait();
                both.start();
                both.now += duration(run["takes"].as_str().unwrap());
                both.reply(&page_reply(&run["reply"]), None);
            }
        }
        let paths = list(step.get("denies"))
            .iter()
            .chain(list(step.get("allows")));
        let paths: Vec<&str> = paths.map(|path| path.as_str().unwrap()).collect();
        both.compare("/");
        for path in paths {
            both.compare(path);
        }
        both.turn();
    }
    both.rounds
}

/// An answer of the server in a scenario.
fn answer(written: &Value) -> Answer {
    let text = |key: &str| written.get(key).and_then(Value::as_str);
    let number = |key: &str| written.get(key).and_then(Value::as_integer).unwrap_or(0);
    let headers = written.get("headers").and_then(Value::as_table);
    Answer {
        status: number("status").try_into().unwrap(),
        headers: headers
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), header(value.as_str().unwrap()).into_bytes()))
            .collect(),
        body: text("body")
            .unwrap_or_default()
            .repeat(number("repeat").max(1) as usize)
            .into_bytes(),
        is_cut: text("end").is_some(),
        error: text("error").map(net_error),
        is_refused: written.get("refused").is_some(),
    }
}

/// The end of a request for a page in a scenario.
fn page_reply(written: &Value) -> Answer {
    let mut reply = answer(written);
    if let Some(wait) = written.get("retry_after") {
        let wait = header(wait.as_str().unwrap()).into_bytes();
        reply.headers.push((String::from("Retry-After"), wait));
    }
    reply
}

fn reply_started(written: &Value) -> Option<u64> {
    written
        .get("started")
        .map(|at| moment(at.as_str().unwrap()))
}

fn net_error(name: &str) -> (u8, NetError) {
    match name {
        "dns" => (1, NetError::Dns),
        "connect" => (2, NetError::Connect),
        "read" => (3, NetError::Read),
        "reset" => (4, NetError::Reset),
        "tls" => (5, NetError::Tls),
        "invalid response" => (6, NetError::InvalidResponse),
        "local" => (7, NetError::Local),
        "cut short" => (8, NetError::CutShort),
        _ => (0, NetError::Other),
    }
}

/// A value of a header; `date 2h` is the HTTP-date two hours after the start.
fn header(value: &str) -> String {
    match value.strip_prefix("date ") {
        Some(at) => httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_millis(moment(at))),
        None => value.to_owned(),
    }
}

fn moment(text: &str) -> u64 {
    match text.strip_prefix('-') {
        Some(before) => START - duration(before),
        None => START + duration(text),
    }
}

/// The milliseconds of a duration such as `1d12h`, `11h59m59s` or `500ms`.
fn duration(text: &str) -> u64 {
    const UNITS: [(&str, u64); 5] = [
        ("ms", 1),
        ("d", 86_400_000),
        ("h", 3_600_000),
        ("m", 60_000),
        ("s", 1000),
    ];
    let (mut sum, mut rest) = (0, text);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest[..digits].parse().unwrap();
        rest = &rest[digits..];
        let (unit, milliseconds) = UNITS
            .iter()
            .find(|(unit, _)| rest.starts_with(unit))
            .unwrap();
        rest = &rest[unit.len()..];
        sum += number * milliseconds;
    }
    sum
}

//! The scenarios of testdata/policy/ as testdata/README.md documents them, and the short forms of
//! times in them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use polite_robots_policy::{NetError, PageSignal, Reply, RetryAfter, Timestamp};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    #[serde(default)]
    pub(crate) case: Vec<Case>,
    #[serde(default)]
    pub(crate) origins: Vec<Origins>,
    #[serde(default)]
    pub(crate) bodies: Vec<Bodies>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) why: String,
    #[serde(default = "all_profiles")]
    pub(crate) profiles: Vec<String>,
    #[serde(default)]
    pub(crate) set: BTreeMap<String, toml::Value>,
    pub(crate) steps: Vec<TestStep>,
}

/// Lists of URLs. The URLs of one inner list have one origin, and different lists have different
/// origins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Origins {
    pub(crate) name: String,
    pub(crate) why: String,
    pub(crate) classes: Vec<Vec<String>>,
    /// The host of all URLs, which is the key of their common pace.
    pub(crate) host: Option<String>,
}

/// Bodies of answers with the status 200. Either all of them are files or none is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bodies {
    pub(crate) name: String,
    pub(crate) why: String,
    /// The profiles to which the case applies; all of them if the field is absent.
    #[serde(default = "all_profiles")]
    pub(crate) profiles: Vec<String>,
    pub(crate) is_file: bool,
    /// Whether the file closes the whole site.
    #[serde(default)]
    pub(crate) closes: bool,
    pub(crate) bodies: Vec<Body>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    pub(crate) content_encoding: Option<String>,
    text: Option<String>,
    hex: Option<String>,
}

impl Body {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match (&self.text, &self.hex) {
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(hex)) => {
                let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
                (0..hex.len()).step_by(2).map(byte).collect()
            }
            _ => panic!("want a text or bytes: {self:?}"),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TestStep {
    pub(crate) at: Option<String>,
    // The events.
    pub(crate) fetch: Option<Vec<ServerAnswer>>,
    pub(crate) addresses: Option<Vec<IpAddr>>,
    pub(crate) retry_until: Option<String>,
    pub(crate) reset: bool,
    pub(crate) reload: bool,
    pub(crate) lost: bool,
    pub(crate) crawl_delay: Option<String>,
    pub(crate) start: u32,
    pub(crate) reply: Option<PageReply>,
    pub(crate) replies: u32,
    pub(crate) run: Option<Run>,
    pub(crate) hour_of_starts: Option<PerProfile<u32>>,
    pub(crate) day_of_starts: Option<PerProfile<u32>>,
    pub(crate) hosts: Option<NewHosts>,
    pub(crate) host_crawl_delay: BTreeMap<String, String>,
    pub(crate) start_ready: Option<u32>,
    pub(crate) host_replies: BTreeMap<String, PageReply>,
    pub(crate) drive: Option<Drive>,
    // The expectations after the events.
    pub(crate) gets: Option<PerProfile<usize>>,
    pub(crate) urls: Option<Vec<String>>,
    pub(crate) waits: Option<String>,
    pub(crate) site: Option<String>,
    pub(crate) access: Option<PerProfile<String>>,
    pub(crate) denies: Vec<String>,
    pub(crate) allows: Vec<String>,
    pub(crate) next: Option<PerProfile<String>>,
    pub(crate) failures: Option<PerProfile<u32>>,
    pub(crate) fresh_until: Option<PerProfile<String>>,
    pub(crate) robots_date: Option<String>,
    pub(crate) explains: Option<PerProfile<String>>,
    pub(crate) turn: Option<PerProfile<String>>,
    pub(crate) host_turns: BTreeMap<String, String>,
    pub(crate) level: Option<PerProfile<u8>>,
    pub(crate) long_crawl_delay: Option<String>,
    pub(crate) wakeup: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(untagged)]
pub(crate) enum PerProfile<T> {
    All(T),
    Each(BTreeMap<String, T>),
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerAnswer {
    pub(crate) status: u16,
    pub(crate) body: String,
    pub(crate) repeat: usize,
    pub(crate) end: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) refused: bool,
    pub(crate) headers: BTreeMap<String, String>,
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PageReply {
    pub(crate) status: Option<u16>,
    pub(crate) error: Option<String>,
    pub(crate) started: Option<String>,
    pub(crate) retry_after: Option<String>,
    pub(crate) signal: Option<String>,
}

/// A number of requests. Each request starts as soon as it may.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) count: u32,
    pub(crate) reply: PageReply,
    pub(crate) takes: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewHosts {
    pub(crate) count: u32,
    pub(crate) group: Option<u64>,
}

/// Requests to all hosts for some time. Each request starts as soon as it may.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drive {
    pub(crate) lasts: String,
    pub(crate) starts: u32,
}

fn all_profiles() -> Vec<String> {
    PROFILES.map(str::to_string).to_vec()
}

pub(crate) const PROFILES: [&str; 3] = ["rfc9309", "google", "ibm"];

/// 2026-01-01.
pub(crate) const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

impl PageReply {
    pub(crate) fn reply(&self, started: Timestamp) -> Reply {
        let result = match (self.status, &self.error) {
            (Some(status), None) => Ok(status),
            (None, Some(error)) => Err(net_error(error)),
            _ => panic!("want a status or an error"),
        };
        let started = self.started.as_deref().map_or(started, moment);
        let retry_after = self.retry_after.as_deref().map(header);
        let signal = self.signal.as_deref().map(|signal| match signal {
            "challenge" => PageSignal::Challenge,
            "soft block" => PageSignal::SoftBlock,
            "honeypot" => PageSignal::Honeypot,
            other => panic!("{other}"),
        });
        Reply::new(result, started)
            .with_retry_after(retry_after.as_deref().and_then(RetryAfter::parse))
            .with_signal(signal)
    }
}

pub(crate) fn net_error(name: &str) -> NetError {
    match name {
        "dns" => NetError::Dns,
        "connect" => NetError::Connect,
        "read" => NetError::Read,
        "reset" => NetError::Reset,
        "tls" => NetError::Tls,
        "invalid response" => NetError::InvalidResponse,
        "local" => NetError::Local,
        "other" => NetError::Other,
        other => panic!("{other}"),
    }
}

/// A value of a header; `date 2h` is the HTTP-date two hours after the start.
pub(crate) fn header(value: &str) -> String {
    match value.strip_prefix("date ") {
        Some(at) => {
            let time = Duration::from_millis(moment(at).as_millis());
            httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + time)
        }
        None => value.to_string(),
    }
}

/// A time after the start of the scenario, or before it with a `-`.
pub(crate) fn moment(text: &str) -> Timestamp {
    match text.strip_prefix('-') {
        Some(before) => START.saturating_sub(duration(before)),
        None => START.saturating_add(duration(text)),
    }
}

/// A duration such as `1d12h`, `11h59m59s` or `500ms`.
pub(crate) fn duration(text: &str) -> Duration {
    parse_duration(text).unwrap_or_else(|| panic!("`{text}` is no duration"))
}

fn parse_duration(text: &str) -> Option<Duration> {
    let mut sum = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let (unit, milliseconds) = UNITS.iter().find(|(unit, _)| rest.starts_with(unit))?;
        rest = &rest[unit.len()..];
        sum += Duration::from_millis(number * milliseconds);
    }
    Some(sum).filter(|_| !text.is_empty())
}

pub(crate) fn written(duration: Duration) -> String {
    let mut rest = duration.as_millis() as u64;
    let mut text = String::new();
    for (unit, milliseconds) in [UNITS[1], UNITS[2], UNITS[3], UNITS[4], UNITS[0]] {
        if rest >= milliseconds {
            text.push_str(&format!("{}{unit}", rest / milliseconds));
            rest %= milliseconds;
        }
    }
    if text.is_empty() {
        "0s".to_string()
    } else {
        text
    }
}

const UNITS: [(&str, u64); 5] = [
    ("ms", 1),
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1000),
];

/// A value of a profile in its serde form. Durations are read from their short form.
pub(crate) fn in_json(value: &toml::Value) -> serde_json::Value {
    match value {
        toml::Value::String(text) => match parse_duration(text) {
            Some(duration) => serde_json::to_value(duration).unwrap(),
            None => text.as_str().into(),
        },
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Table(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), in_json(value)))
            .collect(),
        other => panic!("{other}"),
    }
}

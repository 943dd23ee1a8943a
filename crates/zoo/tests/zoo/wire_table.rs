//! The table of answers on the wire, `testdata/wire.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

/// An answer, and the result of a client that reads it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    pub(crate) name: String,
    /// The bytes of the answer; `{host}` is host and port.
    pub(crate) send: String,
    /// Further bytes of the answer, as hexadecimal digits.
    #[serde(default)]
    body_hex: String,
    /// A text that follows `repeats` times.
    #[serde(default)]
    repeat: String,
    #[serde(default)]
    repeats: usize,
    /// The end of the connection.
    #[serde(default)]
    pub(crate) then: Then,
    /// Whether a byte is sent each half second from the end of the first line on.
    #[serde(default)]
    pub(crate) drip: bool,
    /// The answers at other paths.
    #[serde(default)]
    pub(crate) pages: BTreeMap<String, String>,
    /// Whether this entry stands for many shapes, one for each byte at which the answer may be cut,
    /// from `cuts_from` on and before `cuts_until`.
    #[serde(default)]
    cuts: bool,
    #[serde(default)]
    cuts_from: usize,
    cuts_until: Option<usize>,
    pub(crate) access: String,
    #[serde(default)]
    pub(crate) cause: String,
    /// The time until robots.txt is asked for again: `early`, `late`, or a number of seconds.
    #[serde(default)]
    pub(crate) retry: String,
    /// The most seconds until the caller has the answer, with a time limit of 2 seconds.
    pub(crate) seconds: Option<u64>,
    /// The clients whose library gives another result, and why.
    #[serde(default)]
    pub(crate) differs: BTreeMap<String, BTreeMap<String, String>>,
}

/// The end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Then {
    #[default]
    Close,
    Reset,
    Hold,
}

#[derive(Deserialize)]
struct Table {
    shape: Vec<Shape>,
}

/// All shapes. An entry with cuts gives one shape for each cut.
pub(crate) fn shapes() -> Vec<Shape> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/wire.toml");
    let table: Table = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    table.shape.into_iter().flat_map(Shape::cuts).collect()
}

impl Shape {
    /// The bytes of the answer at a path.
    pub(crate) fn answer(&self, path: &str, host: &str) -> Option<Vec<u8>> {
        let text = match path {
            "/robots.txt" => &self.send,
            path => self.pages.get(path)?,
        };
        let mut bytes = text.replace("{host}", host).into_bytes();
        if path == "/robots.txt" {
            bytes.extend(self.body());
            bytes.extend(self.repeat.repeat(self.repeats).bytes());
        }
        Some(bytes)
    }

    fn body(&self) -> impl Iterator<Item = u8> + '_ {
        let byte = |at| u8::from_str_radix(self.body_hex.get(at..at + 2).unwrap(), 16).unwrap();
        (0..self.body_hex.len()).step_by(2).map(byte)
    }

    fn cuts(self) -> Vec<Shape> {
        if !self.cuts {
            return vec![self];
        }
        let whole = self.send.len() + self.body_hex.len() / 2;
        let start = |text: &str, len: usize| text.get(..len).unwrap_or(text).to_owned();
        let cut = |at: usize| Shape {
            name: format!("{}-{at}", self.name),
            send: start(&self.send, at),
            body_hex: start(&self.body_hex, 2 * at.saturating_sub(self.send.len())),
            cuts: false,
            ..self.clone()
        };
        (self.cuts_from..self.cuts_until.unwrap_or(whole))
            .map(cut)
            .collect()
    }
}

/// The result of a client, in the words of the table.
#[derive(Debug, Deserialize)]
pub(crate) struct Heard {
    /// `rules`, `open` or `closed`.
    pub(crate) access: String,
    /// A status, the name of a cause, or `no_rules`; empty if the client gives no cause.
    pub(crate) cause: String,
    /// The seconds until robots.txt is asked for again.
    pub(crate) retry: Option<f64>,
    /// Whether the client reports no times.
    #[serde(default)]
    pub(crate) no_times: bool,
    /// The seconds until the client had the result.
    pub(crate) after: f64,
}

impl Shape {
    /// The difference between the table and the result of a client, if there is one.
    pub(crate) fn fault(&self, client: &str, heard: &Heard) -> Option<String> {
        let none = BTreeMap::new();
        let differs = self.differs.get(client).unwrap_or(&none);
        let of = |key: &str, value: &str| differs.get(key).map_or(value, String::as_str).to_owned();
        let (access, cause) = (of("access", &self.access), of("cause", &self.cause));
        let retry = match differs.contains_key("access") || differs.contains_key("cause") {
            true => "",
            false => &self.retry,
        };
        let is_access = access == "any" || access == heard.access;
        // A client may give no cause for pages that are open.
        let is_cause = cause == "any"
            || heard.access != "closed" && heard.cause.is_empty()
            || cause == heard.cause;
        let within = |least: f64, most: f64| {
            heard
                .retry
                .is_some_and(|retry| (least..=most).contains(&retry))
        };
        let is_retry = match retry {
            _ if heard.no_times => true,
            "" => true,
            "early" => within(0.0, 3.0),
            "late" => within(30.0, 400.0),
            number => {
                let number: f64 = number.parse().unwrap();
                within(number - LATE, number + 1.0)
            }
        };
        let is_late = self.seconds.is_some() && heard.after > LATE;
        let is_right = is_access && is_cause && is_retry && !is_late;
        (!is_right).then(|| {
            let name = &self.name;
            format!("{name}: {heard:?}, not {access}, {cause}, {retry}")
        })
    }
}

/// The tolerance for a busy machine, which makes everything later. Answers that drip and hold last
/// for a minute.
const LATE: f64 = 20.0;

//! How cases write bytes that TOML does not hold, or holds only at length.

use serde::Deserialize;

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Encoding {
    /// Each character is one byte.
    Latin1,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Repeat {
    text: String,
    times: usize,
}

pub(crate) fn repeated(text: &str, repeat: Option<&Repeat>) -> String {
    match repeat {
        Some(repeat) => text.replace("{@}", &repeat.text.repeat(repeat.times)),
        None => text.to_string(),
    }
}

pub(crate) fn bytes(text: &str, repeat: Option<&Repeat>, encoding: Option<Encoding>) -> Vec<u8> {
    let text = repeated(text, repeat);
    let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or_else(|_| panic!("{c} in latin1"));
    match encoding {
        None => text.into_bytes(),
        Some(Encoding::Latin1) => text.chars().map(byte).collect(),
    }
}

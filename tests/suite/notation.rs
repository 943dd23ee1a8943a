//! The notations of the case files: bytes that TOML cannot hold, and long texts.

use serde::Deserialize;

/// The encoding of a case's text, UTF-8 if the case names none.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Encoding {
    /// Each character is one byte.
    Latin1,
}

/// The text that replaces `{@}`, and how many times it is repeated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Repeat {
    text: String,
    times: usize,
}

/// Replaces each `{@}` with the repeated text.
pub(crate) fn repeated(text: &str, repeat: Option<&Repeat>) -> String {
    match repeat {
        Some(repeat) => text.replace("{@}", &repeat.text.repeat(repeat.times)),
        None => text.to_string(),
    }
}

/// The bytes of a case's text.
pub(crate) fn bytes(text: &str, repeat: Option<&Repeat>, encoding: Option<Encoding>) -> Vec<u8> {
    let text = repeated(text, repeat);
    let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or_else(|_| panic!("latin1 has no {c}"));
    match encoding {
        None => text.into_bytes(),
        Some(Encoding::Latin1) => text.chars().map(byte).collect(),
    }
}

//! Helpers of several targets and tools: a question about a file as fuzzer input, and counted
//! instructions.

pub mod callgrind;

use arbitrary::Arbitrary;
use polite_robots::{Dialect, Options};

/// A question about a file. The last field takes the remaining bytes, so a seed is nearly the file
/// itself.
#[derive(Debug, Arbitrary, PartialEq)]
pub struct Question<'a> {
    pub google: bool,
    pub max_bytes: Option<u16>,
    pub agent: u8,
    pub url: &'a str,
    pub file: &'a [u8],
}

/// The agents that a question can be about: frequent ones in the seeds, and one that no file names.
pub const AGENTS: [&str; 8] = [
    "*",
    "ExampleBot",
    "a",
    "b1",
    "Googlebot",
    "FooBot",
    "MJ12bot",
    "nobody",
];

impl Question<'_> {
    pub fn dialect(&self) -> Dialect {
        if self.google {
            Dialect::Google
        } else {
            Dialect::Rfc9309
        }
    }

    pub fn options(&self) -> Options {
        let mut options = options(self.dialect());
        options.max_bytes = self.max_bytes.map(usize::from);
        options
    }

    pub fn agent(&self) -> &'static str {
        AGENTS[usize::from(self.agent) % AGENTS.len()]
    }

    /// Returns the bytes that `arbitrary` reads as this question; `None` if it is too long.
    pub fn to_seed(&self) -> Option<Vec<u8>> {
        let mut seed = vec![u8::from(self.google)];
        match self.max_bytes {
            Some(max_bytes) => {
                seed.push(1);
                seed.extend(max_bytes.to_le_bytes());
            }
            None => seed.push(0),
        }
        seed.push(self.agent);
        seed.extend(self.url.bytes());
        seed.extend(self.file);
        seed.extend(trailing_length(
            self.url.len(),
            self.url.len() + self.file.len(),
        )?);
        Some(seed)
    }
}

pub fn options(dialect: Dialect) -> Options {
    match dialect {
        Dialect::Rfc9309 => Options::rfc9309(),
        Dialect::Google => Options::google(),
    }
}

/// Encodes a length of at most `max` bytes like `arbitrary` reads it: at the end of the input, in
/// one byte if the whole input fits, else in two.
pub fn trailing_length(length: usize, max: usize) -> Option<Vec<u8>> {
    if max <= usize::from(u8::MAX) {
        Some(vec![u8::try_from(length).ok()?])
    } else if max < usize::from(u16::MAX) {
        Some(u16::try_from(length).ok()?.to_be_bytes().to_vec())
    } else {
        None
    }
}

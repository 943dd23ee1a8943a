//! The depth of a survey: on how many files the costly work is done.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The depth of a survey: on how many files the costly work is done.
///
/// ```
/// use polite_robots_survey::Depth;
///
/// // Inputs that are read within seconds are surveyed thoroughly.
/// assert_eq!(Depth::of_bytes(1_000_000), Depth::Thorough);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// One file in 8 has its rules compared with each other, and one file in 32 is read in both
    /// dialects and has a check of a URL timed. The choice depends on the site alone, so neither
    /// order nor split of a survey matters.
    #[default]
    Sampled,
    /// Every file gets all of the work.
    Thorough,
}

impl Depth {
    /// The depth that suits inputs of this size in all, compressed or not: thorough below 64 MiB.
    #[must_use]
    pub fn of_bytes(bytes: u64) -> Depth {
        match bytes {
            ..QUICKLY_READ => Depth::Thorough,
            _ => Depth::Sampled,
        }
    }
}

/// The option on the command line.
impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Depth::Sampled => "--sampled",
            Depth::Thorough => "--thorough",
        })
    }
}

/// The size of inputs that take only seconds at any depth.
const QUICKLY_READ: u64 = 64 * 1024 * 1024;

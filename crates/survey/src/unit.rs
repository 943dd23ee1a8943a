//! The unit of a survey: each response, each distinct body, or each domain counts once.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The unit of a survey, which counts once.
///
/// ```
/// use polite_robots_survey::Unit;
///
/// assert_eq!(Unit::default(), Unit::Response);
/// assert_eq!(Unit::Domain.to_string(), "domain");
/// ```
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Each response counts.
    #[default]
    Response,
    /// One of the files with the same bytes counts.
    Body,
    /// One response of each domain that someone registered counts.
    Domain,
}

impl Unit {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Unit::Response => "response",
            Unit::Body => "body",
            Unit::Domain => "domain",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

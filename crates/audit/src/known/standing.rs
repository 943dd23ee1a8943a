//! The standing of a crawler's name: whether it is still used, and whether the crawler obeys
//! robots.txt.

use serde::Serialize;

/// Whether a crawler obeys robots.txt, as its operator says; where the operator says nothing, as
/// the list of AI crawlers says.
///
/// A statement, not an observation: only the log of a server shows what a crawler does.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compliance {
    /// It does.
    Yes,
    /// Not always: it may pass over a rule for everyone, or fetch in spite of the file for somebody
    /// who asks for a page.
    InPart,
    /// It does not.
    No,
    /// Nothing is known.
    #[default]
    Unknown,
}

impl Compliance {
    /// The stable name for machines.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Compliance::Yes => "yes",
            Compliance::InPart => "in-part",
            Compliance::No => "no",
            Compliance::Unknown => "unknown",
        }
    }
}

/// The end of a name that its operator no longer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retirement {
    successor: Option<&'static str>,
    source: &'static str,
}

impl Retirement {
    pub(super) const fn new(successor: Option<&'static str>, source: &'static str) -> Retirement {
        Retirement { successor, source }
    }

    /// The token that took the name's place: `bingbot` for `msnbot`.
    #[must_use]
    pub fn successor(self) -> Option<&'static str> {
        self.successor
    }

    /// The page that says so.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.source
    }
}

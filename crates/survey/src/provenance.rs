//! The provenance of a survey: the program, the titles and the dates of the records.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::dates::Dates;

/// The provenance of a survey, apart from its inputs, which a part lists itself. It adds up in any
/// order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Provenance {
    /// The versions of this library that counted.
    pub(crate) versions: BTreeSet<String>,
    /// The titles that the survey, or its parts, were given.
    pub(crate) titles: BTreeSet<String>,
    /// The first and the last date of the responses of WARC archives.
    pub(crate) records: Dates,
}

impl Provenance {
    /// The provenance of a survey by this version of the library.
    pub(crate) fn new() -> Provenance {
        Provenance {
            versions: BTreeSet::from([String::from(env!("CARGO_PKG_VERSION"))]),
            ..Provenance::default()
        }
    }

    /// Adds the provenance of another part.
    pub(crate) fn merge(&mut self, other: Provenance) {
        self.versions.extend(other.versions);
        self.titles.extend(other.titles);
        self.records.merge(&other.records);
    }
}

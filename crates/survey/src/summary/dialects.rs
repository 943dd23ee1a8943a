//! Where RFC 9309 and Google's matcher answer differently.

use std::borrow::Cow;
use std::collections::BTreeMap;

use polite_robots::lint::Difference;
use serde::{Deserialize, Serialize};

use crate::summary::file::Facts;
use crate::summary::merge::merge_fields;
use crate::summary::occurrences::Occurrences;

/// Differences about the URLs that the rules for everyone name, for an agent that no file names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Dialects {
    /// Files that were read in both.
    pub(crate) compared: u64,
    pub(crate) urls: u64,
    /// Files with a URL about which they disagree, other than `/robots.txt`.
    pub(crate) disagreeing: u64,
    /// The URLs about which they disagree, by the reason.
    pub(crate) reasons: BTreeMap<Cow<'static, str>, Occurrences>,
}

impl Dialects {
    pub(crate) fn add(&mut self, facts: &Facts<'_>) {
        let Some(compared) = &facts.dialects else {
            return;
        };
        self.compared += 1;
        self.urls += compared.urls;
        let mut differences = compared.differences.clone();
        differences.sort_unstable();
        let is_of_file = |difference: &Difference| *difference != Difference::RobotsTxtItself;
        self.disagreeing += u64::from(differences.iter().any(is_of_file));
        for same in differences.chunk_by(|one, other| one == other) {
            if let Some(difference) = same.first() {
                let reason = Cow::Borrowed(difference.as_str());
                let occurrences = self.reasons.entry(reason).or_default();
                occurrences.add(same.len() as u64);
            }
        }
    }
}

merge_fields!(Dialects {
    compared,
    urls,
    disagreeing,
    reasons,
});

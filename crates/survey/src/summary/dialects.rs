//! The URLs about which RFC 9309 and Google's matcher answer differently.

use std::borrow::Cow;
use std::collections::BTreeMap;

use polite_robots_audit::comparison::DisagreementReason;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::summary::file::FileFacts;
use crate::summary::interval::Interval;
use crate::summary::merge::counts;
use crate::summary::occurrences::{ByKey as _, Occurrences};

counts! {
    /// Counts of the disagreements about the URLs of the rules for `*`, for an agent that no file
    /// names.
    #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
    pub(crate) struct Dialects {
        /// Files that were read in both dialects.
        pub(crate) compared: u64,
        /// URLs that were checked in both dialects.
        pub(crate) urls: u64,
        /// Files with a URL, other than `/robots.txt`, about which the dialects disagree.
        pub(crate) disagreeing: u64,
        /// The URLs about which the dialects disagree, by reason.
        pub(crate) reasons: BTreeMap<Cow<'static, str>, Occurrences>,
    }
}

impl Dialects {
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let Some(compared) = &facts.dialects else {
            return;
        };
        self.compared += 1;
        self.urls += compared.urls;
        let mut reasons = compared.reasons.iter();
        let is_disagreeing = reasons.any(|reason| *reason != DisagreementReason::RobotsTxtItself);
        self.disagreeing += u64::from(is_disagreeing);
        let reasons = compared.reasons.iter();
        let names = reasons.map(|reason| Cow::Borrowed(reason.as_str()));
        self.reasons.add_file(names);
    }
}

/// The JSON form: the counts, and the intervals of those that were counted in a sample.
impl Serialize for Dialects {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let disagreeing = Interval::of(self.disagreeing, self.compared);
        let reasons = Interval::of_each(&self.reasons, self.compared);
        let mut fields = serializer.serialize_struct("Dialects", 6)?;
        fields.serialize_field("compared", &self.compared)?;
        fields.serialize_field("urls", &self.urls)?;
        fields.serialize_field("disagreeing", &self.disagreeing)?;
        fields.serialize_field("disagreeing_percent", &disagreeing)?;
        fields.serialize_field("reasons", &self.reasons)?;
        fields.serialize_field("reasons_percent", &reasons)?;
        fields.end()
    }
}

//! Preferences about the use of content: `Content-Signal`, `Content-Usage` and `License`.

use std::collections::BTreeMap;

use polite_robots::record::ExtensionField;
use polite_robots_records::{ExtensionValue, KeyValue, Preference, UsageCategory};
use serde::{Deserialize, Serialize};

use crate::summary::file::FileFacts;
use crate::summary::merge::counts;
use crate::summary::occurrences::{ByKey as _, Occurrences};
use crate::summary::tally::{Name, Tally};

counts! {
    /// Counts of the records about the use of content.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Usage {
        pub(crate) content_signal: Statements,
        pub(crate) content_usage: Statements,
        pub(crate) license: Occurrences,
        /// `License` records without an absolute URI.
        pub(crate) invalid_license: Occurrences,
        /// Files with a record of at least one of the three fields.
        pub(crate) files: u64,
    }

    /// Counts of the records of one field.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Statements {
        pub(crate) records: Occurrences,
        /// Records that are malformed and state nothing.
        pub(crate) invalid: Occurrences,
        /// Records for a part of the site only.
        pub(crate) with_path: Occurrences,
        /// Files by their preference about search. If a file states two, the more restrictive
        /// counts, here and below.
        pub(crate) search: UseCounts,
        pub(crate) ai_input: UseCounts,
        pub(crate) ai_training: UseCounts,
        /// The pairs of key and value in lower case, known or not.
        pub(crate) pairs: Tally<Occurrences>,
    }

    /// Counts of files by their preference about one use.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub(crate) struct UseCounts {
        pub(crate) allowed: u64,
        pub(crate) disallowed: u64,
    }
}

impl Usage {
    /// Whether a file has a record of one of the three fields.
    pub(crate) fn has_any(facts: &FileFacts<'_>) -> bool {
        let mut records = facts.extensions.iter();
        records.any(|record| is_about_use(record.field()))
    }

    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        // Nearly all files have no such record.
        let mut signals = FileStatements::default();
        let mut usages = FileStatements::default();
        let (mut licenses, mut invalid_licenses) = (0, 0);
        let mut count = 0;
        let records = facts.extensions.iter();
        for record in records.filter(|record| is_about_use(record.field())) {
            count += 1;
            match (record.field(), ExtensionValue::of(record)) {
                (_, ExtensionValue::ContentSignal(signal)) => {
                    signals.add(signal.path(), |category| signal.preference(category));
                    signals.pairs.extend(signal.pairs().map(pair_name));
                }
                (_, ExtensionValue::ContentUsage(usage)) => {
                    usages.add(usage.path(), |category| usage.preference(category));
                    usages.pairs.extend(usage.pairs().map(pair_name));
                }
                (_, ExtensionValue::License(_)) => licenses += 1,
                (ExtensionField::ContentSignal, _) => signals.invalid += 1,
                (ExtensionField::ContentUsage, _) => usages.invalid += 1,
                (_, _) => invalid_licenses += 1,
            }
        }
        if count == 0 {
            return;
        }
        self.files += 1;
        self.content_signal.add(signals);
        self.content_usage.add(usages);
        self.license.add(licenses);
        self.invalid_license.add(invalid_licenses);
    }
}

fn is_about_use(field: ExtensionField) -> bool {
    matches!(
        field,
        ExtensionField::ContentSignal | ExtensionField::ContentUsage | ExtensionField::License
    )
}

/// The records of one field in one file.
#[derive(Default)]
struct FileStatements {
    records: u64,
    invalid: u64,
    with_path: u64,
    stated: BTreeMap<UsageCategory, Preference>,
    pairs: Vec<Name>,
}

impl FileStatements {
    fn add(&mut self, path: Option<&[u8]>, preference: impl Fn(UsageCategory) -> Preference) {
        self.records += 1;
        self.with_path += u64::from(path.is_some());
        for &category in UsageCategory::ALL {
            let stated = self.stated.entry(category).or_default();
            *stated = preference(category).max(*stated);
        }
    }
}

impl Statements {
    fn add(&mut self, file: FileStatements) {
        self.records.add(file.records + file.invalid);
        self.invalid.add(file.invalid);
        self.with_path.add(file.with_path);
        for (category, preference) in file.stated {
            let uses = match category {
                UsageCategory::Search => &mut self.search,
                UsageCategory::AiInput => &mut self.ai_input,
                UsageCategory::AiTraining => &mut self.ai_training,
                _ => continue,
            };
            uses.allowed += u64::from(preference == Preference::Allowed);
            uses.disallowed += u64::from(preference == Preference::Disallowed);
        }
        self.pairs.add_file(file.pairs.into_iter());
    }
}

fn pair_name(pair: KeyValue<'_>) -> Name {
    Name::lower(&[pair.key(), b"=", pair.value()].concat())
}

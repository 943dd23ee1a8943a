//! The fields of the records: known, misspelled and unknown.

use std::borrow::Cow;
use std::collections::BTreeMap;

use polite_robots::Access;
use polite_robots_lint::DiagnosticCode;
use polite_robots_records::ProposedField;
use serde::{Deserialize, Serialize};

use crate::summary::file::FileFacts;
use crate::summary::merge::counts;
use crate::summary::occurrences::{ByKey as _, Occurrences};
use crate::summary::tally::{Name, Tally};

counts! {
    /// Counts of the records by field.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Records {
        /// Records by the name of the field in its specification, misspelled fields included. A
        /// rule before the first `User-agent` line has no effect and is not counted; it has the
        /// finding `rule-before-group`.
        pub(crate) known: BTreeMap<Cow<'static, str>, Occurrences>,
        /// Misspellings that are read as a known field, in lower case.
        pub(crate) misspelled: Tally<Occurrences>,
        /// Names that no document defines, in lower case. HTML pages are left out.
        pub(crate) unknown: Tally<Occurrences>,
        /// Names that are proposed and in no standard, in lower case. Those that begin like the
        /// field of a rule have the finding `prefixed-field` too.
        #[serde(default)]
        pub(crate) proposed: Tally<Occurrences>,
    }
}

impl Records {
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let is_allow = |access: Access| access == Access::Allow;
        let allows = facts.rules.iter().filter(|rule| is_allow(rule.access));
        let allows = allows.count() as u64;
        self.add_known("User-agent", facts.user_agents);
        self.add_known("Allow", allows);
        self.add_known("Disallow", facts.rules.len() as u64 - allows);
        let fields = facts
            .extensions
            .iter()
            .map(|record| record.field().as_str());
        self.known.add_file(fields.map(Cow::Borrowed));
        add_names(&mut self.misspelled, facts, |code, _| {
            code == DiagnosticCode::MisspelledField
        });
        add_names(&mut self.unknown, facts, |code, _| {
            code == DiagnosticCode::UnknownField
        });
        add_names(&mut self.proposed, facts, |code, name| {
            code == DiagnosticCode::ProposedField
                || (code == DiagnosticCode::PrefixedField
                    && ProposedField::from_name(name).is_some())
        });
    }

    fn add_known(&mut self, field: &'static str, records: u64) {
        if records == 0 {
            return;
        }
        let occurrences = self.known.entry(Cow::Borrowed(field)).or_default();
        occurrences.add(records);
    }
}

/// Counts the names that findings point at, chosen by the code and the name.
fn add_names(
    tally: &mut Tally<Occurrences>,
    facts: &FileFacts<'_>,
    is_counted: impl Fn(DiagnosticCode, &[u8]) -> bool,
) {
    let findings = facts.findings.iter().map(|finding| {
        let name = facts.body.get(finding.span.clone()).unwrap_or_default();
        (finding.code, name)
    });
    let names = findings.filter(|(code, name)| is_counted(*code, name));
    let names = names.map(|(_, name)| Name::lower(name));
    tally.add_file(names);
}

//! The findings in the files, counted by code.

use std::collections::BTreeMap;

use polite_robots_lint::{DiagnosticCode, Severity};
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::summary::file::FileFacts;
use crate::summary::interval::Interval;
use crate::summary::merge::counts;
use crate::summary::occurrences::{ByKey as _, Occurrences};

counts! {
    /// Counts of the findings.
    #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
    pub(crate) struct Findings {
        /// Findings about lines, in all files.
        pub(crate) of_lines: BTreeMap<DiagnosticCode, Occurrences>,
        /// Files with a finding about a line, by its severity.
        pub(crate) by_severity: BTreeMap<Severity, u64>,
        /// Files without a finding about a line.
        pub(crate) clean: u64,
        /// Files whose rules were compared with each other.
        pub(crate) linted: u64,
        /// Findings from comparing rules, in the `linted` files.
        pub(crate) of_rules: BTreeMap<DiagnosticCode, Occurrences>,
        /// The files with rules.
        pub(crate) with_rules: FilesWithRules,
    }

    /// The files with rules that are not web pages: those whose author wrote a robots.txt.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct FilesWithRules {
        pub(crate) files: u64,
        /// Files with rules and with an error about a line.
        pub(crate) with_error: u64,
        /// Files with rules that were compared with each other.
        pub(crate) linted: u64,
        /// Files of `linted` without any finding, about a line or about rules.
        pub(crate) without_finding: u64,
    }
}

impl Findings {
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let codes = facts.findings.iter().map(|finding| finding.code);
        self.of_lines.add_file(codes);
        self.clean += u64::from(facts.findings.is_empty());
        for severity in [Severity::Note, Severity::Warning, Severity::Error] {
            let mut findings = facts.findings.iter();
            if findings.any(|finding| finding.severity == severity) {
                *self.by_severity.entry(severity).or_default() += 1;
            }
        }
        if let Some(codes) = &facts.lint {
            self.linted += 1;
            self.of_rules.add_file(codes.iter().copied());
        }
        if FilesWithRules::has(facts) {
            self.with_rules.add(facts);
        }
    }
}

/// The JSON form: the counts, and the intervals of those that were counted in a sample.
impl Serialize for Findings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let intervals = Interval::of_each(&self.of_rules, self.linted);
        let mut fields = serializer.serialize_struct("Findings", 7)?;
        fields.serialize_field("of_lines", &self.of_lines)?;
        fields.serialize_field("by_severity", &self.by_severity)?;
        fields.serialize_field("clean", &self.clean)?;
        fields.serialize_field("linted", &self.linted)?;
        fields.serialize_field("of_rules", &self.of_rules)?;
        fields.serialize_field("of_rules_percent", &intervals)?;
        fields.serialize_field("with_rules", &self.with_rules)?;
        fields.end()
    }
}

impl FilesWithRules {
    /// Whether a file has rules and is no web page.
    pub(crate) fn has(facts: &FileFacts<'_>) -> bool {
        let mut findings = facts.findings.iter();
        !facts.rules.is_empty()
            && !findings.any(|finding| finding.code == DiagnosticCode::HtmlDocument)
    }

    /// Whether a file has an error about a line.
    pub(crate) fn has_error(facts: &FileFacts<'_>) -> bool {
        let mut findings = facts.findings.iter();
        findings.any(|finding| finding.severity == Severity::Error)
    }

    fn add(&mut self, facts: &FileFacts<'_>) {
        self.files += 1;
        self.with_error += u64::from(FilesWithRules::has_error(facts));
        if let Some(codes) = &facts.lint {
            self.linted += 1;
            self.without_finding += u64::from(facts.findings.is_empty() && codes.is_empty());
        }
    }
}

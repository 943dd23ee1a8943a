//! The findings in the files, counted by code.

use std::collections::BTreeMap;

use polite_robots_lint::{DiagnosticCode, Severity};
use serde::{Deserialize, Serialize};

use crate::summary::file::FileFacts;
use crate::summary::merge::merge_fields;
use crate::summary::occurrences::Occurrences;

/// Counts of the findings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
}

impl Findings {
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let mut codes: Vec<DiagnosticCode> =
            facts.findings.iter().map(|finding| finding.code).collect();
        add_each(&mut self.of_lines, &mut codes);
        self.clean += u64::from(codes.is_empty());
        for severity in [Severity::Note, Severity::Warning, Severity::Error] {
            let mut findings = facts.findings.iter();
            if findings.any(|finding| finding.severity == severity) {
                *self.by_severity.entry(severity).or_default() += 1;
            }
        }
        if let Some(codes) = &facts.lint {
            self.linted += 1;
            add_each(&mut self.of_rules, &mut codes.clone());
        }
    }
}

fn add_each(map: &mut BTreeMap<DiagnosticCode, Occurrences>, codes: &mut [DiagnosticCode]) {
    codes.sort_unstable();
    for same in codes.chunk_by(|one, other| one == other) {
        if let Some(code) = same.first() {
            map.entry(*code).or_default().add(same.len() as u64);
        }
    }
}

merge_fields!(Findings {
    of_lines,
    by_severity,
    clean,
    linted,
    of_rules,
});

//! The findings for programs: one JSON document. Names and order of the fields are part of the
//! command's contract.

use std::borrow::Cow;
use std::io::{self, Write};

use polite_robots_lint::Severity;
use serde::Serialize;

use crate::json;
use crate::lint::linted::{Finding, Linted};
use crate::lint::proposals::ProposalFields;
use crate::lint::report::{FailedTo, Report};
use crate::reading::Dialect;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let document = Document {
        dialect: report.reading.of_file(),
        summary: Summary::new(report),
        files: report.linted.iter().map(FileFields::new).collect(),
        unreadable: failed(report, FailedTo::Read),
        unwritten: failed(report, FailedTo::Write),
    };
    json::write(out, &document)
}

#[derive(Serialize)]
struct Document<'a> {
    dialect: Dialect,
    summary: Summary,
    files: Vec<FileFields<'a>>,
    unreadable: Vec<FailedFields<'a>>,
    unwritten: Vec<FailedFields<'a>>,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    denied: usize,
}

impl Summary {
    fn new(report: &Report<'_>) -> Summary {
        let count = |is_counted: fn(&Finding) -> bool| {
            let findings = report.linted.iter().flat_map(|linted| &linted.findings);
            findings.filter(|finding| is_counted(finding)).count()
        };
        Summary {
            files: report.linted.len(),
            errors: count(|finding| finding.severity() == Severity::Error),
            warnings: count(|finding| finding.severity() == Severity::Warning),
            notes: count(|finding| finding.severity() == Severity::Note),
            denied: count(|finding| finding.is_denied),
        }
    }
}

#[derive(Serialize)]
struct FileFields<'a> {
    file: String,
    findings: Vec<FindingFields<'a>>,
}

impl<'a> FileFields<'a> {
    fn new(linted: &'a Linted<'_>) -> FileFields<'a> {
        FileFields {
            file: linted.input.argument().into_owned(),
            findings: FindingFields::of_file(linted),
        }
    }
}

/// A finding with its place.
#[derive(Serialize)]
pub(super) struct FindingFields<'a> {
    code: &'static str,
    severity: &'static str,
    denied: bool,
    message: &'a str,
    suggestion: Option<&'a str>,
    proposals: Vec<ProposalFields<'a>>,
    start: PositionFields,
    end: PositionFields,
}

impl<'a> FindingFields<'a> {
    pub(super) fn of_file(linted: &'a Linted<'_>) -> Vec<FindingFields<'a>> {
        linted.findings.iter().map(FindingFields::new).collect()
    }

    fn new(finding: &'a Finding) -> FindingFields<'a> {
        let place = &finding.place;
        FindingFields {
            code: finding.code().as_str(),
            severity: finding.severity().as_str(),
            denied: finding.is_denied,
            message: finding.diagnostic.message(),
            suggestion: finding.suggestion(),
            proposals: ProposalFields::of(&finding.diagnostic),
            start: PositionFields {
                line: place.start.line,
                column: place.start.column,
                byte: place.bytes.start,
            },
            end: PositionFields {
                line: place.end.line,
                column: place.end.column,
                byte: place.bytes.end,
            },
        }
    }
}

#[derive(Serialize)]
struct PositionFields {
    line: usize,
    column: usize,
    byte: usize,
}

#[derive(Serialize)]
struct FailedFields<'a> {
    file: Cow<'a, str>,
    message: &'a str,
}

fn failed<'a>(report: &'a Report<'_>, how: FailedTo) -> Vec<FailedFields<'a>> {
    let failed = report.failed.iter().filter(|failed| failed.how == how);
    let fields = failed.map(|failed| FailedFields {
        file: failed.input.argument(),
        message: &failed.message,
    });
    fields.collect()
}

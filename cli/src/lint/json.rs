//! The findings for programs: one JSON document. Names and order of the fields are part of the
//! command's contract.

use std::io::{self, Write};

use polite_robots_lint::{Edit, Proposal, Severity};

use crate::json::{self, Fields, Object, object};
use crate::lint::linted::{Finding, Linted};
use crate::lint::place::Position;
use crate::lint::report::{FailedTo, Report};

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let count = |is_counted: fn(&Finding) -> bool| {
        let findings = report.linted.iter().flat_map(|linted| &linted.findings);
        findings.filter(|finding| is_counted(finding)).count()
    };
    let files = report.linted.iter();
    let files = files.map(|linted| {
        object! { "file": linted.input.argument(), "findings": findings_fields(linted) }
    });
    let failed = |how: FailedTo| {
        let failed = report.failed.iter().filter(move |failed| failed.how == how);
        let fields = failed.map(|failed| {
            object! { "file": failed.input.argument(), "message": &failed.message }
        });
        fields.collect::<Vec<_>>()
    };
    let document = object! {
        "dialect": report.reading.of_file(),
        "summary": object! {
            "files": report.linted.len(),
            "errors": count(|finding| finding.severity() == Severity::Error),
            "warnings": count(|finding| finding.severity() == Severity::Warning),
            "notes": count(|finding| finding.severity() == Severity::Note),
            "denied": count(|finding| finding.is_denied),
        },
        "files": files.collect::<Vec<_>>(),
        "unreadable": failed(FailedTo::Read),
        "unwritten": failed(FailedTo::Write),
    };
    json::write(out, &document)
}

/// The findings of a file with their places.
pub(super) fn findings_fields(linted: &Linted<'_>) -> Vec<Object<impl Fields>> {
    linted.findings.iter().map(finding_fields).collect()
}

fn finding_fields(finding: &Finding) -> Object<impl Fields> {
    let place = &finding.place;
    let proposals = finding.diagnostic.proposals().iter();
    object! {
        "code": finding.code().as_str(),
        "severity": finding.severity().as_str(),
        "denied": finding.is_denied,
        "message": finding.diagnostic.message(),
        "suggestion": finding.suggestion(),
        "proposals": proposals.map(proposal_fields).collect::<Vec<_>>(),
        "start": position_fields(place.start, place.bytes.start),
        "end": position_fields(place.end, place.bytes.end),
    }
}

/// A proposal, with the kind of answers that it changes.
fn proposal_fields(proposal: &Proposal) -> Object<impl Fields> {
    let edits = proposal.edits().iter().map(edit_fields);
    object! { "changes": proposal.effect().as_str(), "edits": edits.collect::<Vec<_>>() }
}

fn edit_fields(edit: &Edit) -> Object<impl Fields> {
    object! { "start": edit.span().start, "end": edit.span().end, "text": edit.text() }
}

fn position_fields(position: Position, byte: usize) -> Object<impl Fields> {
    object! { "line": position.line, "column": position.column, "byte": byte }
}

//! The findings as SARIF 2.1.0 (OASIS), the format of code scanning.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>; the sections cited are its.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Component, Path};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use polite_robots_lint::DiagnosticCode;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::input::Input;
use crate::json::{self, object};
use crate::lint::explain::{sentence, why_it_matters};
use crate::lint::linted::{Finding, Linted};
use crate::lint::place::Place;
use crate::lint::report::Report;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let rules = Rules::of(report);
    let run = object! {
        "tool": serde_json::json!({
            "driver": {
                "name": "polite-robots",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.0.keys().map(|code| rule(*code)).collect::<Vec<_>>(),
            },
        }),
        "invocations": [invocation(report)],
        "artifacts": report.linted.iter().map(artifact).collect::<Vec<_>>(),
        "columnKind": "unicodeCodePoints",
        "results": Results { report, rules },
    };
    let document = object! {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    };
    json::write(out, &document)
}

/// The results, each made when it is written: a file of 500 KiB may have 30,000, and all together
/// would take a gigabyte.
struct Results<'a> {
    report: &'a Report<'a>,
    rules: Rules,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Results { report, rules } = self;
        serializer.collect_seq(report.linted.iter().flat_map(|linted| {
            let findings = linted.findings.iter();
            let findings = findings.map(|finding| result(linted, finding, rules));
            let allowed = linted.allowed.iter();
            findings.chain(allowed.map(|finding| suppressed(result(linted, finding, rules))))
        }))
    }
}

/// The codes that were found, with their places in the list of rules.
struct Rules(BTreeMap<DiagnosticCode, usize>);

impl Rules {
    fn of(report: &Report<'_>) -> Rules {
        let linted = report.linted.iter();
        let findings = linted.flat_map(|linted| linted.findings.iter().chain(&linted.allowed));
        let mut rules: BTreeMap<DiagnosticCode, usize> =
            findings.map(|finding| (finding.code(), 0)).collect();
        for (place, of_code) in rules.values_mut().enumerate() {
            *of_code = place;
        }
        Rules(rules)
    }
}

fn rule(code: DiagnosticCode) -> Value {
    let (name, page) = (code.as_str(), code.page());
    serde_json::json!({
        "id": name,
        "name": format!("{code:?}"),
        "shortDescription": { "text": sentence(code) },
        "fullDescription": { "text": why_it_matters(code) },
        "help": { "text": page, "markdown": page },
        "helpUri": code.page_url(),
        "defaultConfiguration": { "level": code.severity().as_str() },
    })
}

fn invocation(report: &Report<'_>) -> Value {
    let notifications = report.failed.iter().map(|failed| {
        serde_json::json!({
            "level": "error",
            "message": { "text": failed.message },
            "locations": [{ "physicalLocation": { "artifactLocation": artifact_location(failed.input) } }],
        })
    });
    serde_json::json!({
        "executionSuccessful": report.failed.is_empty(),
        "toolExecutionNotifications": notifications.collect::<Vec<_>>(),
    })
}

fn artifact(linted: &Linted<'_>) -> Value {
    serde_json::json!({
        "location": artifact_location(linted.input),
        "mimeType": "text/plain",
        "length": linted.robots_txt.as_bytes().len(),
    })
}

fn result(linted: &Linted<'_>, finding: &Finding, rules: &Rules) -> Value {
    let location = artifact_location(linted.input);
    let region = region(&finding.place);
    let mut result = serde_json::json!({
        "ruleId": finding.code().as_str(),
        "ruleIndex": rules.0.get(&finding.code()),
        "level": finding.severity().as_str(),
        "message": { "text": finding.diagnostic.message() },
        "locations": [{
            "physicalLocation": { "artifactLocation": location, "region": region },
        }],
    });
    if let (Some(suggestion), Some(result)) = (finding.suggestion(), result.as_object_mut()) {
        let description = match suggestion {
            "" => "remove it; no answer changes",
            _ => "write it in the standard way; no answer changes",
        };
        let fix = serde_json::json!({
            "description": { "text": description },
            "artifactChanges": [{
                "artifactLocation": location,
                "replacements": [{
                    "deletedRegion": region,
                    "insertedContent": { "text": suggestion },
                }],
            }],
        });
        result.insert("fixes".into(), serde_json::json!([fix]));
    }
    result
}

/// The result of a finding that a comment of the file allows.
fn suppressed(mut result: Value) -> Value {
    if let Some(result) = result.as_object_mut() {
        let suppression = serde_json::json!([{ "kind": "inSource", "status": "accepted" }]);
        result.insert("suppressions".into(), suppression);
    }
    result
}

/// The region of a place: in characters for people, and in bytes for files that are not text
/// (§3.30). A byte order mark is no character.
fn region(place: &Place) -> Value {
    serde_json::json!({
        "startLine": place.start.line,
        "startColumn": place.start.column,
        "endLine": place.end.line,
        "endColumn": place.end.column,
        "byteOffset": place.bytes.start,
        "byteLength": place.bytes.len(),
    })
}

fn artifact_location(input: &Input) -> Value {
    match input {
        // Standard input has no URI, but GitHub refuses results without one.
        Input::StandardInput => serde_json::json!({
            "uri": "stdin",
            "description": { "text": "standard input" },
        }),
        Input::File(path) => serde_json::json!({ "uri": uri(path) }),
    }
}

/// The URI of a file. It is relative to the working directory if the path is; otherwise it has the
/// scheme `file` (§3.4.3). Names need not be UTF-8.
fn uri(path: &Path) -> String {
    let is_absolute = path.is_absolute();
    let segments = path.components().filter_map(|component| match component {
        Component::RootDir | Component::CurDir => None,
        component => {
            let segment = component.as_os_str().as_encoded_bytes();
            Some(percent_encode(segment, NOT_IN_SEGMENT).to_string())
        }
    });
    let relative = segments.collect::<Vec<_>>().join("/");
    if is_absolute {
        format!("file:///{relative}")
    } else {
        relative
    }
}

/// The characters to escape: all but the unreserved characters of RFC 3986 §2.3. A colon in the
/// first segment would make a scheme of it.
const NOT_IN_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::uri;

    #[test]
    fn names_of_files_are_percent_encoded() {
        assert_eq!(
            uri(Path::new("./sites/a b/robots.txt")),
            "sites/a%20b/robots.txt"
        );
        assert_eq!(uri(Path::new("c:d/100%.txt")), "c%3Ad/100%25.txt");
        assert_eq!(uri(Path::new("../é#?.txt")), "../%C3%A9%23%3F.txt");
    }

    #[cfg(unix)]
    #[test]
    fn names_of_files_need_not_be_text() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        assert_eq!(
            uri(Path::new(OsStr::from_bytes(b"/a/\xE9"))),
            "file:///a/%E9"
        );
    }
}

//! The stored form of findings: codes and severities by name, and a check of what is read.

use polite_robots::{Options, RobotsTxt};
use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter, Severity, lint};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[test]
fn a_finding_has_its_parts_by_name() {
    let found = lint(&RobotsTxt::parse(b"Disalow: /x"));
    let misspelled = found
        .iter()
        .find(|finding| finding.code() == DiagnosticCode::MisspelledField);
    assert_eq!(
        serde_json::to_value(misspelled.unwrap()).unwrap(),
        json!({
            "code": "misspelled-field",
            "severity": "warning",
            "line": 1,
            "span": {"start": 0, "end": 7},
            "message": "`Disalow` is read as `Disallow` by some crawlers only; write `Disallow`",
            "suggestion": "Disallow",
            "proposals": [{"edits": [{"span": {"start": 0, "end": 7}, "text": "Disallow"}], "effect": "google"}],
        })
    );
    for severity in [Severity::Note, Severity::Warning, Severity::Error] {
        let stored = serde_json::to_value(severity).unwrap();
        assert_eq!(stored, json!(severity.as_str()));
        assert_eq!(
            serde_json::from_value::<Severity>(stored).unwrap(),
            severity
        );
    }
}

#[test]
fn a_hostile_form_is_refused() {
    refused::<DiagnosticCode>(json!("no-such-code"), "`no-such-code` is no code");
    let diagnostic = json!({"code": "truncated", "severity": "error", "line": 1, "span": {"start": 2, "end": 2}, "message": "m", "suggestion": null, "proposals": []});
    refused::<Diagnostic>(with(diagnostic.clone(), "/line", json!(0)), "has line 0");
    refused::<Diagnostic>(with(diagnostic.clone(), "/span/end", json!(1)), "2..1");
    let note = with(diagnostic, "/severity", json!("note"));
    refused::<Diagnostic>(note.clone(), "truncated of severity note");
    let prefixed = with(note, "/code", json!("prefixed-field"));
    let prefixed: Diagnostic = serde_json::from_value(prefixed).unwrap();
    assert_eq!(prefixed.severity().as_str(), "note");
    refused::<Severity>(json!("fatal"), "unknown variant `fatal`");
}

/// A form with another value at a place.
fn with(mut form: Value, place: &str, value: Value) -> Value {
    *form.pointer_mut(place).unwrap() = value;
    form
}

#[track_caller]
fn refused<T: DeserializeOwned>(form: Value, message: &str) {
    let error = serde_json::from_value::<T>(form).err().unwrap().to_string();
    assert!(error.contains(message), "{error}");
}

/// The findings of a file, read back from their stored form.
fn read_back(file: &[u8]) -> usize {
    let mut count = 0;
    for options in [Options::rfc9309(), Options::google()] {
        let found = Linter::new()
            .with_opinions()
            .lint(&RobotsTxt::parse_with(file, &options));
        let stored = serde_json::to_value(&found).unwrap();
        let read: Vec<Diagnostic> = serde_json::from_value(stored).unwrap_or_else(|error| {
            panic!("{error}: {}", file[..file.len().min(200)].escape_ascii())
        });
        assert_eq!(read, found);
        count += found.len();
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_read_back(file in vec(any::<u8>(), 0..99)) {
        read_back(&file);
    }
}

/// Each code has its severities in one table, and each case of `testdata/` may find another code.
#[test]
fn findings_of_all_cases_read_back() {
    let testdata = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    let mut count = 0;
    for folder in std::fs::read_dir(testdata).unwrap() {
        let Ok(files) = std::fs::read_dir(folder.unwrap().path()) else {
            continue;
        };
        let paths = files.map(|file| file.unwrap().path());
        for path in paths.filter(|path| path.extension().is_some_and(|name| name == "toml")) {
            let text = std::fs::read_to_string(&path).unwrap();
            count += read_back(text.as_bytes());
            texts(&toml::from_str(&text).unwrap(), &mut |text| {
                count += read_back(text.as_bytes())
            });
        }
    }
    assert!(count > 5_000, "{count}");
}

/// Passes on each text of a file of cases. Some of these texts are robots.txt files.
fn texts(value: &toml::Value, take: &mut impl FnMut(&str)) {
    match value {
        toml::Value::String(text) => take(text),
        toml::Value::Array(values) => values.iter().for_each(|value| texts(value, take)),
        toml::Value::Table(table) => table.values().for_each(|value| texts(value, take)),
        _ => {}
    }
}

//! The layers of the crate: each file imports only from files above it in `ORDER`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "../../../tests/suite/layering/checker.rs"]
mod checker;

use std::path::Path;

/// The files of `src/`, each of which imports only from those above it.
const ORDER: &[&str] = &[
    "printable",
    "known",
    "findings",
    "fix",
    "fix/tests",
    "explanation",
    "witness/rule",
    "witness/alphabet",
    "witness/walk",
    "witness",
    "coverage",
    "agent",
    "difference/question",
    "difference/records",
    "difference/change",
    "difference",
];

#[test]
fn imports_point_up_the_order() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let report = checker::check(&src, ORDER);
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
    assert!(
        report.imports > 10,
        "the checker found only {} imports",
        report.imports
    );
}

#[test]
fn a_planted_import_is_found() {
    let [first, .., last] = ORDER else {
        panic!("`ORDER` needs two files")
    };
    let depth = first.split('/').count();
    for path in [String::from("crate::"), "super::".repeat(depth)] {
        let text = format!("use {path}{};", last.replace('/', "::"));
        let files = [(format!("{first}.rs"), text)];
        let report = checker::check_files(&files, ORDER);
        let violation = format!("{first} imports {last}, which stands below it");
        assert!(report.violations.contains(&violation), "{report:#?}");
    }
    let files = [(String::from("new/file.rs"), String::new())];
    let report = checker::check_files(&files, ORDER);
    let violation = String::from("new/file.rs has no place in the order");
    assert!(report.violations.contains(&violation), "{report:#?}");
}

//! The layers of the command: data flows one way.

#[path = "../../../tests/suite/layering/checker.rs"]
mod checker;

use std::path::Path;

/// The files of `src/`, each of which imports only from those above it. They are there with and without the feature
/// `survey`.
const ORDER: &[&str] = &[
    "counted",
    "terminal",
    "input",
    "unified_diff",
    "rewrite",
    "outcome",
    "reading",
    "columns",
    "json",
    "verdict_fields",
    "agents/json",
    "agents/text",
    "agents",
    "check/questions",
    "check/explain/source",
    "check/explain",
    "check/json",
    "check/matrix",
    "check/text",
    "check",
    "completions",
    "diff/json",
    "diff/text",
    "diff",
    "format/lost",
    "format",
    "lint/characters",
    "lint/excerpt",
    "lint/place",
    "lint/levels",
    "lint/linted",
    "lint/report",
    "lint/explain",
    "lint/fix",
    "lint/human",
    "lint/github",
    "lint/json",
    "lint/sarif",
    "lint",
    "man",
    "no_survey",
    "survey/interrupt",
    "survey/progress",
    "survey/output",
    "survey/text",
    "survey/conclusion",
    "survey/compare",
    "survey/merge",
    "survey",
];

#[test]
fn imports_point_up_the_order() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let report = checker::check(&src, ORDER);
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
    assert!(report.imports > 100, "the checker reads no imports");
}

#[test]
fn a_planted_import_is_found() {
    let [first, .., last] = ORDER else {
        panic!("no order")
    };
    let depth = first.split('/').count();
    for path in [String::from("crate::"), "super::".repeat(depth)] {
        let text = format!("use {path}{};", last.replace('/', "::"));
        let files = [(format!("{first}.rs"), text)];
        let report = checker::check_files(&files, ORDER);
        let violation = format!("{first} imports {last}, which stands below it");
        assert!(report.violations.contains(&violation), "{report:#?}");
    }
    // A file that takes something from the `mod.rs` of its own folder.
    for path in ["crate::lint::Lint", "super::Lint"] {
        let files = [(String::from("lint/json.rs"), format!("use {path};"))];
        let report = checker::check_files(&files, ORDER);
        let violation = String::from("lint/json imports lint/Lint, which stands below it");
        assert!(report.violations.contains(&violation), "{report:#?}");
    }
    let files = [(String::from("new/file.rs"), String::new())];
    let report = checker::check_files(&files, ORDER);
    let violation = String::from("new/file.rs has no place in the order");
    assert!(report.violations.contains(&violation), "{report:#?}");
}

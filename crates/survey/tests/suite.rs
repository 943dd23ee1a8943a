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
    "depth",
    "interrupt",
    "content",
    "panics",
    "http/coding",
    "http",
    "batch",
    "error",
    "input/kind",
    "input/reader",
    "input/compression",
    "input/refusal",
    "input/walk",
    "input/files",
    "input/tar",
    "input/warc/generator",
    "input/warc/gzip",
    "input/warc/head",
    "input/warc/stream",
    "input/warc",
    "input",
    "input/tar/tests",
    "input/warc/tests",
    "distinct",
    "summary/merge",
    "summary/distribution",
    "summary/hash",
    "summary/host",
    "summary/pattern",
    "summary/shape",
    "summary/file",
    "summary/sketch",
    "summary/tally",
    "summary/agents",
    "summary/occurrences",
    "summary/crawl_delays",
    "summary/dialects",
    "summary/findings",
    "summary/records",
    "summary/rules",
    "summary/sitemaps",
    "summary/statuses",
    "summary/texts",
    "summary/top",
    "summary/timings",
    "summary/usage",
    "summary",
    "summary/tests",
    "part",
    "report/number",
    "report/document",
    "report/chart",
    "report/contents/tables",
    "report/contents/agents",
    "report/contents/crawl_delays",
    "report/contents/crawlers",
    "report/contents/dialects",
    "report/contents/fields",
    "report/contents/findings",
    "report/contents/method",
    "report/contents/outcome",
    "report/contents/rules",
    "report/contents/sitemaps",
    "report/contents/size",
    "report/contents/speed",
    "report/contents/usage",
    "report/contents",
    "report/overview",
    "report/page",
    "report",
    "report/tests",
    "compare/measure",
    "compare/change",
    "compare/comparison",
    "compare/document",
    "compare/json",
    "compare",
    "merge",
    "run",
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

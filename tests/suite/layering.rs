//! The order of the files of the crate: data flows one way, and a file imports only from files above it.

use std::path::Path;

use self::checker::{check, check_files};

mod checker;

/// The files of `src` in the order of the pipeline; `lib.rs` is exempt. A new record needs no line: `record/*` is the
/// place of all values that do not depend on each other.
const ORDER: &[&str] = &[
    "text/bytes",
    "text/hash",
    "text/number",
    "text/percent",
    "text/quote",
    "text/scheme",
    "text",
    "access",
    "options",
    "robots_url",
    "token",
    "header_guess",
    "agent",
    "lint/code",
    "lint/diagnostic",
    "parse/trim",
    "parse/part",
    "parse/line",
    "parse/field",
    "parse/shortcut",
    "record/crawl_delay",
    "parse/content",
    "parse/group",
    "parse/packed_record",
    "parse/packed_file",
    "parse/report/findings",
    "parse/report/file",
    "parse/report/user_agent",
    "parse/report/path",
    "parse/report/extension",
    "parse/report/field",
    "parse/report/prefixed",
    "parse/report",
    "parse",
    "rules/lazy",
    "rules/canonical",
    "target",
    "rules/pattern",
    "rules/span",
    "rules/regex",
    "rules/patterns",
    "rules/rule_list",
    "rules/rule",
    "rules/index/hash",
    "rules/index/scan",
    "rules/index",
    "rules/rule_set",
    "rules",
    "document/groups",
    "document/scope",
    "document/lines",
    "document/merged_groups",
    "document",
    "record/preference",
    "record/dictionary",
    "record/*",
    "record/content_usage",
    "record/request_rate",
    "record/clean_param",
    "record/clean_url",
    "record/usage",
    "record/agent_records",
    "record/extension",
    "record",
    "verdict",
    "robots/agent_view",
    "robots/collector",
    "robots/robot",
    "robots/robots_txt",
    "robots",
    "lint/example_path",
    "lint/work_budget",
    "lint/prefix_index",
    "lint/wildcard_index",
    "lint/merged_rules",
    "lint/overruled_rules",
    "lint/dropped_rules",
    "lint/rule_lint",
    "lint/comparison",
    "lint",
    "page/effect",
    "page/date",
    "page/rule",
    "page/list",
    "page/statement",
    "page/controls",
    "page",
    "build/error",
    "build/path_pattern",
    "build/value",
    "build/canonical",
    "build/group_builder",
    "build/robots_txt_builder",
    "build",
    "serde/name",
    "serde/bytes",
    "serde/document",
    "serde/robot",
    "serde/verdict",
    "serde",
];

#[test]
fn imports_point_up_the_pipeline() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let report = check(&src, ORDER);
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
    assert!(
        report.imports > 200,
        "only {} imports were found",
        report.imports
    );
}

/// Checks that the checker finds every form of a wrong import, and a file in a new folder.
#[test]
fn planted_imports_are_found() {
    for planted in [
        "use crate::robots::robot::Robot;",
        "use super::super::robots::robot::Robot;",
        "use crate::{access::Access, robots::{robot::Robot}};",
        "fn f() { let _ = crate::robots::robot::Robot::new; }",
    ] {
        let files = [("parse/line.rs".to_string(), planted.to_string())];
        let violations = check_files(&files, ORDER).violations;
        let found = violations
            .iter()
            .any(|found| found.contains("parse/line") && found.contains("robots/robot"));
        assert!(found, "{planted}: {violations:#?}");
    }
    let files = [("fetch/http.rs".to_string(), String::new())];
    let violations = check_files(&files, ORDER).violations;
    let found = violations
        .iter()
        .any(|found| found.contains("fetch/http.rs"));
    assert!(found, "{violations:#?}");
}

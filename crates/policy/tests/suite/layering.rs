//! Data flows one way: a file imports only from files that stand above it.

use std::path::Path;

use self::checker::{Report, check, check_files};

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// The files of `src`, from what all of them need to the machines that use the rest.
const ORDER: &[&str] = &[
    "time",
    "http_date",
    "evidence",
    "origin",
    "jitter",
    "retry_after",
    "net_error",
    "settings/access",
    "settings/pace",
    "settings",
    "profile",
    "access/cache_control",
    "host_rule",
    "access/headers",
    "rate_limit",
    "access/freshness",
    "access/outcome",
    "access/fetch",
    "access/explain",
    "access/outage",
    "access/facts",
    "access/entry",
    "access/cache/ticket",
    "access/cache/lookup",
    "access/cache/slot",
    "access/cache/slots",
    "access/cache/weight",
    "access/cache/shared_files",
    "access/cache/tombstones",
    "access/cache",
    "access",
    "pace/reply",
    "pace/backoff",
    "pace/reward",
    "pace/crawl_delay",
    "pace/rare",
    "pace/host_delay",
    "pace/host_pace",
    "pace/pacer",
    "pace/scheduler/timer_queue",
    "pace/scheduler/slab",
    "pace/scheduler/ip_group",
    "pace/scheduler/group",
    "pace/scheduler/groups",
    "pace/scheduler/host_id",
    "pace/scheduler/host",
    "pace/scheduler/hosts",
    "pace/scheduler/leases",
    "pace/scheduler/queues",
    "pace/scheduler/stored",
    "pace/scheduler",
    "pace",
];

#[test]
fn imports_point_up() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let Report {
        imports,
        violations,
    } = check(&src, ORDER);
    assert!(violations.is_empty(), "{violations:#?}");
    assert!(imports > 100, "only {imports} imports are read");
}

/// The two halves do not know each other.
#[test]
fn access_and_pace_are_apart() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let of_half = |half: &str| -> Vec<&str> {
        let other = if half == "access" { "pace" } else { "access" };
        let is_of_other = |entry: &&str| *entry == other || entry.starts_with(&format!("{other}/"));
        let rest = ORDER.iter().copied().filter(|entry| !is_of_other(entry));
        rest.collect()
    };
    for half in ["access", "pace"] {
        let violations = check(&src, &of_half(half)).violations;
        let imports: Vec<&String> = violations
            .iter()
            .filter(|violation| {
                violation.starts_with(&format!("{half}/")) && violation.contains(" imports ")
            })
            .collect();
        assert!(imports.is_empty(), "{imports:#?}");
    }
}

#[test]
fn a_planted_import_is_found() {
    let order = &["low", "middle/deep", "middle", "high"];
    let with = |path: &str, text: &str| {
        let mut files: Vec<(String, String)> =
            ["low.rs", "middle/deep.rs", "middle/mod.rs", "high.rs"]
                .map(|path| (path.to_owned(), String::new()))
                .into();
        files.retain(|(there, _)| there != path);
        files.push((path.to_owned(), text.to_owned()));
        check_files(&files, order)
    };
    let down = [
        ("low.rs", "use crate::high::High;"),
        ("low.rs", "use crate::{middle::deep::Deep};"),
        (
            "low.rs",
            "use crate::{low::Low, middle::{deep::{self, A}, Middle as _}};",
        ),
        ("low.rs", "pub(crate) use crate::middle::Middle;"),
        ("low.rs", "use super::high::High;"),
        (
            "low.rs",
            "fn f() -> crate::high::High { crate::high::make() }",
        ),
        ("low.rs", "fn f() { super::high::make(); }"),
        (
            "low.rs",
            "const C: char = '\"'; use crate::high::High; // \"",
        ),
        (
            "low.rs",
            "const S: &str = r#\"a \" b\"#; use crate::high::High;",
        ),
        ("middle/deep.rs", "use super::Middle;"),
        ("middle/deep.rs", "use super::super::high::High;"),
        ("middle/deep.rs", "use super::{Middle, super::high};"),
        ("middle/mod.rs", "use super::high::*;"),
        (
            "middle/mod.rs",
            "mod tests { use super::*; use super::super::high::High; }",
        ),
        (
            "low.rs",
            "mod form { mod inner { } use super::super::high::High; }",
        ),
    ];
    for (path, text) in down {
        let report = with(path, text);
        assert!(!report.violations.is_empty(), "{path}: {text}");
    }
    let nowhere = [
        ("low.rs", "use crate::Profile;"),
        ("low.rs", "use crate::*;"),
        ("low.rs", "use crate::forgotten::Thing;"),
        ("fresh/file.rs", ""),
        ("fresh/mod.rs", "use crate::low::Low;"),
    ];
    for (path, text) in nowhere {
        let report = with(path, text);
        assert_eq!(report.violations.len(), 1, "{path}: {text}");
    }
    let up = [
        (
            "high.rs",
            "use crate::{low::Low, middle::{self, deep::Deep}};",
        ),
        (
            "high.rs",
            "use super::low::Low; mod tests { use super::*; use super::High; }",
        ),
        (
            "middle/mod.rs",
            "use self::deep::Deep; use crate::middle::deep;",
        ),
        (
            "middle/deep.rs",
            "pub(in crate::middle) fn f<'a>(_: &'a str) -> impl Sized + use<'a> {}",
        ),
        (
            "low.rs",
            "// use crate::high::High;\n/* use crate::high::High; /* */ */ const S: &str = \"crate::high::High\";",
        ),
        (
            "low.rs",
            "/// See [`High`](crate::high::High).\nuse core::fmt; extern crate alloc;",
        ),
    ];
    for (path, text) in up {
        let violations = with(path, text).violations;
        assert!(violations.is_empty(), "{path}: {text}: {violations:?}");
    }
}

/// The same in the files themselves: each of them gets an import of the last machine, in both ways to write it.
#[test]
fn an_import_planted_in_any_file_is_found() {
    for (rank, module) in ORDER.iter().enumerate() {
        let ups = "super::".repeat(module.split('/').count());
        for import in [
            "use crate::pace::planted::Planted;".to_owned(),
            format!("use {ups}pace::planted::Planted;"),
        ] {
            let files = [(format!("{module}.rs"), import)];
            let violations =
                check_files(&files, &[&ORDER[..=rank], &["pace/planted"]].concat()).violations;
            let is_found = |violation: &String| {
                violation.starts_with(&format!("{module} imports pace/planted"))
            };
            assert!(violations.iter().any(is_found), "{module}: {violations:?}");
        }
    }
}

//! Data flows one way: a file imports only from files that stand above it.

use std::path::Path;

/// The files of src/ in the order of the pipeline; `lib.rs` is exempt.
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
    "agent",
    "lint/code",
    "lint/diagnostic",
    "parse/line",
    "parse/field",
    "parse/shortcut",
    "record/crawl_delay",
    "parse/group",
    "parse/packed_record",
    "parse/document",
    "parse/report/findings",
    "parse/report/file",
    "parse/report/user_agent",
    "parse/report/path",
    "parse/report/extension",
    "parse/report/field",
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
    "document/lines",
    "document/merged_groups",
    "document",
    "record/preference",
    "record/dictionary",
    "record/content_signal",
    "record/content_usage",
    "record/day_window",
    "record/request_rate",
    "record/host",
    "record/license",
    "record/sitemap",
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
    "lint/generic_path",
    "lint/prefixes",
    "lint/work",
    "lint/wildcards",
    "lint/set",
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
    "build/path",
    "build/value",
    "build/canonical",
    "build",
    "serde/name",
    "serde/bytes",
    "serde/document",
    "serde/robot",
    "serde/verdict",
    "serde",
    "policy/time",
    "policy/http_date",
    "policy/origin",
    "policy/jitter",
    "policy/choices",
    "policy/profile",
    "policy/headers",
    "policy/retry_after",
    "policy/freshness",
    "policy/outcome",
    "policy/fetch",
    "policy/explain",
    "policy/entry",
    "policy/cache",
    "policy/reply",
    "policy/backoff",
    "policy/pace",
    "policy/pacer",
    "policy/group",
    "policy/hosts",
    "policy/timetable",
    "policy/scheduler/places",
    "policy/scheduler/ready",
    "policy/scheduler/stored",
    "policy/scheduler",
    "policy",
];

#[test]
fn imports_point_up_the_pipeline() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for (rank, module) in ORDER.iter().enumerate() {
        let file = [format!("{module}.rs"), format!("{module}/mod.rs")].map(|name| src.join(name));
        let file = file
            .iter()
            .find(|file| file.exists())
            .unwrap_or_else(|| panic!("no file for {module}"));
        let text = std::fs::read_to_string(file).unwrap();
        for imported in crate_paths(&text) {
            let (at, _) = position(&imported)
                .unwrap_or_else(|| panic!("{module} imports {imported}, which has no place"));
            let is_own_child = imported.starts_with(&format!("{module}/"));
            assert!(at < rank || is_own_child, "{module} imports {imported}");
            seen += 1;
        }
    }
    assert!(seen > 20, "the test reads no imports");
}

#[test]
fn every_file_has_a_place() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in [
        src.clone(),
        src.join("build"),
        src.join("document"),
        src.join("record"),
        src.join("lint"),
        src.join("page"),
        src.join("parse"),
        src.join("parse/report"),
        src.join("policy"),
        src.join("policy/scheduler"),
        src.join("rules"),
        src.join("rules/index"),
        src.join("serde"),
    ] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs")
                && !path.ends_with("lib.rs")
            {
                let module = path
                    .strip_prefix(&src)
                    .unwrap()
                    .with_extension("")
                    .display()
                    .to_string();
                let module = module.trim_end_matches("/mod").to_string();
                assert!(
                    ORDER.contains(&module.as_str()),
                    "src/{module}.rs is not in the order of the pipeline"
                );
            }
        }
    }
}

/// The paths behind `crate::`, in imports and elsewhere.
fn crate_paths(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(|line| {
        line.split("crate::")
            .skip(1)
            .map(str::to_string)
            .collect::<Vec<_>>()
    });
    let name = |path: String| {
        path.chars()
            .take_while(|c| c.is_alphanumeric() || ":_".contains(*c))
            .collect::<String>()
    };
    paths
        .map(|path| name(path).trim_end_matches(':').replace("::", "/"))
        .collect()
}

/// The module that a path such as `rules/path/Target` names: the longest that is in the order.
fn position(path: &str) -> Option<(usize, &'static str)> {
    let candidates = ORDER.iter().enumerate().filter(|(_, module)| {
        path == **module
            || path
                .strip_prefix(**module)
                .is_some_and(|rest| rest.starts_with('/'))
    });
    candidates
        .map(|(at, module)| (at, *module))
        .max_by_key(|(_, module)| module.len())
}

//! The arrows between the crates: each depends only on those that the map allows.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// Each package and the packages of this repository that it may depend on.
pub(crate) const ARROWS: &[(&str, &[&str])] = &[
    ("Cargo.toml", &[]),
    ("crates/records/Cargo.toml", &["core"]),
    ("crates/build/Cargo.toml", &["core"]),
    ("crates/policy/Cargo.toml", &["core", "records"]),
    ("crates/client/Cargo.toml", &["core", "policy"]),
    // The tests on loopback and their bench, which is not published.
    ("crates/zoo/Cargo.toml", &["core", "policy", "client"]),
    ("crates/page/Cargo.toml", &["core", "records"]),
    ("crates/audit/Cargo.toml", &["core", "records"]),
    ("crates/lint/Cargo.toml", &["core", "records", "audit"]),
    ("crates/site/Cargo.toml", &["core", "audit"]),
    (
        "crates/survey/Cargo.toml",
        &["core", "records", "audit", "lint"],
    ),
    (
        "cli/Cargo.toml",
        &[
            "core", "records", "build", "policy", "client", "page", "audit", "lint", "site",
            "survey",
        ],
    ),
    ("bindings/c/Cargo.toml", BOUND),
    ("bindings/python/Cargo.toml", BOUND),
    ("bindings/wasm/Cargo.toml", BOUND),
    ("bindings/wasm/author/Cargo.toml", BOUND),
    ("bindings/wasm/cache/Cargo.toml", BOUND),
    ("bindings/wasm/tester/Cargo.toml", BOUND),
];

/// The packages that bindings are made of.
const BOUND: &[&str] = &[
    "core", "records", "build", "page", "policy", "audit", "lint",
];

#[test]
fn crates_depend_on_those_of_the_map_alone() {
    let mut arrows = 0;
    for (manifest, allowed) in ARROWS {
        let dependencies = dependencies_of(manifest);
        arrows += dependencies.len();
        for dependency in dependencies {
            let name = dependency.strip_prefix("polite-robots-");
            let name = name.unwrap_or("core");
            assert!(
                allowed.contains(&name),
                "{manifest} depends on {dependency}, which the map of the crates does not allow"
            );
        }
    }
    assert!(arrows > 20, "only {arrows} arrows are read");
}

/// A crate that is not in the map would be checked by nobody.
#[test]
fn every_crate_is_in_the_map() {
    for folder in ["crates", "bindings"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let manifest = format!(
                "{folder}/{}/Cargo.toml",
                entry.unwrap().file_name().display()
            );
            let is_in_map = ARROWS.iter().any(|(path, _)| *path == manifest);
            assert!(is_in_map || !root().join(&manifest).exists(), "{manifest}");
        }
    }
}

/// The packages of this repository that a package is built with; tests may use any.
fn dependencies_of(manifest: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(manifest)).unwrap();
    let manifest: Table = toml::from_str(&text).unwrap();
    let dependencies = manifest["dependencies"].as_table().unwrap();
    let package = |(name, value): (&String, &Value)| {
        let renamed = value.get("package").and_then(Value::as_str);
        renamed.unwrap_or(name).to_owned()
    };
    let packages = dependencies.iter().map(package);
    packages
        .filter(|package| package.starts_with("polite-robots"))
        .collect()
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

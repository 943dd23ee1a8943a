//! Checks of the documents in the repository: their figures, names and paths must be current.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use toml::{Table, Value};

use crate::suite::promises::hostile::SHAPES;

pub(super) const DOCUMENTS: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benches/README.md",
    "bindings/README.md",
    "bindings/c/README.md",
    "bindings/cases/README.md",
    "bindings/python/README.md",
    "bindings/wasm/js-compat/README.md",
    "bindings/wasm/js/README.md",
    "bindings/wasm/tester/README.md",
    "cli/README.md",
    "cli/docs/ci.md",
    "cli/docs/commands.md",
    "cli/docs/owner.md",
    "cli/docs/research.md",
    "cli/docs/seo.md",
    "cli/docs/survey-crawl.md",
    "cli/docs/survey-definitions.md",
    "cli/docs/survey-inputs.md",
    "cli/docs/survey-method.md",
    "cli/docs/survey-rows.md",
    "crates/audit/README.md",
    "crates/build/README.md",
    "crates/client/README.md",
    "crates/client/docs/comparison.md",
    "crates/client/docs/identity.md",
    "crates/lint/README.md",
    "crates/page/README.md",
    "crates/policy/README.md",
    "crates/policy/docs/polite_at_scale.md",
    "crates/records/README.md",
    "crates/site/README.md",
    "crates/survey/README.md",
    "docs/README.md",
    "docs/frames.md",
    "docs/known.md",
    "docs/parsers.md",
    "docs/promises.md",
    "docs/releasing.md",
    "docs/results.md",
    "docs/robots-in-my-crawler.md",
    "docs/sources.md",
    "docs/switching.md",
    "docs/threat-model.md",
    "docs/versions.md",
    "fuzz/README.md",
    "testdata/README.md",
];

#[test]
fn required_rust_versions_are_documented() {
    let of = |manifest: &Value| {
        manifest["package"]["rust-version"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let library = of(&read_manifest("Cargo.toml")["workspace"]);
    let command = of(&Value::Table(read_manifest("cli/Cargo.toml")));
    let sentence = format!("The core needs Rust {library}, the command {command}");
    assert_contains("README.md", &sentence);
    assert_contains("CONTRIBUTING.md", &format!("cargo +{library} check"));
}

#[test]
fn every_feature_is_documented() {
    let manifest = read_manifest("Cargo.toml");
    let features = manifest["features"].as_table().unwrap();
    let is_default = |name: &str| {
        let default = features["default"].as_array().unwrap();
        default.iter().any(|feature| feature.as_str() == Some(name))
    };
    let expected: BTreeSet<String> = features
        .keys()
        .filter(|name| *name != "default")
        .map(|name| {
            format!(
                "| `{name}` | {} |",
                if is_default(name) { "yes" } else { "no" }
            )
        })
        .collect();
    let rows = table_rows(&read("README.md"), "| feature | default | what it adds |");
    let found: BTreeSet<String> = rows
        .iter()
        .map(|row| row.split_inclusive('|').take(3).collect())
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn every_benchmark_is_documented() {
    let manifests = [
        "benches/Cargo.toml",
        "crates/policy/Cargo.toml",
        "crates/survey/Cargo.toml",
        "crates/zoo/Cargo.toml",
    ];
    let benches = manifests.map(|manifest| names_of(&read_manifest(manifest)["bench"]));
    assert_eq!(
        first_names(&table_rows(
            &read("benches/README.md"),
            "| bench | question | command |"
        )),
        benches.into_iter().flatten().collect(),
    );
}

#[test]
fn every_fuzz_target_is_documented() {
    let targets = fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap();
    let targets: BTreeSet<String> = targets
        .map(|file| {
            file.unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let rows = table_rows(&read("fuzz/README.md"), "| target | law |");
    assert_eq!(first_names(&rows), targets);
    let tools = BTreeSet::from(["budget", "complexity", "seeds", "worst"].map(str::to_owned));
    let binaries = names_of(&read_manifest("fuzz/Cargo.toml")["bin"]);
    assert_eq!(
        binaries
            .difference(&tools)
            .cloned()
            .collect::<BTreeSet<_>>(),
        targets
    );
}

#[test]
fn the_count_of_hostile_shapes_is_current() {
    assert_contains(
        "fuzz/README.md",
        &format!("\n{} shapes of hostile files", SHAPES.len()),
    );
}

/// Checks paths in backquotes and links into the repository, from its root or from the folder of
/// the document.
#[test]
fn paths_in_documents_exist() {
    let mut count = 0;
    for document in DOCUMENTS {
        let text = read(document);
        let own_folder = root().join(document).parent().unwrap().to_owned();
        for path in paths(&text) {
            // Fuzzers create their corpus, and builds create their folder, so a checkout has
            // neither.
            let is_there = path == "fuzz/corpus/"
                || path.starts_with("bindings/target/")
                || root().join(path).exists()
                || own_folder.join(path).exists();
            assert!(is_there, "{document}: `{path}`");
            count += 1;
        }
    }
    assert!(count > 50, "only {count} paths were found");
}

/// A page that is not in the list would keep links that lead nowhere.
#[test]
fn pages_are_listed_and_fit_120_columns() {
    for folder in ["docs", "cli/docs"] {
        for page in fs::read_dir(root().join(folder)).unwrap() {
            let name = page.unwrap().file_name().into_string().unwrap();
            if !name.ends_with(".md") {
                continue;
            }
            let page = format!("{folder}/{name}");
            assert!(DOCUMENTS.contains(&&*page), "{page} is not in the list");
            // The output of the command and its tables may be wider.
            let text = read(&page);
            let mut is_in_block = false;
            for (number, line) in (1..).zip(text.lines()) {
                is_in_block ^= line.starts_with("```");
                let is_exempt = folder == "cli/docs" && (is_in_block || line.starts_with('|'));
                let is_exempt = is_exempt || line.starts_with("![");
                assert!(
                    is_exempt || line.chars().count() <= 120,
                    "{page}:{number} is longer"
                );
            }
        }
    }
}

/// The README of the policy begins as the page does.
#[test]
fn the_page_of_crawlers_begins_as_the_policy() {
    let page = read("docs/robots-in-my-crawler.md");
    let (_, example) = page.split_once("\n```rust,no_run\n").unwrap();
    let (example, _) = example.split_once("\n```").unwrap();
    assert_contains("crates/policy/README.md", example);
}

#[test]
fn everything_in_testdata_has_its_source() {
    let sources = read("docs/sources.md");
    for entry in fs::read_dir(root().join("testdata")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = format!("`testdata/{name}");
        let is_there = [format!("{path}`"), format!("{path}/`")]
            .iter()
            .any(|quoted| sources.contains(quoted));
        assert!(is_there, "docs/sources.md does not name {path}`");
    }
}

/// Packages that hold the table of crawlers carry the notice of the list that it restates.
#[test]
fn the_notice_of_the_list_of_crawlers_is_in_each_package() {
    let notice = read("crates/audit/NOTICE");
    let table: serde_json::Value =
        serde_json::from_str(&read("crates/audit/src/known_crawlers.json")).unwrap();
    let list = &table["sources"]["list"];
    for stated in ["name", "url", "as_of", "copyright"] {
        let stated = list[stated].as_str().unwrap();
        assert!(notice.contains(stated), "the notice lacks `{stated}`");
    }
    let (_, terms) = notice.split_once("Permission is").unwrap();
    assert_contains("LICENSE", &format!("Permission is{terms}"));
    for package in ["cli", "bindings/python"] {
        assert_eq!(read(&format!("{package}/NOTICE")), notice, "{package}");
    }
    // A wheel takes the notice by itself. These packages must list it.
    for manifest in ["cli/Cargo.toml", "crates/audit/Cargo.toml"] {
        let include = read_manifest(manifest)["package"]["include"].clone();
        let notice = Value::String(String::from("/NOTICE"));
        assert!(include.as_array().unwrap().contains(&notice), "{manifest}");
    }
}

/// The page of `digit-in-product-token` says this of Google's crawlers; the table of known crawlers
/// must agree.
#[test]
fn google_crawler_names_have_no_digits() {
    #[derive(Deserialize)]
    struct Known {
        crawlers: Vec<Crawler>,
    }
    #[derive(Deserialize)]
    struct Crawler {
        name: String,
        operator: Option<String>,
    }

    let known: Known = serde_json::from_str(&read("crates/audit/src/known_crawlers.json")).unwrap();
    let of_google = known
        .crawlers
        .iter()
        .filter(|crawler| crawler.operator.as_deref() == Some("Google"));
    let tokens: Vec<&str> = of_google.map(|crawler| crawler.name.as_str()).collect();
    assert!(tokens.contains(&"Googlebot"));
    for token in tokens {
        let is_of_token = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
        assert!(token.bytes().all(is_of_token), "{token}");
    }
}

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The files of the repository, as Git knows them: an editor may have its own folder there, and so
/// may builds. `None` if the sources were unpacked and not cloned.
pub(super) fn files() -> Option<Vec<String>> {
    let mut git = Command::new("git");
    let git = git.arg("ls-files").current_dir(root()).output();
    let Some(listed) = git.ok().filter(|git| git.status.success()) else {
        let is_gate = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!is_gate, "git does not list the files of the repository");
        return None;
    };
    let listed = String::from_utf8(listed.stdout).unwrap();
    Some(listed.lines().map(str::to_owned).collect())
}

pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read_manifest(path: &str) -> Table {
    read(path).parse().unwrap()
}

#[track_caller]
fn assert_contains(document: &str, words: &str) {
    assert!(
        read(document).contains(words),
        "{document} does not contain `{words}`"
    );
}

/// Returns the rows of the table with this header line.
pub(super) fn table_rows(text: &str, head: &str) -> Vec<String> {
    let (_, below) = text
        .split_once(head)
        .unwrap_or_else(|| panic!("no table `{head}`"));
    let rows = below
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.map(str::to_owned).collect()
}

/// Returns the first text in backquotes of each row.
pub(super) fn first_names(rows: &[String]) -> BTreeSet<String> {
    let name = |row: &String| row.split('`').nth(1).unwrap().to_owned();
    rows.iter().map(name).collect()
}

fn names_of(list: &Value) -> BTreeSet<String> {
    let name = |entry: &Value| entry["name"].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(name).collect()
}

/// Finds the paths in backquotes, and the links into the repository.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    const FOLDERS: [&str; 14] = [
        ".cargo", ".ci", "benches", "bindings", "cli", "crates", "docs", "examples", "fuzz",
        "inputs", "recorded", "src", "testdata", "tests",
    ];
    const ELSEWHERE: [&str; 2] = [
        "https://github.com/polite-robots/polite-robots/",
        "https://raw.githubusercontent.com/polite-robots/polite-robots/",
    ];

    let is_plain = |path: &&str| {
        path.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte))
    };
    let quoted = text.split('`').skip(1).step_by(2).filter(|path| {
        path.split_once('/')
            .is_some_and(|(first, _)| FOLDERS.contains(&first))
    });
    let links = text.split("](").skip(1).filter_map(|behind| {
        let target = behind.split(')').next()?;
        let in_repository = ELSEWHERE
            .iter()
            .find_map(|prefix| target.strip_prefix(prefix));
        match in_repository {
            Some(path) => Some(
                path.trim_start_matches("blob/")
                    .trim_start_matches("tree/")
                    .trim_start_matches("main/"),
            ),
            None => (!target.contains("://") && !target.starts_with('#')).then_some(target),
        }
    });
    quoted
        .chain(links)
        .filter(is_plain)
        .filter(|path| !path.is_empty())
}

//! Checks the card of the project: the points that its owner named, each at its place in the code.
//! The gate counts the crates of the tree and builds the core without std and for wasm32;
//! `public_names` pins the names at the root of the crate.

use std::collections::BTreeSet;

use polite_robots::{Robot, Tier};
use toml::Table;

use crate::suite::repository::documents::{files, first_names, read, table_rows};

#[test]
fn the_tokenizer_is_productions_of_nom() {
    let file = read("src/parse/grammar.rs");
    let (grammar, _tests) = file.split_once("#[cfg(test)]").unwrap();
    assert!(grammar.contains("\nuse nom::"), "the grammar is not of nom");
    let mut productions = Vec::new();
    let mut doc = String::new();
    for line in grammar.lines() {
        if let Some(text) = line.strip_prefix("///") {
            doc.push_str(text);
        } else if let Some((_, function)) = line.split_once("fn ") {
            let (name, signature) = function.split_once('(').unwrap();
            if signature.contains("Parsed<") {
                assert!(
                    doc.contains(" = ") || doc.contains("*WS"),
                    "{name} has no ABNF: {doc}"
                );
                productions.push(name);
            }
            doc.clear();
        } else if !line.starts_with("#[") {
            doc.clear();
        }
    }
    let expected = [
        "emptyline",
        "record",
        "field",
        "blank_record",
        "word",
        "eol",
        "comment",
        "ws",
    ];
    assert_eq!(productions, expected);
    let parser = read("src/parse/content.rs");
    assert!(parser.contains("raw_record("), "nobody asks the grammar");
}

#[test]
fn each_tier_decides_about_a_url() {
    let tier_of = |pattern: &str, url: &str| {
        let file = format!("User-agent: *\nDisallow: {pattern}");
        let robot = Robot::new("ExampleBot", file.as_bytes()).unwrap();
        let verdict = robot.check(url);
        assert!(!verdict.is_allowed(), "{pattern}");
        verdict.rule().unwrap().tier()
    };
    assert_eq!(tier_of("/a", "/ab"), Tier::Prefix);
    assert_eq!(tier_of("/*a$", "/ba"), Tier::Span);
    let many = match cfg!(feature = "regex") {
        true => Tier::Regex,
        false => Tier::Span,
    };
    assert_eq!(
        tier_of(
            &format!("/{}", "*a".repeat(33)),
            &format!("/{}", "ba".repeat(33))
        ),
        many
    );
}

#[test]
fn the_named_packages_are_in_use() {
    let has = |manifest: &str, kind: &str, package: &str| {
        let manifest: Table = read(manifest).parse().unwrap();
        assert!(
            manifest[kind].get(package).is_some(),
            "{package} is missing"
        );
    };
    for package in ["nom", "regex", "thiserror"] {
        has("Cargo.toml", "dependencies", package);
    }
    has("Cargo.toml", "dev-dependencies", "proptest");
    has("benches/Cargo.toml", "dependencies", "criterion");
    has("fuzz/Cargo.toml", "dependencies", "libfuzzer-sys");
    let fuzz: Table = read("fuzz/Cargo.toml").parse().unwrap();
    assert_eq!(
        fuzz["package"]["metadata"]["cargo-fuzz"].as_bool(),
        Some(true)
    );
}

#[test]
fn every_name_at_the_top_has_its_reason() {
    const CARD: [&str; 8] = [
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "benches",
        "fuzz",
        "src",
        "testdata",
        "tests",
    ];

    let Some(files) = files() else {
        return;
    };
    let rows = table_rows(&read("CONTRIBUTING.md"), "| name | why it is at the top |");
    let mut expected = first_names(&rows);
    expected.extend(CARD.map(str::to_owned));
    let found: BTreeSet<String> = files
        .iter()
        .map(|path| path.split('/').next().unwrap().to_owned())
        .collect();
    assert_eq!(found, expected);
}

//! The page that a paper cites: it names each figure of the JSON.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::suite::survey::{archives, folder, part, survey_to};

const PAGE: &str = include_str!("../../docs/survey-method.md");

#[test]
fn the_page_of_the_method_names_each_figure() {
    let folder = folder("method");
    // A file with rules and a delay of an agent, whose counts are left out where they are 0.
    fs::write(
        folder.join("a.example"),
        "User-agent: GPTBot\nAllow: /a\nDisallow: /b\nCrawl-delay: 5\n",
    )
    .unwrap();
    let strata = folder.join("strata.csv");
    fs::write(&strata, "a.example,1\n").unwrap();
    let (mut paths, _) = archives(&folder, 5, 200);
    paths.push(folder.join("a.example"));
    let out = folder.join("survey.json");
    survey_to(
        &out,
        &paths,
        &["--thorough", "--strata", strata.to_str().unwrap()],
    );

    let part = part(&out);
    let mut names = BTreeSet::new();
    collect_names(&part["summary"], &mut names);
    collect_names(&part["strata"]["1"], &mut names);
    names.extend(["parse", "check", "bytes_parsed"].map(String::from));
    assert!(names.len() > 150, "only {} names were found", names.len());
    let is_there = |name: &&String| PAGE.contains(&format!("`{name}`"));
    let missing: Vec<_> = names.iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "the page does not name {missing:?}");
}

/// Collects the names of fields, without the keys of maps, which are data.
fn collect_names(value: &Value, names: &mut BTreeSet<String>) {
    let Value::Object(fields) = value else { return };
    for (name, value) in fields {
        names.insert(name.clone());
        match name.as_str() {
            name if MAPS.contains(&name) => {
                // The values of a map have fields of one kind.
                let first = value.as_object().and_then(|map| map.values().next());
                collect_names(first.unwrap_or(&Value::Null), names);
            }
            name if NOT_FIGURES.contains(&name) => {}
            _ => collect_names(value, names),
        }
    }
}

/// Fields whose keys are data: statuses, tokens, codes.
const MAPS: &[&str] = &[
    "by_purpose",
    "by_severity",
    "by_status",
    "body_end",
    "direct",
    "encodings",
    "everyone",
    "forms",
    "known",
    "known_access",
    "names",
    "of_lines",
    "of_rules",
    "of_rules_percent",
    "passed",
    "reasons",
    "reasons_percent",
    "resolved",
    "tiers",
];

/// Places, and samples that only a merge reads.
const NOT_FIGURES: &[&str] = &["captures", "damage", "sample", "largest"];

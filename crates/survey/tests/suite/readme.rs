//! The README's first program finds in the JSON what it prints.

use polite_robots_survey::{Content, Depth, Summary};

#[test]
fn the_first_program_prints_what_the_readme_says() {
    let readme = include_str!("../../README.md");
    let mut summary = Summary::default();
    let url = "https://a.example/robots.txt";
    let file = "User-agent: GPTBot\nDisallow: /";
    summary.add(&Content::response(url, 200, file.into()), Depth::Thorough);
    let counts = serde_json::to_value(&summary).unwrap();
    // `cargo test` compiles the program, which would print `null` for a name that is not there.
    let (_, path) = readme.split_once("&counts").unwrap();
    let (path, _) = path.split_once(';').unwrap();
    let names = path.trim_matches(['[', ']', '"']).split("\"][\"");
    let gptbot = names.fold(&counts, |value, name| &value[name]);
    assert_eq!(gptbot["disallowed"], 1);
    assert!(readme.contains("gptbot[\"disallowed\"], counts[\"files\"]"));
    assert!(readme.contains("```text\n1 of 2 files\n```"));
}

//! The sizes of the examples that the README states.

use std::fs;
use std::path::Path;

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Lines that are neither empty nor comments alone.
fn code_lines(text: &str) -> usize {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

#[test]
fn pages_of_many_sites_take_under_40_lines() {
    assert!(text("examples/polite_fetch.rs").lines().count() < 40);
    let readme = text("README.md");
    let (_, section) = readme.split_once("## Many sites").unwrap();
    let example = section.split("```").nth(1).unwrap();
    assert!(example.lines().count() < 40, "{example}");
    assert!(example.contains("PoliteClient"), "{example}");
}

#[test]
fn the_crawler_takes_under_250_lines_of_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/polite_crawler");
    let mut files = 0;
    let mut lines = 0;
    for file in fs::read_dir(folder).unwrap() {
        lines += code_lines(&fs::read_to_string(file.unwrap().path()).unwrap());
        files += 1;
    }
    assert!(files >= 4 && lines > 100, "{files} files, {lines} lines");
    assert!(lines < 250, "{lines}");
}

#[test]
fn a_machine_of_a_fleet_takes_under_150_lines_of_code() {
    let lines = code_lines(&text("examples/fleet.rs"));
    assert!((100..150).contains(&lines), "{lines}");
}

#[test]
fn comments_and_empty_lines_are_no_code() {
    assert_eq!(
        code_lines("//! a\n\nfn a() {\n    // b\n    c(); // d\n}\n"),
        3
    );
}

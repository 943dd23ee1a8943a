//! Comments are plain English: each begins with a noun or a verb, not in the middle of a sentence.

use std::path::{Path, PathBuf};

/// Folders whose comments are checked.
const FOLDERS: &[&str] = &[
    "benches", "bindings", "cli", "crates", "fuzz", "src", "tests",
];

/// First words of comments without a subject: "What follows from it", "Of two marks the second".
const REFUSED: &[&str] = &["What", "Of", "Those", "So many"];

#[test]
fn comments_begin_with_a_subject_or_a_verb() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut comments = 0;
    let mut refused = Vec::new();
    for folder in FOLDERS {
        for file in rust_files(&root.join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            for (number, line) in (1..).zip(text.lines()) {
                let Some(comment) = comment_of(line) else {
                    continue;
                };
                comments += 1;
                if REFUSED.iter().any(|words| begins_with(comment, words)) {
                    refused.push(format!("{}:{number}: {comment}", file.display()));
                }
            }
        }
    }
    assert!(comments > 1000, "only {comments} comment lines were found");
    assert!(
        refused.is_empty(),
        "comments that begin with {REFUSED:?}:\n{}",
        refused.join("\n")
    );
}

/// Code in an example, a row of a table and an address may be longer.
#[test]
fn comments_have_at_most_100_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut long = Vec::new();
    for folder in FOLDERS {
        for file in rust_files(&root.join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let mut is_in_example = false;
            for (number, line) in (1..).zip(text.lines()) {
                let text = line.trim_start();
                if !text.starts_with("//") {
                    is_in_example = false;
                    continue;
                }
                let comment = text.trim_start_matches(['/', '!']).trim_start();
                is_in_example ^= comment.starts_with("```");
                let is_exempt =
                    is_in_example || comment.starts_with('|') || comment.contains("](https:");
                if line.chars().count() > 100 && !is_exempt {
                    long.push(format!("{}:{number}", file.display()));
                }
            }
        }
    }
    assert!(long.is_empty(), "longer comments:\n{}", long.join("\n"));
}

#[test]
fn refused_beginnings_are_found() {
    for (line, is_refused) in [
        ("    /// What of the line is read", true),
        ("// Of two marks the second is text", true),
        ("//! Those are left out", true),
        ("let x = 1; @ So many rules are looked at", true),
        ("/// Often the first", false),
        ("/// Somebody asks", false),
        ("/// Says what is read", false),
        ("let url = \"https://What.example\";", false),
    ] {
        // Written with another sign, as this file is checked too.
        let line = line.replace(" @ ", " // ");
        let found = comment_of(&line)
            .is_some_and(|comment| REFUSED.iter().any(|words| begins_with(comment, words)));
        assert_eq!(found, is_refused, "{line}");
    }
}

fn begins_with(comment: &str, words: &str) -> bool {
    comment
        .strip_prefix(words)
        .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
}

/// The text of a comment, at the start of a line or after a statement.
fn comment_of(line: &str) -> Option<&str> {
    let (before, comment) = line.split_once("//")?;
    let is_comment = before.trim().is_empty() || before.ends_with("; ");
    is_comment.then(|| comment.trim_start_matches(['/', '!']).trim_start())
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

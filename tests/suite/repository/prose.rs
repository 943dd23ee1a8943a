//! Comments are no wider than the code.

use std::path::{Path, PathBuf};

/// Folders whose comments are checked.
const FOLDERS: &[&str] = &[
    "benches", "bindings", "cli", "crates", "fuzz", "src", "tests",
];

/// Code in an example, a row of a table and an address may be longer.
#[test]
fn comments_have_at_most_100_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut comments = 0;
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
                comments += 1;
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
    assert!(comments > 1000, "only {comments} comment lines were found");
    assert!(long.is_empty(), "longer comments:\n{}", long.join("\n"));
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

//! The output of `robots lint` for the faults that files in the wild have: tests/lint/ has a file
//! for each, and beside it what is expected. After a change of the output, run the tests with
//! `UPDATE_EXPECTED=1` and read the difference.

use std::fs;
use std::path::{Path, PathBuf};

use crate::suite::robots::{command, run, scratch};

#[test]
fn the_findings_are_as_expected() {
    let mut different = Vec::new();
    let faults = faults();
    assert!(faults.len() >= 20, "{faults:?}");
    for fault in faults {
        let name = fault.file_name().unwrap().to_str().unwrap();
        let run = run(command().current_dir(folder()).args(["lint", name]), b"");
        assert_eq!(run.stderr, "", "{name}");
        let found = format!("{}exit code {}\n", run.stdout, run.code);
        let expected = folder().join(name.replace(".robots.txt", ".expected"));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            different.push(format!("{name} gives\n{found}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// A second run finds nothing to fix.
#[test]
fn fixed_faults_stay_fixed() {
    for fault in faults() {
        let name = fault.file_name().unwrap().to_str().unwrap();
        let copy = scratch().join(format!("fixed-{name}"));
        fs::copy(&fault, &copy).unwrap();
        let lint = |arguments: &[&str]| run(command().arg("lint").args(arguments).arg(&copy), b"");
        lint(&["--fix", "--write"]);
        let again = lint(&["--fix"]);
        assert_eq!(again.stdout, "", "{name}");
        assert_eq!(
            again.stderr, "nothing can be fixed without changing an answer\n",
            "{name}"
        );
    }
}

fn faults() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().ends_with(".robots.txt"))
        .collect();
    files.sort();
    files
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint")
}

//! The count of a folder by a program that shares no code with the command, beside the survey of
//! that folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::suite::survey::{archives, folder, is_only_damage, survey_run};

const COUNT: &str = include_str!("../independent_count.py");

#[test]
#[allow(clippy::print_stdout)]
fn the_independent_count_equals_the_survey() {
    let folder = folder("independent-count");
    let files = folder.join("files");
    fs::create_dir_all(&files).unwrap();
    for (name, file) in FILES {
        fs::write(files.join(name), file).unwrap();
    }
    let out = folder.join("survey.json");
    let rows = ["rows.jsonl", "compact.jsonl"].map(|name| folder.join(name));
    for (rows, form) in rows.iter().zip([&[][..], &["--compact"]]) {
        // Nothing but the rows differs, and a survey is not written over another one.
        let _ = fs::remove_file(&out);
        let options = ["--thorough", "--out", out.to_str().unwrap(), "--rows"];
        let options = [&options[..], &[rows.to_str().unwrap()], form].concat();
        let survey = survey_run(&[&files], &options);
        assert_eq!(survey.code, 0, "{}", survey.stderr);
    }
    if Command::new("python3").arg("--version").output().is_err() {
        println!("no python3; the independent count is not run");
        return;
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/independent_count.py");
    for arguments in [
        vec!["--names".as_ref()],
        vec![files.as_os_str(), out.as_os_str()],
        vec!["--rows".as_ref(), rows[0].as_os_str(), out.as_os_str()],
        vec!["--rows".as_ref(), rows[1].as_os_str(), out.as_os_str()],
    ] {
        let count = Command::new("python3")
            .arg(&program)
            .args(&arguments)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&count.stdout);
        let errors = String::from_utf8_lossy(&count.stderr);
        assert!(count.status.success(), "{text}{errors}");
    }
}

#[test]
#[allow(clippy::print_stdout)]
fn rows_have_the_form_of_the_schema() {
    if !python(&["-c", "import jsonschema"]) {
        println!("no python3 with jsonschema; the rows are not held against their schema");
        return;
    }
    let folder = folder("rows-schema");
    let (paths, _) = archives(&folder, 2, 150);
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/survey/rows.schema.json");
    for form in [&[][..], &["--compact"]] {
        let file = folder.join("rows.jsonl");
        let survey = survey_run(
            &paths,
            &[&["--rows", file.to_str().unwrap()], form].concat(),
        );
        assert!(is_only_damage(&survey), "{survey:?}");
        let rows = fs::read_to_string(&file).unwrap();
        let is_valid = |rows: &str| {
            fs::write(&file, rows).unwrap();
            python(&[
                "-c",
                VALIDATE,
                schema.to_str().unwrap(),
                file.to_str().unwrap(),
            ])
        };
        assert!(rows.lines().count() > 50);
        assert!(is_valid(&rows), "{form:?}");
        assert!(!is_valid(&rows.replacen(
            "\"outcome\":",
            "\"outcomes\":",
            1
        )));
        assert!(!is_valid(&rows.replacen(
            "\"digest\":\"",
            "\"digest\":\"x",
            1
        )));
    }
}

/// Whether a run of Python with these arguments succeeds.
fn python(arguments: &[&str]) -> bool {
    let run = Command::new("python3").args(arguments).output();
    run.is_ok_and(|run| run.status.success())
}

/// A program that holds each line of a file against a schema.
const VALIDATE: &str = "\
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for row in open(sys.argv[2]):
    jsonschema.Draft202012Validator(schema).validate(json.loads(row))";

/// Its list at the end says that it uses nothing of ours, so it imports nothing but the standard
/// library.
#[test]
fn the_independent_count_uses_nothing_of_ours() {
    assert!(COUNT.ends_with("\n# Types of ours: none.\n"));
    let is_import = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
    let mut modules: Vec<&str> = COUNT
        .lines()
        .filter(is_import)
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    modules.sort_unstable();
    assert_eq!(
        modules,
        ["collections", "decimal", "json", "pathlib", "re", "sys"]
    );
    for way_out in [
        "import(",
        "import_module",
        "subprocess",
        "os.system",
        "exec(",
        "eval(",
    ] {
        assert!(!COUNT.contains(way_out), "{way_out}");
    }
}

/// Fields that look like rules, groups, delays, and bytes that are no text.
const FILES: &[(&str, &[u8])] = &[
    ("empty", b""),
    (
        "training",
        b"User-agent: *\nDisallow: /a\nDisallowAITraining: /\nAllowAITraining: /\n\nUser-agent: GPTBot\nDisallow: /\n",
    ),
    (
        "closed",
        b"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: ClaudeBot\nDisallow:\n",
    ),
    ("page", b"<!DOCTYPE html>\n<p>User-agent: *\nDisallow: /a\n"),
    (
        "forms",
        b"User-agents: AhrefsBot\nUser agent: Googlebot\nDisallowed: /a*\nDissalow: /b\nDisallow all: /\nDisallow AI: /\n\
          User-agent-purpose: training\nallows: /c\nAllow-: /d\nallow_resize: /e\nDisallow /f\nDisallow https://example.com/g h\n",
    ),
    (
        "bytes",
        b"\xEF\xBB\xBFUser-agent: *\rDisallow: /x # y\r\nCrawl-delay: 40\0\nCrawl-delay: soon\nSitemap: /s.xml\nSitemap:\n\xFF\n",
    ),
];

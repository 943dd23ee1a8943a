//! The action and the hook of the repository, whose shell lines run the command.

use std::path::Path;
use std::process::Command;

use crate::suite::robots::{Run, file, finished, scratch};

/// Runs shell lines with the command in the path.
fn shell(lines: &str, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let robots = Path::new(env!("CARGO_BIN_EXE_robots")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command
        .current_dir(scratch())
        .env("PATH", format!("{}:{path}", robots.display()))
        .envs(variables.iter().copied())
        // GitHub runs the lines of a step with these options.
        .args([
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            lines,
            "bash",
        ])
        .args(arguments);
    finished(command.output().unwrap())
}

fn of_repository(name: &str) -> String {
    std::fs::read_to_string(Path::new("..").join(name)).unwrap()
}

#[test]
fn the_action_tests_the_expectations_also_after_a_finding() {
    let action = of_repository("action.yml");
    let (_, step) = action.split_once("run: |\n").unwrap();
    let lines = step.lines().take_while(|line| line.starts_with("        "));
    let lines: String = lines.map(|line| format!("{}\n", line.trim())).collect();
    file("action.bad.txt", "User-agent: *\nDisallow /a\n");
    file("action.good.txt", "User-agent: *\nDisallow: /a\n");
    file("action.expectations.txt", "* /a disallow\n");
    file("action.none.txt", "* /a allow\n");
    let run = |files: &str, expectations: &str| {
        let variables = [
            ("DENY", "warnings"),
            ("FILES", files),
            ("EXPECTATIONS", expectations),
        ];
        shell(&lines, &variables, &[])
    };
    let both = run("action.bad.txt", "action.none.txt");
    assert_eq!(both.code, 1, "{both:?}");
    assert!(both.stdout.contains("missing-colon"), "{both:?}");
    assert!(both.stdout.contains("not as expected"), "{both:?}");
    for (files, expectations, code) in [
        ("action.good.txt", "action.expectations.txt", 0),
        ("action.good.txt", "action.none.txt", 1),
        ("action.bad.txt", "action.expectations.txt", 1),
        ("action.bad.txt", "", 1),
        ("action.good.txt action.bad.txt", "", 1),
        // A list of several lines, as YAML has it, and a pattern.
        ("action.good.txt\naction.bad.txt\n", "", 1),
        ("\naction.good.txt\n", "action.expectations.txt", 0),
        ("action.go*.txt", "action.expectations.txt", 0),
        ("action.good.txt", "", 0),
    ] {
        let run = run(files, expectations);
        assert_eq!(run.code, code, "{files} {expectations}: {run:?}");
    }
}

#[test]
fn the_hook_checks_all_files() {
    let hooks = of_repository(".pre-commit-hooks.yaml");
    let (_, formats) = hooks.split_once("- id: robots-fmt").unwrap();
    let (_, entry) = formats.split_once("entry: ").unwrap();
    // pre-commit puts the files at the end.
    let lines = &format!("{} \"$@\"", entry.lines().next().unwrap());
    file("hook.odd.txt", "user-agent: *\ndisallow:/a\n");
    file("hook.odd-too.txt", "user-agent: *\ndisallow:/b\n");
    file("hook.canonical.txt", "User-agent: *\nDisallow: /a\n");
    let all = shell(
        lines,
        &[],
        &["hook.odd.txt", "hook.canonical.txt", "hook.odd-too.txt"],
    );
    assert_eq!(all.code, 1, "{all:?}");
    assert!(
        all.stdout.contains("/a") && all.stdout.contains("/b"),
        "{all:?}"
    );
    assert_eq!(shell(lines, &[], &["hook.canonical.txt"]).code, 0);
}

//! `robots completions` and `robots man`.

use std::fs;

use crate::suite::robots::{command, file, robots, run, scratch};

#[test]
fn each_shell_has_completions_of_each_subcommand() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = robots(["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        for word in ["robots", "agents", "check", "diff", "fmt", "dialect"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    let run = robots(["completions", "cmd"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("[possible values: bash, "), "{run:?}");
}

#[test]
fn a_manual_page_says_what_the_help_says() {
    let run = robots(["man", "check"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains(".TH robots-check 1"), "{run:?}");
    for part in [".SH SYNOPSIS", "\\-\\-explain", "Exit codes:"] {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
    assert!(
        run.stdout
            .contains("\nrobots check [OPTIONS] \\-\\-agent <TOKEN> <FILE> [URL]...\n"),
        "{run:?}"
    );
    assert!(robots(["man"]).stdout.contains(".TH robots 1"));
    let run = robots(["man", "survey", "merge"]);
    assert!(run.stdout.contains(".TH robots-survey-merge 1"), "{run:?}");
}

#[test]
fn all_pages_are_written_into_a_directory() {
    // Neither the directory nor the one above it is there.
    let _ = fs::remove_dir_all(scratch().join("man"));
    let dir = scratch().join("man/man1");
    let run = robots(["man", "--dir", dir.to_str().unwrap()]);
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "", "")
    );
    for page in [
        "robots",
        "robots-agents",
        "robots-check",
        "robots-diff",
        "robots-fmt",
        "robots-man",
        "robots-page",
        "robots-survey",
        "robots-survey-compare",
        "robots-survey-merge",
        "robots-test",
    ] {
        let page = fs::read_to_string(dir.join(format!("{page}.1"))).unwrap();
        assert!(page.contains(".SH NAME"));
    }
    let pages = fs::read_dir(&dir).unwrap();
    let mut names = pages.map(|page| page.unwrap().file_name().into_string().unwrap());
    assert!(names.all(|name| !name.contains("help")));
}

#[test]
fn what_is_no_page_is_refused() {
    let run = robots(["man", "chekc"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("`chekc` is no subcommand; there are agents, check, "),
        "{run:?}"
    );
    let run = robots(["man", "merge"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("`merge` is no subcommand; there are ")
            && run.stderr.contains(", survey merge"),
        "{run:?}"
    );
    let in_file = file("no-folder", "").join("man1");
    let run = robots(["man", "--dir", in_file.to_str().unwrap()]);
    assert_eq!(run.code, 2);
    let error = format!("error: cannot write `{}`: ", in_file.display());
    assert!(run.stderr.contains(&error), "{run:?}");
}

#[test]
fn each_subcommand_has_a_help_with_examples() {
    for subcommand in [
        "agents",
        "check",
        "completions",
        "diff",
        "fmt",
        "man",
        "page",
        "test",
    ] {
        let run = robots([subcommand, "--help"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(
            run.stdout
                .contains(&format!("Examples:\n  robots {subcommand} ")),
            "{run:?}"
        );
    }
    for subcommand in ["agents", "check", "diff", "fmt", "page", "test"] {
        let run = robots([subcommand, "--help"]);
        assert!(run.stdout.contains("Exit codes:\n  0  "), "{run:?}");
    }
}

/// The help of each subcommand on a phone, a terminal and a wide screen.
#[test]
fn the_help_fits_the_terminal() {
    for width in [40, 80, 200] {
        for subcommand in SUBCOMMANDS {
            let mut command = command();
            command.env("COLUMNS", width.to_string());
            let run = run(command.args(subcommand.split(' ')).arg("--help"), b"");
            assert_eq!(run.code, 0, "{subcommand}");
            let too_long = run.stdout.lines().filter(|line| {
                // A word cannot be broken, and clap does not break a usage line.
                let can_break = line.trim().contains(' ') && !line.contains("robots ");
                line.chars().count() > width.min(WIDEST_HELP) && can_break
            });
            let too_long: Vec<&str> = too_long.collect();
            assert!(too_long.is_empty(), "{width}, {subcommand}: {too_long:#?}");
        }
    }
}

const SUBCOMMANDS: &[&str] = &[
    "agents",
    "check",
    "completions",
    "diff",
    "edit",
    "fmt",
    "lint",
    "man",
    #[cfg(feature = "site")]
    "obeyed",
    "page",
    #[cfg(feature = "survey")]
    "survey",
    #[cfg(feature = "survey")]
    "survey compare",
    #[cfg(feature = "survey")]
    "survey merge",
    "test",
];

/// The widest line of the help. Longer lines are hard to read, however wide the screen is.
const WIDEST_HELP: usize = 100;

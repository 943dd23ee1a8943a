//! `robots lint`: exit codes, levels, many files, and what is wrong with the arguments.

use std::fs;

use crate::suite::robots::{Run, command, file, robots, robots_reading, run, scratch};

/// An error on line 1, a warning and a note on line 3.
const FAULTY: &str = "\
Disallow: /early
User-agent: *
Disalow: /é
";

const CLEAN: &str = "User-agent: *\nDisallow: /private/\n";

fn lint<const N: usize>(robots_txt: impl AsRef<[u8]>, arguments: [&str; N]) -> Run {
    robots_reading(robots_txt, ["lint", "-"].into_iter().chain(arguments))
}

#[track_caller]
fn assert_usage_error<const N: usize>(arguments: [&str; N], message: &str) {
    let run = robots_reading("", ["lint"].into_iter().chain(arguments));
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    assert!(run.stderr.contains(message), "{run:?}");
}

#[test]
fn findings_are_shown_in_the_order_of_the_file_and_counted() {
    let run = lint(FAULTY, []);
    assert_eq!(run.code, 1);
    assert_eq!(run.stderr, "");
    let places: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("--> "))
        .collect();
    assert_eq!(places, ["-:1:1", "-:3:1", "-:3:10"]);
    assert!(
        run.stdout
            .ends_with("\n1 error, 1 warning, 1 note in 1 file\n"),
        "{run:?}"
    );
}

#[test]
fn a_clean_file_has_no_findings() {
    let run = lint(CLEAN, []);
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (
            0,
            "-: search engines may fetch everything but /private/\nno findings in 1 file\n",
            ""
        )
    );
}

#[test]
fn the_page_of_a_code_is_named_where_the_code_comes_first() {
    let run = lint("User-agent *\nDisallow /x\nDisalow: /y\n", []);
    let pages: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.split_once("--explain "))
        .map(|(_, code)| code)
        .collect();
    assert_eq!(pages, ["missing-colon`", "misspelled-field`"]);
}

#[test]
fn notes_alone_are_exit_code_0_unless_denied() {
    let note = "User-agent: *\nColour: red\nDisallow: /a\n";
    assert_eq!(lint(note, []).code, 0);
    assert_eq!(lint(note, ["--deny", "notes"]).code, 1);
    assert_eq!(lint(note, ["--deny", "unknown-field"]).code, 1);
    assert_eq!(
        lint(note, ["--deny", "unknown-field", "--deny", "errors"]).code,
        1
    );
    assert_eq!(lint(note, ["--deny", "missing-colon"]).code, 0);
}

#[test]
fn warnings_are_denied_unless_errors_alone_are() {
    let warning = "User-agent: *\nDisalow: /\n";
    assert_eq!(lint(warning, []).code, 1);
    assert_eq!(lint(warning, ["--deny=warnings"]).code, 1);
    assert_eq!(lint(warning, ["--deny=errors"]).code, 0);
    assert_eq!(lint(warning, ["--deny=errors,misspelled-field"]).code, 1);
    // A code alone does not take the default away.
    assert_eq!(lint(warning, ["--deny=shadowed-rule"]).code, 1);
    assert_eq!(lint(FAULTY, ["--deny=errors"]).code, 1);
}

#[test]
fn what_is_allowed_is_left_out() {
    let run = lint(FAULTY, ["--allow=rule-before-group", "--allow", "notes"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("[misspelled-field]"), "{run:?}");
    assert!(run.stdout.ends_with("\n1 warning in 1 file\n"), "{run:?}");
    let run = lint(FAULTY, ["--allow=warnings"]);
    assert!(run.stdout.ends_with("\n1 error in 1 file\n"), "{run:?}");
    let run = lint(FAULTY, ["--allow=warnings,rule-before-group"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.ends_with("\nno findings in 1 file\n"), "{run:?}");
    // A code is more than a level.
    let run = lint(
        FAULTY,
        [
            "--allow=warnings",
            "--deny=misspelled-field",
            "--allow=rule-before-group",
        ],
    );
    assert_eq!(run.code, 1);
    assert!(run.stdout.ends_with("\n1 warning in 1 file\n"), "{run:?}");
}

#[test]
fn an_unknown_code_is_named_with_the_nearest() {
    for option in ["--allow", "--deny", "--explain"] {
        assert_usage_error([option, "mising-colon"], "invalid value 'mising-colon'");
        assert_usage_error(
            [option, "mising-colon"],
            "; the nearest: `missing-colon`; `robots lint --explain` lists all codes",
        );
        for (words, nearest) in [
            ("closed-site", "site-closed"),
            ("no-colon", "missing-colon"),
        ] {
            // `--allow closed` is a word of its own.
            let run = robots(["lint", option, words]);
            let first = run.stderr.lines().next().unwrap();
            assert_eq!(run.code, 2, "{run:?}");
            assert!(first.contains("; the nearest: `"), "{run:?}");
            assert!(first.contains(&format!("`{nearest}`;")), "{run:?}");
        }
        let run = robots(["lint", option, "foo-bar"]);
        let first = run.stderr.lines().next().unwrap();
        assert!(!first.contains("nearest") && first.len() < 120, "{run:?}");
        // The list of all codes was longer than the screen.
        assert!(!run.stderr.contains("utf16"), "{run:?}");
    }
    assert_usage_error(["-", "--allow=errors"], "invalid value 'errors'");
}

#[test]
fn contradictions_are_refused() {
    assert_usage_error(
        ["-", "--allow=utf16", "--deny=utf16"],
        "`utf16` is given to --allow and to --deny; leave one out",
    );
    assert_usage_error(["-", "-"], "`-` is given more than once");
    assert_usage_error(["-", "--write"], "--fix");
    assert_usage_error(
        ["-", "--fix", "--write"],
        "standard input cannot be written to",
    );
    assert_usage_error(["x", "--fix", "--format=json"], "--fix prints a diff");
    assert_usage_error(["x", "--fix", "--max-bytes=9"], "'--max-bytes <N>'");
    assert_usage_error(["x", "--explain", "utf16"], "--explain");
    assert_usage_error([], "<FILE>...");
    assert!(
        robots(["lint", "-", "-"])
            .stderr
            .contains("Usage: robots lint ")
    );
}

#[test]
fn each_of_many_files_is_named() {
    let faulty = file("lint-many-faulty.txt", FAULTY);
    let clean = file("lint-many-clean.txt", CLEAN);
    let other = file("lint-many-other.txt", FAULTY);
    let run = run(
        command()
            .args(["lint", "--allow=notes,misspelled-field"])
            .args([&faulty, &clean, &other]),
        b"",
    );
    assert_eq!(run.code, 1);
    for path in [faulty, other] {
        let place = format!("--> {}:1:1\n", path.display());
        assert_eq!(run.stdout.matches(&place).count(), 1, "{run:?}");
    }
    assert!(run.stdout.ends_with("\n2 errors in 3 files\n"), "{run:?}");
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let clean = file("lint-beside-missing.txt", CLEAN);
    let empty = scratch().join("lint-empty-folder");
    fs::create_dir_all(&empty).unwrap();
    for format in ["human", "short", "json", "sarif", "github", "gitlab"] {
        let run = run(
            command()
                .args(["lint", "--format", format, "/nowhere/a.txt"])
                .arg(&clean)
                .arg("/nowhere/b.txt")
                .arg(&empty),
            b"",
        );
        assert_eq!(run.code, 2);
        let errors: Vec<&str> = run.stderr.lines().collect();
        assert_eq!(errors.len(), 3, "{run:?}");
        assert!(
            errors[0].contains(
                "` holds no file with the name robots.txt; for other names give a pattern"
            ),
            "{run:?}"
        );
        assert!(
            errors[1].starts_with("error: cannot read `/nowhere/a.txt`: "),
            "{run:?}"
        );
        assert!(
            errors[2].starts_with("error: cannot read `/nowhere/b.txt`: "),
            "{run:?}"
        );
        match format {
            "human" => assert!(run.stdout.ends_with("\nno findings in 1 file\n"), "{run:?}"),
            "short" => assert_eq!(run.stdout, ""),
            "gitlab" => assert_eq!(run.stdout, "[]\n"),
            "github" => assert_eq!(run.stdout.matches("::error file=").count(), 3),
            _ => {
                assert_eq!(run.stdout.matches("cannot read `").count(), 2);
                assert_eq!(run.stdout.matches("holds no file").count(), 1);
            }
        }
    }
}

#[test]
fn of_no_file_there_is_no_summary() {
    let run = robots(["lint", "/nowhere/a.txt"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr
            .starts_with("error: cannot read `/nowhere/a.txt`: "),
        "{run:?}"
    );
    let url = robots(["lint", "https://example.com/robots.txt"]);
    assert!(
        url.stderr
            .contains("`curl -sL https://example.com/robots.txt | robots …`"),
        "{url:?}"
    );
}

#[test]
fn the_dialect_and_the_limit_count() {
    let file = "User-agent: *\nDisallow: /robots.txt$\n";
    assert!(lint(file, []).stdout.contains("[shadowed-rule]"));
    assert_eq!(lint(file, ["--dialect=google"]).code, 0);
    let cut = lint(file, ["--max-bytes=20"]);
    assert_eq!(cut.code, 1);
    assert!(
        cut.stdout
            .contains("error[truncated]: only the first 14 bytes were read"),
        "{cut:?}"
    );
    assert_eq!(cut.stderr, "");
}

#[test]
fn an_empty_file_is_clean() {
    assert_eq!(
        lint("", []).stdout,
        "-: every crawler may fetch everything\nno findings in 1 file\n"
    );
    for format in ["json", "sarif", "github"] {
        assert_eq!(lint("", ["--format", format]).code, 0);
    }
}

#[test]
fn a_page_is_printed_without_marks() {
    let run = robots(["lint", "--explain", "missing-colon"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.starts_with(
            "warning: missing-colon\n\nA record without a colon between its name and its value.\n\nExample\n\n    User-agent: *\n    Disallow /tmp/\n"
        ),
        "{run:?}"
    );
    assert!(!run.stdout.contains("```") && !run.stdout.contains("\n#"));
    assert!(
        run.stdout.contains("\n`robots lint --fix` fixes it"),
        "{run:?}"
    );
    let unfixable = robots(["lint", "--explain", "group-bleed"]);
    assert!(!unfixable.stdout.contains("--fix"), "{unfixable:?}");
}

#[test]
fn without_a_code_all_are_listed() {
    let run = robots(["lint", "--explain"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stdout.lines().count(),
        polite_robots_lint::DiagnosticCode::ALL.len()
    );
    for (line, code) in run
        .stdout
        .lines()
        .zip(polite_robots_lint::DiagnosticCode::ALL)
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..2], [code.severity().as_str(), code.as_str()]);
        assert!(line.ends_with('.'), "{line}");
    }
}

#[test]
fn help_says_how_it_ends() {
    let run = robots(["lint", "--help"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("Examples:\n  robots lint robots.txt\n"));
    assert!(
        run.stdout
            .contains("Exit codes:\n  0  no finding that is denied")
    );
}

#[test]
fn a_file_that_is_padded_with_nuls_is_not_called_utf16() {
    let padded = [b"User-agent: *\nDisallow: /tmp/\n".as_slice(), &[0; 4096]].concat();
    let run = robots_reading(&padded, ["lint", "-"]);
    assert!(run.stdout.contains("\n\nerror[nul-byte]: "), "{run:?}");
    let run = robots_reading(&padded, ["check", "-", "--agent=ExampleBot", "/tmp/"]);
    assert!(run.stdout.contains("line 2: Disallow: /tmp/"), "{run:?}");
}

//! `robots lint`: exit codes, levels, many files, and what is wrong with the arguments.

use std::fs;

use crate::suite::robots::{Run, command, file, robots, robots_reading, run, scratch};

const CLEAN: &str = "User-agent: *\nDisallow: /private/\n";

fn lint<const N: usize>(robots_txt: impl AsRef<[u8]>, arguments: [&str; N]) -> Run {
    robots_reading(robots_txt, ["lint", "-"].into_iter().chain(arguments))
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

//! `robots check --explain`.

use crate::suite::robots::{command, file, robots_reading, run};

fn explained(robots_txt: &str, agent: &str, url: &str) -> String {
    let run = robots_reading(
        robots_txt,
        ["check", "-", "--agent", agent, "--explain", url],
    );
    assert!(run.code < 2, "{run:?}");
    assert_eq!(run.stderr, "");
    run.stdout
}

#[test]
fn what_is_far_away_is_folded() {
    let robots_txt = format!(
        "User-agent: *\n{}Disallow: /x\n",
        "Disallow: /a\n".repeat(2_000)
    );
    let text = explained(&robots_txt, "ExampleBot", "/x");
    assert!(text.contains("   1 | User-agent: *"), "{text}");
    assert!(text.contains("2002 | Disallow: /x"), "{text}");
    assert!(text.lines().count() < 15, "{text}");
}

#[test]
fn nothing_of_the_file_reaches_the_terminal_as_it_is() {
    let robots_txt =
        "User-agent: *\u{1b}[31m\nDisallow: /\u{7}\u{202e}\u{9b}31m # \u{1b}]0;title\u{7}\n";
    for colour in ["0", "1"] {
        let run = run(
            command().env("CLICOLOR_FORCE", colour).args([
                "check",
                "-",
                "--agent=ExampleBot",
                "--explain",
                "/",
            ]),
            robots_txt.as_bytes(),
        );
        assert!(
            !run.stdout.contains(['\u{7}', '\u{202e}', '\u{9b}']),
            "{run:?}"
        );
        assert!(!run.stdout.contains("\u{1b}]"), "{run:?}");
    }
}

#[test]
fn a_line_of_a_megabyte_is_cut() {
    let path = file(
        "explain.long.robots.txt",
        format!("User-agent: *\nDisallow: /{}\n", "a".repeat(1 << 20)),
    );
    let url = format!("/{}", "a".repeat(1_000));
    let run = run(
        command().args([
            "check",
            path.to_str().unwrap(),
            "--agent=ExampleBot",
            "--explain",
            &url,
        ]),
        b"",
    );
    assert!(run.stdout.len() < 2_000, "{}", run.stdout.len());
    assert!(run.stdout.contains('…'));
}

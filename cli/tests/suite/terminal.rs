//! Colours, control characters, and readers that leave early.

use std::io::Write as _;
use std::process::Stdio;

use crate::suite::robots::{ROBOTS_TXT, command, file, finished, robots_reading, run};

const ESCAPE: char = '\u{1b}';

#[test]
fn no_colour_in_a_pipe() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--max-bytes=60",
            "/private/",
        ],
    );
    assert!(run.stderr.starts_with("warning: "), "{run:?}");
    assert!(!run.stdout.contains(ESCAPE) && !run.stderr.contains(ESCAPE));
}

#[test]
fn colours_where_they_are_asked_for() {
    let arguments = ["check", "-", "--agent=ExampleBot", "/private/", "/x"];
    let forced = run(
        command().env("CLICOLOR_FORCE", "1").args(arguments),
        ROBOTS_TXT.as_bytes(),
    );
    assert_eq!(
        forced.stdout,
        "\
\u{1b}[31mdisallowed\u{1b}[0m  /private/  line 2: Disallow: /private/  \u{1b}[2m(wildcard group)\u{1b}[0m
\u{1b}[32mallowed   \u{1b}[0m  /x         no rule matches  \u{1b}[2m(wildcard group)\u{1b}[0m
"
    );
}

#[test]
fn control_characters_of_a_url_are_escaped() {
    let list = file("hostile.urls", "/a\u{1b}]0;title\u{7}\u{9b}31m\u{202e}\n");
    let arguments = ["check", "-", "--agent=ExampleBot", "--urls"];
    let text = run(command().args(arguments).arg(&list), ROBOTS_TXT.as_bytes());
    assert_eq!(
        text.stdout,
        "allowed     /a\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{202e}  no rule matches  (wildcard group)\n"
    );
    let json = run(
        command().args(arguments).arg(&list).arg("--json"),
        ROBOTS_TXT.as_bytes(),
    );
    assert!(
        json.stdout
            .contains(r#""url": "/a\u001b]0;title\u0007\u009b31m\u202e""#),
        "{json:?}"
    );
}

#[test]
fn control_characters_of_a_rule_are_escaped() {
    for dialect in ["rfc9309", "google"] {
        for format in [None, Some("--json")] {
            let run = robots_reading(
                "User-agent: *\nDisallow: /*\u{1b}[31m\u{7f}\u{7}$\n",
                ["check", "-", "--agent=ExampleBot", "--dialect", dialect]
                    .into_iter()
                    .chain(format)
                    .chain(["/\u{1b}[31m\u{7f}\u{7}"]),
            );
            assert_eq!(run.code, 1, "{run:?}");
            assert!(
                !run.stdout
                    .contains(|character: char| character.is_control() && character != '\n'),
                "{run:?}"
            );
        }
    }
}

#[test]
fn a_closed_pipe_is_quiet_and_keeps_the_answer() {
    let robots_txt = file("closed-pipe.robots.txt", ROBOTS_TXT);
    for (last_url, code) in [("/a", 0), ("/private/", 1)] {
        let mut child = command()
            .arg("check")
            .arg(&robots_txt)
            .args(["--agent=ExampleBot", "--urls=-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Nothing is printed before the list is read to its end, so the reader is gone by then.
        drop(child.stdout.take());
        let list = "/many\n".repeat(20_000) + last_url;
        child
            .stdin
            .take()
            .unwrap()
            .write_all(list.as_bytes())
            .unwrap();
        let run = finished(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (code, ""));
    }
}

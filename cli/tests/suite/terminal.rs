//! Colours, control characters, and readers that leave early.

use std::io::Write as _;
use std::process::Stdio;

use crate::suite::robots::{ROBOTS_TXT, command, file, finished, robots_reading};

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

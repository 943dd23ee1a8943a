//! `robots check --ndjson`, and the path that a question is about.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::suite::robots::{ROBOTS_TXT, command, file, robots_reading, run};

#[test]
fn each_agent_and_url_is_a_line() {
    let list = file("ndjson.urls", "\u{feff}# pages\n/private/x\n\n/x\n");
    let arguments = [
        "check",
        "-",
        "--agent=NamedBot",
        "--agent=ExampleBot",
        "--ndjson",
        "/named",
    ];
    let run = robots_reading(
        ROBOTS_TXT,
        arguments
            .into_iter()
            .chain(["--urls", list.to_str().unwrap()]),
    );
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let lines: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let answers: Vec<(&str, &str, bool)> = lines
        .iter()
        .map(|line| {
            let text = |name: &str| line[name].as_str().unwrap();
            (
                text("agent"),
                text("url"),
                line["allowed"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        answers,
        [
            ("NamedBot", "/named", false),
            ("ExampleBot", "/named", true),
            ("NamedBot", "/private/x", true),
            ("ExampleBot", "/private/x", false),
            ("NamedBot", "/x", true),
            ("ExampleBot", "/x", true),
        ]
    );
    assert_eq!(lines[0]["line"], 6);
}

#[test]
fn an_answer_does_not_wait_for_the_next_url() {
    let robots_txt = file("ndjson.robots.txt", ROBOTS_TXT);
    let mut child = command()
        .arg("check")
        .arg(&robots_txt)
        .args(["--agent=ExampleBot", "--ndjson", "--urls=-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut urls = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for url in ["/private/", "/x"] {
        writeln!(urls, "{url}").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.contains(&format!("\"url\":\"{url}\"")), "{answer}");
    }
    drop(urls);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// Within a limit of memory in which the answers and their document have no room.
#[test]
#[cfg(target_os = "linux")]
fn a_document_of_many_answers_needs_no_more_memory_than_one_of_few() {
    let robots_txt = file("many.robots.txt", ROBOTS_TXT);
    let urls: String = (0..40_000).map(|n| format!("/private/{n}\n")).collect();
    let limited = format!(
        "ulimit -v 90000; exec {} \"$@\"",
        env!("CARGO_BIN_EXE_robots")
    );
    let mut command = Command::new("sh");
    command
        .args(["-c", &limited, "sh", "check"])
        .arg(&robots_txt);
    command
        .args(["--agent=a", "--json", "--urls"])
        .arg(file("many.urls", &urls));
    let run = run(&mut command, b"");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("\n  \"all_allowed\": false,\n"));
    assert_eq!(run.stdout.matches("\"reason\": \"rule\"").count(), 40_000);
}

#[test]
fn a_list_that_is_empty_or_no_text_is_an_error() {
    for (name, list, message) in [
        ("empty", &b"# none\n"[..], "holds no URL"),
        (
            "binary",
            b"/a\n/\xFF\n",
            "line 2: 0xFF at byte 1 is not UTF-8",
        ),
    ] {
        let list = file(&format!("ndjson.{name}.urls"), list);
        let arguments = ["check", "-", "--agent=a", "--ndjson", "--urls"];
        let run = robots_reading(
            ROBOTS_TXT,
            arguments.into_iter().chain([list.to_str().unwrap()]),
        );
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains(message), "{run:?}");
    }
}

#[test]
fn an_argument_that_is_taken_for_a_host_is_said() {
    let arguments = ["check", "-", "--agent=ExampleBot", "cart/1", "/a", "*"];
    let run = robots_reading(ROBOTS_TXT, arguments);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stderr,
        "warning: `cart/1` begins with neither `/` nor `https://`, so that the question is about the path `/1` (and 1 \
         URL like it)\n"
    );
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--explain",
            "https://e.com/caf\u{e9}",
        ],
    );
    assert!(
        run.stdout.contains("= path: `/caf%C3%A9` is compared\n"),
        "{run:?}"
    );
    assert_eq!(run.stderr, "");
}

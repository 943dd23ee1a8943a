//! `robots check --ndjson`, and the path that a question is about.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::suite::robots::{ROBOTS_TXT, command, file, run};

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

/// The limit of memory leaves no room for the answers and their document.
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

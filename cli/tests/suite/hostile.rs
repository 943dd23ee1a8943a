//! Every subcommand, with files that nobody should have to read, and readers that leave.

use std::process::{Command, Stdio};

use crate::suite::robots::{command, file, finished, robots, run_without_reader};

/// Questions to the subcommands about a file.
fn questions(path: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["agents", path],
        vec!["agents", path, "--known", "--json"],
        vec!["check", path, "--agent=ExampleBot", "--agent=*", "/a", "/b"],
        vec!["check", path, "--agent=ExampleBot", "--explain", "/a"],
        vec![
            "check",
            path,
            "--agent=ExampleBot",
            "--explain",
            "--dialect=google",
            "/a",
        ],
        vec!["diff", path, "/dev/null"],
        vec!["diff", "/dev/null", path, "--json"],
        vec!["fmt", path, "--check"],
    ]
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    // A line of this length is longer than Google's matcher reads of a line, and two of them are
    // longer than the 500 KiB that it reads of a file.
    let long = 1 << 18;
    let stars = "Disallow: /*a*b*c*d\nAllow: *e*f\n".repeat(300);
    let agents: String = (0..500)
        .map(|number| format!("User-agent: a{number}\nDisallow: /{number}\n"))
        .collect();
    vec![
        ("empty", Vec::new()),
        ("bom", b"\xEF\xBB\xBFUser-agent: *\nDisallow: /a\n".to_vec()),
        ("cut-bom", b"\xEF\xBBUser-agent: *\nDisallow: /a\n".to_vec()),
        ("crlf", b"User-agent: *\r\nDisallow: /a\r\rAllow: /b\n\r".to_vec()),
        ("nul", b"User-agent: *\0\nDisallow: /a\0b\nAllow: /b # \0\n".to_vec()),
        ("latin1", b"User-agent: caf\xE9\nDisallow: /\xE9\xFF\n\xFE: \xFD\n".to_vec()),
        ("utf16", b"\xFF\xFEU\0s\0e\0r\0".to_vec()),
        (
            "escapes",
            "User-agent: *\u{1b}]0;x\u{7}\nDisallow: /a\u{1b}[31m\u{9b}1m\u{202e}\nSitemap: \u{1b}c\nContent-Signal: \u{1b}[2J\nFoo\u{7}: \u{1b}[1m\n"
                .into(),
        ),
        ("long", format!("User-agent: *\nDisallow: /{}\n{}", "a".repeat(long), "x".repeat(long)).into()),
        ("stars", format!("User-agent: *\n{stars}").into()),
        ("deep", format!("User-agent: *\nDisallow: /{}a$\n", "*a".repeat(500)).into()),
        ("agents", agents.into()),
        ("delay", b"User-agent: *\nCrawl-delay: 99999999999999999999999\nDisallow: /a\n".to_vec()),
    ]
}

#[test]
fn every_file_gets_an_answer_that_a_terminal_survives() {
    for (name, content) in files() {
        let path = file(&format!("hostile.{name}.robots.txt"), content);
        for question in questions(path.to_str().unwrap()) {
            // With colours, the output is not stripped of escape sequences.
            let output = command()
                .env("CLICOLOR_FORCE", "1")
                .args(&question)
                .output()
                .unwrap();
            let run = finished(output);
            assert!(run.code < 2, "{question:?}: {run:?}");
            let is_obeyed = |character: char| {
                character.is_control() && !"\n\u{1b}".contains(character) || character == '\u{202e}'
            };
            for printed in [&run.stdout, &run.stderr] {
                assert!(!printed.contains(is_obeyed), "{question:?}: {run:?}");
                for foreign in ["\u{1b}]", "\u{1b}c", "\u{1b}[2J"] {
                    assert!(!printed.contains(foreign), "{question:?}: {run:?}");
                }
            }
        }
    }
}

/// The memory of a command is that of its file and what it prints at a time. Twenty thousand
/// findings as one value of JSON would take twice as much as is given here.
#[cfg(target_os = "linux")]
#[test]
fn as_many_findings_as_a_file_can_have_take_little_memory() {
    let content = format!("User-agent: *\n{}", "Disallow: /a\n".repeat(10_000));
    let path = file("hostile.findings.robots.txt", content);
    for format in ["human", "short", "json", "sarif", "github", "gitlab"] {
        let mut limited = Command::new("sh");
        limited
            .args(["-c", "ulimit -d 98304 && exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_robots"))
            .args(["lint", "--format", format])
            .arg(&path);
        let run = finished(limited.output().unwrap());
        assert!(
            run.code < 2 && !run.stdout.is_empty(),
            "{format}: {}",
            run.stderr
        );
    }
}

#[test]
fn a_closed_pipe_is_quiet() {
    let rules: String = (0..2_000)
        .map(|number| format!("Disallow: /{number}\n"))
        .collect();
    let path = file("hostile.pipe.robots.txt", format!("User-agent: *\n{rules}"));
    let path = path.to_str().unwrap();
    let other = [
        vec!["completions", "bash"],
        vec!["man", "check"],
        vec!["--help"],
        vec!["fmt", path],
        vec!["diff", "/dev/null", path, "--agent=*", "--url=/1"],
    ];
    for question in questions(path).into_iter().chain(other) {
        if question == ["diff", "/dev/null", path, "--json"]
            || question == ["diff", path, "/dev/null"]
        {
            continue;
        }
        let run = run_without_reader(command().args(&question));
        assert!(
            run.code < 2 && run.stderr.is_empty(),
            "{question:?}: {run:?}"
        );
    }
}

/// A pipe may never end.
#[cfg(unix)]
#[test]
fn no_more_is_read_than_counts() {
    let mut yes = Command::new("yes")
        .arg("Disallow: /a")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let endless = yes.stdout.take().unwrap();
    let run = command()
        .args(["check", "-", "--agent=a", "--max-bytes=512000", "/b"])
        .stdin(endless)
        .output()
        .unwrap();
    yes.kill().unwrap();
    yes.wait().unwrap();
    let run = finished(run);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stderr.contains("longer than the limit"), "{run:?}");
    let nothing = robots(["check", "-", "--agent=a", "--max-bytes=0", "/b"]);
    assert!(nothing.stderr.contains("give at least 1"), "{nothing:?}");
}

/// Hundreds of agents against hundreds of rules: each agent's changes are as long as both files,
/// and would be 100 MB of JSON.
#[cfg(unix)]
#[test]
fn a_difference_of_many_agents_is_bounded() {
    let agents: String = (0..500)
        .map(|n| format!("User-agent: a{n}x\nDisallow: /{n}\n"))
        .collect();
    let rules: String = (0..500).map(|n| format!("Disallow: /r{n}\n")).collect();
    let old = file("hostile.many-agents.robots.txt", agents);
    let new = file(
        "hostile.many-rules.robots.txt",
        format!("User-agent: *\n{rules}"),
    );
    let limited = |option: &str| {
        // The limit is in KiB, and the program itself takes a part of it.
        let script = "ulimit -v 300000 && exec \"$0\" \"$@\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_robots"), "diff"]);
        finished(shell.args([&old, &new]).arg(option).output().unwrap())
    };
    let text = limited("--dialect=rfc9309");
    assert_eq!(text.code, 1, "{:?}", text.stderr);
    assert!(text.stdout.len() < 20_000_000, "{}", text.stdout.len());
    assert!(
        text.stdout
            .contains(" changes more, of rules, URLs and records"),
        "{:?}",
        text.stderr
    );
    let json = limited("--json");
    assert_eq!(json.code, 1, "{:?}", json.stderr);
    assert!(json.stdout.len() < 80_000_000, "{}", json.stdout.len());
    let document: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let agents = document["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 501);
    // The changes of each are listed or counted.
    for agent in agents.iter().filter(|agent| agent["complete"] != false) {
        assert_eq!(agent["changed"], true, "{agent}");
        let count = |list: &serde_json::Value| list.as_array().unwrap().len() as u64;
        let rules = count(&agent["rules"]["old"]) + count(&agent["rules"]["new"]);
        let all = rules + count(&agent["verdicts"]) + agent["left_out"].as_u64().unwrap_or(0);
        assert!(all >= 1000, "{agent}");
    }
}

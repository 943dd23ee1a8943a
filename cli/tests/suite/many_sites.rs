//! `robots fetch --urls`, against sites that wait for each other.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use serde_json::Value;

use crate::suite::robots::{Run, file, finished, robots, robots_reading, scratch};
use crate::suite::server::{Served, Server, answer, redirect, robots_txt_answer, status};

/// The sites that were asked and have not answered yet.
#[derive(Default)]
struct Asked {
    now: Mutex<usize>,
    changed: Condvar,
}

/// A site at an address of its own, which answers when `together` sites have been asked; `None`
/// never answers. Returns its URL.
fn site(address: &str, together: Option<usize>, asked: &Arc<Asked>) -> String {
    let listener = TcpListener::bind((address, 0)).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::clone(asked);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            wait_and_answer(stream, together, &asked);
        }
    });
    url
}

fn wait_and_answer(mut stream: TcpStream, together: Option<usize>, asked: &Asked) {
    let mut head = [0; 4096];
    let _ = stream.read(&mut head);
    let Some(together) = together else {
        // Until the client gives up.
        let _ = stream.read(&mut head);
        return;
    };
    let mut now = asked.now.lock().unwrap();
    *now += 1;
    asked.changed.notify_all();
    drop(
        asked
            .changed
            .wait_while(now, |now| *now < together)
            .unwrap(),
    );
    let body = b"User-agent: *\nDisallow: /private/\n";
    let _ = stream.write_all(&answer("200 OK", &[], body));
}

/// A list of these sites, between lines that do not count.
fn list(name: &str, sites: &[String]) -> String {
    let text = format!("# sites\n\n{}\n", sites.join("\n"));
    file(name, text).to_str().unwrap().to_owned()
}

fn rows(run: &Run) -> Vec<Vec<&str>> {
    let lines = run.stdout.lines().skip(1);
    lines.map(|line| line.splitn(5, ',').collect()).collect()
}

// Other systems have one address of loopback alone.
#[cfg(target_os = "linux")]
#[test]
fn hosts_are_asked_at_once_and_stand_in_the_order_of_the_list() {
    let asked = Arc::default();
    // Nine sites answer only when all nine were asked, and three never.
    let sites: Vec<String> = (1..=12)
        .map(|host| {
            let together = (host % 4 != 0).then_some(9);
            site(&format!("127.0.2.{host}"), together, &asked)
        })
        .collect();
    let list = list("many.sites", &sites);
    let run = robots([
        "fetch",
        "--urls",
        &list,
        "--format",
        "csv",
        "--timeout",
        "10",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    let rows = rows(&run);
    assert_eq!(rows.len(), 12);
    for (row, (site, host)) in rows.iter().zip(sites.iter().zip(1..)) {
        assert_eq!(row[0], format!("{site}/robots.txt"));
        let expected = match host % 4 {
            0 => ["none", "", "nothing"],
            _ => ["yes", "200", "rules"],
        };
        assert_eq!(row[1..4], expected, "{row:?}");
    }
    assert!(rows[3][4].starts_with("no whole answer from `127.0.2.4:"));
}

#[test]
fn the_sites_of_one_host_are_asked_one_after_the_other() {
    let asked = Arc::default();
    // The second site would answer the first one.
    let sites = [(); 2].map(|()| site("127.0.3.1", Some(2), &asked));
    let list = list("one-host.sites", &sites);
    let run = robots([
        "fetch",
        "--urls",
        &list,
        "--format",
        "csv",
        "--timeout",
        "3",
    ]);
    let answers: Vec<&str> = rows(&run).iter().map(|row| row[1]).collect();
    assert_eq!(answers, ["none", "yes"], "{run:?}");
}

#[test]
fn each_answer_has_its_line_and_the_worst_decides() {
    let closed = Server::start(&[("/robots.txt", status("503 Service Unavailable"))]);
    let absent = Server::start(&[]);
    let html = Server::with(b"<!doctype html><title>Shop, \"new\"</title>");
    let moved = Server::start(&[
        ("/robots.txt", redirect("/b.txt")),
        ("/b.txt", robots_txt_answer(b"User-agent: *\nDisallow: /a")),
    ]);
    let hosts = [&closed, &absent, &html, &moved].map(|server| server.url("/x?y=1,2"));
    let list = list("answers.sites", &hosts);
    let run = robots(["fetch", "--urls", &list, "--format", "csv"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    let line = |server: &Server, rest: &str| format!("{},{rest}", server.url("/robots.txt"));
    assert_eq!(lines[0], "robots_txt,answer,status,access,cause");
    assert_eq!(
        lines[1],
        line(
            &closed,
            "no,503,nothing,closed: robots.txt answered with status 503"
        )
    );
    assert_eq!(
        lines[2],
        line(
            &absent,
            "yes,404,everything,everything is allowed: robots.txt answered with status 404"
        )
    );
    assert!(
        lines[3].starts_with(&line(&html, "no,200,everything,")),
        "{run:?}"
    );
    assert!(lines[3].contains("the answer has no rules; it seems to be no robots.txt: "));
    assert_eq!(
        lines[4],
        line(
            &moved,
            &format!(
                "yes,200,rules,its rules decide; redirected to {}",
                moved.url("/b.txt")
            )
        )
    );

    // The table has the same answers, and no line that is longer than it must be.
    let table = robots(["fetch", "--urls", &list]);
    assert_eq!(table.code, 1);
    assert!(
        table.stdout.lines().all(|line| line.chars().count() <= 80),
        "{table:?}"
    );
    let starts: Vec<&str> = table
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|start| !start.is_empty())
        .collect();
    assert_eq!(starts, ["answer", "no", "yes", "no", "yes"], "{table:?}");

    // Questions count, and so does the exit code of one site alone.
    let asked = ["--check", "/a", "--agent", "ExampleBot", "--format", "csv"];
    let run = robots(["fetch", &moved.url("")].iter().chain(&asked));
    assert_eq!((run.code, rows(&run)[0][1]), (1, "no"));
    let document = robots(["fetch", "--urls", &list, "--format", "json"]);
    let document: Value = serde_json::from_str(&document.stdout).unwrap();
    assert_eq!(document["sites"].as_array().unwrap().len(), 4);
}

#[test]
fn a_line_that_is_no_url_is_named_and_the_others_are_asked() {
    let server = Server::start(&[("/robots.txt", robots_txt_answer(b"User-agent: *\nAllow: /"))]);
    let text = format!("{}\n\n# no URL:\nftp://a.example/\n", server.url(""));
    let run = robots_reading(&text, ["fetch", "--urls", "-", "--format", "csv"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.starts_with("error: standard input, line 4: "),
        "{run:?}"
    );
    let answers: Vec<&str> = rows(&run).iter().map(|row| row[1]).collect();
    assert_eq!(answers, ["yes", "none"]);
    let empty = robots_reading("# nothing\n", ["fetch", "--urls", "-"]);
    assert_eq!(empty.code, 2);
    assert!(empty.stderr.contains("holds no URL"), "{empty:?}");
}

#[test]
fn files_of_a_list_are_saved() {
    let server = Server::with(b"User-agent: *\nAllow: /\n");
    let silent = Server::start(&[("/robots.txt", Served::Bytes(Vec::new()))]);
    let list = list("saved.sites", &[server.url(""), silent.url("")]);
    let folder = format!("{}/", scratch().join("saved.sites.d").display());
    let run = robots(["fetch", "--urls", &list, "--save", &folder]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("nothing is saved"), "{run:?}");
    let saved = format!("{folder}http_127.0.0.1_{}.robots.txt", server.port);
    assert_eq!(std::fs::read(saved).unwrap(), b"User-agent: *\nAllow: /\n");
}

#[test]
fn diff_asks_sites_as_fetch_does() {
    let old = Server::with(b"User-agent: *\nDisallow: /a\n");
    let new = Server::start(&[
        ("/robots.txt", redirect("/b.txt")),
        (
            "/b.txt",
            robots_txt_answer(b"User-agent: *\nDisallow: /b\n"),
        ),
    ]);
    let run = robots(["diff", &old.url("/"), &new.url("/page?x=1")]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("now allowed     /a"), "{run:?}");
    assert!(run.stdout.contains("now disallowed  /b"), "{run:?}");
    let note = format!(
        "note: `{}`: its rules decide; redirected to {}\n",
        new.url("/robots.txt"),
        new.url("/b.txt")
    );
    assert_eq!(run.stderr, note);

    let same = file("diff.same.robots.txt", "User-agent: *\nDisallow: /a\n");
    let run = robots(["diff", same.to_str().unwrap(), &old.url("")]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");

    for (served, code, sentence) in [
        (
            status("404 Not Found"),
            1,
            "everything is allowed: robots.txt answered with status 404",
        ),
        (
            status("503 Service Unavailable"),
            1,
            "closed: robots.txt answered with status 503",
        ),
        (Served::Bytes(Vec::new()), 2, "error: "),
    ] {
        let server = Server::start(&[("/robots.txt", served)]);
        let run = robots(["diff", same.to_str().unwrap(), &server.url("")]);
        assert_eq!(run.code, code, "{run:?}");
        assert!(run.stderr.contains(sentence), "{run:?}");
    }
}

/// Runs a command line in the folder of the tests.
#[cfg(unix)]
fn shell(line: &str) -> Run {
    let robots = std::path::Path::new(env!("CARGO_BIN_EXE_robots"))
        .parent()
        .unwrap();
    let path = format!("{}:{}", robots.display(), std::env::var("PATH").unwrap());
    let mut command = std::process::Command::new("sh");
    command
        .current_dir(scratch())
        .env("PATH", path)
        .args(["-c", line]);
    finished(command.output().unwrap())
}

/// The command that a message names is run, and answers.
#[cfg(unix)]
#[test]
fn a_url_in_place_of_a_file_is_answered_with_a_command_that_works() {
    let server = Server::with(b"User-agent: *\nDisallow: /a\n");
    let url = server.url("/it's?a=1&b=$x");
    for arguments in [
        &["check", &url, "--agent", "ExampleBot"][..],
        &[
            "check", &url, "/a b", "/c", "--agent", "*", "--agent", "GPTBot",
        ],
        &["lint", &url],
        &["agents", &url],
        &["check", &url, "--agent", "*", "--urls", "x.txt"],
    ] {
        let refused = robots(arguments);
        assert_eq!(refused.code, 2, "{refused:?}");
        let (_, command) = refused
            .stderr
            .split_once("ask the site with `")
            .expect(&refused.stderr);
        let (command, _) = command.rsplit_once('`').unwrap();
        let run = shell(command);
        assert!(run.code < 2 && run.stderr.is_empty(), "{command}: {run:?}");
    }
}

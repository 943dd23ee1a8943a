//! Many threads share one robot and one document while the parts that are built on first use are
//! built.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use polite_robots::{Robot, RobotsTxt};
use polite_robots_records::Usage;

const THREADS: usize = 64;
const ROUNDS: usize = 100;

/// Time limit of a round, long enough that only a deadlock reaches it, even on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// A file with enough rules for a hash index, patterns that need regexes, and records that a
/// document converts.
fn file() -> Vec<u8> {
    let mut file = String::from("User-agent: *\nContent-Usage: /a/ train-ai=n\n");
    for number in 0..200 {
        file.push_str(&format!("Disallow: /a/{number}/\nAllow: /*b{number}c*d\n"));
    }
    for number in 0..4 {
        file.push_str(&format!("Disallow: /{}{number}$\n", "*a".repeat(40)));
    }
    file.push_str("Sitemap: /\u{e9}.xml\n");
    let mut file = file.into_bytes();
    file.extend(b"Sitemap: /\xFF.xml\n");
    file
}

/// URLs that need each part built on first use: the scan, the index, and each regex.
fn urls() -> Vec<String> {
    let wildcards = (0..4).map(|number| format!("/x/b{number}c/d"));
    let heads = (0..4).map(|number| format!("/a/{number}/?p=2"));
    let regexes = (0..4).map(|number| format!("/{}{number}", "a".repeat(50)));
    wildcards.chain(heads).chain(regexes).collect()
}

#[derive(Debug, PartialEq)]
struct Answers {
    verdicts: Vec<String>,
    sitemaps: Vec<String>,
}

/// Asks about every URL, beginning with the one at `first`, so that threads use all parts at the
/// same time.
fn ask(robot: &Robot, robots_txt: &RobotsTxt, urls: &[String], first: usize) -> Answers {
    let each = || (0..urls.len()).map(|at| (at + first) % urls.len());
    let mut verdicts = vec![String::new(); urls.len()];
    if first % 2 == 0 {
        assert_eq!(robots_txt.sitemaps().count(), 2);
    }
    for at in each() {
        let url = urls[at].as_str();
        let (verdict, usage) = (robot.check(url), Usage::of(robot, url));
        assert_eq!(verdict.is_allowed(), robot.allowed(url));
        verdicts[at] = format!("{verdict} {:?}", usage.ai_training());
    }
    Answers {
        verdicts,
        sitemaps: robots_txt.sitemaps().map(str::to_owned).collect(),
    }
}

#[test]
fn simultaneous_first_uses_get_equal_answers() {
    let (report, reports) = channel();
    let rounds = thread::spawn(move || {
        let file = file();
        let urls: Arc<[String]> = urls().into();
        let parse = || {
            let robots_txt = RobotsTxt::parse(&file);
            (robots_txt.robot("ExampleBot").unwrap(), robots_txt)
        };
        let (robot, robots_txt) = parse();
        let expected = ask(&robot, &robots_txt, &urls, 0);
        for _ in 0..ROUNDS {
            let (robot, robots_txt) = parse();
            let barrier = Arc::new(Barrier::new(THREADS));
            let threads: Vec<_> = (0..THREADS)
                .map(|first| {
                    let (robot, robots_txt) = (robot.clone(), robots_txt.clone());
                    let (urls, barrier) = (Arc::clone(&urls), Arc::clone(&barrier));
                    thread::spawn(move || {
                        barrier.wait();
                        ask(&robot, &robots_txt, &urls, first)
                    })
                })
                .collect();
            // The last thread to end frees the shared memory.
            drop((robot, robots_txt));
            for thread in threads {
                assert_eq!(thread.join().unwrap(), expected);
            }
            report.send(()).unwrap();
        }
    });
    loop {
        match reports.recv_timeout(TIME_LIMIT) {
            Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("a round took longer than {TIME_LIMIT:?}"),
        }
    }
    rounds.join().unwrap();
}

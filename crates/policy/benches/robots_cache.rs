//! The time of an answer from a `RobotsCache`, beside that of its parts.
//!
//! With `ENFORCE=1`, more than 200 ns for an answer about one of a few hosts are an error.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs
)]

use std::hint::black_box;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};
use std::time::{Instant, SystemTime};

use polite_robots_policy::{NetError, Origin, RobotsCache, RobotsResponse, Timestamp, block_on};

fn main() -> ExitCode {
    let robots = RobotsCache::new("ExampleBot", get).unwrap();
    println!("\n| hosts | what | an answer |\n|---|---|---|");
    let mut slowest = 0;
    for hosts in [1, 100, 10_000] {
        let urls: Vec<String> = (0..hosts).map(url).collect();
        let rows: [Row<'_>; 7] = [
            ("the clock", &|_| {
                black_box(Timestamp::from(SystemTime::now()));
            }),
            ("`Origin::of`", &|url| {
                black_box(Origin::of(url).unwrap());
            }),
            ("`Cache::poll`, with the two above", &|url| {
                let (origin, now) = (Origin::of(url).unwrap(), SystemTime::now().into());
                drop(black_box(
                    robots.with_cache(|cache| cache.poll(&origin, now)),
                ));
            }),
            ("`allowed`, polled once", &|url| {
                let mut context = Context::from_waker(Waker::noop());
                let answer = pin!(robots.allowed(url)).poll(&mut context);
                assert!(matches!(answer, Poll::Ready(Ok(true))));
            }),
            ("`check`, polled once", &|url| {
                let mut context = Context::from_waker(Waker::noop());
                let answer = pin!(robots.check(url)).poll(&mut context);
                assert!(matches!(answer, Poll::Ready(Ok(check)) if check.allowed));
            }),
            ("`block_on(allowed)`", &|url| {
                assert!(block_on(robots.allowed(url)).unwrap());
            }),
            ("`block_on(check)`", &|url| {
                assert!(block_on(robots.check(url)).unwrap().allowed);
            }),
        ];
        for (what, answer) in rows {
            let nanoseconds = measure(&urls, answer);
            println!("| {hosts} | {what} | {nanoseconds} ns |");
            if hosts < 1_000 && what.starts_with("`allowed`") {
                slowest = slowest.max(nanoseconds);
            }
        }
    }
    let is_enforced = std::env::var("ENFORCE").is_ok_and(|value| value == "1");
    ExitCode::from(u8::from(is_enforced && slowest > 200))
}

type Row<'r> = (&'r str, &'r dyn Fn(&str));

/// The time of an answer in the fastest of several rounds.
fn measure(urls: &[String], answer: &dyn Fn(&str)) -> u128 {
    let (rounds, answers) = if is_measured() {
        (15, 200_000)
    } else {
        (1, 10)
    };
    let round = || {
        let start = Instant::now();
        for url in urls.iter().cycle().take(answers) {
            answer(url);
        }
        start.elapsed().as_nanos() / answers as u128
    };
    (0..rounds).map(|_| round()).min().unwrap()
}

fn url(number: usize) -> String {
    format!("https://host-{number}.example.com/folder-{number}/page.html?id={number}")
}

/// Answers with a file of 15 rules, which is the median.
async fn get(_url: String) -> Result<RobotsResponse, NetError> {
    let rules: String = (0..15)
        .map(|rule| format!("Disallow: /private-{rule}/\n"))
        .collect();
    let body = format!("User-agent: *\n{rules}");
    Ok(RobotsResponse::new(
        200,
        [("Content-Type", "text/plain")],
        body,
    ))
}

/// Whether to measure, or only to run everything once: `cargo bench` passes `--bench`, `cargo test
/// --benches` does not.
fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

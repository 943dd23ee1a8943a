//! Questions whose answers are not in the cache: many robots asked in random order, and large rule
//! sets asked about thousands of different URLs.
//!
//! The other benches ask one robot again and again, and its memory stays in the cache. A crawler of
//! many sites finds the robot of the next URL cold. `ROUNDS` sets how many rounds (5); `cargo bench
//! --bench cold -- d1` measures only the rows whose name contains `d1`.

use std::hint::black_box;

use polite_robots_benches::inputs::xorshift::Xorshift;
use polite_robots_benches::inputs::{Input, corpus, shapes, urls};
use polite_robots_benches::peers::{Peer, PoliteRobots, Robotxt, TextingRobots};
use polite_robots_benches::timing::{duration, is_measured, least, median, nanoseconds, time};

/// The number of robots, of many sites. Their memory is several times the cache.
const ROBOTS: usize = 20_000;

/// The number of questions to these robots in one round: each robot is asked ten times.
const QUESTIONS: usize = 10 * ROBOTS;

/// Different URLs for a large rule set.
const URLS: usize = 4_000;

fn main() {
    let filter = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let is_wanted = |name: &str| filter.as_ref().is_none_or(|part| name.contains(part));
    println!(
        "| cold checks of full URLs | ours | texting_robots | robotxt |\n| --- | --- | --- | --- |"
    );
    if is_wanted("robots") {
        let files = sites();
        print_row(
            &format!("{ROBOTS} robots in random order"),
            [
                many_robots::<PoliteRobots>(&files),
                many_robots::<TextingRobots>(&files),
                many_robots::<Robotxt>(&files),
            ],
        );
    }
    for file in [
        shapes::oracle_like(),
        shapes::d1(),
        shapes::d2(),
        shapes::d4(),
        shapes::sophos_like(),
        shapes::params(),
    ] {
        if is_wanted(&file.name) {
            let urls = urls::many(&file.bytes, URLS);
            let (ours, peer) = (
                PoliteRobots::parse(&file.bytes).unwrap(),
                Robotxt::parse(&file.bytes).unwrap(),
            );
            let same = urls.iter().filter(|url| {
                PoliteRobots::allows_url(&ours, url) == Robotxt::allows_url(&peer, url)
            });
            // robotxt reads 500 KiB of a file, 60 % of the largest one.
            assert!(same.count() > URLS / 2, "{}", file.name);
            print_row(
                &format!("{}, {URLS} different URLs", file.name),
                [
                    many_urls::<PoliteRobots>(&file, &urls),
                    many_urls::<TextingRobots>(&file, &urls),
                    many_urls::<Robotxt>(&file, &urls),
                ],
            );
        }
    }
}

/// The files of the sites, or generated ones with about the same distribution of sizes.
fn sites() -> Vec<Input> {
    corpus::top_sites().unwrap_or_else(|| {
        let mut files = vec![shapes::p99(), shapes::twitter_like()];
        files.extend((0..8).map(|_| shapes::twitter_like()));
        files.extend((0..60).map(|_| shapes::median()));
        files.extend((0..30).map(|_| shapes::tiny()));
        files
    })
}

/// The nanoseconds of a question in each round.
fn many_robots<P: Peer>(files: &[Input]) -> Vec<f64> {
    let count = if is_measured() { ROBOTS } else { files.len() };
    let robots: Vec<P::Robot> = (0..count)
        .map(|at| P::parse(&files[at % files.len()].bytes).unwrap())
        .collect();
    let mut random = Xorshift::new(20_000);
    let questions: Vec<(u32, u32)> = (0..if is_measured() { QUESTIONS } else { count })
        .map(|_| (random.below(count) as u32, random.below(urls::MIX) as u32))
        .collect();
    rounds(questions.len(), || {
        for (robot, url) in &questions {
            let file = &files[*robot as usize % files.len()];
            let robot = &robots[*robot as usize];
            black_box(P::allows_url(robot, black_box(&file.urls[*url as usize])));
        }
    })
}

fn many_urls<P: Peer>(file: &Input, urls: &[String]) -> Vec<f64> {
    let robot = P::parse(&file.bytes).unwrap();
    rounds(urls.len(), || {
        for url in urls {
            black_box(P::allows_url(black_box(&robot), black_box(url)));
        }
    })
}

fn rounds(units: usize, mut run: impl FnMut()) -> Vec<f64> {
    let rounds = match std::env::var("ROUNDS") {
        _ if !is_measured() => 1,
        Ok(rounds) => rounds.parse().expect("ROUNDS is a number"),
        Err(_) => 5,
    };
    // Parts that are built on first use are built here.
    run();
    (0..rounds)
        .map(|_| nanoseconds(time(1, &mut run)) / units as f64)
        .collect()
}

fn print_row(name: &str, samples: [Vec<f64>; 3]) {
    let cells = samples.map(|samples| {
        format!(
            "{} / {}",
            duration(least(&samples)),
            duration(median(&samples))
        )
    });
    println!("| {name} | {} |", cells.join(" | "));
}

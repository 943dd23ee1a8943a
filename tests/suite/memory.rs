//! What hostile files take, in bytes asked of the allocator. A block that grows counts as a new one beside the old one.

use std::hint::black_box;

use allocation_counter::{AllocationInfo, measure};
use polite_robots::{Options, Robot, RobotsTxt};

use super::hostile::{Hostile, SHAPES, Shape};

/// How many times its file a document may take while it is parsed.
const MOST_OF_DOCUMENT: u64 = 3;

/// How many times what is for its agent a robot may take while it is made, and until its first question is answered.
const MOST_OF_ROBOT: u64 = 10;
const MOST_OF_ASKED_ROBOT: u64 = 16;

/// What else may be taken, whatever the file.
const FIXED: u64 = 64 << 10;

#[test]
fn a_document_takes_at_most_three_times_its_file() {
    for (name, shape) in SHAPES {
        let Hostile { file, .. } = of_bytes(shape, 1 << 20);
        for options in [Options::rfc9309(), Options::google()] {
            let peak = measure(|| {
                let _ = black_box(RobotsTxt::parse_with(&file, &options, &mut ()));
            });
            assert_bound(name, &peak, MOST_OF_DOCUMENT, file.len());
        }
    }
}

#[test]
fn a_robot_takes_a_few_times_what_is_for_its_agent() {
    for (name, shape) in SHAPES {
        let Hostile { file, url } = of_bytes(shape, 1 << 18);
        for options in [Options::rfc9309(), Options::google()] {
            let (new, asked) = of_robot("a", &file, &url, &options);
            assert_bound(name, &new, MOST_OF_ROBOT, file.len());
            // The URL is read too, and is as long as the file.
            let bytes = file.len() + url.len();
            assert_bound(name, &asked, MOST_OF_ASKED_ROBOT, bytes);
        }
    }
}

#[test]
fn a_robot_takes_nothing_for_what_is_for_other_agents() {
    for (name, shape) in SHAPES {
        let Hostile { file, .. } = of_bytes(shape, 1 << 20);
        let file = String::from_utf8_lossy(&file);
        if file.contains("Sitemap:") {
            continue;
        }
        // Above the first group, records may be for everyone.
        let file = format!(
            "User-agent: other\n{}",
            file.replace("User-agent: *", "User-agent: b")
        );
        let (new, _) = of_robot("nobody", file.as_bytes(), "/", &Options::rfc9309());
        assert_bound(name, &new, 0, file.len());
    }
}

#[test]
fn a_robot_keeps_nothing_of_the_rules_for_everyone_when_a_group_names_it() {
    for (name, shape) in SHAPES {
        let Hostile { file, .. } = of_bytes(shape, 1 << 20);
        let file = String::from_utf8_lossy(&file);
        if file.contains("Sitemap:") {
            continue;
        }
        let file = file.replace("User-agent: a", "User-agent: *");
        let file =
            format!("User-agent: *\n{file}\nUser-agent: nobody\nContent-Signal: search=no\n");
        let mut robot = None;
        let kept = measure(|| robot = Some(Robot::new("nobody", file.as_bytes()).unwrap()));
        let bytes = kept.bytes_current;
        assert!(bytes <= FIXED as i64, "{name}: {bytes} bytes are kept");
    }
}

#[test]
fn a_clone_takes_nothing() {
    let file = b"User-agent: *\nDisallow: /a\nDisallow: /*b\n";
    let (robot, robots_txt) = (Robot::new("a", file).unwrap(), RobotsTxt::parse(file));
    assert!(!robot.allowed("/a"));
    let clones = measure(|| drop(black_box((robot.clone(), robots_txt.clone()))));
    assert_eq!(clones.count_total, 0);
}

#[test]
fn these_are_the_bounds_that_security_md_promises() {
    let promises = include_str!("../../SECURITY.md");
    let fixed = FIXED >> 10;
    assert_eq!(MOST_OF_DOCUMENT, 3, "SECURITY.md says it in words");
    for promise in [
        "at most three times the file, besides the buffer".to_owned(),
        format!("{MOST_OF_ROBOT} times the bytes that are for its agent"),
        format!("{MOST_OF_ASKED_ROBOT} times (URL included)"),
        format!("Up to {fixed} KiB come on top of each"),
    ] {
        assert!(promises.contains(&promise), "{promise}");
    }
}

/// For the table of the benchmarks' README: `cargo test --release --test suite memory -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes; run it with --release"]
fn hostile_files_of_100_mb() {
    println!("| file of 100 MB | `RobotsTxt::parse` | `Robot::new` | and a check |");
    println!("|---|---|---|---|");
    for (name, shape) in SHAPES {
        let Hostile { file, url } = of_bytes(shape, 100_000_000);
        let document = measure(|| drop(black_box(RobotsTxt::parse(&file))));
        let (robot, asked) = of_robot("a", &file, &url, &Options::rfc9309());
        let times = |peak: &AllocationInfo| peak.bytes_max as f64 / file.len() as f64;
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} |",
            times(&document),
            times(&robot),
            times(&asked)
        );
        assert_bound(name, &document, MOST_OF_DOCUMENT, file.len());
        assert_bound(name, &robot, MOST_OF_ROBOT, file.len());
        assert_bound(name, &asked, MOST_OF_ASKED_ROBOT, file.len() + url.len());
    }
}

/// What making it takes, and making and asking it.
fn of_robot(
    agent: &str,
    file: &[u8],
    url: &str,
    options: &Options,
) -> (AllocationInfo, AllocationInfo) {
    let new = || Robot::with_options(agent, file, options).unwrap();
    let made = measure(|| drop(black_box(new())));
    let asked = measure(|| {
        black_box(new().allowed(url));
    });
    (made, asked)
}

#[track_caller]
fn assert_bound(name: &str, memory: &AllocationInfo, times: u64, bytes: usize) {
    let peak = memory.bytes_max;
    let most = times * bytes as u64 + FIXED;
    assert!(
        peak <= most,
        "{name}: {peak} bytes for {bytes}, above {most}"
    );
}

/// A file of about so many bytes.
fn of_bytes(shape: Shape, bytes: usize) -> Hostile {
    const SAMPLE: usize = 1 << 10;

    shape((bytes * SAMPLE).div_ceil(shape(SAMPLE).file.len()))
}

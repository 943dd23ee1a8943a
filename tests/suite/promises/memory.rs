//! Memory of hostile files, in bytes requested from the allocator. A block that grows counts as a
//! new block beside the old one.

use std::hint::black_box;

use allocation_counter::{AllocationInfo, measure};
use polite_robots::record::PolicyToken;
use polite_robots::{Options, Robot, RobotsTxt};

use crate::suite::promises::hostile::{Hostile, SHAPES, Shape};

/// Peak memory of parsing a document, as a multiple of its file.
const DOCUMENT_MULTIPLE: u64 = 3;

/// Peak memory of making a robot, as a multiple of the bytes that are for its agent.
const NEW_ROBOT_MULTIPLE: u64 = 10;

/// Peak memory of making a robot and asking its first question, as a multiple of the bytes for its
/// agent and of the URL.
const ASKED_ROBOT_MULTIPLE: u64 = 16;

/// Memory of a check on top of a multiple of the bytes for the agent, whatever a URL of 8 KB holds.
const OF_8_KB: u64 = 2 << 20;

/// Memory allowed on top of each multiple, for a file of any size.
const FIXED_BYTES: u64 = 64 << 10;

#[test]
fn a_document_takes_at_most_three_times_its_file() {
    for (name, shape) in SHAPES {
        let Hostile { file, .. } = hostile_of_size(shape, 1 << 20);
        for options in [Options::rfc9309(), Options::google()] {
            let peak = measure(|| {
                let _ = black_box(RobotsTxt::parse_with(&file, &options));
            });
            assert_bound(name, &peak, DOCUMENT_MULTIPLE, file.len());
        }
    }
}

#[test]
fn a_robot_takes_a_small_multiple_of_its_records() {
    for (name, shape) in SHAPES {
        let Hostile { file, url } = hostile_of_size(shape, 1 << 18);
        for options in [Options::rfc9309(), Options::google()] {
            let (new, asked) = robot_memory("a", &file, &url, &options);
            assert_bound(name, &new, NEW_ROBOT_MULTIPLE, file.len());
            // The URL is read too, and is as long as the file.
            let bytes = file.len() + url.len();
            assert_bound(name, &asked, ASKED_ROBOT_MULTIPLE, bytes);
        }
    }
}

/// The value of a numbered rule.
type Value<'a> = dyn Fn(usize) -> String + 'a;

/// The files of attackers have every size. A small one takes most of its memory for the index of
/// the path.
#[test]
fn a_check_of_8_kb_takes_at_most_sixteen_times_the_file_and_two_mib() {
    let escapes = "%24".repeat(9);
    let pieces = |of: usize| -> String {
        let cuts = (0..of).map(|at| &escapes[1..][..1 + at % 20]);
        cuts.fold(String::new(), |all, piece| all + "*" + piece)
    };
    let letters = |number: usize| {
        let cuts = (0..9).map(|bit| if number >> bit & 1 == 0 { "*a" } else { "*aa" });
        cuts.collect::<String>()
    };
    let shapes: [(&str, &Value<'_>, &str); 5] = [
        (
            "pieces of every length",
            &|number| letters(number) + &pieces(20),
            "$",
        ),
        ("one byte each", &|number| letters(number), "$"),
        ("raw bytes", &|number| format!("*é{number}*é"), "é"),
        (
            "raw bytes in few rules",
            &|number| format!("*{}{number}", "é".repeat(6)),
            "ab",
        ),
        ("literals", &|number| format!("{number}"), "$"),
    ];
    for (name, value, unit) in shapes {
        let url = format!("/aaaaaaaaaaaaaaaaaa{}", unit.repeat(7_980 / unit.len()));
        for size in [1_500, 20_000, 200_000, 500_000] {
            let mut file = String::from("User-agent: *\n");
            for number in 0.. {
                if file.len() >= size {
                    break;
                }
                file += &format!("Allow: /{}*z\n", value(number));
            }
            for options in [Options::rfc9309(), Options::google()] {
                let (_, asked) = robot_memory("a", file.as_bytes(), &url, &options);
                let most = ASKED_ROBOT_MULTIPLE * file.len() as u64 + OF_8_KB;
                let peak = asked.bytes_max;
                assert!(peak <= most, "{name}, {size}: {peak} bytes of {most}");
            }
        }
    }
}

#[test]
fn records_of_other_agents_take_no_memory() {
    for (name, shape) in SHAPES {
        let Hostile { file, .. } = hostile_of_size(shape, 1 << 20);
        let file = String::from_utf8_lossy(&file);
        if file.contains("Sitemap:") {
            continue;
        }
        // Records above the first group may be for everyone.
        let file = format!(
            "User-agent: other\n{}",
            file.replace("User-agent: *", "User-agent: b")
        );
        let (new, _) = robot_memory("nobody", file.as_bytes(), "/", &Options::rfc9309());
        assert_bound(name, &new, 0, file.len());
    }
}

#[test]
fn a_named_group_frees_the_records_for_everyone() {
    for (name, shape) in SHAPES {
        let Hostile { file, .. } = hostile_of_size(shape, 1 << 20);
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
        assert!(
            bytes <= FIXED_BYTES as i64,
            "{name}: the robot keeps {bytes} bytes"
        );
    }
}

/// Rules about a use that are for the agent too count twice.
#[test]
fn rules_about_a_use_take_as_much_as_those_of_an_agent() {
    for (name, shape) in SHAPES {
        let Hostile { file, url } = hostile_of_size(shape, 1 << 18);
        let file = String::from_utf8_lossy(&file);
        let token = "User-agent: __usage_ai-training";
        let shared = file.replace("User-agent: *", &format!("User-agent: *\n{token}"));
        let of_use = file.replace("User-agent: *", token);
        for (agent, file, times) in [("a", shared, 2), ("nobody", of_use, 1)] {
            for options in [Options::rfc9309(), Options::google()] {
                let make = || Robot::with_options(agent, file.as_bytes(), &options).unwrap();
                let new = measure(|| drop(black_box(make())));
                assert_bound(name, &new, NEW_ROBOT_MULTIPLE, times * file.len());
                let asked = measure(|| {
                    let robot = make();
                    black_box(robot.allowed(&url));
                    let training = robot.policy(PolicyToken::AiTraining);
                    black_box(training.map(|training| training.allowed(&url)));
                });
                let bytes = times * (file.len() + url.len());
                assert_bound(name, &asked, ASKED_ROBOT_MULTIPLE, bytes);
            }
        }
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
fn the_bounds_equal_those_of_security_md() {
    let promises = include_str!("../../../SECURITY.md");
    let fixed = FIXED_BYTES >> 10;
    assert_eq!(DOCUMENT_MULTIPLE, 3, "SECURITY.md spells this number out");
    for promise in [
        "at most three times the file, besides the buffer".to_owned(),
        format!("{NEW_ROBOT_MULTIPLE} times the bytes that are for its agent"),
        format!("{ASKED_ROBOT_MULTIPLE} times (URL included)"),
        format!("Up to {fixed} KiB come on top of each"),
        format!(
            "{ASKED_ROBOT_MULTIPLE} times those bytes and {} MiB",
            OF_8_KB >> 20
        ),
    ] {
        assert!(promises.contains(&promise), "not in SECURITY.md: {promise}");
    }
}

/// Prints the table in the benchmarks' README: `cargo test --release --test suite memory --
/// --ignored --nocapture`.
#[test]
#[ignore = "takes minutes; run it with --release"]
fn hostile_files_of_100_mb() {
    println!("| file of 100 MB | `RobotsTxt::parse` | `Robot::new` | and a check |");
    println!("|---|---|---|---|");
    for (name, shape) in SHAPES {
        let Hostile { file, url } = hostile_of_size(shape, 100_000_000);
        let document = measure(|| drop(black_box(RobotsTxt::parse(&file))));
        let (robot, asked) = robot_memory("a", &file, &url, &Options::rfc9309());
        let times = |peak: &AllocationInfo| peak.bytes_max as f64 / file.len() as f64;
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} |",
            times(&document),
            times(&robot),
            times(&asked)
        );
        assert_bound(name, &document, DOCUMENT_MULTIPLE, file.len());
        assert_bound(name, &robot, NEW_ROBOT_MULTIPLE, file.len());
        assert_bound(name, &asked, ASKED_ROBOT_MULTIPLE, file.len() + url.len());
    }
}

/// Memory of making a robot, and of making it and asking it one question.
fn robot_memory(
    agent: &str,
    file: &[u8],
    url: &str,
    options: &Options,
) -> (AllocationInfo, AllocationInfo) {
    let make = || Robot::with_options(agent, file, options).unwrap();
    let new = measure(|| drop(black_box(make())));
    let asked = measure(|| {
        black_box(make().allowed(url));
    });
    (new, asked)
}

#[track_caller]
fn assert_bound(name: &str, memory: &AllocationInfo, times: u64, bytes: usize) {
    let peak = memory.bytes_max;
    let most = times * bytes as u64 + FIXED_BYTES;
    assert!(
        peak <= most,
        "{name}: {bytes} bytes took {peak}, more than the limit of {most}"
    );
}

/// A hostile file of about `bytes` bytes.
fn hostile_of_size(shape: Shape, bytes: usize) -> Hostile {
    const SAMPLE: usize = 1 << 10;

    shape((bytes * SAMPLE).div_ceil(shape(SAMPLE).file.len()))
}

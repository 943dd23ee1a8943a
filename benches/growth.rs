//! Growth of time: of a check with the number of rules, of parsing with the size, and of one
//! hostile pattern with its length.
//!
//! With `ENFORCE=1` a slope above its limit is an error.

use std::hint::black_box;
use std::process::ExitCode;

use polite_robots::Robot;

use polite_robots_benches::inputs::hostile::{End, Hostile};
use polite_robots_benches::inputs::{AGENT, hostile, shapes, urls};
use polite_robots_benches::timing::{best, best_first, duration, slope};

fn main() -> ExitCode {
    let check = print_growth(
        "Mean of one check (50 paths) against the number of rules",
        |of_check| of_check,
        check_points,
    );
    let parse = print_growth(
        "Parsing (and dropping), against the number of rules; the slope is against bytes",
        |_| LINEAR,
        parse_points,
    );
    print_star_a(End::Open);
    print_star_a(End::Anchored);
    print_hostile();
    let is_enforced = std::env::var("ENFORCE").is_ok_and(|value| value == "1");
    match (check, parse) {
        (Kept::Yes, Kept::Yes) => ExitCode::SUCCESS,
        _ if is_enforced => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// Limits of the exponents. A check of rules that begin differently hardly grows. A check looks at
/// each rule whose prefix every path has, and parsing reads each rule.
const FOUND: f64 = 0.25;
const LINEAR: f64 = 1.05;

/// Kinds of rules, each with the limit of a check: with a literal prefix, with a literal in the
/// middle, with a suffix alone, with a shared prefix.
const SHAPES: [(&str, Pattern, f64); 6] = [
    ("prefix `/a{i}/b{i}`", |i| format!("/a{i}/b{i}"), FOUND),
    ("span `/a{i}/*/b{i}`", |i| format!("/a{i}/*/b{i}"), FOUND),
    (
        "leading `/*/a{i}/b{i}=`",
        |i| format!("/*/a{i}/b{i}="),
        LINEAR,
    ),
    (
        "leading `/*?*param{i}=`",
        |i| format!("/*?*param{i}="),
        LINEAR,
    ),
    ("anchored `/*.a{i}$`", |i| format!("/*.a{i}$"), LINEAR),
    (
        "nested `/a/a/…` (64 deep) + `b{i}`",
        |i| format!("/{}b{i}", "a/".repeat(i % 64)),
        FOUND,
    ),
];

/// The pattern of the `i`-th rule.
type Pattern = fn(usize) -> String;

const COUNTS: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

/// `points` returns the size and the nanoseconds of a file.
fn print_growth(
    title: &str,
    limit: impl Fn(f64) -> f64,
    points: impl Fn(usize, &[u8]) -> (f64, f64),
) -> Kept {
    let counts = if polite_robots_benches::timing::is_measured() {
        &COUNTS[..]
    } else {
        &COUNTS[..3]
    };
    let columns: Vec<String> = counts.iter().map(|count| format!(" {count} |")).collect();
    println!("\n{title}, with the limit of the slope.\n");
    println!(
        "| rules |{} slope | from 1,000 | limit | |",
        columns.concat()
    );
    println!("|---|{}---|---|---|---|", "---|".repeat(counts.len()));
    let mut kept = Kept::Yes;
    for (name, pattern, of_check) in SHAPES {
        let limit = limit(of_check);
        let points: Vec<(f64, f64)> = counts
            .iter()
            .map(|count| points(*count, &shapes::rules(*count, pattern)))
            .collect();
        let times: Vec<String> = points
            .iter()
            .map(|(_, time)| format!(" {} |", duration(*time)))
            .collect();
        let all = slope(&points);
        let verdict = if all <= limit {
            "ok"
        } else {
            kept = Kept::No;
            "**above**"
        };
        println!(
            "| {name} |{} {all:.2} | {:.2} | {limit} | {verdict} |",
            times.concat(),
            slope(&points[2..])
        );
    }
    kept
}

fn check_points(count: usize, robots_txt: &[u8]) -> (f64, f64) {
    let robot = Robot::new(AGENT, robots_txt).unwrap();
    let paths = urls::mix(robots_txt);
    let disallowed = paths.iter().filter(|path| !robot.allowed(*path)).count();
    assert!((1..urls::MIX).contains(&disallowed), "{disallowed}");
    let time = best(|| {
        for path in &paths {
            black_box(robot.allowed(black_box(path)));
        }
    });
    (count as f64, time / urls::MIX as f64)
}

fn parse_points(count: usize, robots_txt: &[u8]) -> (f64, f64) {
    let robot = Robot::new(AGENT, robots_txt).unwrap();
    assert_eq!(robot.rules().count(), count);
    let time = best(|| {
        black_box(Robot::new(AGENT, black_box(robots_txt)).ok());
    });
    (robots_txt.len() as f64, time)
}

/// Measures pattern and path growing together: a slope of 1 is linear, and 2 is their product.
fn print_star_a(end: End) {
    let dollar = match end {
        End::Open => "",
        End::Anchored => " + `$`",
    };
    println!("\nOne check of `/` + `*a` × k{dollar} against `/` + `a` × 4k + `b`.\n");
    println!("| k | first check | later ones |\n|---|---|---|");
    let mut points = Vec::new();
    for pairs in (3..=12).map(|power| 1 << power) {
        let hostile = hostile::star_a(pairs, end);
        let Times { first, later, .. } = times(&hostile);
        println!("| {pairs} | {} | {} |", duration(first), duration(later));
        points.push((pairs as f64, later));
    }
    println!("\nSlope of the later ones: {:.2}.", slope(&points));
}

fn print_hostile() {
    println!("\nHostile files: parsing, and one check of one path.\n");
    println!("| file | parse | first check | later ones | answer |\n|---|---|---|---|---|");
    for hostile in hostile::all() {
        let Times {
            parse,
            first,
            later,
        } = times(&hostile);
        println!(
            "| {} | {} | {} | {} | {} |",
            hostile.name,
            duration(parse),
            duration(first),
            duration(later),
            if hostile.allowed {
                "allowed"
            } else {
                "disallowed"
            },
        );
    }
}

struct Times {
    parse: f64,
    /// The first check, which builds the parts that are built on first use.
    first: f64,
    later: f64,
}

fn times(hostile: &Hostile) -> Times {
    let make = || Robot::new(AGENT, black_box(&hostile.bytes)).unwrap();
    let robot = make();
    assert_eq!(
        robot.allowed(&hostile.path),
        hostile.allowed,
        "{}",
        hostile.name
    );
    Times {
        parse: best(|| drop(black_box(make()))),
        first: best_first(make, |robot| robot.allowed(&hostile.path)),
        later: best(|| {
            black_box(robot.allowed(black_box(&hostile.path)));
        }),
    }
}

//! Holds the instructions of the most frequent work of crawlers, over fixed files, to stated
//! numbers: a parse, the first question to a new robot, and later questions about full URLs. It
//! fails if a count is more than 2 % away, in either direction, so that the stated numbers stay
//! current.
//!
//! `budget` compares, and `budget run WORK FILES` is the part that callgrind counts. A change of a
//! number belongs into the commit that causes it, which says why.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use polite_robots::Robot;
use polite_robots_fuzz::callgrind;

use crate::inputs::{Input, shapes, urls};

/// The generated files of the benchmarks, which have the sizes and rules of real ones.
#[path = "../../../benches/inputs"]
mod inputs {
    #[allow(dead_code)]
    pub mod shapes;
    #[allow(dead_code)]
    pub mod urls;
    #[allow(dead_code)]
    pub mod xorshift;

    pub struct Input {
        pub bytes: Vec<u8>,
    }

    /// The answers that a bench expects. This program compares no answers.
    pub enum Expected {
        Disallowed(#[allow(dead_code)] usize),
        DisallowedHere(#[allow(dead_code)] usize),
    }

    impl Input {
        pub fn new(_name: &str, bytes: Vec<u8>, _expected: Expected) -> Input {
            Input { bytes }
        }
    }
}

/// The instructions of each work over each set of files, in hundreds, with the compiler below.
const STATED: [(&str, Work, [u64; 2]); 3] = [
    ("parse", parse, [1243, 17012]),
    ("first", first_question, [33, 101]),
    ("later", later_questions, [1473, 7528]),
];

/// The compiler with which the numbers were counted. Another compiler makes other code, so with it
/// the numbers show only a change of kind.
const COMPILER: &str = "rustc 1.95.";

const TOLERANCE: f64 = 0.02;
const TOLERANCE_OF_ANOTHER_COMPILER: f64 = 0.2;

/// Half of all real files with rules are smaller than the median one, and one of a hundred is
/// larger than p99.
const FILES: [(&str, Files); 2] = [("small", small_files), ("large", large_files)];

type Files = fn() -> Vec<Input>;

/// A function that makes a robot, and has the counted part of its work in [`measured`].
type Work = fn(&[u8], &[String]);

fn small_files() -> Vec<Input> {
    let shop = include_bytes!("../../../testdata/shop.robots.txt");
    let shop = Input {
        bytes: shop.to_vec(),
    };
    vec![
        shapes::tiny(),
        shapes::median(),
        shapes::twitter_like(),
        shop,
    ]
}

fn large_files() -> Vec<Input> {
    vec![shapes::p99(), shapes::smugmug_like(), shapes::sophos_like()]
}

fn robot(robots_txt: &[u8]) -> Robot {
    Robot::new("ExampleBot", robots_txt).unwrap()
}

fn parse(robots_txt: &[u8], _urls: &[String]) {
    measured(|| drop(black_box(robot(robots_txt))));
}

fn first_question(robots_txt: &[u8], urls: &[String]) {
    let robot = robot(robots_txt);
    measured(|| black_box(robot.allowed(&urls[1])));
}

fn later_questions(robots_txt: &[u8], urls: &[String]) {
    let robot = robot(robots_txt);
    let ask_all = || urls.iter().filter(|url| robot.allowed(*url)).count();
    // The first questions are answered without an index.
    for _ in 0..20 {
        black_box(ask_all());
    }
    measured(|| black_box(ask_all()));
}

/// The name of the function that callgrind looks for.
const MEASURED: &str = "*budget::measured*";

#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    work()
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => compare(),
        ["run", work, files] => run(work, files),
        _ => Err("budget [run WORK FILES]".into()),
    }
}

fn run(work: &str, files: &str) -> Result<ExitCode, Box<dyn Error>> {
    let known = STATED.iter().find(|(name, ..)| *name == work);
    let (_, work, _) = known.ok_or("no such work")?;
    let known = FILES.iter().find(|(name, _)| *name == files);
    let (_, files) = known.ok_or("no such files")?;
    for file in files() {
        let urls: Vec<String> = urls::mix(&file.bytes)
            .iter()
            .map(|path| urls::full(path))
            .collect();
        work(&file.bytes, &urls);
    }
    Ok(ExitCode::SUCCESS)
}

/// The largest share by which a count may differ, for the compiler at hand.
fn tolerance() -> f64 {
    let version = Command::new("rustc").arg("--version").output();
    if version.is_ok_and(|output| output.stdout.starts_with(COMPILER.as_bytes())) {
        TOLERANCE
    } else {
        TOLERANCE_OF_ANOTHER_COMPILER
    }
}

fn compare() -> Result<ExitCode, Box<dyn Error>> {
    let (mut apart, tolerance) = (0, tolerance());
    for (work, _, stated) in STATED {
        for ((files, _), stated) in FILES.into_iter().zip(stated) {
            let counted = callgrind::count(MEASURED, ["run", work, files])? / 100;
            let change = counted as f64 / stated as f64 - 1.0;
            let is_apart = change.abs() > tolerance;
            apart += usize::from(is_apart);
            let note = if is_apart { "  APART" } else { "" };
            println!(
                "{work:<6} {files:<6} {counted:>8} hundred, {stated:>8} stated: {:+.2} %{note}",
                100.0 * change
            );
        }
    }
    let within = STATED.len() * FILES.len() - apart;
    println!("{within} passed, {apart} failed");
    Ok(if apart == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

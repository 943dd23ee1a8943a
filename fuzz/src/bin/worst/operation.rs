//! The operations with their bounds, and the hostile input of each.

use std::hint::black_box;

use cpu_time::ThreadTime;
use polite_robots::{Options, Robot, RobotsTxt};
use polite_robots_audit::comparison::Comparison;
use polite_robots_lint::Linter;
use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
use polite_robots_policy::{Cache, Lookup, Origin, Outcome, Profile, Timestamp};
use polite_robots_records::{CleanParams, Usage};

use crate::genome::Genome;

/// The bytes of each file: as many as RFC 9309 §2.5 asks a crawler to read at least.
const FILE: usize = 500 << 10;

/// An operation, and the most instructions that it may take.
pub struct Operation {
    pub name: &'static str,
    pub bound: u64,
    text_bytes: usize,
    line: fn(&str) -> String,
    /// Prepares the input without counting, and then counts the work.
    run: fn(&Input, &mut Meter),
}

/// A file, and the URL or the list of names that it is asked about.
pub struct Input {
    pub file: String,
    pub text: String,
}

/// The part of a run that counts.
pub struct Meter {
    runs: usize,
    nanoseconds: u64,
}

impl Meter {
    /// Takes the shortest of some runs, as a disturbance only adds time.
    fn measure<T>(&mut self, mut work: impl FnMut() -> T) {
        for _ in 0..self.runs {
            let start = ThreadTime::now();
            black_box(measured(&mut work));
            self.nanoseconds = self.nanoseconds.min(start.elapsed().as_nanos() as u64);
        }
    }

    /// Measures the first question to a new robot, which walks over the rules.
    fn measure_first<T>(&mut self, input: &Input, options: &Options, ask: impl Fn(&Robot) -> T) {
        self.measure_after(0, input, options, ask);
    }

    /// Measures a question to a robot that was asked `others` other questions before.
    fn measure_after<T>(
        &mut self,
        others: usize,
        input: &Input,
        options: &Options,
        ask: impl Fn(&Robot) -> T,
    ) {
        let runs = std::mem::replace(&mut self.runs, 1);
        for _ in 0..runs {
            let robot = Robot::with_options("a", input.file.as_bytes(), options).unwrap();
            for _ in 0..others {
                black_box(robot.allowed("/"));
            }
            self.measure(|| ask(&robot));
        }
        self.runs = runs;
    }
}

/// The name of the function that callgrind looks for.
pub const MEASURED: &str = "*operation::measured*";

#[inline(never)]
fn measured<T>(work: &mut impl FnMut() -> T) -> T {
    work()
}

const MILLION: u64 = 1_000_000;
/// The number of questions to a robot after which the next question makes the index of its rules.
const WITHOUT_INDEX: usize = 32;
const SHORT: usize = 2_000;
const LONG: usize = 8_000;

pub const OPERATIONS: &[Operation] = &[
    Operation {
        name: "check",
        bound: 250 * MILLION,
        text_bytes: LONG,
        line: rule,
        run: |input, meter| check(input, &Options::rfc9309(), meter),
    },
    Operation {
        name: "check_google",
        bound: 250 * MILLION,
        text_bytes: LONG,
        line: rule,
        run: |input, meter| check(input, &Options::google(), meter),
    },
    Operation {
        name: "allowed",
        bound: 250 * MILLION,
        text_bytes: LONG,
        line: rule,
        run: |input, meter| {
            let options = Options::rfc9309();
            meter.measure_first(input, &options, |robot| robot.allowed(&input.text));
        },
    },
    Operation {
        name: "indexed",
        bound: 250 * MILLION,
        text_bytes: LONG,
        line: rule,
        run: |input, meter| {
            let options = Options::rfc9309();
            let ask = |robot: &Robot| robot.check(&input.text).is_allowed();
            meter.measure_after(WITHOUT_INDEX, input, &options, ask);
        },
    },
    Operation {
        name: "usage",
        bound: 250 * MILLION,
        text_bytes: LONG,
        line: |pattern| format!("Content-Usage:{} train-ai=n\n", path(pattern)),
        run: |input, meter| {
            let ask = |robot: &Robot| Usage::of(robot, &input.text).ai_training();
            meter.measure_first(input, &Options::rfc9309(), ask);
        },
    },
    Operation {
        name: "clean_url",
        bound: 200 * MILLION,
        text_bytes: SHORT,
        line: |pattern| format!("Clean-param:x {}\n", path(pattern)),
        run: |input, meter| {
            let robots_txt = RobotsTxt::parse(input.file.as_bytes());
            let url = format!("{}?x=1&x", input.text.replace('?', "/"));
            let clean_params = CleanParams::of(&robots_txt);
            meter.measure(|| clean_params.clean(&url).len());
        },
    },
    Operation {
        name: "comparison",
        bound: 1_000 * MILLION,
        text_bytes: SHORT,
        line: rule,
        run: |input, meter| {
            let robots_txt = RobotsTxt::parse(input.file.as_bytes());
            meter.measure(|| {
                let comparison = Comparison::of("a", &robots_txt).unwrap();
                comparison.disagreement(&input.text).is_some()
            });
        },
    },
    Operation {
        name: "lint",
        bound: 5_000 * MILLION,
        text_bytes: SHORT,
        line: rule,
        run: |input, meter| {
            let robots_txt = RobotsTxt::parse(input.file.as_bytes());
            meter.measure(|| {
                let linter = Linter::without_crawlers().only_rules();
                linter.lint(&robots_txt).len()
            });
        },
    },
    Operation {
        name: "robot_merged",
        bound: 1_000 * MILLION,
        text_bytes: SHORT,
        line: |pattern| format!("User-agent:{}\nAllow:/\n", name(pattern)),
        run: |input, meter| {
            let robots_txt = RobotsTxt::parse(input.file.as_bytes());
            let names: Vec<String> = input.text.split('a').map(name).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).take(AGENTS).collect();
            meter.measure(|| robots_txt.robot_merged(&names).unwrap());
        },
    },
    Operation {
        name: "cache",
        bound: 1_000 * MILLION,
        text_bytes: SHORT,
        line: rule,
        run: cache,
    },
];

/// The most names of one crawler.
const AGENTS: usize = 32;

impl Operation {
    pub fn input(&self, genome: &Genome) -> Input {
        let line = |pattern: &str| {
            let pattern = pattern.replace(['\n', '\r', '#'], "");
            (self.line)(&pattern)
        };
        Input {
            file: format!("User-agent:*\n{}", genome.file(FILE - 13, line)),
            text: format!("/{}", genome.text(self.text_bytes - 1)),
        }
    }

    /// Returns the nanoseconds of the shortest of some runs.
    pub fn run(&self, input: &Input, runs: usize) -> u64 {
        let mut meter = Meter {
            runs,
            nanoseconds: u64::MAX,
        };
        (self.run)(input, &mut meter);
        meter.nanoseconds
    }
}

/// The rule of a pattern. A pattern that starts with `+` belongs to an `Allow`.
fn rule(pattern: &str) -> String {
    match pattern.strip_prefix('+') {
        Some(pattern) => format!("Allow:{pattern}\n"),
        None => format!("Disallow:{pattern}\n"),
    }
}

fn path(pattern: &str) -> String {
    format!("/{}", pattern.replace(' ', ""))
}

/// The letters of a text, as the name of an agent.
fn name(text: &str) -> String {
    let is_letter = |letter: &char| letter.is_ascii_alphabetic();
    let name: String = text.chars().filter(is_letter).collect();
    if name.is_empty() { "a".into() } else { name }
}

fn check(input: &Input, options: &Options, meter: &mut Meter) {
    meter.measure_first(input, options, |robot| {
        robot.check(&input.text).is_allowed()
    });
}

/// A cache with room for a few files, in which each byte of the text is an event of one of 256
/// origins.
fn cache(input: &Input, meter: &mut Meter) {
    let origins = (0..=u8::MAX).map(|number| Origin::of(&format!("https://h{number}.example/")));
    let origins: Vec<Origin> = origins.map(Result::unwrap).collect();
    let parts: Vec<RobotsTxt> = input
        .file
        .as_bytes()
        .chunks(FILE / 64)
        .map(RobotsTxt::parse)
        .collect();
    meter.measure(|| {
        let mut cache = Cache::new(Profile::default(), &["a"], 1 << 18).unwrap();
        let mut seconds = 1 << 20;
        for (at, byte) in input.text.bytes().enumerate() {
            seconds += 1 << (byte % 19);
            let now = Timestamp::from_millis(1000 * seconds);
            let origin = &origins[usize::from(byte.wrapping_mul(at as u8 | 1))];
            match cache.poll(origin, now) {
                Lookup::Fetch(ticket) if byte % 3 > 0 => {
                    let outcome = Outcome::Parsed {
                        robots_txt: parts[at % parts.len()].clone(),
                        freshness: Freshness::default(),
                        validators: Validators::default(),
                        end: BodyEnd::Complete,
                    };
                    cache.handle(ticket, outcome, now);
                }
                Lookup::Fetch(ticket) => cache.give_back(ticket, now),
                _ if byte % 5 == 0 => cache.release(origin),
                _ => {}
            }
        }
        cache.len()
    });
}

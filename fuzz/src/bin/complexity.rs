//! Check that every operation is linear in hostile input: `complexity 1` counts its instructions
//! for 2^14 elements and for twice as many. It fails if the cost grows by more than a factor of
//! 2.2, does so again at the next doubling, and is not negligible. If file and URL grow together,
//! the bound is their product: a factor of 4.4.
//!
//! `complexity` without a number counts an operation only if it takes more than 2.2² times as long
//! for four times the elements, where linear work takes 4 times as long and quadratic work 16
//! times. Timing is a fiftieth of the work of counting. Larger input fits the caches less, so the
//! time is expected to grow no less than the instructions. No argument proves that: a growth just
//! above 2.2 may stay unseen, and only `complexity 1` shows that there is none.
//!
//! Instructions, counted by `valgrind --tool=cachegrind`, are the same on a loaded machine; times
//! are not. Each operation runs in a process of its own, forked from one that has made the input,
//! so that valgrind starts once for a shape. Valgrind's callgrind would count the operations apart
//! in one process, but it takes two and a half times as long.

use std::env;
use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::num::ParseIntError;
use std::ops::Range;
use std::process::{self, Command, ExitCode};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use polite_robots::{Options, Robot, RobotsTxt};
use polite_robots_audit::comparison::Comparison;
use polite_robots_build::{CommentPolicy, GroupBuilder, RobotsTxtBuilder, canonical};
use polite_robots_lint::Linter;
use polite_robots_records::{CleanParams, ExtensionValue, Usage};

use crate::hostile::{Hostile, SHAPES, Shape};

#[path = "../../../tests/suite/promises/hostile.rs"]
mod hostile;

/// Largest allowed growth when the elements double. 2 is linear; the margin is for logarithms and
/// for tables that grow in steps.
const MAX_GROWTH: f64 = 2.2;

/// Largest allowed growth when the file and the URL double together: the work is at most their
/// product.
const MAX_GROWTH_OF_PRODUCT: f64 = 4.4;

/// Files and URLs that grow together. No operation is linear in both: each rule may have to look at
/// the whole URL.
const PRODUCTS: [(&str, Shape); 1] = [("rules that nearly match, a URL as long", |n| {
    let n = n / 16;
    let rules = (0..n).map(|i| format!("Disallow: *QQ{i:06}a\n"));
    Hostile {
        file: format!(
            "User-agent: a\nUser-agent: *\n{}",
            rules.collect::<String>()
        )
        .into_bytes(),
        url: format!("/{}", "Q".repeat(n)),
    }
})];

fn shape_of(number: usize) -> (&'static str, Shape) {
    let mut all = SHAPES.iter().chain(&PRODUCTS);
    *all.nth(number).expect("the number of a shape")
}

/// Returns the largest allowed growth for a shape.
fn max_growth(shape: usize) -> f64 {
    if shape < SHAPES.len() {
        MAX_GROWTH
    } else {
        MAX_GROWTH_OF_PRODUCT
    }
}

/// Number of elements of the smallest input.
const ELEMENTS: usize = 1 << 14;

/// Doublings between the two sizes whose times are compared.
const TIMED_DOUBLINGS: u32 = 2;

/// The number of runs of the small and of the large input. The shortest run counts. A disturbance
/// only adds time: in a large run it makes a false suspect, and in all small runs it would hide a
/// real one.
const TIMED_RUNS: [usize; 2] = [3, 1];

/// No machine here runs this many instructions in a nanosecond. An operation that takes less time
/// than `FEW` instructions would take at this rate needs no count.
const PER_NANOSECOND: f64 = 10.0;

/// Shorter times are treated as this one, for the same reason as in `NOTICEABLE`.
const NOTICEABLE_TIME: Duration = Duration::from_micros(50);

/// Smaller counts are treated as this one: the operation only finds out that the input does not
/// matter.
const NOTICEABLE: u64 = 200_000;

/// Instructions per byte of file and URL that are acceptable whatever the growth. Some work is
/// bounded for each rule and reaches the bound only with many rules: the lint compares a rule with
/// 64 others, and compiling a rule takes up to three searches for a rare byte sequence. A scan of
/// all rules for each rule costs over a thousand at this size.
const FEW: u64 = 200;
const FEW_OF_LINT: u64 = 4_000;

fn few(operation: &str) -> u64 {
    if operation == "lint" {
        FEW_OF_LINT
    } else {
        FEW
    }
}

/// Elements of an input that makes each operation run most of its code.
const WARM_UP: usize = 1 << 9;

type Operation = (&'static str, fn(&Hostile));

/// The operations.
const OPERATIONS: [Operation; 10] = [
    ("parse_the_document", parse_the_document),
    ("parse_with_findings", parse_with_findings),
    ("ask_for_one_agent", ask_for_one_agent),
    (
        "ask_the_document_in_googles_dialect",
        ask_the_document_in_googles_dialect,
    ),
    ("lint", lint),
    ("usage", usage),
    ("clean_url", clean_url),
    ("views_of_the_document", views_of_the_document),
    (
        "canonical_form_and_comparison",
        canonical_form_and_comparison,
    ),
    ("build", build),
];

fn parse_the_document(input: &Hostile) {
    drop(black_box(RobotsTxt::parse(&input.file)));
}

fn parse_with_findings(input: &Hostile) {
    let robots_txt = RobotsTxt::parse_with(&input.file, &Options::google());
    let found = Linter::new().only_lines().lint(&robots_txt);
    black_box((robots_txt, found));
}

fn ask_for_one_agent(input: &Hostile) {
    let robot = Robot::new("a", &input.file).unwrap();
    black_box(robot.check(&input.url).is_allowed());
}

fn ask_the_document_in_googles_dialect(input: &Hostile) {
    let robots_txt = RobotsTxt::parse_with(&input.file, &Options::google());
    let robot = robots_txt.robot("nobody").unwrap();
    black_box(robot.check(&input.url).is_allowed());
}

fn lint(input: &Hostile) {
    let robots_txt = RobotsTxt::parse(&input.file);
    black_box(Linter::new().only_rules().lint(&robots_txt));
}

fn usage(input: &Hostile) {
    let robot = Robot::new("a", &input.file).unwrap();
    black_box(Usage::of(&robot, &input.url).ai_training());
}

fn clean_url(input: &Hostile) {
    let clean_params = CleanParams::of(&RobotsTxt::parse(&input.file));
    black_box(clean_params.clean(&input.url).len());
}

fn views_of_the_document(input: &Hostile) {
    let robots_txt = RobotsTxt::parse(&input.file);
    // Only 64 groups: agents that share rules list them separately, so all groups together are a
    // product.
    let rules = robots_txt
        .merged_groups()
        .take(64)
        .map(|group| group.rules().count());
    black_box(rules.sum::<usize>());
    black_box(robots_txt.lines().count());
    for record in robots_txt.extensions() {
        black_box((ExtensionValue::of(&record), record.scope()));
    }
}

fn canonical_form_and_comparison(input: &Hostile) {
    let robots_txt = RobotsTxt::parse(&input.file);
    black_box(canonical(&robots_txt, CommentPolicy::Keep).len());
    let comparison = Comparison::of("a", &robots_txt).unwrap();
    black_box(comparison.disagreement(&input.url).is_some());
    black_box(comparison.urls_of_rules().count());
}

fn build(input: &Hostile) {
    let is_taken =
        |path: &&str| GroupBuilder::new("a").is_ok_and(|group| group.disallow(*path).is_ok());
    let text = String::from_utf8_lossy(&input.file);
    let paths = text
        .lines()
        .filter_map(|line| line.split_once(": ").map(|(_, value)| value));
    let group = paths
        .filter(is_taken)
        .try_fold(GroupBuilder::new("a").unwrap(), |group, path| {
            group.disallow(path)
        });
    black_box(RobotsTxtBuilder::new().group(group.unwrap()).build().len());
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => compare(&suspects(), 1),
        [doublings] => compare(
            &all_shapes()
                .map(|shape| (shape, (0..OPERATIONS.len()).collect()))
                .collect::<Vec<_>>(),
            doublings.parse()?,
        ),
        [shape, operations, "of", ref sizes @ ..] => run(shape.parse()?, operations, sizes),
        _ => Err("complexity [DOUBLINGS]".into()),
    }
}

/// Runs the operations, whose numbers are joined by commas, on a shape of each size, each in a
/// process of its own. One more process for each size does nothing.
fn run(shape: usize, operations: &str, sizes: &[&str]) -> Result<ExitCode, Box<dyn Error>> {
    let (_, make) = shape_of(shape);
    let operations = operations
        .split(',')
        .map(|at| Ok(OPERATIONS[at.parse::<usize>()?]));
    let operations: Vec<Operation> = operations.collect::<Result<_, ParseIntError>>()?;
    // Valgrind translates code when it first runs, and a forked process inherits the translations.
    let small = make(WARM_UP);
    for (_, operation) in &operations {
        operation(&small);
    }
    for size in sizes {
        let input = black_box(make(size.parse()?));
        in_a_fork(|| ())?;
        for (_, operation) in &operations {
            in_a_fork(|| operation(&input))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Does the work in a fork of this process, which then exits, and waits for the exit.
fn in_a_fork(work: impl FnOnce()) -> Result<(), &'static str> {
    // SAFETY: this process has one thread.
    let child = unsafe { libc::fork() };
    if child == 0 {
        work();
        process::exit(0);
    }
    let mut status = 0;
    // SAFETY: `status` lives until the call returns.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    if ended == child && status == 0 {
        Ok(())
    } else {
        Err("an operation did not end well")
    }
}

/// A shape, and the operations on it, by their numbers.
type Task = (usize, Vec<usize>);

fn all_shapes() -> Range<usize> {
    0..SHAPES.len() + PRODUCTS.len()
}

/// Returns the shapes with operations whose time grows so much that their instructions must be
/// counted.
fn suspects() -> Vec<Task> {
    let shapes: Vec<usize> = all_shapes().collect();
    let mut suspects = Vec::new();
    for (shape, growths) in for_each(&shapes, |shape| (*shape, growths_in_time(*shape))) {
        println!("{}, in time", shape_of(shape).0);
        let mut operations = Vec::new();
        for (at, growth) in growths.into_iter().enumerate() {
            let name = OPERATIONS[at].0;
            let is_much = growth.nanoseconds_per_byte * PER_NANOSECOND > few(name) as f64;
            let is_suspect =
                is_much && growth.ratio > max_growth(shape).powi(TIMED_DOUBLINGS as i32);
            let verdict = if is_suspect { "  counted below" } else { "" };
            println!("  {name:<36} {growth}{verdict}");
            if is_suspect {
                operations.push(at);
            }
        }
        if !operations.is_empty() {
            suspects.push((shape, operations));
        }
    }
    println!();
    suspects
}

/// Growth of the time of an operation from the small input to the large one.
struct GrowthInTime {
    ratio: f64,
    nanoseconds_per_byte: f64,
}

impl fmt::Display for GrowthInTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>5.2} {:>6.0} ns a byte",
            self.ratio, self.nanoseconds_per_byte
        )
    }
}

fn growths_in_time(shape: usize) -> Vec<GrowthInTime> {
    let (_, make) = shape_of(shape);
    let inputs = [make(ELEMENTS), make(ELEMENTS << TIMED_DOUBLINGS)];
    let growth = |(_, operation): Operation| {
        let shortest = |(input, runs): (&Hostile, usize)| {
            let times = (0..runs).map(|_| {
                let start = ThreadTime::now();
                operation(input);
                start.elapsed()
            });
            times.min().unwrap().max(NOTICEABLE_TIME).as_nanos() as f64
        };
        let [small, large] = [0, 1].map(|size| shortest((&inputs[size], TIMED_RUNS[size])));
        GrowthInTime {
            ratio: large / small,
            nanoseconds_per_byte: large / bytes(&inputs[1]) as f64,
        }
    };
    OPERATIONS.into_iter().map(growth).collect()
}

/// Does the work for each item, on all cores. Returns the results in the order of the items.
fn for_each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let rest = Mutex::new(items.iter().enumerate());
    let table = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((at, item)) = { rest.lock().unwrap().next() } {
                    let result = work(item);
                    table.lock().unwrap().push((at, result));
                }
            });
        }
    });
    let mut table = table.into_inner().unwrap();
    table.sort_by_key(|(at, _)| *at);
    table.into_iter().map(|(_, result)| result).collect()
}

fn compare(tasks: &[Task], doublings: u32) -> Result<ExitCode, Box<dyn Error>> {
    let table = for_each(tasks, |task| (task.0, growths(task, doublings)));
    let (mut worst, mut above) = (0.0_f64, 0);
    for (shape, growths) in table {
        println!("{}", shape_of(shape).0);
        for growth in growths? {
            let verdict = if growth.is_above() { "  ABOVE" } else { "" };
            above += usize::from(growth.is_above());
            worst = growth.ratios.iter().copied().fold(worst, f64::max);
            println!("  {growth}{verdict}");
        }
    }
    println!("{above} above the bounds; the largest ratio is {worst:.2}");
    Ok(if above == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Growth of the cost of an operation while its input doubles.
struct Growth {
    operation: &'static str,
    max_growth: f64,
    ratios: Vec<f64>,
    /// Instructions per byte of the largest input.
    instructions_per_byte: u64,
}

impl Growth {
    /// Needs two doublings above the bound in a row: glibc consolidates its free lists at some
    /// sizes, and `build` of the same rule grew by 2.00, 2.21, 1.81, 1.98. Worse than linear means
    /// above the bound at each doubling.
    fn is_above(&self) -> bool {
        let is_always = |pair: &[f64]| pair.iter().all(|ratio| *ratio > self.max_growth);
        self.is_much() && self.ratios.windows(2).any(is_always)
    }

    fn is_suspect(&self) -> bool {
        self.is_much()
            && self
                .ratios
                .last()
                .is_some_and(|ratio| *ratio > self.max_growth)
    }

    fn is_much(&self) -> bool {
        self.instructions_per_byte > few(self.operation)
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<36}", self.operation)?;
        for ratio in &self.ratios {
            write!(f, " {ratio:>5.2}")?;
        }
        write!(f, " {:>6} a byte", self.instructions_per_byte)
    }
}

/// Counts the operations of a task; if one is suspect, the input is doubled once more.
fn growths(task: &Task, doublings: u32) -> Result<Vec<Growth>, String> {
    let sizes: Vec<usize> = (0..=doublings)
        .map(|doubling| ELEMENTS << doubling)
        .collect();
    let mut counts = count(task, &sizes)?;
    let growths = of_counts(task, &counts);
    if !growths.iter().any(Growth::is_suspect) {
        return Ok(growths);
    }
    counts.extend(count(task, &[ELEMENTS << counts.len()])?);
    Ok(of_counts(task, &counts))
}

fn of_counts((shape, operations): &Task, counts: &[Vec<u64>]) -> Vec<Growth> {
    let (_, make) = shape_of(*shape);
    let bytes = bytes(&make(ELEMENTS << (counts.len() - 1)));
    let growth = |(at, operation): (usize, &usize)| {
        let of_sizes: Vec<u64> = counts.iter().map(|count| count[at]).collect();
        let ratio = |pair: &[u64]| pair[1] as f64 / pair[0].max(NOTICEABLE) as f64;
        Growth {
            operation: OPERATIONS[*operation].0,
            max_growth: max_growth(*shape),
            ratios: of_sizes.windows(2).map(ratio).collect(),
            instructions_per_byte: of_sizes[of_sizes.len() - 1] / bytes,
        }
    };
    operations.iter().enumerate().map(growth).collect()
}

fn bytes(input: &Hostile) -> u64 {
    (input.file.len() + input.url.len()) as u64
}

/// Counts the instructions of each operation of a task, for each size.
fn count((shape, operations): &Task, sizes: &[usize]) -> Result<Vec<Vec<u64>>, String> {
    let numbers: Vec<String> = operations.iter().map(usize::to_string).collect();
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--vgdb=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(own)
        .args([shape.to_string().as_str(), &numbers.join(","), "of"])
        .args(sizes.iter().map(usize::to_string))
        .output()
        .map_err(|error| {
            format!("cannot run valgrind, please install the package `valgrind`: {error}")
        })?;
    let log = String::from_utf8_lossy(&output.stderr);
    let totals = read_totals(&log);
    // The last total is that of the process which forks.
    if !output.status.success() || totals.len() != sizes.len() * (operations.len() + 1) + 1 {
        return Err(log.into_owned());
    }
    let of_size = |totals: &[u64]| {
        let (nothing, operations) = totals.split_first().unwrap();
        operations
            .iter()
            .map(|total| total.saturating_sub(*nothing))
            .collect()
    };
    Ok(totals
        .chunks_exact(operations.len() + 1)
        .map(of_size)
        .collect())
}

/// The instructions of each process, in the order in which they ended: `==12== I refs: 3,456`.
fn read_totals(log: &str) -> Vec<u64> {
    let totals = log.lines().filter_map(|line| line.split_once("refs:"));
    let total = |(_, total): (&str, &str)| total.trim().replace(',', "").parse().ok();
    totals.filter_map(total).collect()
}

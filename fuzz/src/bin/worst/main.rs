//! Search for the most costly file and URL of each operation, by mutation and selection. It fails
//! if one costs more instructions than the bound of its operation.
//!
//! `worst [SECONDS [OPERATION]]` searches for that time, for all operations or one, and then counts
//! the instructions of the worst inputs that it found. `worst shapes` counts the instructions of
//! the shapes with which the search begins. `worst write` makes the file and the text of a recipe,
//! and `worst run` is the part that callgrind counts.
//!
//! The search compares processor times of the thread. A time takes a microsecond to read, so the
//! search tries some fifty candidates a second on each core; with callgrind it would try less than
//! one. Counts of instructions decide in the end, as they are the same on a loaded machine.

mod genome;
mod operation;
mod random;
mod seeds;

use std::env;
use std::error::Error;
use std::fs;
use std::process::{self, ExitCode};
use std::slice;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cpu_time::ThreadTime;
use polite_robots_fuzz::callgrind;

use crate::genome::Genome;
use crate::operation::{Input, MEASURED, OPERATIONS, Operation};
use crate::random::Random;

const SECONDS: u64 = 10;

/// The number of candidates of an operation that have offspring.
const KEPT: usize = 12;

/// The number of candidates whose instructions are counted.
const COUNTED: usize = 2;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => search(SECONDS, OPERATIONS),
        ["shapes"] => shapes(),
        ["run", name, file, text] => {
            let read =
                |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let input = Input {
                file: read(file)?,
                text: read(text)?,
            };
            operation(name)?.run(&input, 1);
            Ok(ExitCode::SUCCESS)
        }
        ["write", name, recipe, file, text] => {
            let input = operation(name)?.input(&Genome::new(recipe));
            fs::write(file, input.file)?;
            fs::write(text, input.text)?;
            Ok(ExitCode::SUCCESS)
        }
        [seconds] => search(seconds.parse()?, OPERATIONS),
        [seconds, name] => search(seconds.parse()?, slice::from_ref(operation(name)?)),
        _ => Err(
            "worst [SECONDS | shapes | write OPERATION RECIPE FILE TEXT | run OPERATION FILE TEXT]"
                .into(),
        ),
    }
}

fn operation(name: &str) -> Result<&'static Operation, &'static str> {
    let operation = OPERATIONS.iter().find(|known| known.name == name);
    operation.ok_or("no such operation")
}

fn search(seconds: u64, operations: &[Operation]) -> Result<ExitCode, Box<dyn Error>> {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH)?.subsec_nanos();
    let share = Duration::from_secs(seconds) * cores().min(operations.len()) as u32
        / operations.len() as u32;
    let is_bounded = for_each(operations, |operation| {
        let (tried, mut best) = worst(operation, share, &mut Random::new(seed.into()));
        best.truncate(COUNTED);
        report(operation, tried, &best)
    })?;
    Ok(if is_bounded {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn shapes() -> Result<ExitCode, Box<dyn Error>> {
    let seeds: Vec<(u64, Genome)> = seeds::seeds().map(|seed| (0, seed)).collect();
    let is_bounded = for_each(OPERATIONS, |operation| {
        report(operation, seeds.len(), &seeds)
    })?;
    Ok(if is_bounded {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Does the work for each operation, on all cores. Returns whether all results were `true`.
fn for_each(
    operations: &[Operation],
    work: impl Fn(&Operation) -> Result<bool, String> + Sync,
) -> Result<bool, String> {
    let rest = Mutex::new(operations.iter());
    let all = Mutex::new(Ok(true));
    thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                while let Some(operation) = { rest.lock().unwrap().next() } {
                    let one = work(operation);
                    let mut all = all.lock().unwrap();
                    *all = all.clone().and_then(|all| Ok(one? && all));
                }
            });
        }
    });
    all.into_inner().unwrap()
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the number of candidates tried, and the worst with their nanoseconds, the very worst
/// first.
fn worst(
    operation: &Operation,
    time: Duration,
    random: &mut Random,
) -> (usize, Vec<(u64, Genome)>) {
    // The time of this thread on a processor: a busy machine makes the search longer, not worse.
    let start = ThreadTime::now();
    let measured = |genome: Genome| {
        let input = operation.input(&genome);
        (operation.run(&input, 2), genome)
    };
    let mut best: Vec<(u64, Genome)> = seeds::seeds().map(measured).collect();
    let mut tried = best.len();
    best.sort_by_key(|(cost, _)| u64::MAX - cost);
    while start.elapsed() < time {
        best.truncate(KEPT);
        let (one, other) = (random.below(best.len()), random.below(best.len()));
        let child = best[one].1.mutated(&best[other].1, random);
        let (cost, child) = measured(child);
        let at = best.partition_point(|(known, _)| *known >= cost);
        best.insert(at, (cost, child));
        tried += 1;
    }
    (tried, best)
}

/// Prints the instructions of some candidates. Returns whether all are within the bound.
fn report(
    operation: &Operation,
    tried: usize,
    candidates: &[(u64, Genome)],
) -> Result<bool, String> {
    let mut is_bounded = true;
    for (at, (nanoseconds, genome)) in candidates.iter().enumerate() {
        let instructions = count(operation, at, &operation.input(genome))?;
        let is_within = instructions <= operation.bound;
        println!(
            "{:<13} {:>8.2} of {:>5} million instructions, {:>7.2} ms, {tried} tried{}: {genome}",
            operation.name,
            instructions as f64 / 1e6,
            operation.bound / 1_000_000,
            *nanoseconds as f64 / 1e6,
            if is_within { "" } else { ", ABOVE" },
        );
        is_bounded &= is_within;
    }
    Ok(is_bounded)
}

/// Counts the instructions of the measured part of an operation.
fn count(operation: &Operation, number: usize, input: &Input) -> Result<u64, String> {
    let stem = env::temp_dir().join(format!(
        "worst-{}-{}-{number}",
        process::id(),
        operation.name
    ));
    let [file, text] = ["file", "text"].map(|extension| stem.with_extension(extension));
    let written = fs::write(&file, &input.file).and_then(|()| fs::write(&text, &input.text));
    let count = written.map_err(|error| error.to_string()).and_then(|()| {
        let arguments = [
            "run".as_ref(),
            operation.name.as_ref(),
            file.as_os_str(),
            text.as_os_str(),
        ];
        callgrind::count(MEASURED, arguments)
    });
    let _ = fs::remove_file(&file).and_then(|()| fs::remove_file(&text));
    count
}

//! The survey against a reader of WARC alone, on a generated archive of the size given in `SURVEY_MIB` (of its gzip
//! members; 100 by default): the lowest and the median time of both, measured in turn.
//!
//! The reader alone takes the members apart on one thread and looks at nothing; the survey is the real command, with
//! two threads and with one. `SURVEY_KEEP=FILE` keeps the archive, for `/usr/bin/time -v robots survey FILE`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs
)]

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use rust_warc::WarcReader;

fn main() {
    let mib: u64 = std::env::var("SURVEY_MIB").map_or(100, |mib| mib.parse().unwrap());
    let kept = std::env::var_os("SURVEY_KEEP").map(PathBuf::from);
    let path = kept
        .clone()
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("survey.warc.gz"));
    let records = write(&path, mib * 1024 * 1024);
    println!(
        "{records} records in {:.1} MiB of gzip",
        fs::metadata(&path).unwrap().len() as f64 / f64::from(1 << 20)
    );
    let mut runs: [(&str, Run, Vec<Duration>); 3] = [
        ("reader alone, 1 thread", read, Vec::new()),
        ("survey, 2 threads", |path| survey(path, 2), Vec::new()),
        ("survey, 1 thread", |path| survey(path, 1), Vec::new()),
    ];
    for _ in 0..ROUNDS {
        for (_, run, times) in &mut runs {
            let start = Instant::now();
            assert_eq!(run(&path), records);
            times.push(start.elapsed());
        }
    }
    for (name, _, mut times) in runs {
        times.sort_unstable();
        let (least, median) = (times[0], times[times.len() / 2]);
        println!(
            "{name:<24} least {:>7.1} ms, median {:>7.1} ms, {:>6.2} µs a record",
            1e3 * least.as_secs_f64(),
            1e3 * median.as_secs_f64(),
            1e6 * least.as_secs_f64() / records as f64,
        );
    }
    if kept.is_none() {
        fs::remove_file(path).unwrap();
    }
}

/// Takes an archive through, and says how many records it has.
type Run = fn(&Path) -> u64;

fn read(path: &Path) -> u64 {
    let file = BufReader::with_capacity(256 * 1024, File::open(path).unwrap());
    let octets = BufReader::with_capacity(256 * 1024, MultiGzDecoder::new(file));
    WarcReader::new(octets)
        .map(|record| record.unwrap())
        .count() as u64
}

fn survey(path: &Path, threads: u32) -> u64 {
    let output = Command::new(env!("CARGO_BIN_EXE_robots"))
        .arg("survey")
        .arg(path)
        .args([
            "--threads",
            &threads.to_string(),
            "--out",
            "/dev/stdout",
            "--resume",
        ])
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    let _ = output;
    todo!()
}

fn write(_: &Path, _: u64) -> u64 {
    todo!()
}

const ROUNDS: usize = 5;

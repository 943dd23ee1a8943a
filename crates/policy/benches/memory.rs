//! Memory of the cache for a million origins, with the sizes of real files.
//!
//! The real files are in `../shared/corpus` beside the checkout; without them the bench generates
//! files of the same sizes. A robot builds an index at its first question, so the memory is
//! measured before and after one question to each.
//!
//! The bench also asks a `RobotsCache` of 64 MiB twice about 100,000 hosts with files of 3.8 kB, at
//! two paces.
//!
//! With `ENFORCE=1` these are errors: more than 300 bytes for an origin without a file, more than
//! 2.0 GB for all files with all their indices, and more than 64 MiB for the `RobotsCache`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use allocation_counter::measure;
use polite_robots::{Cause, Robot, RobotsTxt};
use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
use polite_robots_policy::{
    Cache, Lookup, NetError, Origin, Outcome, Profile, RobotsCache, RobotsResponse, Timestamp,
    block_on,
};

fn main() -> ExitCode {
    let origins = if is_measured() { 1_000_000 } else { 500 };
    let files = real_files().unwrap_or_else(generated_files);
    let sizes: usize = files.iter().map(Vec::len).sum();
    println!("\n| what | figure |\n|---|---|");
    println!("| origins | {origins} |");
    println!(
        "| files | {}, {} bytes on average |",
        files.len(),
        sizes / files.len()
    );

    let missing = fill(origins, |_| outcome_without_file());
    missing.print("without a robots.txt");
    // A quarter of the files are alike. Each of the others has one changed rule.
    let real = fill(origins, |number| {
        if number % 4 == 0 {
            return outcome(&files[number / 4 % COMMON]);
        }
        outcome(&changed(&files[number % files.len()], number))
    });
    real.print("with files, a quarter of them alike");

    let is_enforced = std::env::var("ENFORCE").is_ok_and(|value| value == "1");
    let hosts = if is_measured() { 100_000 } else { 500 };
    let peaks = [10, 1].map(|milliseconds| ask_hosts(hosts, milliseconds));
    let is_cache_over = peaks.iter().any(|peak| *peak > LIMIT as u64);
    let is_over =
        missing.asked / origins as u64 > 300 || real.asked > 2_000_000_000 || is_cache_over;
    if is_enforced && is_over {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

struct Figures {
    origins: usize,
    /// The bytes before the first question.
    filled: u64,
    /// The bytes after a question to each origin.
    asked: u64,
    counted: usize,
    poll: Duration,
}

impl Figures {
    fn print(&self, what: &str) {
        let origins = self.origins as u64;
        for (when, bytes) in [("filled", self.filled), ("asked once", self.asked)] {
            let bytes_each = bytes / origins;
            println!("| {what}, {when} | {bytes} bytes, {bytes_each} for an origin |");
        }
        let counted = self.counted as u64;
        println!(
            "| {what}, as counted | {counted} bytes, {} for an origin |",
            counted / origins
        );
        let poll = self.poll.as_nanos() / u128::from(origins);
        println!("| {what}, a poll | {poll} ns |");
    }
}

/// Fills a cache with `origins` origins, and asks each of them one question.
fn fill(origins: usize, outcome: impl Fn(usize) -> Outcome) -> Figures {
    let now = Timestamp::from_millis(1_767_225_600_000);
    let later = now.saturating_add(Duration::from_secs(60));
    let mut cache = None;
    let filling = measure(|| {
        let filled = Cache::new(Profile::rfc9309(), &["ExampleBot"], usize::MAX).unwrap();
        let filled = cache.insert(filled);
        for number in 0..origins {
            let Lookup::Fetch(ticket) = filled.poll(&origin(number), now) else {
                panic!("no ticket");
            };
            filled.handle(ticket, outcome(number), now);
        }
    });
    let mut cache = cache.unwrap();
    let asking = measure(|| {
        for number in 0..origins {
            let Lookup::Ready(robot) = cache.poll(&origin(number), now) else {
                panic!("no robot");
            };
            let _ = robot.allowed("/folder/page.html?id=1");
        }
    });
    // Successive origins lie far apart in memory, as in a crawl.
    let asked: Vec<Origin> = (0..origins)
        .map(|number| origin(number * 7919 % origins))
        .collect();
    let start = Instant::now();
    for origin in &asked {
        assert!(matches!(cache.poll(origin, later), Lookup::Ready(_)));
    }
    let poll = start.elapsed();
    Figures {
        origins,
        filled: u64::try_from(filling.bytes_current).unwrap(),
        asked: u64::try_from(filling.bytes_current + asking.bytes_current).unwrap(),
        counted: cache.bytes(),
        poll,
    }
}

/// The memory of a `RobotsCache`.
const LIMIT: usize = 64 << 20;

/// Asks a `RobotsCache` twice about hosts whose files of 3.8 kB all differ, and returns its peak
/// memory. A tenth of the hosts are down the second time. Forgetting must open nothing.
fn ask_hosts(hosts: usize, milliseconds: u64) -> u64 {
    let clock = Arc::new(AtomicU64::new(1_767_225_600_000));
    let (mut requests, mut closed) = ([0, 0], [0, 0]);
    let mut known = 0;
    let memory = measure(|| {
        let (sent, read) = (AtomicU64::new(0), Arc::clone(&clock));
        let cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], LIMIT).unwrap();
        let is_second = AtomicBool::new(false);
        let robots = RobotsCache::over(cache, |url: String| {
            sent.fetch_add(1, Relaxed);
            let is_down = is_second.load(Relaxed) && url.contains("7.example.com");
            let answer = if is_down {
                Err(NetError::Connect)
            } else {
                Ok(file_of(&url))
            };
            async { answer }
        });
        let robots = robots.with_clock(move || Timestamp::from_millis(read.load(Relaxed)));
        for pass in [0, 1] {
            is_second.store(pass == 1, Relaxed);
            for number in 0..hosts {
                let host = format!("https://host-{number}.example.com");
                let check = block_on(robots.check(&format!("{host}/folder/page"))).unwrap();
                let private = block_on(robots.allowed(&format!("{host}/private/3"))).unwrap();
                assert!(!private && check.allowed != check.closed, "{host}: {check}");
                closed[pass] += usize::from(check.closed);
                clock.fetch_add(milliseconds, Relaxed);
            }
            requests[pass] = sent.swap(0, Relaxed);
            clock.fetch_add(86_400_000, Relaxed);
        }
        known = robots.with_cache(|cache| cache.len());
    });
    let peak = memory.bytes_max;
    println!("| `RobotsCache`, {hosts} hosts, one each {milliseconds} ms, peak | {peak} bytes |");
    println!(
        "| known at the end; requests and closed, in each of two passes | {known}; {requests:?}, {closed:?} |"
    );
    peak
}

fn file_of(url: &str) -> RobotsResponse {
    let rules: String = (0..150)
        .map(|rule| format!("Disallow: /private/{rule:03}/x\n"))
        .collect();
    let body = format!("User-agent: *\n{rules}Disallow: /private/\n# {url}\nDisallow: /{url}\n");
    RobotsResponse::new(200, [("Content-Type", "text/plain")], body)
}

/// The file with another path in its first rule. A file without rules gets one.
fn changed(file: &[u8], number: usize) -> Vec<u8> {
    let robot = Robot::new("ExampleBot", file).unwrap();
    let place = robot.rules().find_map(|rule| {
        let line = file
            .split(|byte| *byte == b'\n')
            .nth(rule.line() as usize - 1)?;
        let pattern = rule.pattern().as_bytes();
        let mut windows = line.windows(pattern.len().max(1));
        let offset = windows.rposition(|window| window == pattern)?;
        Some(line.as_ptr() as usize - file.as_ptr() as usize + offset..pattern.len())
    });
    let Some(place) = place else {
        let rule = format!("\nUser-agent: *\nDisallow: /{number}\n");
        return [file, rule.as_bytes()].concat();
    };
    let (start, len) = (place.start, place.end);
    let path = format!("/{number}");
    // The file keeps its length if the number fits into the old path.
    let rest = &file[start + len.min(path.len())..];
    [&file[..start], path.as_bytes(), rest].concat()
}

fn origin(number: usize) -> Origin {
    Origin::of(&format!("https://host-{number}.example.com")).unwrap()
}

fn outcome(body: &[u8]) -> Outcome {
    Outcome::Parsed {
        robots_txt: RobotsTxt::parse(body),
        freshness: Freshness::default(),
        validators: Validators::default(),
        end: BodyEnd::Complete,
    }
}

fn outcome_without_file() -> Outcome {
    Outcome::Unavailable(Cause::Status(404))
}

/// The files of both archives.
fn real_files() -> Option<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut files = Vec::new();
    for name in ["top-sites-robots.tar.xz", "sites-2024-robots.tar.xz"] {
        let Ok(file) = std::fs::File::open(folder.join(name)) else {
            eprintln!("{name} is not here; generated files stand for it");
            return None;
        };
        let mut archive = tar::Archive::new(lzma_rust2::XzReader::new(file, true));
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            if entry.header().entry_type().is_file() {
                let mut body = Vec::new();
                entry.read_to_end(&mut body).unwrap();
                files.push(body);
            }
        }
    }
    Some(files)
}

/// Half of the files have up to 500 bytes and a few have a hundred times as much, like real ones.
fn generated_files() -> Vec<Vec<u8>> {
    let file = |number: usize| {
        let rules = match number % 100 {
            0 => 2_000,
            1..10 => 300,
            10..50 => 60,
            _ => number % 16,
        };
        let rules: String = (0..rules)
            .map(|rule| format!("Disallow: /folder-{rule}/\n"))
            .collect();
        format!("User-agent: *\n{rules}").into_bytes()
    };
    (0..1_000).map(file).collect()
}

/// Files that many sites share: those of the common content management systems.
const COMMON: usize = 20;

/// Whether to measure, or only to run everything once: `cargo bench` passes `--bench`, `cargo test
/// --benches` does not.
fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

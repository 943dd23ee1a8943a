//! Memory of a robot and a document, the peak while parsing, and the number of allocations.
//!
//! Figures are bytes requested from the allocator, without its own overhead. A `Vec` that grows
//! counts as a new allocation beside the old one until the bytes are moved, so the peak is that of
//! an allocator which never grows in place.

use std::hint::black_box;

use allocation_counter::{AllocationInfo, measure};
use polite_robots::{Robot, RobotsTxt};

use polite_robots_benches::inputs::{AGENT, Input, corpus, shapes};
use polite_robots_benches::peers::{Peer, Robotxt, TextingRobots, assert_answers};

fn main() {
    println!("\n| input | type | live | peak | allocations | live blocks | live after 50 checks |");
    println!("|---|---|---|---|---|---|---|");
    for input in [
        shapes::tiny(),
        shapes::median(),
        corpus::twitter().unwrap_or_else(shapes::twitter_like),
        shapes::p99(),
        shapes::sophos_like(),
        shapes::smugmug_like(),
        shapes::oracle_like(),
        shapes::d1(),
        shapes::d2(),
        shapes::d4(),
        shapes::params(),
    ] {
        assert_answers(&input);
        let name = format!("{}, {}", input.name, bytes(input.bytes.len() as i64));
        print_rows(&name, &[input]);
    }
    if let Some(files) = corpus::top_sites() {
        let sum: usize = files.iter().map(|file| file.bytes.len()).sum();
        let name = format!("corpus, {} files, {}", files.len(), bytes(sum as i64));
        print_rows(&name, &files);
    }
}

fn print_rows(input: &str, files: &[Input]) {
    let print = |kind: &str, memory: Memory| {
        println!(
            "| {input} | {kind} | {} | {} | {} | {} | {} |",
            bytes(memory.live),
            bytes(memory.peak),
            memory.allocations,
            memory.blocks,
            bytes(memory.live_after_checks)
        );
    };
    print(
        "`Robot`",
        memory(
            files,
            |bytes| Robot::new(AGENT, bytes).unwrap(),
            |robot, path| robot.allowed(path),
        ),
    );
    print(
        "`RobotsTxt`",
        memory(files, RobotsTxt::parse, |_document, _path| true),
    );
    print("robotxt", memory_of_peer::<Robotxt>(files));
    print("texting_robots", memory_of_peer::<TextingRobots>(files));
}

fn memory_of_peer<P: Peer>(files: &[Input]) -> Memory {
    memory(
        files,
        |bytes| P::parse(bytes).unwrap(),
        |robot, path| P::allows_path(robot, path),
    )
}

/// Sums over the files, and the largest peak of one file.
#[derive(Default)]
struct Memory {
    live: i64,
    peak: i64,
    allocations: u64,
    blocks: i64,
    /// Live bytes after the checks, including the parts that are built on first use.
    live_after_checks: i64,
}

fn memory<T>(
    files: &[Input],
    parse: impl Fn(&[u8]) -> T,
    allows: impl Fn(&T, &str) -> bool,
) -> Memory {
    let mut memory = Memory::default();
    for file in files {
        let mut parsed = None;
        let parsing = measure(|| parsed = Some(black_box(parse(&file.bytes))));
        let parsed = parsed.unwrap();
        let asking = measure(|| {
            for path in &file.paths {
                black_box(allows(&parsed, path));
            }
        });
        memory.add(parsing, asking);
        // The bench does not assert that all memory is freed: a regex may leave its scratch space
        // to the thread.
        drop(parsed);
    }
    memory
}

impl Memory {
    fn add(&mut self, parsing: AllocationInfo, asking: AllocationInfo) {
        self.live += parsing.bytes_current;
        self.peak = self.peak.max(parsing.bytes_max as i64);
        self.allocations += parsing.count_total;
        self.blocks += parsing.count_current;
        self.live_after_checks += parsing.bytes_current + asking.bytes_current;
    }
}

fn bytes(count: i64) -> String {
    match count {
        count if count < 10_000 => format!("{count} B"),
        count if count < 1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        count => format!("{:.2} MB", count as f64 / 1e6),
    }
}

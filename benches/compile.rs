//! Time from a parsed document to the robot of one agent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use polite_robots::RobotsTxt;

use polite_robots_benches::inputs::{AGENT, shapes};
use polite_robots_benches::peers::assert_answers;

/// No peer has this step: peers that keep all agents compile nothing, and the others keep one
/// agent.
fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    for input in [
        shapes::tiny(),
        shapes::median(),
        shapes::twitter_like(),
        shapes::p99(),
        shapes::sophos_like(),
        shapes::smugmug_like(),
        shapes::runescape_like(),
        shapes::oracle_like(),
        shapes::d1(),
        shapes::d4(),
    ] {
        assert_answers(&input);
        let document = RobotsTxt::parse(&input.bytes);
        let robot = document.robot(AGENT).unwrap();
        let disallowed = input.paths.iter().filter(|path| !robot.allowed(*path));
        assert_eq!(
            disallowed.count(),
            polite_robots_benches::peers::disallowed_here(&input)
        );
        group.bench_function(&input.name, |bencher| {
            bencher.iter(|| black_box(&document).robot(AGENT));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = polite_robots_benches::harness::criterion();
    targets = compile
}
criterion_main!(benches);
